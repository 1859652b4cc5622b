// ---- Compact results: whether a file is one, which runtime it is of, and what it counts.

const given = JSON.parse(document.getElementById("data").textContent);
const results = [];

// ---- The check of a file, which may be anybody's

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isTexts = (value) => Array.isArray(value) && value.every(isText);
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isCounts = (value) => Array.isArray(value) && value.length <= 5 && value.every(isCount);
const optional = (isRight) => (value) => value === undefined || isRight(value);
const hasMembers = (members) => (value) => isObject(value)
  && Object.entries(members).every(([name, isRight]) => isRight(value[name]));
// An object of objects ... of counts.
const isTree = (depth) => (value) => (depth === 0 ? isCounts(value)
  : isObject(value) && Object.values(value).every(isTree(depth - 1)));
// A reading, several possible ones, or an object that says by what they differ.
const isReading = (depth) => (value) => isText(value)
  || (depth > 0 && typeof value === "object" && value !== null && Object.values(value).every(isReading(depth - 1)));
const isTextOrNull = (value) => value === null || isText(value);
const isCause = hasMembers({
  class: isText, sentence: isText, cases: isCount, name: optional(isTextOrNull), where: optional(isTextOrNull),
  example: optional(isTextOrNull), element: optional(isTextOrNull), from: optional(isTextOrNull),
});

const SHAPE = [
  ["backend", hasMembers({ name: isText, version: isText, description: optional(isText) }),
    "an object with a name and a version"],
  ["plan", hasMembers({
    tier: isText, hash: isText, cases: isCount,
    suites: optional(isTexts), filter: optional(isText), seed: optional(Number.isFinite),
  }), "an object with tier, hash and cases"],
  ["total", hasMembers({
    right: isCount, wrong: isCount, refused: isCount, not_asked: optional(isCount), total: isCount,
  }), "counts by class"],
  ["operators", isTree(4), "counts by operator, type, granularity and version"],
  ["float_types", optional(isTree(3)), "counts by type, operator and version"],
  ["illegal", optional(hasMembers({
    rejected: isCount, permitted: isCount, not_rejected: isCount, not_asked: optional(isCount),
    undecided: optional(isCount), total: isCount,
  })), "counts by class"],
  ["illegal_models", optional(isTree(2)), "counts by operator and version"],
  ["graphs", optional((value) => isObject(value) && Object.values(value).every(hasMembers({ types: isTree(1) }))),
    "counts by pattern and type"],
  ["uses", optional(isTree(1)), "counts by use"],
  ["forms", optional(isTree(1)), "counts by form"],
  ["causes", optional((value) => Array.isArray(value) && value.every(isCause)), "a list of causes"],
  ["more_causes", optional(isCount), "a number"],
  ["more_names", optional(isTexts), "a list of texts"],
  ["fingerprint", optional((value) => isObject(value) && Object.values(value).every(isReading(3))), "readings by ambiguity"],
  ["configuration", optional(hasMembers({ variant: optional(isText), cpu: optional(isText), assume: optional(isTexts) })),
    "an object with variant, cpu and assume"],
  ["judge", optional(isObject), "an object"],
  ["not_run", optional(hasMembers({ cases: isCount, reason: isText })), "an object with cases and a reason"],
  ["command", isText, "a text"],
  ...["touchstone", "host", "finished", "content", "journal"].map((name) => [name, optional(isText), "a text"]),
];

// Why this is not a compact result, or undefined.
function problemOf(result) {
  if (!isObject(result) || result.touchstone_result === undefined)
    return "is not a compact result: make one with touchstone report DIRECTORY --format compact";
  if (result.touchstone_result !== 1)
    return "has another version of compact results; this page reads version 1";
  const bad = SHAPE.find(([name, isRight]) => !isRight(result[name]));
  return bad && `has no valid member "${bad[0]}": it must be ${bad[2]}`;
}

// ---- What a result is of

// 1.9 < 1.10rc1 < 1.10 < 1.10.post1
function compareVersions(left, right) {
  const parts = (version) => {
    const [, numbers, rest] = /^\D*([\d.]*)(.*)$/s.exec(version);
    const isEarly = /^[-_+]?(a|b|rc|dev|alpha|beta|pre)/i.test(rest);
    return { numbers: numbers.split(".").filter(Boolean).map(Number), rest, stage: rest === "" ? 0 : isEarly ? -1 : 1 };
  };
  const [a, b] = [parts(left), parts(right)];
  for (let i = 0; i < Math.max(a.numbers.length, b.numbers.length); ++i) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.stage - b.stage || a.rest.localeCompare(b.rest, "en", { numeric: true });
}

const newestFirst = (a, b) => compareVersions(b.version, a.version)
  || Number(!isUsual(a)) - Number(!isUsual(b)) || Number(a.setup !== "") - Number(b.setup !== "")
  || b.plan.cases - a.plan.cases || (a.key < b.key ? -1 : 1);

// Build descriptions after the number stay out of tables; the part of the runtime has them.
const shortVersion = (version) => (version.length > 16 ? version.split(/[-+ ]/)[0] : version);

const memberOf = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

// What the page is told of a runtime that has a name: its usual variant, what a user sets for others, and reports upstream.
const knownOf = ({ command }) => memberOf(given.runtimes, command.split(":")[0]) ?? {};

function variantOf({ command, configuration: { variant = "" } = {} }) {
  return /^(exec|lib|onnx):/.test(command) ? "" : variant;
}

const placeOf = ({ configuration: { cpu, assume = [] } = {} }) =>
  [cpu && `on ${cpu}`, assume.length > 0 && `assuming ${assume.join(", ")}`].filter(Boolean);

// The configuration in a name; empty for the variant without one, and for a variant that is the whole runtime.
const setupOf = (result) => [variantOf(result), ...placeOf(result)]
  .filter((one) => one !== "" && one !== result.backend.name).join(", ");

// What users have who set nothing.
const isUsual = (result) => variantOf(result) === (knownOf(result).usual ?? "") && placeOf(result).length === 0;

// What a user sets to get this variant; empty for the usual one.
function settingOf(result) {
  const { usual = "", settings = {} } = knownOf(result);
  const variant = variantOf(result);
  return variant === usual ? "" : memberOf(settings, variant) ?? (variant || "the lowest level of optimizations");
}

// The order in which users would rather set something else; other processors are last.
function preferenceOf(result) {
  const variants = Object.keys(knownOf(result).settings ?? {});
  const place = placeOf(result).length > 0 ? -1 : variants.indexOf(variantOf(result));
  return place === -1 ? variants.length : place;
}

// The configuration for people.
function configurationOf(result) {
  const { usual } = knownOf(result);
  const setting = settingOf(result);
  const variant = setting === "" ? usual && "by default" : setting === result.name ? "" : `with ${setting}`;
  return [variant, ...placeOf(result)].filter(Boolean).join(", ");
}

// The same for all results of a run.
const runOf = ({ journal, content, finished, plan }) => JSON.stringify([journal ?? finished, content, plan.hash]);

const judgeWords = ({ judge = {} }) =>
  [judge.strict && "only primary readings pass", judge.sign_of_zero && "+0 and −0 differ"].filter(Boolean).join(", ");
const planWords = ({ plan }) => `${plan.tier}, ${number(plan.cases)} cases`;
const planOf = ({ plan: { tier, suites = [], filter = "*", seed = 0, examples, shard, cases } }) =>
  JSON.stringify([tier, suites, filter, seed, examples, shard, cases]);

// Of a run that is not finished, the forms and data of all cases are not known.
const hasOtherData = (one, other) => !one.not_run && !other.not_run && one.content !== other.content;
const hasSameCases = (one, other) => planOf(one) === planOf(other) && !hasOtherData(one, other);

// Adds a result. Gives why not, or undefined.
function addResult(raw, isOwn, directory = "") {
  const problem = problemOf(raw);
  if (problem !== undefined) return problem;
  const { name, version } = raw.backend;
  const setup = setupOf(raw);
  // "~" separates keys in the URL.
  const identity = [name, shortVersion(version), setup, raw.plan.tier].filter(Boolean).join(" ")
    .replaceAll("~", "-");
  const same = results.filter((one) => one.identity === identity);
  if (same.some((one) => runOf(one) === runOf(raw))) return "is there already";
  results.push({
    causes: [], fingerprint: {}, ...raw, name, version, setup, isOwn, directory, identity,
    key: same.length > 0 ? `${identity} (${same.length + 1})` : identity,
    leaves: leavesOf(raw), series: [raw.plan.tier, raw.plan.filter ?? "*", ...(raw.plan.suites ?? [])].join(" "),
  });
  results.sort((a, b) => a.name.localeCompare(b.name, "en") || newestFirst(a, b));
  return undefined;
}

const runtimes = () => Map.groupBy(results, ({ name }) => name);
const sameRuntime = (result) => results.filter(({ name }) => name === result.name);

// The releases that have no result, and why, the newest first. One or two releases with results are no history.
function missingOf(ofRuntime) {
  const [{ name }] = ofRuntime;
  if (distinct(ofRuntime.map(({ version }) => version)).length < 3) return [];
  const backends = Map.groupBy(ofRuntime, ({ command }) => command.split(":")[0]);
  return [...backends].flatMap(([command, [first]]) => (knownOf(first).missing ?? []).map(({ variant, version, reason }) =>
    ({ command: `${command}:${variant}`, configuration: { variant }, name, version, reason })))
    .filter((one) => !ofRuntime.some((other) =>
      shortVersion(other.version) === one.version && variantOf(other) === variantOf(one)))
    .sort((a, b) => compareVersions(b.version, a.version));
}

// For each configuration of the newest version, the result with the most cases.
function newestOf(ofRuntime) {
  const newest = ofRuntime.filter(({ version }) => version === ofRuntime[0].version);
  return [...Map.groupBy(newest, ({ setup }) => setup).values()].map(([first]) => first);
}

// ---- Counts. A leaf has those of the smallest group of cases that a result counts.

const sum = (rows) => [0, 1, 2, 3, 4].map((index) => rows.reduce((total, row) => total + (row[index] ?? 0), 0));

const ofIllegal = ([rejected = 0, permitted = 0, notRejected = 0, notAsked = 0, undecided = 0]) =>
  [rejected + permitted, notRejected, 0, notAsked, undecided];

function leavesOf(result) {
  const {
    operators, float_types: floats = {}, illegal, illegal_models: illegalModels = {}, graphs = {}, uses = {}, forms = {},
  } = result;
  const leaves = [];
  const each = (tree, names, visit, path = {}) => {
    if (names.length === 0) visit(path, tree);
    else for (const [key, child] of Object.entries(tree)) each(child, names.slice(1), visit, { ...path, [names[0]]: key });
  };
  const add = (part, convert = (counts) => counts) => (path, counts) => {
    const leaf = { part, operator: "", type: "", granularity: "", ...path, counts: convert(counts) };
    // All versions are one row of the runtimes side by side, and all types of a pattern, which some results do not tell.
    leaves.push({ ...leaf, row: JSON.stringify([part, leaf.operator, part === "graphs" ? "" : leaf.type, leaf.granularity]) });
  };
  each(operators, ["operator", "type", "granularity", "version"], add("operators"));
  each(floats, ["type", "operator", "version"], add("float_types"));
  for (const [operator, { types }] of Object.entries(graphs)) each(types, ["type"], add("graphs"), { operator });
  each(uses, ["operator"], add("uses"));
  each(forms, ["operator"], add("forms"));
  each(illegalModels, ["operator", "version"], add("illegal_models", ofIllegal));
  if (illegal !== undefined) {
    const classes = ["rejected", "permitted", "not_rejected", "not_asked", "undecided"];
    add("illegal", ofIllegal)({}, classes.map((name) => illegal[name] ?? 0));
  }
  return leaves;
}

// Operators of another domain have its name before theirs.
const isOfOnnx = ({ operator }) => !operator.includes(".");

// The columns of the first table: `has` says which leaves each one counts.
const COLUMNS = given.columns.map((column) => ({
  ...column,
  isIllegal: column.part === "illegal",
  has: (leaf) => leaf.part === column.part
    && (column.part === "illegal" || (column.operator === "" ? isOfOnnx(leaf) : leaf.operator === column.operator))
    && (column.types.length === 0 || column.types.includes(leaf.type))
    && (column.granularity === "" || leaf.granularity === column.granularity)
    && (column.since === 0 || Number(leaf.version) >= column.since),
}));

// ---- Cells

// From best to worst: a silently wrong result is worse than none.
const STATES = {
  right: { mark: "✓", legend: "all right" },
  option: { mark: "⇄", legend: "depends on an option or a processor" },
  partly: { mark: "◐", legend: "none wrong, not all right" },
  refused: { mark: "–", legend: "refused" },
  not_asked: { mark: "○", legend: "declared as unsupported, not asked" },
  undecided: { mark: "?", legend: "undecided" },
  missing: { mark: "·", legend: "no result" },
  wrong: { mark: "✗", legend: "some silently wrong" },
};
const rankOf = (state) => Object.keys(STATES).indexOf(state);

// "Right" says that all cases are right; those that were not asked are not.
function stateOf(counts) {
  const [right, wrong, refused, notAsked, undecided] = counts;
  const total = right + wrong + refused + notAsked + undecided;
  if (total === 0) return "missing";
  if (wrong > 0) return "wrong";
  if (right > 0) return right === total ? "right" : "partly";
  return refused > 0 ? "refused" : undecided > 0 ? "undecided" : "not_asked";
}

// Whether cases of the plan are not in the counts.
const isUnfinishedRun = ({ not_run: notRun, total, illegal }) =>
  (notRun?.cases ?? 0) > (total.undecided ?? 0) + (illegal?.undecided ?? 0);

const countsOf = (result, has) => sum(result.leaves.filter(has).map(({ counts }) => counts));
const totalOf = (counts) => counts.reduce((total, value) => total + value, 0);

// Earlier programs do not count all uses, and reports no granularities. Rows that share what is all right are in no plan.
function whyMissing({ plan, leaves }, part, granularity) {
  if (part === undefined) return "";
  const operators = leaves.filter((leaf) => leaf.part === "operators");
  if (granularity && operators.length > 0 && operators.every((leaf) => leaf.granularity === "any"))
    return "granularity not known";
  return part === "uses" && plan.suites?.includes("graphs") && plan.filter === "*" ? "not counted" : "no such case";
}

// A cell's state, its two lines of text, and its description, also of other configurations of the same version. They must
// share their cases: they do in the same tier, and wrong results also count in smaller ones, which are parts of it. An
// option also helps if nothing is wrong with it, and no fewer cases are right: what it refuses stays refused.
function cellOf(result, { has, part, granularity, isIllegal = false }, among = sameRuntime(result), counts = countsOf(result, has)) {
  const isUnfinished = isUnfinishedRun(result);
  const own = isUnfinished && stateOf(counts) === "right" ? "partly" : stateOf(counts);
  const [right, wrong, refused, notAsked, undecided] = counts;
  const total = totalOf(counts);
  const verbs = isIllegal ? ["rejected", "accepted"] : ["right", "wrong"];
  const words = {
    right: [isIllegal ? "all rejected" : "right", number(right)],
    partly: ["partly", ratio(right, total) + (isUnfinished ? ", unfinished" : "")],
    wrong: [`${number(wrong)} ${verbs[1]}`, ratio(right, total)],
    refused: ["refused", ratio(right, total)],
    not_asked: ["not asked", ratio(right, total)],
    undecided: ["undecided", ratio(right, total)],
    missing: ["no result", whyMissing(result, part, granularity)],
  }[own];
  // What an option does on one processor says nothing about another one.
  const others = among.filter((other) => other.version === result.version && other.setup !== result.setup
    && (variantOf(other) === variantOf(result) || placeOf(other).join() === placeOf(result).join()));
  const complete = own === "right" || own === "missing" ? []
    : others.filter((other) => other.series === result.series && !isUnfinishedRun(other)
      && totalOf(countsOf(other, has)) === total)
      .sort((a, b) => preferenceOf(a) - preferenceOf(b));
  const better = complete.find((other) => stateOf(countsOf(other, has)) === "right");
  const rightWithoutWrong = (other) => {
    const [itsRight, itsWrong, , itsNotAsked, itsUndecided] = countsOf(other, has);
    return itsWrong === 0 && itsRight >= right && itsNotAsked <= notAsked && itsUndecided <= undecided ? itsRight : 0;
  };
  const [harmless] = own !== "wrong" ? [] : complete.filter(rightWithoutWrong)
    .sort((a, b) => rightWithoutWrong(b) - rightWithoutWrong(a));
  const worse = own !== "right" ? undefined : others.find((other) => stateOf(countsOf(other, has)) === "wrong"
    && (other.series === result.series || other.plan.cases < result.plan.cases));
  const note = better ? `✓ right ${configurationOf(better) || "by default"}`
    : harmless ? `◐ none ${verbs[1]} ${configurationOf(harmless) || "by default"}: `
      + `${ratio(rightWithoutWrong(harmless), total)} ${verbs[0]}`
    : worse ? `✗ wrong ${configurationOf(worse) || "by default"}` : "";
  const title = total === 0 ? words.join(": ")
    : `${number(right)} ${verbs[0]}, ${number(wrong)} ${verbs[1]}, ${number(refused)} refused, `
      + `${number(notAsked)} not asked, ${undecided > 0 ? `${number(undecided)} undecided, ` : ""}`
      + `of ${number(total)}${note && `; ${note}`}`;
  const state = note === "" ? own : "option";
  return { own, state, mark: STATES[state].mark, words, note, title };
}

// ---- Versions

// The results of this configuration with such cases, newest first, one of each version: of the tier in which most
// versions were run.
function seriesOf(result, has = () => true) {
  const same = sameRuntime(result).filter((one) =>
    one.setup === result.setup && (one === result || stateOf(countsOf(one, has)) !== "missing"));
  const candidates = [...Map.groupBy(same, ({ series }) => series).values()]
    .map((ofTier) => [...Map.groupBy(ofTier, ({ version }) => version).values()].map(([first]) => first));
  const rank = (series) => 2 * series.length + Number(series.includes(result));
  return candidates.reduce((best, series) => (rank(series) > rank(best) ? series : best));
}

// Since which version all cases are right, or as many as now and none wrong, in words.
function sinceOf(result, has) {
  const series = seriesOf(result, has);
  const now = series.find(({ version }) => version === result.version) ?? result;
  const [right, wrong] = countsOf(now, has);
  const total = totalOf(countsOf(now, has));
  const isAsGood = (one) => countsOf(one, has)[0] >= right && countsOf(one, has)[1] === 0;
  const isRight = (one) => stateOf(countsOf(one, has)) === "right";
  const tier = series[0].plan.tier === result.plan.tier ? "" : ` (tier ${series[0].plan.tier})`;
  const oldest = shortVersion(series.at(-1).version);
  if (right > 0 && wrong === 0) {
    const start = series.findIndex((one) => !isAsGood(one));
    const since = start === -1 ? oldest : shortVersion(series[Math.max(start - 1, 0)].version);
    const before = series.length === 1 ? "; no older results" : start === -1 ? " or earlier" : "";
    return (right < total ? `${ratio(right, total)} since ` : "") + since + before + tier;
  }
  if (series.length === 1) return "no older results";
  const last = series.find(isRight);
  return (last === undefined ? `in no version from ${oldest} on` : `last right in ${shortVersion(last.version)}`) + tier;
}
