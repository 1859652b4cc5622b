"use strict";

// ---- The report that html_report.cpp wrote, in which repeated values are replaced by indices into tables.

const report = JSON.parse(document.getElementById("data").textContent);

const MUST_REJECT = "must-reject";

// The texts of the verdicts, which do not depend on colours, in the order of lists.
const VERDICTS = {
  pass: { mark: "✓", state: "pass", rank: 9 },
  pass_variant: { mark: "≈", state: "variant", rank: 8 },
  rejects_variant: { mark: "?", state: "unknown", rank: 7 },
  not_shown: { mark: "?", state: "unknown", rank: 7 },
  fail: { mark: "✗", state: "problem", rank: 0 },
  accepts_invalid: { mark: "✗", state: "problem", rank: 1 },
  rejects_valid: { mark: "✗", state: "problem", rank: 2 },
  crash: { mark: "✗", state: "problem", rank: 3 },
  timeout: { mark: "✗", state: "problem", rank: 4 },
  harness_error: { mark: "?", state: "unknown", rank: 5 },
  not_run: { mark: "?", state: "unknown", rank: 6 },
};

const isPass = (verdict) => verdict === "pass" || verdict === "pass_variant";
const isPermitted = (verdict) => isPass(verdict) || verdict === "rejects_variant" || verdict === "not_shown";

// An id shares its first characters with the previous id.
let idBefore = "";

const cases = report.cases.map(([shared, rest, verdict, place, form, cells, clauses, elements, masked, replay, details], index) => {
  const id = idBefore.slice(0, shared) + rest;
  idBefore = id;
  const [operator, version, opset, type] = place === null ? [] : report.places[place];
  const [reason = null, violated = null, readings = null, wrong = null, expected = null, declined = false] = details ?? [];
  return {
    index, id, operator, version, opset, type, elements, masked, violated, readings, wrong, declined,
    reason: reason === null ? "" : report.reasons[reason],
    expected: expected === null ? null : report.reasons[expected],
    verdict: report.verdicts[verdict],
    form: report.forms[form],
    cells: report.cell_sets[cells].map((cell) => report.cells[cell]),
    clauses: report.clause_sets[clauses],
    replay: `touchstone replay ${report.quoted_ids[index] ?? id} ${report.replay_options[replay]}`,
  };
});

const isExpected = (one) => one.expected !== null;
const isProblem = (one) => !isPermitted(one.verdict) && !one.declined && !isExpected(one);
const isMustReject = (one) => one.violated !== null;
const granularitiesOf = (one) => one.cells.map((cell) => cell.granularity);

// Problems first, then expected failures; each group in the order of the plan.
const group = (one) => (isProblem(one) ? 0 : isExpected(one) ? 1 : 2);
const inOrder = [...cases].sort((a, b) =>
  group(a) - group(b) || VERDICTS[a.verdict].rank - VERDICTS[b.verdict].rank || a.index - b.index);

// The groups of verdicts that the filter offers in addition to single verdicts.
const VERDICT_GROUPS = { problems: isProblem, ...(report.expectations.length > 0 ? { expected: isExpected } : {}) };

// ---- Filters: one row each. An empty filter accepts every case. `said` gives the text for a value, by default itself.

const FILTERS = [
  { name: "operator", label: "Operator", takes: (one, value) => one.operator === value },
  { name: "granularity", label: "Granularity", takes: (one, value) => granularitiesOf(one).includes(value) },
  { name: "form", label: "Form", takes: (one, value) => one.form === value },
  {
    name: "opset", label: "Opset", said: (value) => `opset ${value}`,
    takes: (one, value) => String(one.opset) === value,
  },
  {
    name: "type", label: "Type",
    takes: (one, value) => (value === MUST_REJECT ? isMustReject(one) : one.type === value && !isMustReject(one)),
  },
  {
    name: "verdict", label: "Verdict",
    takes: (one, value) => VERDICT_GROUPS[value]?.(one) ?? one.verdict === value,
  },
  {
    name: "text", label: "Text in id or reason", said: (value) => `with “${value}”`,
    takes: (one, value) => (one.id + "\n" + one.reason).toLowerCase().includes(value.toLowerCase()),
  },
];

// The matrix shows all values of the other filters at once.
const MATRIX_FILTERS = ["granularity", "form"];

const NOTHING = Object.fromEntries(FILTERS.map(({ name }) => [name, ""]));
const selected = { ...NOTHING };

function casesTaken(names = FILTERS.map(({ name }) => name)) {
  const active = FILTERS.filter(({ name }) => names.includes(name) && selected[name] !== "");
  return inOrder.filter((one) => active.every(({ name, takes }) => takes(one, selected[name])));
}

// ---- Creating elements: texts always become text nodes.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== undefined));
  return made;
}

const byId = (id) => document.getElementById(id);
const number = (count) => count.toLocaleString("en");
const ratio = (part, whole) => `${number(part)} of ${number(whole)}`;

function verdictLabel(verdict) {
  const { mark, state } = VERDICTS[verdict];
  return element("span", { class: `verdict ${state}` },
    element("span", { "aria-hidden": "true" }, mark + "\u00a0"), verdict);
}
