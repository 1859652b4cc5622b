// ---- Heat maps: a table for each operator, and for graphs of both, with opsets as rows and quantized types as columns;
// and one with forms as rows and granularities as columns.

function countsOf(ofPlace) {
  const count = { total: ofPlace.length, ...Object.fromEntries(report.classes.map(({ id }) => [id, 0])) };
  for (const { answer } of ofPlace) count[answer] += 1;
  count.asked = count.total - count.not_asked;
  return count;
}

// Legal and illegal models are counted apart.
function tally(ofPlace) {
  return {
    legal: countsOf(ofPlace.filter((one) => !isMustReject(one))),
    illegal: countsOf(ofPlace.filter(isMustReject)),
    refusesOther: ofPlace.filter(({ refusesOther }) => refusesOther).length,
    variants: ofPlace.filter(({ verdict }) => verdict === "pass_variant").length,
  };
}

// The worst class of the cases.
function stateOf({ legal, illegal, variants }) {
  if (legal.wrong + illegal.not_rejected > 0) return "wrong";
  if (legal.refused > 0) return "refused";
  if (legal.undecided + illegal.undecided > 0) return "undecided";
  if (legal.asked + illegal.asked === 0) return "not_asked";
  return variants > 0 ? "variant" : "right";
}

const STATES = [
  { state: "right", mark: MARKS.right, legend: "all right" },
  { state: "variant", mark: "≈", legend: "all right, some by another permitted reading" },
  { state: "wrong", mark: MARKS.wrong, legend: "some wrong, and how many" },
  { state: "refused", mark: MARKS.refused, legend: "none wrong, some refused" },
  { state: "undecided", mark: MARKS.undecided, legend: "none wrong or refused, some undecided" },
  { state: "not_asked", mark: MARKS.not_asked, legend: "not asked" },
];

// The same words as in the headline.
function inWords({ legal, illegal, refusesOther }) {
  const others = refusesOther > 0 ? ` (${number(refusesOther)} of another operator)` : "";
  const ofLegal = report.classes
    .filter(({ id, is_of_legal: isOfLegal }) => isOfLegal && (id !== "undecided" || legal.undecided > 0))
    .map(({ id, words }) => `${number(legal[id])} ${words}${id === "refused" ? others : ""}`);
  const ofIllegal = report.classes.filter(({ id }) => illegal[id] > 0 || id === "rejected")
    .map(({ id, words }) => `${number(illegal[id])} ${words}`);
  const sentences = [];
  if (legal.total > 0 || illegal.total === 0) sentences.push(`${ofLegal.join(", ")}, of ${number(legal.total)}`);
  if (illegal.total > 0) sentences.push(`illegal models: ${ofIllegal.join(", ")}, of ${number(illegal.total)}`);
  return sentences.join("; ");
}

const EMPTY_STATES = [
  { state: "untouched", mark: "·", legend: "no case" },
  { state: "absent", mark: "\u00a0", legend: "not in the standard" },
];

// The cases that match these filters, by answer class. Its numbers are of the legal models, or else of the illegal ones.
function heatCell(where, filters, ofPlace, attributes = {}) {
  const count = tally(ofPlace);
  const { state, mark } = STATES.find((row) => row.state === stateOf(count));
  const { asked, right, rejected, wrong, not_rejected: notRejected } = count.legal.total > 0 ? count.legal : count.illegal;
  const good = right + rejected;
  const bad = wrong + notRejected;
  const data = Object.entries(filters).map(([name, value]) => [`data-${name}`, value]);
  return element("button", {
    type: "button", class: `cell ${state}`, title: `${where}: ${inWords(count)}`,
    ...Object.fromEntries(data), ...attributes,
    onclick: () => show({ ...filters, models: "", answer: "", verdict: "", cause: "", text: "" }),
  }, element("span", { class: "mark", "aria-hidden": "true" }, mark + (bad > 0 ? bad : "")),
  element("span", {}, asked === 0 ? "" : good === asked ? good : `${good}/${asked}`));
}

const placeKey = (operator, opset, type) => `${operator} ${opset} ${type}`;

function matrixCell(operator, opset, column, ofPlace) {
  const exists = column.key === MUST_REJECT || opset.types.includes(column.key);
  if (ofPlace === undefined)
    return element("td", { class: exists ? "untouched" : "absent" },
      exists ? element("span", { title: `${column.name}: no case` }, "·") : "");
  return element("td", {}, heatCell(`${operator}, opset ${opset.number}, ${column.name}`,
    { operator, opset: String(opset.number), type: column.key }, ofPlace, { tabindex: "-1" }));
}

function matrix({ name: operator, types, opsets }, byPlace) {
  const columns = types.map((type) => ({ key: type.name, name: type.name, heading: type.short_name }));
  columns.push({ key: MUST_REJECT, name: "must-reject cases", heading: "must reject" });
  const head = element("tr", {}, element("th", { scope: "col" }, "opset"),
    columns.map(({ name, heading }) => element("th", { scope: "col" }, element("abbr", { title: name }, heading))));
  const hasCase = ({ number: opset }) => columns.some(({ key }) => byPlace.has(placeKey(operator, opset, key)));
  const rows = opsets.filter((opset) => opset.version === opset.number || hasCase(opset)).map((opset) =>
    element("tr", { class: opset.version === opset.number ? "version" : "" },
      element("th", { scope: "row" }, `${opset.number}`,
        opset.version === opset.number ? undefined : element("small", {}, ` (${opset.version})`)),
      columns.map((column) => matrixCell(operator, opset, column, byPlace.get(placeKey(operator, opset.number, column.key))))));
  const table = element("table", { role: "grid", class: "matrix", onkeydown: moveInGrid, onfocusin: rove },
    element("caption", {}, operator), element("thead", {}, head), element("tbody", {}, rows));
  table.querySelector("button")?.setAttribute("tabindex", "0");
  return scrollable(table);
}

function drawMatrices() {
  const byPlace = Map.groupBy(matchingCases(MATRIX_FILTERS).filter((one) => one.operator !== undefined),
    (one) => placeKey(one.operator, one.opset, isMustReject(one) ? MUST_REJECT : one.type));
  byId("matrices").replaceChildren(...report.operators.map((operator) => matrix(operator, byPlace)));
  byId("matrix-limits").textContent = limitsOf(MATRIX_FILTERS);
}

// What else limits the cases of a heat map.
function limitsOf(filters) {
  const limits = filters.filter((name) => selected[name] !== "").map((name) => `${name} ${selected[name]}`);
  return limits.length > 0 ? ` Only cases of ${limits.join(" and ")}.` : "";
}

function formRow({ form, description }, ofForm, granularities, otherClasses, hasIllegal) {
  const { legal, illegal } = tally(ofForm);
  const filters = { form, granularity: "", verdict: "", cause: "", text: "" };
  const link = (text, answer, models) =>
    element("button", { type: "button", class: "link", onclick: () => show({ ...filters, answer, models }) }, text);
  const byGranularity = (granularity) => ofForm.filter((one) => granularitiesOf(one).includes(granularity));
  return element("tr", {},
    element("td", {}, link(form, "", "")),
    granularities.map((granularity) => element("td", {}, byGranularity(granularity).length > 0
      ? heatCell(`${form}, ${granularity}`, { form, granularity }, byGranularity(granularity)) : "·")),
    element("td", { class: "amount" }, ratio(legal.right, legal.asked)),
    otherClasses.map(({ id }) => element("td", { class: "amount" }, legal[id] > 0 ? link(number(legal[id]), id, "legal") : "")),
    hasIllegal ? element("td", { class: "amount" }, illegal.asked > 0 ? ratio(illegal.rejected, illegal.asked) : "") : undefined,
    element("td", { class: "words" }, description));
}

function drawForms() {
  byId("forms").hidden = report.forms.length === 0;
  const matching = matchingCases(FORM_FILTERS);
  const byForm = Map.groupBy(matching, ({ form }) => form);
  const granularities = CHOICES.granularity();
  const { legal, illegal } = tally(matching.filter(({ form }) => form !== ""));
  const otherClasses = report.classes.filter(({ id }) => id !== "right" && legal[id] > 0);
  const hasIllegal = illegal.asked > 0;
  const rows = report.forms.map((row) => formRow(row, byForm.get(row.form) ?? [], granularities, otherClasses, hasIllegal));
  byId("form-table").replaceChildren(table(["form", ...granularities, "right", ...otherClasses.map(({ words }) => words),
    ...(hasIllegal ? ["illegal models rejected"] : []), "in words"], rows));
  byId("form-limits").textContent = limitsOf(FORM_FILTERS);
}

function drawLegend() {
  byId("legend").replaceChildren(
    ...[...STATES, ...EMPTY_STATES].map(({ state, mark, legend }) =>
      element("span", {}, element("span", { class: `cell ${state}` }, mark), ` ${legend}`)));
}
