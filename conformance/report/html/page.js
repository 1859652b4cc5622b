// ---- The page: its head, its filters, and their effects.

function drawHead() {
  const { run, summary } = report;
  document.title = `${run.backend.name} ${run.backend.version}: Touchstone report`;
  byId("backend").textContent = `${run.backend.name} ${run.backend.version}`;
  byId("part").textContent = `Only a part of the run: ${summary.part}.`;
  byId("part").hidden = summary.part === "";
  const passed = summary.verdicts.pass + summary.verdicts.pass_variant;
  byId("headline").replaceChildren(element("strong", {}, number(passed)), ` of ${number(summary.cases)} cases passed`);

  const counted = Object.keys(VERDICTS).filter((verdict) => summary.verdicts[verdict] > 0);
  byId("bar").replaceChildren(...counted.map((verdict) => {
    const piece = element("span", { class: VERDICTS[verdict].state });
    piece.style.flexGrow = summary.verdicts[verdict];
    return piece;
  }));
  byId("verdicts").replaceChildren(...counted.map((verdict) => {
    const onclick = () => show({ verdict: selected.verdict === verdict ? "" : verdict });
    return element("button", { type: "button", "aria-pressed": "false", "data-verdict": verdict, onclick },
      verdictLabel(verdict), element("span", { class: "amount" }, number(summary.verdicts[verdict])));
  }));

  const { passed: rejected, not_shown: notShown, total: mustReject } = summary.must_reject;
  const judge = [];
  if (run.judge.strict) judge.push("only primary readings pass");
  if (run.judge.sign_of_zero) judge.push("+0 and −0 differ");
  byId("facts").replaceWith(facts([
    ["must-reject passed", mustReject > 0 ? ratio(rejected, mustReject) : "none run"],
    ["must-reject not shown", notShown > 0
      ? caseLink(ratio(notShown, mustReject), { verdict: "not_shown" }) : ""],
    ["not asked, as declared", summary.declined > 0 ? ratio(summary.declined, summary.cases) : ""],
    ["flaky", summary.flaky > 0
      ? caseLink(ratio(summary.flaky, summary.cases), { text: "flaky: " }) : ""],
    ["lattice cells touched", ratio(summary.covered_cells, summary.legal_cells)],
    ["elements judged", ratio(summary.elements - summary.masked, summary.elements)],
    ["suites", run.plan.suites.join(", ")],
    ["tier", run.plan.tier],
    ["seed", String(run.plan.seed)],
    ["filter", run.plan.filter === "*" ? "" : run.plan.filter],
    ["plan", run.plan.hash],
    ["judge", judge.join(", ")],
    ["the backend declares", report.declared],
    ["assumed of it", report.assumed],
    ["host", run.host],
    ["Touchstone", run.touchstone.version],
  ]));
}

// ---- Filters

const distinct = (values) => [...new Set(values)].filter((value) => value !== undefined && value !== "");

const CHOICES = {
  operator: () => report.operators.map(({ name }) => name),
  granularity: () => distinct(report.cells.map(({ granularity }) => granularity)),
  form: () => distinct(report.forms).sort(),
  opset: () => distinct(report.places.map(([, , opset]) => opset)).sort((a, b) => a - b).map(String),
  type: () => [...distinct(report.operators.flatMap(({ types }) => types.map(({ name }) => name))), MUST_REJECT],
  verdict: () => [...Object.keys(VERDICT_GROUPS), ...report.verdicts],
};

function drawFilters() {
  const change = ({ target }) => select({ [target.name]: target.value });
  const fields = FILTERS.map(({ name, label }) => {
    const field = CHOICES[name] === undefined
      ? element("input", { type: "search", name, oninput: change, autocomplete: "off", spellcheck: "false" })
      : element("select", { name, onchange: change }, element("option", { value: "" }, "all"),
        CHOICES[name]().map((choice) => element("option", { value: choice }, choice)));
    return element("label", { class: name }, label, field);
  });
  byId("filters").replaceChildren(...fields, element("button", { type: "reset", id: "clear" }, "Clear"));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    select(NOTHING);
  });
}

// Redraws what depends on the changed filters. Keeps the matrix if possible, because it may have the focus.
function select(changes) {
  const changed = Object.keys(changes).filter((name) => selected[name] !== changes[name]);
  Object.assign(selected, changes);
  for (const { name } of FILTERS) {
    const field = byId("filters").elements.namedItem(name);
    if (field.value !== selected[name]) field.value = selected[name];
    field.classList.toggle("active", selected[name] !== "");
  }
  byId("clear").disabled = FILTERS.every(({ name }) => selected[name] === "");
  for (const button of byId("verdicts").children)
    button.setAttribute("aria-pressed", String(button.dataset.verdict === selected.verdict));
  if (changed.some((name) => MATRIX_FILTERS.includes(name))) drawMatrices();
  markCurrentCell();
  drawList();
}

// The same, and scrolls to the cases.
function show(changes) {
  select(changes);
  byId("cases-heading").focus({ preventScroll: true });
  byId("cases").scrollIntoView();
}

function markCurrentCell() {
  for (const button of byId("matrices").querySelectorAll("button")) {
    const { operator, opset, type } = button.dataset;
    const current = operator === selected.operator && opset === selected.opset && type === selected.type;
    button.toggleAttribute("aria-current", current);
  }
}

// ---- Readings and forms

function caseLink(text, filters) {
  return element("button", { type: "button", class: "link", onclick: () => show({ ...NOTHING, ...filters }) }, text);
}

function drawReadings() {
  const followed = report.readings.filter((row) => row.cases > 0);
  byId("readings").hidden = followed.length === 0;
  const rows = followed.map(({ ambiguity, reading, question, sentence, cases: count }) =>
    element("tr", {},
      element("td", {}, caseLink(`${ambiguity}: ${reading}`, { text: `${ambiguity}: ${reading}`, verdict: "pass_variant" })),
      element("td", {}, question, " ", element("strong", {}, sentence)),
      element("td", { class: "amount" }, number(count))));
  byId("readings").append(table(["ambiguity: reading", "in words", "cases"], rows));
}

function drawInconsistencies() {
  byId("inconsistencies").hidden = report.inconsistencies.length === 0;
  const rows = report.inconsistencies.map(({ ambiguity, question, groups, first, evidence }) =>
    element("tr", {},
      element("td", {}, ambiguity, " ", question),
      element("td", { class: "amount" }, number(groups)),
      element("td", {}, first),
      evidence.map(({ readings, cases, id }) =>
        element("td", {}, element("strong", {}, readings), ` in ${cases}, the first `, caseLink(id, { text: id })))));
  byId("inconsistencies").append(
    table(["ambiguity", "groups of cases", "the first of them", "readings", "other readings"], rows));
}

function drawExpectations() {
  byId("expectations").hidden = report.expectations.length === 0;
  const rows = report.expectations.map((row) => {
    const more = row.unexpected_passes - row.first_passes.length;
    return element("tr", {},
      element("td", {}, element("code", {}, row.pattern)),
      element("td", {}, verdictLabel(row.verdict)),
      element("td", {}, row.reason),
      element("td", {}, row.issue),
      element("td", {}, row.expires),
      element("td", { class: "amount" }, number(row.met)),
      element("td", {}, number(row.unexpected_passes),
        row.first_passes.map((id) => element("div", {}, caseLink(id, { text: id }))),
        more > 0 ? element("div", {}, `and ${number(more)} more`) : undefined),
      element("td", {}, row.state));
  });
  byId("expectations").append(
    table(["cases", "verdict", "reason", "issue", "expires", "cases met", "unexpected passes", "state"], rows));
}

function drawCovered() {
  byId("covered").hidden = report.covered.length === 0;
  const rows = report.covered.map((row) =>
    element("tr", {},
      element("td", {}, row.version),
      [row.types.join(", "), row.x, row.scale, row.zero_point].map((text) => element("td", {}, element("code", {}, text))),
      element("td", { class: "amount" }, number(row.elements))));
  byId("covered").append(
    table(["operator version", "types of x, scale and y", "x", "scale", "zero point", "elements of each"], rows));
}

function drawForms() {
  byId("forms").hidden = report.form_rows.length === 0;
  const byForm = Map.groupBy(cases, ({ form }) => form);
  const counted = (form, verdict) => byForm.get(form).filter((one) => one.verdict === verdict).length;
  const beside = report.verdicts.filter((verdict) =>
    verdict !== "pass" && report.form_rows.some(({ form }) => counted(form, verdict) > 0));
  const rows = report.form_rows.map(({ form, words }) => {
    const count = tally(byForm.get(form));
    const { state, mark } = STATES.find((row) => row.state === stateOf(count));
    return element("tr", {},
      element("td", {}, caseLink(form, { form })),
      element("td", { class: "amount" },
        element("span", { class: `cell ${state}` }, `${mark} ${ratio(count.passed, count.total)}`)),
      beside.map((verdict) => {
        const some = counted(form, verdict);
        return element("td", { class: "amount" }, some > 0 ? caseLink(number(some), { form, verdict }) : "");
      }),
      element("td", {}, words));
  });
  byId("forms").append(table(["form", "passed", ...beside, "in words"], rows));
}

// ---- Light and dark: the system's setting, unless the reader chooses.

function setUpTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const label = () => { byId("theme").textContent = isDark() ? "Light" : "Dark"; };
  byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  system.addEventListener("change", label);
  label();
}

setUpTheme();
drawHead();
drawFilters();
drawLegend();
drawMatrices();
drawReadings();
drawInconsistencies();
drawExpectations();
drawForms();
drawCovered();
select({});
byId("more").addEventListener("click", () => drawMore().querySelector("button").focus());
document.documentElement.dataset.ready = "";
