// ---- The page that compares runtimes.

// ---- Its state: `with` has the keys of the chosen results, `open` the names of unfolded runtimes, each joined by "~".

const NAMES = ["operator", "opset", "type", "granularity", "with", "column", "same", "open", "result"];
const selected = Object.fromEntries(NAMES.map((name) => [name, ""]));
const listOf = (text) => text.split("~").filter(Boolean);
const keysOf = (rows) => rows.map(({ key }) => key).join("~");
const byKey = (key) => results.find((one) => one.key === key);
const fragmentOf = (state) => fragmentWith(NAMES, state) || "#";

const distinct = (values) => [...new Set(values)];
const leafValues = (name) => distinct(results.flatMap(({ leaves }) =>
  leaves.filter(({ part }) => part === "operators").map((leaf) => leaf[name])));
// Newer programs know more versions than this page.
const versionsOfOnnx = () => distinct([...given.versions, ...results.flatMap(({ leaves }) =>
  leaves.filter((leaf) => leaf.part === "operators" && isOfOnnx(leaf)).map(({ version }) => Number(version)))]).sort((a, b) => a - b);

// Types, and after them the pairs that people take for one.
function typeChoices() {
  const types = leafValues("type").sort(new Intl.Collator("en", { numeric: true }).compare);
  const pairs = types.filter((type) => type.startsWith("int") && types.includes(`u${type}`));
  return [...types, ...pairs.map((type) => `${type},u${type}`)];
}

const CHOICES = {
  operator: () => leafValues("operator").sort(),
  opset: () => versionsOfOnnx().map(String),
  type: () => typeChoices(),
  granularity: () => ["per_tensor", "per_axis", "blocked"].filter((one) => leafValues("granularity").includes(one)),
  column: () => COLUMNS.map(({ id }) => id),
  same: () => ["1"],
  result: () => results.map(({ key }) => key),
};
const ALL = { operator: "both", opset: "all", type: "all", granularity: "all" };
const SEARCH = Object.keys(ALL);

function isOffered(name, value) {
  if (name === "with") return listOf(value).every(byKey);
  if (name === "open") return listOf(value).every((one) => runtimes().has(one));
  return CHOICES[name]().includes(value);
}

function change(changes, method = "pushState") {
  Object.assign(selected, changes);
  const fragment = fragmentWith(NAMES, selected);
  if (fragment !== location.hash) changeHistory(method, "made by the page", location.href.split("#")[0] + fragment);
  draw();
}

function restore() {
  const isLink = history.state === null;
  Object.assign(selected, stateOfUrl(NAMES, isOffered));
  draw();
  if (!isLink) return;
  const target = selected.result ? byId("part-heading") : selected.with || selected.column ? byId("side-heading") : null;
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
  changeHistory("replaceState", "made by a link", location.href);
}

// ---- Cells and names

function cell(found, where, attributes = {}, more = "") {
  const { state, mark, words: [first, second], note, title } = found;
  return element(attributes.href ? "a" : "div", { class: `cell ${state}`, title, "aria-label": attributes.href && `${where}: ${title}`, ...attributes },
    element("span", {}, element("span", { class: "mark", "aria-hidden": "true" }, mark), first),
    [second, note, more].filter(Boolean).map((line) => element("small", {}, line)));
}

const planWords = ({ plan }) => `${plan.tier}, ${number(plan.cases)} cases`;
// The plan of most runtimes' first rows; results of other plans say so.
function usualPlan() {
  const counts = Map.groupBy([...runtimes().values()].map(([first]) => first.plan.hash), (hash) => hash);
  return [...counts].reduce((best, one) => (one[1].length > best[1].length ? one : best))[0];
}

function identity(result, usual, name = `${result.name} `) {
  const notes = [result.configuration, result.plan.hash === usual ? "" : `another plan: ${planWords(result)}`,
    result.not_run && `${number(result.not_run.cases)} not run: ${result.not_run.reason}`, result.isOwn && "your file"].filter(Boolean);
  return [element("a", { href: fragmentOf({ result: result.key }) }, name + shortVersion(result.version)),
    notes.map((note) => element("small", { class: "line" }, note))];
}

// ---- The first table

function boardRow(result, usual, fold) {
  return element("tr", { class: fold === undefined ? "folded" : "" },
    element("th", { scope: "row" }, fold === undefined ? identity(result, usual, "") : [identity(result, usual), fold]),
    COLUMNS.map((column) => element("td", {}, cell(cellOf(result, column), `${result.key}, ${column.label}`,
      { href: fragmentOf({ with: result.key, column: column.id, same: "1" }), tabindex: "-1" }))));
}

function boardRows([name, ofRuntime], usual) {
  const open = listOf(selected.open);
  const isOpen = open.includes(name);
  const [first, ...others] = ofRuntime;
  const fold = others.length === 0 ? [] : element("button", {
    type: "button", class: "link fold", "data-name": name, "aria-expanded": String(isOpen),
    onclick: () => {
      change({ open: (isOpen ? open.filter((one) => one !== name) : [...open, name]).join("~") });
      [...document.querySelectorAll(".fold")].find((button) => button.dataset.name === name)?.focus();
    },
  }, `${isOpen ? "▾" : "▸"} ${number(others.length)} more`);
  return [boardRow(first, usual, fold), isOpen ? others.map((one) => boardRow(one, usual)) : []];
}

function drawBoard() {
  const usual = usualPlan();
  const made = element("table", { role: "grid", class: "board", "aria-labelledby": "board-heading", onkeydown: moveInGrid, onfocusin: rove },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "runtime"),
      COLUMNS.map(({ label, title }) => element("th", { scope: "col" }, element("abbr", { title }, label))))),
    element("tbody", {}, [...runtimes()].map((one) => boardRows(one, usual))));
  made.querySelector(".cell")?.setAttribute("tabindex", "0");
  byId("board").replaceChildren(scrollable(made));
}

// ---- The search

function drawSearch() {
  const versions = versionsOfOnnx();
  const opsetText = (version) => {
    const last = (versions[versions.indexOf(Number(version)) + 1] ?? given.newest_opset + 1) - 1;
    return last > Number(version) ? `${version} to ${last}` : version;
  };
  const said = { opset: opsetText, granularity: (value) => value.replace("_", " "), type: (value) => value.replace(",", " and ") };
  const labels = { operator: "Operator", opset: "Opset", type: "Quantized type", granularity: "Granularity" };
  byId("filters").replaceChildren(...SEARCH.map((name) => element("label", {}, labels[name],
    element("select", { name, onchange: ({ target }) => change({ [name]: target.value }) },
      element("option", { value: "" }, ALL[name]),
      CHOICES[name]().map((value) => element("option", { value }, said[name]?.(value) ?? value))))),
  element("button", { type: "reset", id: "clear" }, "Clear"));
}

const EXAMPLE = { operator: "DequantizeLinear", opset: "21", type: "int4,uint4", granularity: "blocked" };

const isSearched = (leaf) => leaf.part === "operators"
  && (selected.operator === "" ? isOfOnnx(leaf) : leaf.operator === selected.operator)
  && (selected.opset === "" || leaf.version === selected.opset)
  && (selected.type === "" || selected.type.split(",").includes(leaf.type))
  && (selected.granularity === "" || leaf.granularity === selected.granularity);

function drawFound() {
  for (const name of SEARCH) {
    const field = byId("filters").elements.namedItem(name);
    field.value = selected[name];
    field.classList.toggle("active", selected[name] !== "");
  }
  const isEmpty = SEARCH.every((name) => selected[name] === "");
  byId("clear").disabled = isEmpty;
  byId("found").hidden = isEmpty;
  if (isEmpty) {
    byId("answer").replaceChildren("Choose what you need: the answer is which runtimes compute it right, and since which version. For example: ",
      element("a", { href: fragmentOf(EXAMPLE) }, "weights of int4 and uint4 in blocks, opset 21"));
    return;
  }
  const found = [...runtimes().values()].flatMap(newestOf).map((result) => ({ result, found: cellOf(result, { has: isSearched }) }))
    .sort((a, b) => rankOf(a.found.state) - rankOf(b.found.state));
  const amount = (state) => found.filter((row) => row.found.own === state).length;
  const words = { right: "right", partly: "partly right", wrong: "wrong", refused: "refuse it", not_asked: "not asked", undecided: "undecided", missing: "without a result" };
  byId("answer").textContent = Object.keys(words).filter((state) => amount(state) > 0).map((state) => `${number(amount(state))} ${words[state]}`).join(", ")
    + `, of ${number(found.length)} runtimes and configurations`;
  byId("found").replaceChildren(table(["runtime", "answer", "all right since version"], found.map(({ result, found: one }) =>
    element("tr", {}, element("th", { scope: "row" }, identity(result, usualPlan())),
      element("td", {}, cell(one, result.key)), element("td", {}, one.own === "missing" ? "" : sinceOf(result, isSearched)))), { class: "found" }));
}

// ---- Side by side

function chosen() {
  const rows = listOf(selected.with).map(byKey);
  return rows.length > 0 ? rows : [...runtimes().values()].map(([first]) => first);
}

function drawChoice() {
  const now = listOf(selected.with);
  byId("choice").querySelector("fieldset").replaceChildren(byId("choice").querySelector("legend"), ...results.map((result) =>
    element("label", {}, element("input", {
      type: "checkbox", value: result.key, checked: now.includes(result.key),
      onchange: () => change({ with: [...byId("choice").querySelectorAll(":checked")].map(({ value }) => value).join("~") }),
    }), " ", result.key)));
}

function drawLimits() {
  byId("limits").replaceChildren(
    element("label", {}, "Cases of ", element("select", { name: "column", onchange: ({ target }) => change({ column: target.value }) },
      element("option", { value: "" }, "everything"), COLUMNS.map(({ id, label }) => element("option", { value: id }, label)))),
    element("label", {}, element("input", { type: "checkbox", name: "same", onchange: ({ target }) => change({ same: target.checked ? "1" : "" }) }),
      " also rows in which all are equal"));
}

const headOf = (label, rows) => element("thead", {}, element("tr", {}, element("th", { scope: "col" }, label),
  rows.map((result) => element("th", { scope: "col" }, result.key))));

// A note if one of several results stands alone.
function aloneOf(found, index) {
  const others = found.filter(({ own }, at) => at !== index && own !== "missing");
  if (others.length === 0) return "";
  return ["wrong", "right"].includes(found[index].own) && others.every(({ own }) => own !== found[index].own) ? `${found[index].own} only here` : "";
}

// A table has this many rows, unless the reader asks for all.
const MOST_ROWS = 24;
const whole = new Set();

function shortened(id, rows, draw) {
  if (whole.has(id) || rows.length <= MOST_ROWS) return [rows, []];
  return [rows.slice(0, MOST_ROWS), element("button", {
    type: "button", class: "more",
    onclick: () => {
      whole.add(id);
      draw();
      byId(id).tabIndex = -1;
      byId(id).focus({ preventScroll: true });
    },
  }, `Show all ${number(rows.length)} rows`)];
}

const PARTS = ["operators", "float types", "graphs", "forms", "illegal models", "all illegal models"];

function drawMatrix() {
  const rows = chosen();
  const column = COLUMNS.find(({ id }) => id === selected.column);
  const isShown = (leaf) => (column === undefined ? leaf.part !== "all illegal models" : column.has(leaf));
  const keyOf = ({ part, operator = "all", type, granularity }) => JSON.stringify([part, operator, type, granularity]);
  const leaves = new Map(rows.flatMap((result) => result.leaves.filter(isShown).map((leaf) => [keyOf(leaf), leaf])));
  const lines = [...leaves].map(([key, leaf]) => ({
    leaf, found: rows.map((result) => cellOf(result, { has: (one) => isShown(one) && keyOf(one) === key, isIllegal: leaf.part.includes("illegal") }, [])),
  })).sort((a, b) => PARTS.indexOf(a.leaf.part) - PARTS.indexOf(b.leaf.part));
  const differ = lines.filter(({ found }) => selected.same !== "" || rows.length === 1
    || new Set(found.map(({ own }) => own).filter((own) => own !== "missing")).size > 1);
  const [shown, more] = shortened("matrix", differ, drawMatrix);
  const groupOf = ({ leaf }) => (leaf.part === "operators" ? leaf.operator : `${leaf.part}${leaf.part === "float types" ? `: ${leaf.type}` : ""}`);
  const nameOf = ({ part, operator, type, granularity }) => [part === "operators" ? "" : operator, part === "float types" ? "" : type,
    granularity.replace("_", " ")].filter(Boolean).join(", ") || "all";
  const lineOf = ({ leaf, found }) => element("tr", {}, element("th", { scope: "row" }, nameOf(leaf)),
    found.map((one, index) => element("td", {}, cell(one, "", {}, aloneOf(found, index)))));
  const bodies = [...Map.groupBy(shown, groupOf)].map(([name, ofGroup]) => element("tbody", {},
    element("tr", {}, element("th", { scope: "rowgroup", colspan: String(rows.length + 1) }, name)), ofGroup.map(lineOf)));
  byId("matrix").replaceChildren(differ.length === 0 ? element("p", {}, "No row in which they differ.")
    : scrollable(element("table", { class: "side" }, headOf("cases", rows), bodies)), ...[more].flat());
  const plans = [...Map.groupBy(rows, ({ plan }) => plan.hash).values()].sort((a, b) => a.length - b.length);
  byId("side-note").textContent = `${number(differ.length)} of ${number(lines.length)} rows${differ.length < lines.length ? "; in the others all are equal" : ""}.`
    + (plans.length > 1 ? ` The plans differ, so the counts are of different cases: ${plans.map((ofPlan, index) =>
      `${planWords(ofPlan[0])}: ${index > 0 && index === plans.length - 1 ? "the others" : ofPlan.map(({ key }) => key).join(", ")}`).join("; ")}.` : "");
  for (const name of ["column", "same"]) {
    const field = byId("limits").elements.namedItem(name);
    if (name === "same") field.checked = selected.same !== "";
    else field.value = selected[name];
  }
}

function drawShared() {
  const rows = chosen();
  // Causes without a name are the same if they are about the same cases.
  const nameOf = (cause) => cause.name ?? JSON.stringify([cause.class, cause.sentence, cause.where]);
  const byName = Map.groupBy(rows.flatMap((result) => result.causes.map((cause) => ({ result, cause }))), ({ cause }) => nameOf(cause));
  const lines = [...byName.values()].map((found) => ({ found, sharedBy: new Set(found.map(({ result }) => result)).size, most: Math.max(...found.map(({ cause }) => cause.cases)) }))
    .sort((a, b) => b.sharedBy - a.sharedBy || b.most - a.most);
  const [shown, more] = shortened("shared", lines, drawShared);
  const lineOf = ({ found, sharedBy }) => {
    const [{ result: first, cause }] = found;
    const casesIn = (result) => found.filter((one) => one.result === result).reduce((total, one) => total + one.cause.cases, 0);
    return element("tr", {},
      element("th", { scope: "row" }, marked(cause.class, cause.sentence, MARKS[cause.class] ?? "?"),
        [cause.name ? "" : cause.where, rows.length > 1 && sharedBy === 1 ? `only in ${first.key}` : ""].filter(Boolean)
          .map((text) => element("small", { class: "line" }, text))),
      rows.map((result) => element("td", { class: "amount" }, casesIn(result) > 0 ? `${number(casesIn(result))} cases` : "")));
  };
  byId("shared").replaceChildren(scrollable(element("table", { class: "side shared" }, headOf("cause", rows),
    element("tbody", {}, shown.map(lineOf)))), ...[more].flat());
}

function readingWords(reading) {
  if (reading === undefined) return "";
  if (isText(reading)) return reading;
  if (Array.isArray(reading)) return reading.join(" or ");
  return Object.entries(reading).map(([where, one]) => `${readingWords(one)} for ${where}`).join("; ");
}

function drawFingerprints() {
  const rows = chosen();
  const names = distinct(rows.flatMap(({ fingerprint }) => Object.keys(fingerprint)));
  const lines = names.map((name) => [name, rows.map(({ fingerprint }) => readingWords(Object.hasOwn(fingerprint, name) ? fingerprint[name] : undefined))])
    .filter(([, words]) => rows.length === 1 || distinct(words.filter(Boolean)).length > 1);
  byId("fingerprints").replaceChildren(lines.length === 0 ? element("p", { class: "note" }, "Nowhere.")
    : scrollable(element("table", { class: "side" }, headOf("ambiguity", rows), element("tbody", {}, lines.map(([name, words]) =>
      element("tr", {}, element("th", { scope: "row" }, name.replace(/^amb-/, "").replaceAll("-", " ")),
        words.map((text) => element("td", { class: "reading" }, text || "not determined"))))))));
}

// ---- The part of a runtime

const quoted = (text) => (/^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
const reproducerOf = ({ command, plan }, { example }) => {
  const isFile = example.startsWith("onnx/");
  return `touchstone replay ${quoted(example)} --backend ${quoted(command)}${isFile ? "" : ` --tier ${quoted(plan.tier)} --seed ${Number(plan.seed ?? 0)}`}`;
};

function causesOf(result) {
  return table(["class", "cases", "what", "where", "example", "right with"], result.causes.map((cause) => element("tr", {},
    element("td", {}, marked(cause.class, cause.class.replace("_", " "), MARKS[cause.class] ?? "?")),
    element("td", { class: "amount" }, number(cause.cases)),
    element("td", { class: "words" }, cause.sentence, cause.from ? element("small", { class: "line" }, `from ${cause.from} on`) : []),
    element("td", { class: "words" }, cause.where ?? ""),
    element("td", { class: "words" }, cause.element ?? "", cause.example ? element("code", { class: "line" }, reproducerOf(result, cause)) : []),
    element("td", {}, cause.repair ? element("code", {}, cause.repair) : ""))), { class: "causes" });
}

const PLOT = { bar: 9, gap: 2, height: 44 };

// Stacked from the bottom: right; from the top: wrong; between them what was refused, not asked or undecided.
function plotOf(column, oldestFirst) {
  const found = oldestFirst.map((one) => ({ one, counts: countsOf(one, column.has), words: cellOf(one, column, []) }));
  if (found.every(({ counts }) => totalOf(counts) === 0)) return [];
  const width = found.length * (PLOT.bar + PLOT.gap);
  const described = `${column.label}: ${found.map(({ one, words }) => `${shortVersion(one.version)} ${words.words.filter(Boolean).join(", ")}`).join("; ")}`;
  return element("figure", { class: "history" }, element("figcaption", {}, column.label),
    svg("svg", { viewBox: `0 0 ${width} ${PLOT.height}`, width, height: PLOT.height, role: "img", "aria-label": described },
      found.map(({ one, counts, words }, index) => {
        const total = totalOf(counts);
        const high = (count) => (total === 0 ? 0 : count / total * PLOT.height);
        const at = { x: index * (PLOT.bar + PLOT.gap), width: PLOT.bar };
        return svg("g", {}, svg("title", {}, `${one.version}: ${words.title}`),
          svg("rect", { class: total === 0 ? "none" : "rest", ...at, y: 0, height: PLOT.height }),
          svg("rect", { class: "right", ...at, y: PLOT.height - high(counts[0]), height: high(counts[0]) }),
          counts[1] > 0 ? svg("rect", { class: "wrong", ...at, y: 0, height: Math.max(3, high(counts[1])) }) : undefined);
      })));
}

function historyOf(result) {
  const series = seriesOf(result).toReversed();
  if (series.length < 2) return [];
  const changes = series.slice(1).flatMap((one, index) => {
    const words = COLUMNS.flatMap((column) => {
      const [before, after] = [cellOf(series[index], column, []), cellOf(one, column, [])];
      return before.own === after.own || [before.own, after.own].includes("missing") ? []
        : `${column.label} ${before.mark} ${before.words[0]} → ${after.mark} ${after.words[0]}`;
    });
    return words.length === 0 ? [] : element("li", {}, element("strong", {}, `${shortVersion(one.version)}: `), words.join("; "));
  });
  return [element("h3", {}, `From ${shortVersion(series[0].version)} to ${shortVersion(series.at(-1).version)}`),
    element("p", { class: "note" }, `${planWords(series.at(-1))}. From the bottom of a bar: right; from the top: wrong; between them: refused, not asked or undecided.`),
    element("div", { class: "figures" }, COLUMNS.map((column) => plotOf(column, series))),
    element("ul", { class: "changes" }, changes)];
}

function fourParts({ total, illegal }) {
  const { right, wrong, refused, not_asked: notAsked = 0, total: all } = total;
  return `${number(right)} right, ${number(wrong)} wrong, ${number(refused)} refused, ${number(notAsked)} not asked, of ${number(all)}`
    + (illegal === undefined ? "" : `; illegal models: ${ratio(illegal.rejected + (illegal.permitted ?? 0), illegal.total)} rejected or permitted, ${number(illegal.not_rejected ?? 0)} accepted`);
}

function drawPart() {
  const result = byKey(selected.result) ?? results[0];
  const links = (rows) => rows.map((one) => element("a", { href: fragmentOf({ result: one.key }), "aria-current": one === result ? "true" : undefined },
    `${one === rows[0] || one.name !== result.name ? `${one.name} ` : ""}${[shortVersion(one.version), one.configuration, one.plan.tier].filter(Boolean).join(" ")}`));
  const { judge = {} } = result;
  const readings = Object.entries(result.fingerprint);
  byId("parts").replaceChildren(
    element("nav", { class: "choices", "aria-label": "Runtimes" }, links([...runtimes().values()].map(([first]) => first))),
    element("article", { "aria-labelledby": "part-heading" },
      element("h2", { id: "part-heading", tabindex: "-1" }, result.key),
      element("p", {}, fourParts(result)),
      facts([["version", result.version], ["description", result.backend.description ?? ""], ["--backend", result.command],
        ["configuration", result.configuration || "by default"], ["host", result.host ?? ""], ["finished", result.finished ?? ""],
        ["plan", `${(result.plan.suites ?? []).join(", ")}; ${planWords(result)}; ${result.plan.hash.slice(0, 12)}`],
        ["filter", result.plan.filter === "*" ? "" : String(result.plan.filter ?? "")],
        ["judge", [judge.strict && "only primary readings pass", judge.sign_of_zero && "+0 and −0 differ"].filter(Boolean).join(", ")],
        ["not run", result.not_run ? `${number(result.not_run.cases)} cases: ${result.not_run.reason}` : ""],
        ["Touchstone", result.touchstone ?? ""]]),
      sameRuntime(result).length > 1 ? element("details", {}, element("summary", {}, "Other versions, configurations and processors"),
        element("nav", { class: "choices", "aria-label": "Results of this runtime" }, links(sameRuntime(result)))) : [],
      historyOf(result),
      element("h3", {}, "Causes"), result.causes.length > 0 ? causesOf(result) : element("p", { class: "note" }, "None."),
      result.more_causes > 0 ? element("p", { class: "note" }, `${number(result.more_causes)} more, with fewer cases, are in its report.`) : [],
      readings.length > 0 ? [element("h3", {}, "Fingerprint"), table(["where the standard leaves a choice", "what it does"], readings.map(([name, reading]) =>
        element("tr", {}, element("td", {}, name), element("td", { class: "words" }, readingWords(reading)))))] : []));
}

// ---- Results of the reader's own

const LARGEST_FILE = 1_000_000;

function say(name, text, isBad) {
  byId("messages").append(element("p", { class: isBad ? "verdict wrong" : "verdict right" }, `${isBad ? "✗" : "✓"} ${name} ${text}`));
}

async function addFile(file) {
  if (file.size > LARGEST_FILE) return `has ${number(file.size)} bytes: a compact result has at most 20,000`;
  const text = await file.text();
  try {
    return addResult(JSON.parse(text), true);
  } catch (error) {
    return `is no JSON: ${error.message}`;
  }
}

async function addFiles(files) {
  byId("messages").replaceChildren();
  for (const file of files) {
    const problem = await addFile(file);
    say(file.name, problem ?? "has a row in the table now", problem !== undefined);
  }
  drawSearch();
  drawChoice();
  draw();
}

// ---- All of it

function draw() {
  if (results.length === 0) return;
  drawFound();
  drawBoard();
  drawMatrix();
  drawShared();
  drawFingerprints();
  drawPart();
  for (const box of byId("choice").querySelectorAll("input")) box.checked = listOf(selected.with).includes(box.value);
  const versions = distinct(results.map(({ name, version }) => `${name} ${version}`));
  byId("headline").textContent = `${number(runtimes().size)} runtimes, ${number(versions.length)} versions, ${number(results.length)} results; plan if no other is named: ${planWords(results.find(({ plan }) => plan.hash === usualPlan()))}`;
}

setUpTheme();
byId("legend").append(...Object.entries(STATES).map(([state, { mark, legend }]) =>
  element("span", {}, element("span", { class: `cell ${state}` }, mark), ` ${legend}`)));
given.results.forEach((raw, index) => {
  const problem = addResult(raw, false);
  if (problem !== undefined) say(`Result ${index + 1}`, problem, true);
});
drawSearch();
drawChoice();
drawLimits();
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("filters").addEventListener("reset", (event) => {
  event.preventDefault();
  change(Object.fromEntries(SEARCH.map((name) => [name, ""])));
});
byId("limits").addEventListener("submit", (event) => event.preventDefault());
byId("file").addEventListener("change", async ({ target }) => {
  await addFiles(target.files);
  target.value = "";
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  addFiles(event.dataTransfer.files);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("side-heading").focus();
});
restore();
addEventListener("hashchange", restore);
document.documentElement.dataset.ready = "";
