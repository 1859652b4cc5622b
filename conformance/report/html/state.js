// ---- The state in the URL's fragment: #cause=3&opset=21&case=..., so that a finding can be linked.

const STATE = [...FILTERS.map(({ name }) => name), "case"];
const caseById = new Map(cases.map((one) => [one.id, one]));

// Any text may be searched for.
function isOffered(name, value) {
  if (name === "case") return caseById.has(value);
  return CHOICES[name] === undefined || CHOICES[name]().includes(value);
}

const fragmentOf = (state) => fragmentWith(STATE, state);

// Clicks make entries of the history, typing changes the last one. Links make entries without a state.
function remember(method = "pushState") {
  const fragment = fragmentOf({ ...selected, case: openCase?.id });
  if (fragment !== location.hash) changeHistory(method, "made by the page", location.href.split("#")[0] + fragment);
}

// Shows what the URL says. Scrolls only for a link: back and forward restore the position themselves.
function restore() {
  const isLink = history.state === null;
  const { case: id, ...filters } = stateOfUrl(STATE, isOffered);
  if (openCase !== null && openCase.id !== id) setOpen(openCase, false);
  if (FILTERS.some(({ name }) => selected[name] !== filters[name])) select(filters);
  if (id !== "") openLinked(caseById.get(id), isLink);
  else if (isLink && fragmentOf(filters) !== "") byId("cases").scrollIntoView();
  if (isLink) changeHistory("replaceState", "made by a link", location.href);
}
