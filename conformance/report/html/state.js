// ---- The state in the URL's fragment: #cause=3&opset=21&case=..., so that a finding can be linked.

const STATE = [...FILTERS.map(({ name }) => name), "case"];
const caseById = new Map(cases.map((one) => [one.id, one]));

// Anybody may have written the fragment: only values that the page itself offers count, and any text to search for.
function isOffered(name, value) {
  if (name === "case") return caseById.has(value);
  return CHOICES[name] === undefined || CHOICES[name]().includes(value);
}

function stateOfUrl() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(STATE.map((name) => {
    const value = given.get(name) ?? "";
    return [name, value !== "" && isOffered(name, value) ? value : ""];
  }));
}

function fragmentOf(state) {
  const members = STATE.filter((name) => state[name]).map((name) => [name, state[name]]);
  return members.length > 0 ? `#${new URLSearchParams(members)}` : "";
}

// Browsers limit how often a page may do this, and some forbid it to files. The page works without it.
function changeHistory(method, state, url) {
  try {
    history[method](state, "", url);
  } catch {
    // The URL stays as it is.
  }
}

// Clicks make entries of the history, typing changes the last one. Links make entries without a state.
function remember(method = "pushState") {
  const fragment = fragmentOf({ ...selected, case: openCase?.id });
  if (fragment !== location.hash) changeHistory(method, "made by the page", location.href.split("#")[0] + fragment);
}

// Shows what the URL says. Scrolls only for a link: back and forward restore the position themselves.
function restore() {
  const isLink = history.state === null;
  const { case: id, ...filters } = stateOfUrl();
  if (openCase !== null && openCase.id !== id) setOpen(openCase, false);
  if (FILTERS.some(({ name }) => selected[name] !== filters[name])) select(filters);
  if (id !== "") openLinked(caseById.get(id), isLink);
  else if (isLink && fragmentOf(filters) !== "") byId("cases").scrollIntoView();
  if (isLink) changeHistory("replaceState", "made by a link", location.href);
}
