// ---- The list of cases, rendered in parts, and the details of a case.

const PIECE = 20;
let listed = [];
let openCase = null; // the one that was opened last

function section(heading, ...content) {
  return element("section", {}, element("h3", {}, heading), ...content);
}

function clauseList(indices) {
  return element("dl", { class: "clauses" }, indices.map((index) => {
    const { id, sentence, source } = report.clauses[index];
    return element("div", {}, element("dt", {}, element("code", {}, id)),
      element("dd", {}, sentence, element("small", {}, ` ${source}`)));
  }));
}

function readingList(readings) {
  return element("dl", { class: "clauses" }, readings.map((index) => {
    const { ambiguity, reading, question, sentence } = report.case_readings[index];
    return element("div", {}, element("dt", {}, element("code", {}, `${ambiguity}: ${reading}`)),
      element("dd", {}, question, " ", element("strong", {}, sentence)));
  }));
}

const ELEMENT_COLUMNS = ["index", "position", "x", "scale", "scale index", "x / scale", "zero point", "expected", "actual"];

function wrongElements([dataSet, leftOut, elements]) {
  const numberCell = (index, kind) => {
    if (index === null) return element("td", { class: "none" }, "–");
    const [decimal, hex] = report.numbers[index];
    return element("td", { class: kind }, element("span", {}, decimal), " ", element("code", {}, hex));
  };
  const textCell = (text) => element("td", text === "" ? { class: "none" } : {}, text === "" ? "–" : text);
  const rows = elements.map(([index, x, scale, zeroPoint, expected, actual, position, scaleIndex, quotient]) =>
    element("tr", {}, element("th", { scope: "row" }, number(index)), textCell(position), numberCell(x),
      numberCell(scale), textCell(scaleIndex), textCell(quotient), numberCell(zeroPoint),
      numberCell(expected, "expected"), numberCell(actual, "actual")));
  return section(`Wrong elements, data set ${dataSet}`,
    rows.length > 0 ? table(ELEMENT_COLUMNS, rows, { class: "elements" }) : undefined,
    leftOut > 0 ? element("p", { class: "note" }, `${number(leftOut)} more in report.json.`) : undefined);
}

async function copy(text, button) {
  const area = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(text);
  } catch { // no permission, or no secure context
    getSelection().selectAllChildren(area);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
}

function command({ replay }) {
  const onclick = ({ currentTarget }) => copy(replay, currentTarget);
  return element("div", { class: "command" }, element("code", {}, replay),
    element("button", { type: "button", "aria-live": "polite", onclick }, "Copy"));
}

function caseDetails(one) {
  const { violated, readings, wrong } = one;
  return [
    one.reason === "" ? undefined : element("p", { class: "reason" }, one.reason),
    facts([
      ["operator version", (one.version ?? null) === null ? "" : `${one.operator} ${one.version}`],
      ["opset", one.opset === undefined ? "" : String(one.opset)],
      ["type", one.type ?? ""],
      ["form", one.form],
      ["cell", one.cells.map(({ text }) => text).join(", ")],
      ["elements", number(one.elements) + (one.masked > 0 ? `, ${number(one.masked)} of them masked` : "")],
    ]),
    isExpected(one) ? section("Expected", element("p", {}, one.expected)) : undefined,
    violated === null ? undefined : section("Must be rejected: it violates", clauseList([violated])),
    readings === null ? undefined : section("Explained by", readingList(readings)),
    wrong === null ? undefined : wrongElements(wrong),
    section("Reproduce it", command(one)),
    element("p", {}, element("a", { href: fragmentOf({ case: one.id }) }, "Link to this case")),
    one.clauses.length === 0 ? undefined : section("Clauses that it exercises", clauseList(one.clauses)),
  ].filter((part) => part !== undefined);
}

function setOpen(one, isOpen) {
  const panel = byId(`details-${one.index}`);
  if (panel.childElementCount === 0) panel.append(...caseDetails(one));
  panel.hidden = !isOpen;
  panel.previousElementSibling.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) openCase = one;
  else if (openCase === one) openCase = null;
}

// Opens a case that the filters take. It becomes the first of the list if it is not drawn yet.
function openLinked(one, isToBeSeen) {
  if (!listed.includes(one)) return;
  if (byId(`details-${one.index}`) === null) {
    listed = [one, ...listed.filter((other) => other !== one)];
    byId("list").prepend(caseItem(one));
  }
  setOpen(one, true);
  if (isToBeSeen) byId(`details-${one.index}`).parentElement.scrollIntoView();
}

function caseItem(one) {
  const panel = element("div", { class: "details", id: `details-${one.index}`, hidden: true });
  const onclick = () => {
    setOpen(one, panel.hidden);
    remember();
  };
  const button = element("button",
    { type: "button", class: "case", "aria-expanded": "false", "aria-controls": panel.id, onclick },
    element("span", {}, labelOf(one), isExpected(one) ? element("small", {}, " expected") : undefined),
    element("span", { class: "id" }, one.id), element("span", { class: "why" }, one.reason));
  return element("li", {}, button, panel);
}

function drawMore() {
  const list = byId("list");
  const from = list.childElementCount;
  list.append(...listed.slice(from, from + PIECE).map(caseItem));
  const left = listed.length - list.childElementCount;
  byId("more").hidden = left === 0;
  byId("more").textContent = `Show ${number(Math.min(PIECE, left))} more of ${number(left)}`;
  return list.children[from];
}

function drawList() {
  listed = matchingCases();
  openCase = null;
  byId("list").replaceChildren();
  drawMore();
  const active = FILTERS.filter(({ name }) => selected[name] !== "")
    .map(({ name, said }) => (said === undefined ? selected[name] : said(selected[name])));
  const problems = listed.filter(isProblem).length;
  byId("count").textContent = `${ratio(listed.length, report.summary.cases)} cases`
    + (active.length > 0 ? `: ${active.join(", ")}` : "")
    + (problems > 0 ? `. ${number(problems)} with problems come first.` : ".");
  drawPictures();
}
