"use strict";

// ---- What the pages have in common.

// The answer classes have a mark each, so that they do not depend on colours.
const MARKS = {
  right: "✓", wrong: "✗", refused: "–", rejected: "✓", permitted: "≈", not_rejected: "✗", not_asked: "○", undecided: "?",
};

// ---- Creating elements: texts always become text nodes.

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined));
  return made;
}

const element = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// Wide content scrolls. Shadows at its edges say that there is more. Without links in it, the keyboard needs a stop.
function markEdges(scroller) {
  const needsStop = scroller.scrollWidth > scroller.clientWidth && scroller.querySelector("a[href], button") === null;
  scroller.toggleAttribute("tabindex", needsStop);
  if (needsStop) scroller.tabIndex = 0;
  const left = scroller.scrollWidth - scroller.clientWidth - scroller.scrollLeft;
  scroller.parentElement.classList.toggle("more-before", scroller.scrollLeft > 1);
  scroller.parentElement.classList.toggle("more-after", left > 1);
}

const widths = new ResizeObserver((entries) => entries.forEach(({ target }) => markEdges(target)));

function scrollable(content) {
  const scroller = element("div", { class: "scroller", onscroll: ({ target }) => markEdges(target) }, content);
  widths.observe(scroller);
  return element("div", { class: "scroll" }, scroller);
}

const byId = (id) => document.getElementById(id);
const { format: number } = new Intl.NumberFormat("en");
const ratio = (part, whole) => `${number(part)} of ${number(whole)}`;

function marked(answer, text, mark = MARKS[answer]) {
  return element("span", { class: `verdict ${answer}` },
    element("span", { "aria-hidden": "true" }, mark + "\u00a0"), text);
}

function facts(rows) {
  return element("dl", { class: "facts" },
    rows.filter(([, text]) => text !== "").map(([name, text]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, text))));
}

function table(headings, rows, attributes = {}) {
  return scrollable(element("table", attributes,
    element("thead", {}, element("tr", {}, headings.map((heading) => element("th", { scope: "col" }, heading)))),
    element("tbody", {}, rows)));
}

// ---- The URL's fragment

function fragmentWith(names, state) {
  const members = names.filter((name) => state[name]).map((name) => [name, state[name]]);
  return members.length > 0 ? `#${new URLSearchParams(members)}` : "";
}

// Anybody may have written the fragment: only values that the page itself offers count.
function stateOfUrl(names, isOffered) {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(names.map((name) => {
    const value = given.get(name) ?? "";
    return [name, value !== "" && isOffered(name, value) ? value : ""];
  }));
}

// Browsers limit how often a page may do this, and some forbid it to files. The page works without it.
function changeHistory(method, state, url) {
  try {
    history[method](state, "", url);
  } catch {
    // The URL stays as it is.
  }
}

// ---- Tables whose cells have links

// Each table has one Tab stop: the cell that had the focus last. Arrow keys, Home and End move from there.
function rove({ target, currentTarget }) {
  if (!target.matches(".cell")) return;
  for (const stop of currentTarget.querySelectorAll(".cell[tabindex='0']")) stop.tabIndex = -1;
  target.tabIndex = 0;
}

const MOVES = {
  ArrowLeft: { along: "row", forward: false, far: false },
  ArrowRight: { along: "row", forward: true, far: false },
  ArrowUp: { along: "column", forward: false, far: false },
  ArrowDown: { along: "column", forward: true, far: false },
  Home: { along: "row", forward: false, far: true },
  End: { along: "row", forward: true, far: true },
};

function moveInGrid(event) {
  const move = MOVES[event.key];
  const from = event.target.closest("td");
  if (move === undefined || from === null) return;
  event.preventDefault();
  const line = move.along === "row"
    ? [...from.parentElement.cells]
    : [...event.currentTarget.tBodies].flatMap(({ rows }) => [...rows]).map((row) => row.cells[from.cellIndex] ?? row);
  const at = line.indexOf(from);
  const ahead = move.forward ? line.slice(at + 1) : line.slice(0, at).reverse();
  const stops = ahead.map((cell) => cell.querySelector("a.cell, button.cell")).filter((stop) => stop !== null);
  stops.at(move.far ? -1 : 0)?.focus();
}

// ---- Light and dark: the system's setting, unless the reader chooses.

function setUpTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const label = () => { byId("theme").textContent = isDark() ? "Light" : "Dark"; };
  byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  system.addEventListener("change", label);
  label();
}
