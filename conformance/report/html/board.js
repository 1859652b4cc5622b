// ---- Cells and names

// Names such as GraphOptimizationLevel.ORT_DISABLE_ALL may break between their words.
const breakable = (text) => text.split(/(?<=[A-Za-z][._])(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])/)
  .flatMap((word, index) => (index === 0 ? word : [element("wbr"), word]));

const linesOf = (texts) => texts.filter(Boolean).map((text) => element("small", { class: "line" }, breakable(text)));

function cell({ state, mark, words: [first, second], note, title }, more = "", link = {}) {
  return element(link.href ? "a" : "div", { class: `cell ${state}`, title, ...link },
    element("span", {}, element("span", { class: "mark", "aria-hidden": "true" }, mark), first),
    linesOf([second, note, more]));
}

// One of the results that have the cases of most runtimes' first rows; those with others say so.
function usualResult() {
  const groups = Map.groupBy([...runtimes().values()].map(([first]) => first), (one) => JSON.stringify([planOf(one), one.content]));
  return [...groups.values()].reduce((best, one) => (one.length > best.length ? one : best))[0];
}

function otherCases(result, usual) {
  if (given.same_cases && !result.isOwn) return "";
  if (planOf(result) !== planOf(usual)) return `another plan: ${planWords(result)}`;
  return hasOtherData(result, usual) ? "some cases in other forms or with other data" : "";
}

function titleOf(result, usual, name = `${result.name} `) {
  return [element("a", { href: fragmentOf({ result: result.key }) }, breakable(name + shortVersion(result.version))), linesOf([
    configurationOf(result),
    otherCases(result, usual),
    judgeWords(result),
    result.not_run && `${number(result.not_run.cases)} not run: ${result.not_run.reason}`,
    result.isOwn && "your file",
  ])];
}

// ---- The first table

function boardRow(result, usual, fold) {
  const linked = (column) => {
    const found = cellOf(result, column);
    const href = fragmentOf({ with: result.key, column: column.id, same: "1" });
    return cell(found, "", { href, tabindex: "-1", title: `${result.key}, ${column.label}: ${found.title}` });
  };
  return element("tr", { class: fold === undefined ? "folded" : "" },
    element("th", { scope: "row" }, fold === undefined ? titleOf(result, usual, "") : [titleOf(result, usual), fold]),
    COLUMNS.map((column) => element("td", {}, linked(column))));
}

function missingRow(missing) {
  const found = { state: "missing", mark: STATES.missing.mark, words: ["no result"], title: missing.reason };
  return element("tr", { class: "folded" },
    element("th", { scope: "row" }, missing.version, linesOf([configurationOf(missing), `no result: ${missing.reason}`])),
    COLUMNS.map(() => element("td", {}, cell(found))));
}

function boardRows([name, ofRuntime], usual) {
  const open = listOf(selected.open);
  const isOpen = open.includes(name);
  const [first, ...folded] = ofRuntime;
  const others = [...folded, ...missingOf(ofRuntime)].sort((a, b) => compareVersions(b.version, a.version));
  const fold = others.length === 0 ? [] : element("button", {
    type: "button", class: "link fold", "data-name": name, "aria-expanded": String(isOpen),
    onclick: () => {
      change({ open: (isOpen ? open.filter((one) => one !== name) : [...open, name]).join("~") });
      [...document.querySelectorAll(".fold")].find((button) => button.dataset.name === name)?.focus();
    },
  }, `${isOpen ? "▾" : "▸"} ${number(others.length)} more`);
  return [boardRow(first, usual, fold), isOpen ? others.map((one) => (one.leaves ? boardRow(one, usual) : missingRow(one))) : []];
}

function drawBoard() {
  const usual = usualResult();
  const attributes = { role: "grid", class: "board", "aria-labelledby": "board-heading", onkeydown: moveInGrid, onfocusin: rove };
  const made = element("table", attributes,
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "runtime"),
      COLUMNS.map(({ label, title }) => element("th", { scope: "col" }, element("abbr", { title }, label))))),
    element("tbody", {}, [...runtimes()].map((one) => boardRows(one, usual))));
  made.querySelector(".cell")?.setAttribute("tabindex", "0");
  byId("board").replaceChildren(scrollable(made));
}

// ---- The search

function drawSearch() {
  const versions = versionsOfOnnx();
  const texts = {
    opset: (version) => {
      const last = (versions[versions.indexOf(Number(version)) + 1] ?? given.newest_opset + 1) - 1;
      return last > Number(version) ? `${version} to ${last}` : version;
    },
    type: (value) => value.replace(",", " and "),
    granularity: (value) => value.replace("_", " "),
  };
  const labels = { operator: "Operator", opset: "Opset", type: "Quantized type", granularity: "Granularity" };
  const fields = SEARCH.map((name) => element("label", {}, labels[name],
    element("select", { name, onchange: ({ target }) => change({ [name]: target.value }) },
      element("option", { value: "" }, ALL[name]),
      CHOICES[name]().map((value) => element("option", { value }, texts[name]?.(value) ?? value)))));
  byId("filters").replaceChildren(...fields, element("button", { type: "reset", id: "clear" }, "Clear"));
}

const EXAMPLE = { operator: "DequantizeLinear", opset: "21", type: "int4,uint4", granularity: "blocked" };

const isSearched = (leaf) => leaf.part === "operators"
  && (selected.operator === "" ? isOfOnnx(leaf) : leaf.operator === selected.operator)
  && (selected.opset === "" || leaf.version === selected.opset)
  && (selected.type === "" || selected.type.split(",").includes(leaf.type))
  && (selected.granularity === "" || leaf.granularity === selected.granularity);

// "✓ all float, float16; – no bfloat16": which types of real numbers decide, if all cases of each have one result.
function byFloatType({ leaves }) {
  const searched = leaves.filter((leaf) => leaf.part === "float_types" && totalOf(leaf.counts) > 0
    && (selected.operator === "" ? isOfOnnx(leaf) : leaf.operator === selected.operator)
    && (selected.opset === "" || leaf.version === selected.opset));
  const byState = Map.groupBy(Map.groupBy(searched, ({ type }) => type),
    ([, ofType]) => stateOf(sum(ofType.map(({ counts }) => counts))));
  const namesOf = (state) => (byState.get(state) ?? []).map(([type]) => type).join(", ");
  return [namesOf("right") && `✓ right with ${namesOf("right")}`, namesOf("refused") && `– refused with ${namesOf("refused")}`]
    .filter(Boolean).join("; ");
}

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
    byId("answer").replaceChildren(
      "Choose what you need: the answer is which runtimes compute it right, and since which version. For example: ",
      element("a", { href: fragmentOf(EXAMPLE) }, "weights of int4 and uint4 in blocks, opset 21"));
    return;
  }
  const found = [...runtimes().values()].flatMap(newestOf)
    .map((result) => ({ result, found: cellOf(result, { has: isSearched, part: "operators", granularity: selected.granularity }) }))
    .sort((a, b) => rankOf(a.found.own) - rankOf(b.found.own) || rankOf(a.found.state) - rankOf(b.found.state));
  const words = {
    right: "right", partly: "partly right", wrong: "wrong", refused: "refuse it", not_asked: "not asked",
    undecided: "undecided", missing: "without a result",
  };
  const counts = Object.keys(words).map((state) => [state, found.filter((row) => row.found.own === state).length]);
  byId("answer").replaceChildren(counts.filter(([, count]) => count > 0)
    .map(([state, count]) => `${number(count)} ${words[state]}`).join(", ")
    + `, of ${number(found.length)} runtimes and configurations`,
  ...(selected.operator !== "" ? [] : ["; weights need ",
    element("a", { href: fragmentOf({ ...selected, operator: "DequantizeLinear" }) }, "only DequantizeLinear")]));
  const usual = usualResult();
  // Configurations with the same answer share a row, and the longest history of them.
  const answers = [...Map.groupBy(found, ({ result: { name, version, plan }, found: { words, note } }) =>
    JSON.stringify([name, version, plan.hash, words, note])).values()];
  const rows = answers.map((answer) => {
    const [{ result: first, found: one }, ...others] = answer;
    const known = answer.map(({ result }) => result).reduce((best, next) =>
      (seriesOf(next, isSearched).length > seriesOf(best, isSearched).length ? next : best));
    return element("tr", {},
      element("th", { scope: "row" }, titleOf(first, usual), linesOf(others.map(({ result }) => configurationOf(result)))),
      element("td", {}, cell(one, one.own === "partly" ? byFloatType(first) : "")),
      element("td", {}, one.own === "missing" ? "" : sinceOf(known, isSearched),
        linesOf([known !== first && configurationOf(known)])));
  });
  byId("found").replaceChildren(table(["runtime", "answer", "right since version"], rows, { class: "found" }));
}
