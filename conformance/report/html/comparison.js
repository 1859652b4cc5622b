// ---- Results of the reader's own

const LARGEST_FILE = 1_000_000;

function say(name, text, isBad) {
  byId("messages").append(element("p", {}, marked(isBad ? "wrong" : "right", `${name} ${text}`)));
}

async function addFile(file) {
  if (file.size > LARGEST_FILE) return `has ${number(file.size)} bytes: a compact result has at most 20,000`;
  const text = await file.text();
  let result;
  try {
    result = JSON.parse(text);
  } catch (error) {
    return `is not JSON: ${error.message}`;
  }
  return addResult(result, true);
}

// Those whose rows are folded otherwise.
const runtimesOfOwnFiles = () => distinct(results.filter((one) => one.isOwn && sameRuntime(one)[0] !== one).map(({ name }) => name));

async function addFiles(files) {
  byId("messages").replaceChildren();
  for (const file of files) {
    const problem = await addFile(file);
    say(file.name, problem ?? "has a row in the table now", problem !== undefined);
  }
  const opened = runtimesOfOwnFiles().filter((name) => !listOf(selected.open).includes(name));
  if (opened.length > 0) change({ open: [...listOf(selected.open), ...opened].join("~") });
  drawAll();
}

// ---- All of it

const DRAWN = [[drawFound, SEARCH], [drawBoard, ["open"]], [drawChoice, ["with"]], [drawMatrix, ["with", "column", "same", "row"]],
  [drawShared, ["with"]], [drawFingerprints, ["with"]], [drawPart, ["result"]]];

// What depends on these names.
function draw(changed = NAMES) {
  if (results.length === 0) return;
  for (const [drawOne, names] of DRAWN) if (names.some((name) => changed.includes(name))) drawOne();
}

function headlineOf() {
  if (results.length === 0) return "No results";
  const versions = distinct(results.map(({ name, version }) => `${name} ${version}`));
  return `${amount(runtimes().size, "runtime")}, ${amount(versions.length, "version")}, ${amount(results.length, "result")}; `
    + `plan if no other is named: ${planWords(usualResult())}`;
}

// What depends on the results.
function drawAll() {
  byId("headline").textContent = headlineOf();
  drawSearch();
  draw();
}

setUpTheme();
byId("legend").append(...Object.entries(STATES).map(([state, { mark, legend }]) =>
  element("span", {}, element("span", { class: `cell ${state}` }, mark), ` ${legend}`)));
byId("notes").append(...given.notes.map((note) => element("p", { class: "note" }, note)));
given.results.forEach((raw, index) => {
  const problem = addResult(raw, false, given.directories[index]);
  if (problem !== undefined) say(`Result ${index + 1}`, problem, true);
});
drawLimits();
drawAll();
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("filters").addEventListener("reset", (event) => {
  event.preventDefault();
  change(Object.fromEntries(SEARCH.map((name) => [name, ""])));
});
byId("limits").addEventListener("submit", (event) => event.preventDefault());
byId("file").addEventListener("change", async ({ target }) => {
  await addFiles(target.files);
  target.value = "";
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  addFiles(event.dataTransfer.files);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("side-heading").focus();
});
restore();
addEventListener("hashchange", restore);
document.documentElement.dataset.ready = "";
