// ---- The state of the page that compares runtimes, in the URL's fragment: `with` has the keys of the chosen results, and
// `open` the names of unfolded runtimes, each joined by "~".

const NAMES = ["operator", "opset", "type", "granularity", "with", "column", "same", "row", "open", "result"];
const selected = Object.fromEntries(NAMES.map((name) => [name, ""]));
const listOf = (text) => text.split("~").filter(Boolean);
const byKey = (key) => results.find((one) => one.key === key);
const fragmentOf = (state) => fragmentWith(NAMES, state) || "#";

const amount = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;
const distinct = (values) => [...new Set(values)];
const leafValues = (name) => distinct(results.flatMap(({ leaves }) =>
  leaves.filter(({ part }) => part === "operators").map((leaf) => leaf[name])));
// Newer programs know more versions than this page.
function versionsOfOnnx() {
  const ofOnnx = results.flatMap(({ leaves }) => leaves.filter((leaf) => leaf.part === "operators" && isOfOnnx(leaf)));
  const ofResults = ofOnnx.map(({ version }) => Number(version));
  return distinct([...given.versions, ...ofResults]).sort((a, b) => a - b);
}

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
  row: () => results.flatMap(({ leaves }) => leaves.map(({ row }) => row)),
  result: () => results.map(({ key }) => key),
};
const ALL = { operator: "both", opset: "all", type: "all", granularity: "all" };
const SEARCH = Object.keys(ALL);

function isOffered(name, value) {
  if (name === "with") return listOf(value).every(byKey);
  if (name === "open") return listOf(value).every((one) => runtimes().has(one));
  return CHOICES[name]().includes(value);
}

function select(state) {
  const changed = NAMES.filter((name) => state[name] !== undefined && state[name] !== selected[name]);
  Object.assign(selected, state);
  draw(changed);
}

function change(changes) {
  select(changes);
  const fragment = fragmentWith(NAMES, selected);
  if (fragment !== location.hash) changeHistory("pushState", "made by the page", location.href.split("#")[0] + fragment);
}

function restore() {
  const isLink = history.state === null;
  select(stateOfUrl(NAMES, isOffered));
  if (!isLink) return;
  const isSide = [selected.with, selected.column, selected.row].some(Boolean);
  const target = selected.result ? byId("part-heading") : isSide ? byId("side-heading") : null;
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
  changeHistory("replaceState", "made by a link", location.href);
}
