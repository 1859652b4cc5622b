// ---- Compact results: whether a file is one, which runtime it is of, and what it counts.

const given = JSON.parse(document.getElementById("data").textContent);
const results = [];

// ---- The check of a file, which may be anybody's

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isCounts = (value) => Array.isArray(value) && value.length <= 5 && value.every(isCount);
// An object of objects ... of counts.
const isTree = (value, depth) => (depth === 0 ? isCounts(value)
  : isObject(value) && Object.values(value).every((child) => isTree(child, depth - 1)));
const isAnyOf = (...kinds) => (value) => value === undefined || kinds.some((kind) => kind(value));
// A reading, several possible ones, or an object with them by type, version or form.
const isReading = (value, depth = 3) => isText(value) || (Array.isArray(value) && value.every(isText))
  || (depth > 0 && isObject(value) && Object.values(value).every((child) => isReading(child, depth - 1)));
const isCause = (cause) => isObject(cause) && [cause.class, cause.sentence].every(isText) && isCount(cause.cases)
  && [cause.name, cause.where, cause.example, cause.element, cause.from, cause.repair].every(isAnyOf(isText, (value) => value === null));

const SHAPE = [
  ["backend", (value) => isObject(value) && isText(value.name) && isText(value.version), "an object with a name and a version"],
  ["plan", (value) => isObject(value) && isText(value.tier) && isText(value.hash) && isCount(value.cases), "an object with tier, hash and cases"],
  ["total", (value) => isObject(value) && [value.right, value.wrong, value.refused, value.total].every(isCount), "an object with counts"],
  ["operators", (value) => isTree(value, 4), "counts by operator, type, granularity and version"],
  ["float_types", (value) => value === undefined || isTree(value, 3), "counts by type, operator and version"],
  ["illegal", (value) => value === undefined || (isObject(value) && Object.values(value).every(isCount)), "an object with counts"],
  ["illegal_models", (value) => value === undefined || isTree(value, 2), "counts by operator and version"],
  ["graphs", (value) => value === undefined || (isObject(value)
    && Object.values(value).every((pattern) => isObject(pattern) && isTree(pattern.types, 1))), "counts by pattern and type"],
  ["forms", (value) => value === undefined || isTree(value, 1), "counts by form"],
  ["causes", (value) => value === undefined || (Array.isArray(value) && value.every(isCause)), "a list of causes"],
  ["fingerprint", (value) => value === undefined || (isObject(value) && Object.values(value).every((one) => isReading(one))), "readings by ambiguity"],
  ["configuration", isAnyOf((value) => isObject(value) && [value.variant, value.cpu].every(isAnyOf(isText))
    && isAnyOf(Array.isArray)(value.assume)), "an object with variant, cpu and assume"],
  ["not_run", isAnyOf((value) => isObject(value) && isCount(value.cases) && isText(value.reason)), "an object with cases and a reason"],
  ["command", isText, "a text"],
  ...["touchstone", "host", "finished"].map((name) => [name, isAnyOf(isText), "a text"]),
];

// Why this is no compact result, or undefined.
function problemOf(result) {
  if (!isObject(result) || result.touchstone_result === undefined)
    return "is no compact result: make one with touchstone report DIRECTORY --format compact";
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
    return { numbers: numbers.split(".").filter(Boolean).map(Number), rest, stage: rest === "" ? 0 : /^[-_+]?(a|b|rc|dev|alpha|beta|pre)/i.test(rest) ? -1 : 1 };
  };
  const [a, b] = [parts(left), parts(right)];
  for (let i = 0; i < Math.max(a.numbers.length, b.numbers.length); ++i) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.stage - b.stage || a.rest.localeCompare(b.rest, "en", { numeric: true });
}

const newestFirst = (a, b) => compareVersions(b.version, a.version)
  || Number(a.configuration !== "") - Number(b.configuration !== "")
  || b.plan.cases - a.plan.cases || (a.key < b.key ? -1 : 1);

// Build descriptions after the number stay out of tables; the part of the runtime has them.
const shortVersion = (version) => (version.length > 16 ? version.split(/[-+ ]/)[0] : version);

function configurationOf({ variant, cpu, assume = [] } = {}) {
  return [variant, cpu && `on ${cpu}`, assume.length > 0 && `assuming ${assume.join(", ")}`].filter(Boolean).join(", ");
}

// Adds a result. Gives why not, or undefined.
function addResult(raw, isOwn) {
  const problem = problemOf(raw);
  if (problem !== undefined) return problem;
  const { name, version } = raw.backend;
  const configuration = configurationOf(raw.configuration);
  const identity = [name, shortVersion(version), configuration, raw.plan.tier].filter((part) => part !== "").join(" ").replaceAll("~", "-");
  const same = results.filter((one) => one.identity === identity);
  if (same.some(({ finished, plan }) => finished === raw.finished && plan.hash === raw.plan.hash)) return "is there already";
  results.push({
    causes: [], fingerprint: {}, ...raw, identity, key: same.length > 0 ? `${identity} (${same.length + 1})` : identity, name, version, configuration, isOwn,
    isDefault: configuration === "", leaves: leavesOf(raw), series: `${raw.plan.tier} ${raw.plan.filter ?? "*"}`,
  });
  results.sort((a, b) => a.name.localeCompare(b.name, "en") || newestFirst(a, b));
  return undefined;
}

const runtimes = () => Map.groupBy(results, ({ name }) => name);
const sameRuntime = (result) => results.filter(({ name }) => name === result.name);

// For each configuration of the newest version, the result with the most cases.
function newestOf(ofRuntime) {
  const newest = ofRuntime.filter(({ version }) => version === ofRuntime[0].version);
  return [...Map.groupBy(newest, ({ configuration }) => configuration).values()].map(([first]) => first);
}

// ---- Counts. A leaf has those of the smallest group of cases that a result counts.

const sum = (counts) => counts.reduce((total, row) => total.map((value, index) => value + (row[index] ?? 0)), [0, 0, 0, 0, 0]);

const ofIllegal = ([rejected = 0, permitted = 0, notRejected = 0, notAsked = 0, undecided = 0]) =>
  [rejected + permitted, notRejected, 0, notAsked, undecided];

function leavesOf({ operators, float_types: floats = {}, illegal, illegal_models: illegalModels = {}, graphs = {}, forms = {} }) {
  const leaves = [];
  const each = (tree, names, visit, path = {}) => {
    if (names.length === 0) visit(path, tree);
    else for (const [key, child] of Object.entries(tree)) each(child, names.slice(1), visit, { ...path, [names[0]]: key });
  };
  const add = (part, convert = (counts) => counts) => (path, counts) =>
    leaves.push({ part, type: "", granularity: "", ...path, counts: convert(counts) });
  each(operators, ["operator", "type", "granularity", "version"], add("operators"));
  each(floats, ["type", "operator", "version"], add("float types"));
  for (const [operator, { types }] of Object.entries(graphs)) each(types, ["type"], add("graphs"), { operator });
  each(forms, ["operator"], add("forms"));
  each(illegalModels, ["operator", "version"], add("illegal models", ofIllegal));
  if (illegal !== undefined)
    add("all illegal models", ofIllegal)({}, ["rejected", "permitted", "not_rejected", "not_asked", "undecided"].map((name) => illegal[name] ?? 0));
  return leaves;
}

// Those of another domain have its name before theirs.
const isOfOnnx = ({ operator }) => !operator.includes(".");

// The columns of the first table: which leaves each one counts.
const cases = (types, also = () => true) => (leaf) =>
  leaf.part === "operators" && isOfOnnx(leaf) && types.test(leaf.type) && also(leaf);
const COLUMNS = [
  { id: "int8", label: "int8", title: "int8 and uint8, one scale for the tensor", has: cases(/^u?int8$/, ({ granularity }) => granularity === "per_tensor") },
  { id: "channel", label: "int8 per channel", title: "int8 and uint8, a scale for each channel", has: cases(/^u?int8$/, ({ granularity }) => granularity === "per_axis") },
  { id: "int16", label: "int16", title: "int16 and uint16", has: cases(/^u?int16$/) },
  { id: "int4", label: "int4 weights", title: "DequantizeLinear of int4 and uint4", has: cases(/^u?int4$/, ({ operator }) => operator === "DequantizeLinear") },
  { id: "int2", label: "2-bit", title: "int2 and uint2", has: cases(/^u?int2$/) },
  { id: "float8", label: "float8", title: "the four float8 types", has: cases(/^float8/) },
  { id: "float4", label: "float4, float6", title: "float4e2m1, float6e2m3 and float6e3m2", has: cases(/^float[46]/) },
  { id: "bfloat16", label: "bfloat16", title: "bfloat16 as the type of real values or of scales", has: (leaf) => leaf.part === "float types" && isOfOnnx(leaf) && leaf.type === "bfloat16" },
  { id: "opset21", label: "opset ≥ 21", title: "all quantized types, operator version 21 and later", has: cases(/./, ({ version }) => Number(version) >= 21) },
  { id: "graphs", label: "graphs", title: "patterns of several nodes, such as DequantizeLinear, Conv, QuantizeLinear", has: ({ part }) => part === "graphs" },
  { id: "illegal", label: "illegal models", title: "models that break a rule of the standard: must be rejected, or may be", has: ({ part }) => part === "all illegal models", isIllegal: true },
];

// ---- Cells

// From best to worst: a silently wrong result is worse than none.
const STATES = {
  right: { mark: "✓", legend: "all right" },
  option: { mark: "⇄", legend: "right or wrong, depending on an option or a processor" },
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

const countsOf = (result, has) => sum(result.leaves.filter(has).map(({ counts }) => counts));
const totalOf = (counts) => counts.reduce((total, value) => total + value, 0);
const labelOf = (result) => result.configuration || "by default";

// A cell's state, its two lines of text, and its description. Other configurations of the same version count if their
// plan has as many cases; for the worse, any plan will do.
function cellOf(result, { has, isIllegal = false }, among = sameRuntime(result)) {
  const counts = countsOf(result, has);
  const own = stateOf(counts);
  const [right, wrong, refused, notAsked, undecided] = counts;
  const total = totalOf(counts);
  const words = {
    right: ["right", number(right)],
    partly: ["partly", ratio(right, total)],
    wrong: [`${number(wrong)} ${isIllegal ? "accepted" : "wrong"}`, ratio(right, total)],
    refused: ["refused", refused === total ? number(refused) : ratio(refused, total)],
    not_asked: ["not asked", number(total)], undecided: ["undecided", number(undecided)], missing: ["no result", ""],
  }[own];
  if (isIllegal && right > 0 && wrong === 0) words[0] = own === "right" ? "all rejected" : "partly";
  const others = among.filter((other) => other.version === result.version && other.configuration !== result.configuration);
  const better = own === "right" || own === "missing" ? undefined
    : others.find((other) => other.series === result.series && stateOf(countsOf(other, has)) === "right");
  const worse = own !== "right" ? undefined : others.find((other) => stateOf(countsOf(other, has)) === "wrong");
  const note = better ? `✓ right ${withWords(better)}` : worse ? `✗ wrong ${withWords(worse)}` : "";
  const verbs = isIllegal ? ["rejected", "accepted"] : ["right", "wrong"];
  const title = total === 0 ? "no result: the plan has no such case"
    : `${number(right)} ${verbs[0]}, ${number(wrong)} ${verbs[1]}, ${number(refused)} refused, ${number(notAsked)} not asked, `
      + `${undecided > 0 ? `${number(undecided)} undecided, ` : ""}of ${number(total)}${note && `; ${note}`}`;
  return { own, state: note === "" ? own : "option", mark: STATES[note === "" ? own : "option"].mark, words, note, title };
}

const withWords = (other) => (other.isDefault ? "by default" : other.configuration.startsWith("on ") || other.configuration.startsWith("assuming ")
  ? other.configuration : `with ${other.configuration}`);

// ---- Versions

// The results of this configuration with such cases, newest first, one of each version: of the tier in which most
// versions were run.
function seriesOf(result, has = () => true) {
  const same = sameRuntime(result).filter((one) =>
    one.configuration === result.configuration && (one === result || stateOf(countsOf(one, has)) !== "missing"));
  const candidates = [...Map.groupBy(same, ({ series }) => series).values()]
    .map((ofTier) => [...Map.groupBy(ofTier, ({ version }) => version).values()].map(([first]) => first));
  const rank = (series) => 2 * series.length + Number(series.includes(result));
  return candidates.reduce((best, series) => (rank(series) > rank(best) ? series : best));
}

// Since which version all cases are right, in words.
function sinceOf(result, has) {
  const series = seriesOf(result, has);
  const isRight = (one) => stateOf(countsOf(one, has)) === "right";
  const tier = series[0].plan.tier === result.plan.tier ? "" : ` (tier ${series[0].plan.tier})`;
  const oldest = shortVersion(series.at(-1).version);
  if (series.length === 1) return isRight(result) ? `${shortVersion(result.version)}; no older results` : "not in this version; no older results";
  const firstOther = series.findIndex((one) => !isRight(one));
  if (firstOther === -1) return `${oldest} or earlier${tier}`;
  if (firstOther > 0) return shortVersion(series[firstOther - 1].version) + tier;
  const last = series.find(isRight);
  return (last === undefined ? `in no version from ${oldest} on` : `last right in ${shortVersion(last.version)}`) + tier;
}
