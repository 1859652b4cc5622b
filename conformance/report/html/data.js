// ---- The report that html_report.cpp wrote, in which repeated values are replaced by indices into tables.

const report = JSON.parse(document.getElementById("data").textContent);

const MUST_REJECT = "must-reject";

// The order of the verdicts in lists.
const RANKS = ["fail", "accepts_invalid", "crash", "timeout", "rejects_valid", "harness_error", "not_run", "not_shown",
  "rejects_variant", "pass_variant", "pass"];

const CLASS_OF = Object.fromEntries(report.verdicts.map((verdict) => [verdict.name, verdict.class]));
const WORDS_OF = Object.fromEntries(
  report.classes.map(({ id, words, is_of_legal: isOfLegal }) => [id, isOfLegal ? words : `illegal: ${words}`]));
const MODELS = ["legal", "illegal"];

// An id shares its first characters with the previous id.
let idBefore = "";

const cases = report.cases.map(([shared, rest, verdict, place, form, cells, clauses, elements, masked, replay, details], index) => {
  const id = idBefore.slice(0, shared) + rest;
  idBefore = id;
  const [operator, version, opset, type] = place === null ? [] : report.places[place];
  const [reason = null, violated = null, readings = null, wrong = null, expected = null, declined = false, refusesOther = false] = details ?? [];
  return {
    index, id, operator, version, opset, type, elements, masked, violated, readings, wrong, declined, refusesOther,
    reason: reason === null ? "" : report.reasons[reason],
    expected: expected === null ? null : report.reasons[expected],
    verdict: report.verdicts[verdict].name,
    answer: declined ? "not_asked" : report.verdicts[verdict][violated === null ? "class" : "class_if_illegal"],
    form: report.case_forms[form],
    cells: report.cell_sets[cells].map((cell) => report.cells[cell]),
    clauses: report.clause_sets[clauses],
    replay: `${report.replay_prefix}touchstone replay ${report.quoted_ids[index] ?? id} ${report.replay_options[replay]}`,
  };
});

// The places of its cases are runs: first, length, first, length ...
report.causes.forEach((cause, index) => {
  for (let i = 0; i < cause.places.length; i += 2)
    for (const one of cases.slice(cause.places[i], cause.places[i] + cause.places[i + 1])) one.cause = String(index + 1);
});

const isExpected = (one) => one.expected !== null;
const isProblem = (one) => !isExpected(one)
  && (["wrong", "refused", "not_rejected"].includes(one.answer) || one.verdict === "harness_error" || one.verdict === "not_run");
const isMustReject = (one) => one.violated !== null;
const granularitiesOf = (one) => one.cells.map((cell) => cell.granularity);

// Problems first, then expected failures; each group in the order of the plan.
const group = (one) => (isProblem(one) ? 0 : isExpected(one) ? 1 : 2);
const inOrder = [...cases].sort((a, b) =>
  group(a) - group(b) || RANKS.indexOf(a.verdict) - RANKS.indexOf(b.verdict) || a.index - b.index);

// The groups of verdicts that the filter offers in addition to single verdicts.
const VERDICT_GROUPS = { problems: isProblem, ...(report.expectations.length > 0 ? { expected: isExpected } : {}) };

// ---- Filters: one row each. An empty filter accepts every case. `said` gives the text for a value, by default itself.

const FILTERS = [
  { name: "operator", label: "Operator", matches: (one, value) => one.operator === value },
  { name: "granularity", label: "Granularity", matches: (one, value) => granularitiesOf(one).includes(value) },
  { name: "form", label: "Form", matches: (one, value) => one.form === value },
  {
    name: "opset", label: "Opset", said: (value) => `opset ${value}`,
    matches: (one, value) => String(one.opset) === value,
  },
  {
    name: "type", label: "Type",
    matches: (one, value) => (value === MUST_REJECT ? isMustReject(one) : one.type === value && !isMustReject(one)),
  },
  {
    name: "models", label: "Models", said: (value) => `${value} models`,
    matches: (one, value) => value === MODELS[Number(isMustReject(one))],
  },
  {
    name: "answer", label: "Answer", said: (value) => WORDS_OF[value],
    matches: (one, value) => one.answer === value,
  },
  {
    name: "verdict", label: "Verdict",
    matches: (one, value) => VERDICT_GROUPS[value]?.(one) ?? (one.verdict === value && !one.declined),
  },
  {
    name: "cause", label: "Cause", said: (value) => `cause ${value}`,
    matches: (one, value) => one.cause === value,
  },
  {
    name: "text", label: "Text in id or reason", said: (value) => `with “${value}”`,
    matches: (one, value) => (one.id + "\n" + one.reason).toLowerCase().includes(value.toLowerCase()),
  },
];

// Each heat map shows all values of the filters of the other one at once.
const MATRIX_FILTERS = ["granularity", "form"];
const FORM_FILTERS = ["operator", "opset", "type"];

const NOTHING = Object.fromEntries(FILTERS.map(({ name }) => [name, ""]));
const selected = { ...NOTHING };

function matchingCases(names = FILTERS.map(({ name }) => name)) {
  const active = FILTERS.filter(({ name }) => names.includes(name) && selected[name] !== "");
  return inOrder.filter((one) => active.every(({ name, matches }) => matches(one, selected[name])));
}

const verdictLabel = (verdict, answer = CLASS_OF[verdict]) => marked(answer, verdict, verdict === "pass_variant" ? "≈" : undefined);
const labelOf = (one) => (one.answer === "not_asked" ? marked("not_asked", WORDS_OF.not_asked) : verdictLabel(one.verdict, one.answer));
