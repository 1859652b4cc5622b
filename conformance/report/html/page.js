// ---- The page: its head, its filters, and their effects.

function drawHead() {
  const { backend, summary } = report;
  document.title = `${backend.title}: Touchstone report`;
  byId("conclusion").textContent = summary.conclusion;
  byId("backend").textContent = backend.title;
  byId("part").textContent = `Only a part of the run: ${summary.part}.`;
  byId("part").hidden = summary.part === undefined;

  // The order is that of report.classes, in the bar as in its legend.
  const classes = report.classes.map((row) => ({ ...row, legal: summary[row.id] ?? 0, illegal: summary.illegal[row.id] ?? 0 }));
  // Only legal models: a backend that refuses everything rejects all others.
  byId("bar").replaceChildren(...classes.filter(({ legal }) => legal > 0).map(({ id, legal }) => {
    const piece = element("span", { class: id });
    piece.style.flexGrow = legal;
    return piece;
  }));
  // A button for the cases of this class, if there are any. `only` is empty if all of them are of such models.
  const choice = ({ id, words, is_of_legal: isOfLegal, is_of_illegal: isOfIllegal }, models, count) => {
    if (count === 0) return [];
    const only = isOfLegal && isOfIllegal ? models : "";
    const onclick = () => show(isChosen(id, only) ? { answer: "", models: "" } : { answer: id, models: only });
    return element("button", { type: "button", "aria-pressed": "false", "data-answer": id, "data-models": only, onclick },
      marked(id, models === "illegal" ? `illegal: ${words}` : words), element("span", { class: "amount" }, number(count)));
  };
  byId("answers").replaceChildren(...MODELS.flatMap((models) => classes.flatMap((row) => choice(row, models, row[models]))));
}

function drawDetails() {
  const { plan, judge, summary } = report;
  const judging = [];
  if (judge.strict) judging.push("only primary readings pass");
  if (judge.sign_of_zero) judging.push("+0 and −0 differ");
  byId("facts").replaceWith(facts([
    ["flaky", summary.flaky > 0
      ? caseLink(ratio(summary.flaky, summary.cases), { text: "flaky: " }) : ""],
    ["newer opsets", summary.newer_opsets === undefined ? ""
      : `${ratio(summary.newer_opsets.cases, summary.cases)} not asked: ${summary.newer_opsets.reason}`],
    ["lattice cells touched", ratio(summary.cells.covered, summary.cells.legal)],
    ["elements judged", ratio(summary.elements.judged, summary.elements.judged + summary.elements.masked)],
    ["suites", plan.suites.join(", ")],
    ["tier", plan.tier],
    ["seed", String(plan.seed)],
    ["filter", plan.filter === "*" ? "" : plan.filter],
    ["plan", plan.hash],
    ["content", summary.content],
    ["journal", summary.journal],
    ["judge", judging.join(", ")],
    ["the backend declares", report.declared],
    ["assumed of it", report.assumed],
    ["limits", Object.entries(report.options.limits ?? {}).map(([name, value]) => `${name}=${value}`).join(", ")],
    ["the backend ran", [
      report.options.sandbox ? "in a sandbox" : "",
      report.options.no_sandbox ? "without a PID namespace" : "",
      report.options.show_ids ? "with the ids of the cases" : "",
    ].filter(Boolean).join(", ")],
    ["host", report.host],
    ["Touchstone", report.touchstone.version],
  ]));
}

// ---- Filters

// Whether the filters select the cases of this class: those of the given models, or, if that is empty, of all.
const isChosen = (answer, models) =>
  selected.answer === answer && (models === "" || selected.models === "" || selected.models === models);

const distinct = (values) => [...new Set(values)].filter((value) => value !== undefined && value !== "");

const CHOICES = {
  operator: () => report.operators.map(({ name }) => name),
  granularity: () => distinct(report.cells.map(({ granularity }) => granularity)),
  form: () => distinct(report.case_forms).sort(),
  opset: () => distinct(report.places.map(([, , opset]) => opset)).sort((a, b) => a - b).map(String),
  type: () => [...distinct(report.operators.flatMap(({ types }) => types.map(({ name }) => name))), MUST_REJECT],
  models: () => MODELS,
  answer: () => report.classes.map(({ id }) => id),
  cause: () => report.causes.map((_, index) => String(index + 1)),
  verdict: () => [...Object.keys(VERDICT_GROUPS), ...report.verdicts.map(({ name }) => name)],
};

function drawFilters() {
  const change = (method) => ({ target }) => {
    select({ [target.name]: target.value });
    remember(method);
  };
  const fields = FILTERS.map(({ name, label }) => {
    const field = CHOICES[name] === undefined
      ? element("input", { type: "search", name, oninput: change("replaceState"), autocomplete: "off", spellcheck: "false" })
      : element("select", { name, onchange: change("pushState") }, element("option", { value: "" }, "all"),
        CHOICES[name]().map((choice) => element("option", { value: choice }, WORDS_OF[choice] ?? choice)));
    return element("label", { class: name }, label, field);
  });
  byId("filters").replaceChildren(...fields, element("button", { type: "reset", id: "clear" }, "Clear"));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    select(NOTHING);
    remember();
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
  for (const button of byId("answers").children)
    button.setAttribute("aria-pressed", String(isChosen(button.dataset.answer, button.dataset.models)));
  if (changed.some((name) => MATRIX_FILTERS.includes(name))) drawMatrices();
  if (changed.some((name) => FORM_FILTERS.includes(name))) drawForms();
  markCurrentCell();
  drawList();
}

// The same, and scrolls to the cases.
function show(changes) {
  select(changes);
  remember();
  byId("cases-heading").focus({ preventScroll: true });
  byId("cases").scrollIntoView();
}

function markCurrentCell() {
  for (const button of document.querySelectorAll("button.cell")) {
    const isCurrent = Object.entries(button.dataset).every(([name, value]) => selected[name] === value);
    button.toggleAttribute("aria-current", isCurrent);
  }
}

// ---- Causes, readings, expectations and covered codes

function caseLink(text, filters) {
  return element("button", { type: "button", class: "link", onclick: () => show({ ...NOTHING, ...filters }) }, text);
}

function drawSupport() {
  byId("support").hidden = report.support.length === 0;
  byId("support-list").append(...report.support.map((words) => element("li", {}, words)));
}

function causeCard(row, cause) {
  const ofCause = cases.filter((one) => one.cause === cause);
  const example = ofCause.find(({ id }) => id === row.example);
  const plots = element("details", {
    class: "plots",
    ontoggle: ({ target }) => { if (target.childElementCount === 1) target.append(element("div", { class: "figures" }, picturesOf(ofCause))); },
  }, element("summary", {}, "Plot of the wrong elements"));
  return element("li", {},
    element("h3", {}, element("a", { href: fragmentOf({ cause }), "aria-label": `cause ${cause}` }, cause), " ", marked(row.class, row.sentence)),
    element("p", {}, row.where),
    element("p", {}, caseLink(row.example_element ?? row.message ?? row.example, { text: row.example })),
    example === undefined ? undefined : command(example),
    element("p", { class: "note" }, caseLink(row.cases === 1 ? "1 case" : `${number(row.cases)} cases`, { cause }),
      ...[row.tested, row.clauses].filter(Boolean).map((text) => `; ${text}`)),
    wrongRows(ofCause).length > 0 ? plots : undefined);
}

// Refusals have a table, because there are many causes of them.
function drawCauses() {
  byId("causes").hidden = report.causes.length === 0;
  byId("causes-headline").textContent = `${report.causes_headline}.`;
  const cards = report.causes.map((row, index) => ({ answer: row.class, card: causeCard(row, String(index + 1)) }));
  const refusals = cards.filter(({ answer }) => answer === "refused");
  byId("cause-cards").append(...cards.filter(({ answer }) => answer !== "refused").map(({ card }) => card));
  const list = byId("refusal-causes");
  list.hidden = refusals.length === 0;
  list.querySelector("summary").textContent = refusals.length === 1 ? "1 cause" : `${number(refusals.length)} causes`;
  list.querySelector("ol").append(...refusals.map(({ card }) => card));
}

function drawRefusals() {
  const asked = cases.filter((one) => one.type !== undefined && !isMustReject(one) && one.answer !== "not_asked");
  const isRefused = ({ answer }) => answer === "refused";
  byId("refusals").hidden = !cases.some(isRefused);
  const granularities = CHOICES.granularity();
  const cell = (filters, ofCell) => {
    const refused = ofCell.filter(isRefused).length;
    return element("td", { class: "amount" }, refused === 0 ? "" : element("button",
      { type: "button", class: "cell not_asked", onclick: () => show({ ...NOTHING, ...filters, answer: "refused" }) },
      `${number(refused)}/${number(ofCell.length)}`));
  };
  const rows = [...Map.groupBy(asked, ({ operator, type }) => `${operator} ${type}`)]
    .filter(([, ofType]) => ofType.some(isRefused))
    .map(([words, ofType]) => {
      const { operator, type } = ofType[0];
      return element("tr", {}, element("th", { scope: "row" }, words), cell({ operator, type }, ofType),
        granularities.map((granularity) => cell({ operator, type, granularity },
          ofType.filter((one) => granularitiesOf(one).includes(granularity)))));
    });
  byId("refusal-table").append(table(["operator and type", "all", ...granularities], rows));
}

function drawReadings() {
  const followed = report.case_readings.filter((row) => row.cases > 0);
  byId("readings").hidden = followed.length === 0;
  const rows = followed.map(({ ambiguity, reading, question, sentence, cases: count }) =>
    element("tr", {},
      element("td", {}, caseLink(`${ambiguity}: ${reading}`, { text: `${ambiguity}: ${reading}`, verdict: "pass_variant" })),
      element("td", {}, question, " ", element("strong", {}, sentence)),
      element("td", { class: "amount" }, number(count))));
  byId("readings").append(table(["ambiguity: reading", "in words", "cases"], rows));
}

function drawFingerprint() {
  byId("fingerprint").hidden = report.fingerprint.length === 0;
  byId("fingerprint-headline").textContent = ` ${report.fingerprint_headline}.`;
  const rows = report.fingerprint.map(({ ambiguity, question, result, parts }) =>
    element("tr", {},
      element("td", {}, ambiguity, " ", question),
      element("td", {}, result),
      element("td", {}, parts.map(({ readings, values }) =>
        element("div", {}, element("strong", {}, readings), values === "" ? undefined : ` for ${values}`))),
      element("td", {}, parts.filter(({ id }) => id !== "").map(({ cases: count, id }) =>
        element("div", {}, `${number(count)}, the first `, caseLink(id, { text: id }))))));
  byId("fingerprint").append(table(["ambiguity", "follows", "readings", "cases"], rows));
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
    const more = row.passes - row.unexpected_passes.length;
    return element("tr", {},
      element("td", {}, element("code", {}, row.pattern)),
      element("td", {}, verdictLabel(row.verdict)),
      element("td", {}, row.reason),
      element("td", {}, row.issue),
      element("td", {}, row.expires ?? ""),
      element("td", { class: "amount" }, number(row.met)),
      element("td", {}, number(row.passes),
        row.unexpected_passes.map((id) => element("div", {}, caseLink(id, { text: id }))),
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

setUpTheme();
drawHead();
drawFilters();
drawLegend();
drawMatrices();
drawCauses();
drawRefusals();
drawSupport();
drawFingerprint();
drawReadings();
drawInconsistencies();
drawExpectations();
drawForms();
drawCovered();
drawDetails();
select({});
restore();
addEventListener("hashchange", restore);
byId("more").addEventListener("click", () => drawMore().querySelector("button").focus());
// Its fragment is no state.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("cases-heading").focus();
});
document.documentElement.dataset.ready = "";
