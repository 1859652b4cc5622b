// ---- Side by side

function chosen() {
  const rows = listOf(selected.with).map(byKey);
  return rows.length > 0 ? rows : [...runtimes().values()].map(([first]) => first);
}

// Keeps the boxes if possible, because one of them may have the focus.
function drawChoice() {
  const now = listOf(selected.with);
  const boxes = [...byId("choice").querySelectorAll("input")];
  if (boxes.length === results.length) {
    for (const box of boxes) box.checked = now.includes(box.value);
    return;
  }
  const choose = () => {
    const checked = [...byId("choice").querySelectorAll(":checked")];
    change({ with: checked.map(({ value }) => value).join("~") });
  };
  byId("choice").querySelector("fieldset").replaceChildren(byId("choice").querySelector("legend"),
    ...results.map(({ key }) => element("label", {},
      element("input", { type: "checkbox", value: key, checked: now.includes(key), onchange: choose }), ` ${key}`)));
}

function drawLimits() {
  const toColumn = ({ target }) => change({ column: target.value, row: "" });
  const toSame = ({ target }) => change({ same: target.checked ? "1" : "" });
  byId("limits").replaceChildren(
    element("label", {}, "Cases of ", element("select", { name: "column", onchange: toColumn },
      element("option", { value: "" }, "everything"),
      COLUMNS.map(({ id, label }) => element("option", { value: id }, label)))),
    element("label", {}, element("input", { type: "checkbox", name: "same", onchange: toSame }),
      " also rows in which all are equal"));
}

const headOf = (label, rows) => element("thead", {}, element("tr", {}, element("th", { scope: "col" }, label),
  rows.map((result) => element("th", { scope: "col" }, breakable(result.key)))));

// A note if one of several results stands alone.
function aloneOf(found, index) {
  const here = found[index].own;
  const others = found.filter(({ own }, at) => at !== index && own !== "missing");
  const isAlone = others.length > 0 && others.every(({ own }) => own !== here);
  return isAlone && (here === "wrong" || here === "right") ? `${here} only here` : "";
}

// A table has this many rows, unless the reader asks for all.
const MOST_ROWS = 24;
const whole = new Set();

function shortened(id, rows, draw) {
  if (whole.has(id) || rows.length <= MOST_ROWS) return [rows, []];
  const button = element("button", {
    type: "button", class: "more",
    onclick: () => {
      whole.add(id);
      draw();
      byId(id).tabIndex = -1;
      byId(id).focus({ preventScroll: true });
    },
  }, `Show all ${number(rows.length)} rows`);
  return [rows.slice(0, MOST_ROWS), [button]];
}

function differentCases(rows) {
  if (given.same_cases && rows.every(({ isOwn }) => !isOwn)) return "";
  const namesOf = (group) => group.map(({ key }) => key).join(", ");
  const plans = [...Map.groupBy(rows, planOf).values()].sort((a, b) => a.length - b.length);
  if (plans.length === 1) {
    const usual = usualResult();
    const base = rows.find((one) => !one.not_run && hasSameCases(one, usual)) ?? rows[0];
    const others = rows.filter((one) => hasOtherData(one, base));
    return others.length === 0 ? "" : " Some cases have other forms, for declared limits, or other data, of another version of Touchstone, in: "
      + `${namesOf(others)}.`;
  }
  const words = plans.map((ofPlan) => `${planWords(ofPlan[0])}: ${ofPlan === plans.at(-1) ? "the others" : namesOf(ofPlan)}`);
  return ` The plans differ, so the counts are of different cases: ${words.join("; ")}.`;
}

const PARTS = ["uses", "operators", "float_types", "graphs", "forms", "illegal_models", "illegal"];

// To save room, results count patterns that are all right, or that have few cases, in rows that these share.
function inSharedRow({ graphs = {} }, found) {
  if (Object.hasOwn(graphs, "other patterns"))
    return { ...found, words: ["not told", "other patterns"], title: "counted among other patterns" };
  if (!Object.hasOwn(graphs, "all right")) return found;
  return { ...found, own: "right", state: "right", mark: STATES.right.mark, words: ["right", "in all right"], title: "right" };
}

// The place of a result with another answer: the best one, or for a right answer the worst one; -1 if there is none.
function rivalOf(found, index) {
  const { own, words } = found[index];
  const others = found.map((one, at) => ({ ...one, at }))
    .filter((one) => one.own !== "missing" && own !== "missing" && one.words.join() !== words.join())
    .sort((a, b) => rankOf(a.own) - rankOf(b.own));
  return others.at(own === "right" ? -1 : 0)?.at ?? -1;
}

// --filter for the cases of a row, and for some more if their ids do not tell.
function filterOf({ part, operator, type, granularity }) {
  const [, domain, name] = /^(?:(.*)\.)?(.*)$/.exec(operator);
  const op = `${domain ? `${domain}/` : ""}${name.replace("Linear", "_linear").toLowerCase()}`;
  if (part === "graphs" || part === "uses") return operator.includes(" ") || operator === "any" ? "graphs/*" : `graphs/${operator}/*`;
  if (part === "illegal_models") return operator === "graphs" ? "graphs/*/must_reject/*" : `${op}/*/must_reject/*`;
  if (part === "forms" || part === "illegal") return "*";
  const short = memberOf(given.types, type) ?? "*";
  const isOfScale = part === "float_types" && name === "DequantizeLinear";
  const isOutput = part === "operators" && name === "QuantizeLinear";
  const types = isOfScale ? `*-${short}-*` : isOutput ? `*-${short}` : `*/${short}-*`;
  const generated = `${op}/${types}/${granularity === "" || granularity === "any" ? "*" : `${granularity}/*`}`;
  return domain ? generated : `${generated}:onnx/*/test_${name.toLowerCase()}*`;
}

const suitesOf = ({ plan: { suites = [] } }) => (suites.join() === "onnx,graphs,generated" ? ""
  : suites.map((suite) => ` --suite ${quoted(suite)}`).join(""));

// What the commands for these results need.
function needsOf(rows) {
  const named = distinct(rows.map(({ command }) => command.split(":")[0]).filter((name) => Object.hasOwn(given.runtimes, name)));
  const earlier = rows.filter((result) => sameRuntime(result)[0].version !== result.version);
  const setups = named.map((name) => `tools/setup --for ${name}`).join(" and ");
  return ["Results have no cases, so these commands find them. They need the program touchstone.",
    setups && `In its source tree, ${setups} ${named.length > 1 ? "install" : "installs"} the newest version of this page.`,
    ...earlier.map(({ name, version }) => `For ${name} ${shortVersion(version)}, add --python with a Python that has this version.`),
    rows.some(({ configuration: { cpu } = {} }) => cpu) ? "--cpu needs QEMU (qemu-user)." : ""].filter(Boolean);
}

// The commands that list the cases in which two results differ.
function commandsFor(rows, leaf) {
  if (rows.length !== 2 || rows.some(({ directory, command }) => !directory && command.endsWith("..."))) return [];
  const places = rows.map(({ directory, key }) => directory || key.replace(/[^\w.]+/g, "-"));
  const filter = leaf === undefined ? "*" : filterOf(leaf);
  const runs = rows.flatMap((result, index) => (result.directory ? []
    : `touchstone run ${optionsOf(result)}${suitesOf(result)} --filter ${quoted(filter)} --output ${quoted(places[index])}`));
  const lines = [...runs, `touchstone diff ${places.map(quoted).join(" ")} --most 0`];
  return [element("h3", {}, "The cases in which they differ"),
    runs.length === 0 ? [] : element("p", { class: "note" }, needsOf(rows.filter(({ directory }) => !directory)).join(" ")),
    element("div", { class: "commands" }, lines.map((line) => element("code", { class: "line" }, line)))].flat();
}

function drawMatrix() {
  const rows = chosen();
  const column = COLUMNS.find(({ id }) => id === selected.column);
  const isShown = (leaf) => (selected.row ? leaf.row === selected.row
    : column === undefined ? leaf.part !== "illegal" : column.has(leaf));
  // A result that is shown alone is compared with the newest version of each runtime.
  const compared = rows.length > 1 ? rows : distinct([rows[0], ...[...runtimes().values()].map(([first]) => first)]);
  const ofRow = compared.map((result) => Map.groupBy(result.leaves.filter(isShown), ({ row }) => row));
  const leaves = new Map(ofRow.slice(0, rows.length).flatMap((byRow) => [...byRow].map(([row, [leaf]]) => [row, leaf])));
  // All granularities of a type together, which some results do not tell apart.
  const ofType = (result, leaf) => result.leaves.filter((one) => isShown({ ...one, row: leaf.row }) && one.part === leaf.part
    && one.operator === leaf.operator && one.type === leaf.type).map(({ counts }) => counts);
  const foundIn = (result, leaf, own) => {
    const counts = own.length === 0 && leaf.granularity === "any" ? ofType(result, leaf) : own;
    const members = { part: leaf.part === "uses" ? leaf.part : undefined, isIllegal: leaf.part.includes("illegal") };
    const found = cellOf(result, members, [], sum(counts));
    return leaf.part === "graphs" && counts.length === 0 ? inSharedRow(result, found) : found;
  };
  const lines = [...leaves].map(([row, leaf]) => ({
    leaf, found: compared.map((result, index) => foundIn(result, leaf, (ofRow[index].get(row) ?? []).map(({ counts }) => counts))),
  })).sort((a, b) => PARTS.indexOf(a.leaf.part) - PARTS.indexOf(b.leaf.part));
  const differ = lines.filter(({ found }) => selected.same !== "" || selected.row !== "" || rows.length === 1
    || new Set(found.map(({ own }) => own).filter((own) => own !== "missing")).size > 1);
  const [shown, more] = shortened("matrix", differ, drawMatrix);
  const groupOf = ({ leaf: { part, operator, type } }) =>
    ({ operators: operator, float_types: `float types: ${type}`, illegal: "all illegal models", uses: "graphs of networks" }[part] ?? part.replace("_", " "));
  const nameOf = ({ part, operator, type, granularity }) => [
    part === "operators" ? "" : operator, part === "operators" ? type : "", granularity.replace("_", " "),
  ].filter(Boolean).join(", ") || "all";
  const lineOf = ({ leaf, found }) => element("tr", {}, element("th", { scope: "row" }, nameOf(leaf)),
    found.slice(0, rows.length).map((one, index) => {
      const rival = rivalOf(found, index);
      const pair = [index, rival].map((at) => compared[at]?.key).join("~");
      return element("td", {}, cell(one, rows.length > 1 ? aloneOf(found, index) : "",
        rival === -1 ? {} : { href: fragmentOf({ with: pair, row: leaf.row }), tabindex: "-1" }));
    }));
  const bodies = [...Map.groupBy(shown, groupOf)].map(([name, ofGroup]) => element("tbody", {},
    element("tr", {}, element("th", { scope: "rowgroup", colspan: String(rows.length + 1) }, name)),
    ofGroup.map(lineOf)));
  const attributes = { role: "grid", class: "side", "aria-labelledby": "side-heading", onkeydown: moveInGrid, onfocusin: rove };
  const made = element("table", attributes, headOf("cases", rows), bodies);
  made.querySelector("a.cell")?.setAttribute("tabindex", "0");
  byId("matrix").replaceChildren(differ.length === 0 ? element("p", {}, "No row in which they differ.") : scrollable(made),
    ...more, ...commandsFor(rows, leaves.get(selected.row)));
  byId("side-note").replaceChildren(...(selected.row ? [element("a", { href: fragmentOf({ with: selected.with }) }, "All rows"), "."]
    : [`${ratio(differ.length, lines.length)} rows${differ.length < lines.length ? "; in the others all are equal" : ""}.`
      + " A cell leads to the cases in which its result differs from the best one, or a right one from the worst."]),
  differentCases(rows));
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
  const causes = rows.flatMap((result) => result.causes.map((cause) => ({ result, cause })));
  const lines = [...Map.groupBy(causes, ({ cause }) => nameOf(cause)).values()].map((found) => ({
    found, sharedBy: new Set(found.map(({ result }) => result)).size, most: Math.max(...found.map(({ cause }) => cause.cases)),
  })).sort((a, b) => b.sharedBy - a.sharedBy || b.most - a.most);
  const [shown, more] = shortened("shared", lines, drawShared);
  const lineOf = ({ found, sharedBy }) => {
    const [{ result: first, cause }] = found;
    const casesIn = (result) => found.filter((one) => one.result === result).reduce((total, one) => total + one.cause.cases, 0);
    return element("tr", {},
      element("th", { scope: "row" }, marked(cause.class, cause.sentence, MARKS[cause.class] ?? "?"),
        linesOf([cause.name ? "" : cause.where, rows.length > 1 && sharedBy === 1 ? `only in ${first.key}` : ""])),
      rows.map((result) => {
        const link = { href: fragmentOf({ result: result.key }), title: `reproducers, at ${result.key}` };
        return element("td", { class: "amount" }, casesIn(result) > 0 ? element("a", link, amount(casesIn(result), "case")) : "");
      }));
  };
  byId("shared").replaceChildren(scrollable(element("table", { class: "side shared" }, headOf("cause", rows),
    element("tbody", {}, shown.map(lineOf)))), ...more);
}

function readingWords(reading) {
  if (isText(reading)) return reading;
  if (Array.isArray(reading)) return reading.map(readingWords).join(" or ");
  return Object.entries(reading).map(([kind, differing]) => (isText(differing) || Array.isArray(differing)
    ? `${kind}: ${[differing].flat().map(readingWords).join("; ")}`
    : Object.entries(differing).map(([values, one]) => `${readingWords(one)} for ${kind} ${values}`).join("; "))).join("; ");
}

function drawFingerprints() {
  const rows = chosen();
  const names = distinct(rows.flatMap(({ fingerprint }) => Object.keys(fingerprint)));
  const wordsOf = (name) => rows.map(({ fingerprint }) =>
    (Object.hasOwn(fingerprint, name) ? readingWords(fingerprint[name]) : ""));
  const lines = names.map((name) => ({ name, words: wordsOf(name) }))
    .filter(({ words }) => rows.length === 1 || distinct(words.filter(Boolean)).length > 1);
  const bodies = lines.map(({ name, words }) => element("tr", {},
    element("th", { scope: "row" }, name.replace(/^amb-/, "").replaceAll("-", " ")),
    words.map((text) => element("td", { class: "reading" }, text || "not determined"))));
  byId("fingerprints").replaceChildren(lines.length === 0 ? element("p", { class: "note" }, "Nowhere.")
    : scrollable(element("table", { class: "side" }, headOf("ambiguity", rows), element("tbody", {}, bodies))));
}
