// ---- The part of a runtime

const quoted = (text) => (/^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

// The options that run the cases of a result.
function optionsOf({ command, configuration: { cpu, assume = [] } = {}, plan, judge = {} }, isGenerated = true) {
  const options = [["--backend", command], ["--cpu", cpu], ...assume.map((limit) => ["--assume", limit])];
  if (isGenerated) options.push(["--tier", plan.tier], ["--seed", plan.seed ? String(plan.seed) : ""]);
  return [...options.filter(([, value]) => value).map(([name, value]) => `${name} ${quoted(value)}`),
    judge.strict ? "--strict" : "", judge.sign_of_zero ? "--sign-of-zero" : ""].filter(Boolean).join(" ");
}

// Long texts are cut in compact results.
function reproducerOf(result, example) {
  if (example.endsWith("...") || result.command.endsWith("...")) return example;
  return `touchstone replay ${quoted(example)} ${optionsOf(result, !example.startsWith("onnx/"))}`;
}

// Links to what is reported upstream of a cause, or of its parts.
function upstreamOf(result, { name, sentence }) {
  const { upstream = {} } = knownOf(result);
  const reports = distinct([sentence, ...(name ?? "").split("+")].flatMap((one) => memberOf(upstream, one) ?? []));
  const urlOf = (report) => `https://github.com/${report.replace("#", "/issues/")}`;
  return reports.map((report) => element("a", { class: "line", href: urlOf(report) }, report));
}

function causesOf(result) {
  const code = (text) => (text ? element("code", { class: "line" }, text) : []);
  const rows = result.causes.map((cause) => element("tr", {},
    element("td", {}, marked(cause.class, cause.class.replace("_", " "), MARKS[cause.class] ?? "?")),
    element("td", { class: "amount" }, number(cause.cases)),
    element("td", { class: "words" }, cause.sentence,
      linesOf([cause.from && !cause.where?.includes(cause.from) && `from ${cause.from} on`]), upstreamOf(result, cause)),
    element("td", { class: "words" }, cause.where ?? ""),
    element("td", { class: "words" }, cause.element ?? "", code(cause.example && reproducerOf(result, cause.example)))));
  return table(["class", "cases", "what", "where", "example"], rows, { class: "causes" });
}

const PLOT = { width: 200, bar: 9, gap: 2, height: 44 };

// Stacked from the bottom: right; from the top: wrong; between them what was refused, not asked or undecided.
function plotOf(column, oldestFirst) {
  const found = oldestFirst.map((one) => ({ one, counts: countsOf(one, column.has), words: cellOf(one, column, []) }));
  if (found.every(({ counts }) => totalOf(counts) === 0)) return [];
  const bar = Math.max(3, Math.min(PLOT.bar, PLOT.width / found.length - PLOT.gap));
  const width = found.length * (bar + PLOT.gap);
  const described = found.map(({ one, words: { words } }) => `${shortVersion(one.version)} ${words.filter(Boolean).join(", ")}`);
  return element("figure", { class: "history" }, element("figcaption", {}, column.label),
    svg("svg", {
      viewBox: `0 0 ${width} ${PLOT.height}`, width, height: PLOT.height, role: "img",
      "aria-label": `${column.label}: ${described.join("; ")}`,
    },
    found.map(({ one, counts, words }, index) => {
      const total = totalOf(counts);
      const high = (count) => (total === 0 ? 0 : count / total * PLOT.height);
      const at = { x: index * (bar + PLOT.gap), width: bar };
      return svg("g", {}, svg("title", {}, `${one.version}: ${words.title}`),
        svg("rect", { class: total === 0 ? "none" : "rest", ...at, y: 0, height: PLOT.height }),
        svg("rect", { class: "right", ...at, y: PLOT.height - high(counts[0]), height: high(counts[0]) }),
        counts[1] > 0 ? svg("rect", { class: "wrong", ...at, y: 0, height: Math.max(3, high(counts[1])) }) : undefined);
    })));
}

const expressions = new Map();

// Whether --filter selects a case.
function isSelected(filter, id) {
  if (!expressions.has(filter)) {
    const patterns = filter.split(":").map((one) => one.replace(/[^\w*]/g, "\\$&").replace(/\*+/g, ".*"));
    expressions.set(filter, new RegExp(`^(?:${patterns.join("|")})$`));
  }
  return expressions.get(filter).test(id);
}

// Which leaves count a case: those of its row, or for a graph, whose row others may share, those of all graphs.
function leavesAround(id) {
  const [, version] = /_linear\/(\d+)\//.exec(id) ?? [];
  const isOfRow = (leaf) => ["operators", "float_types", "graphs"].includes(leaf.part)
    && (version ?? leaf.version) === leaf.version && filterOf(leaf) !== "graphs/*" && isSelected(filterOf(leaf), id);
  return [isOfRow, ({ part }) => part === "graphs" && id.startsWith("graphs/")];
}

// Refusals are named by what the refused cases have in common, which also changes if other cases are refused. So a
// refusal is only gone or new if the numbers of refused cases around its example say so.
function refusesMore(one, other, { example }) {
  const refused = (has) => [one, other].map(({ leaves }) => leaves.filter(has))
    .map((found) => (found.length === 0 ? undefined : sum(found.map(({ counts }) => counts))[2]));
  const [more, less] = leavesAround(example ?? "").map(refused).find((both) => !both.includes(undefined)) ?? [1, 0];
  return hasSameCases(one, other) ? more > less : more > 0 && less === 0;
}

// Causes of one result that the other does not have: neither the name nor the example. Where a cause without a name
// shows also depends on other causes, so that such a cause is there if another one has its sentence, unless it is a
// refusal, of which most have the same. Causes are left out of a result without room for them.
function missingIn(other, result) {
  const sentenceOf = (cause) => !cause.name && cause.class === "wrong" && cause.sentence;
  const there = new Set([...other.causes.flatMap((cause) => [cause.name, cause.example, sentenceOf(cause)]),
    ...(other.more_names ?? [])].filter(Boolean));
  return result.causes.filter((cause) => ![cause.name, cause.example, sentenceOf(cause)].some((one) => there.has(one))
    && (!other.more_causes || (cause.name && other.more_names))
    && (cause.class !== "refused" || refusesMore(result, other, cause)));
}

// The wrong ones, and the refusals of the most cases.
const MOST_REFUSALS = 3;

function causeChanges(verb, result, causes) {
  const wrong = causes.filter((cause) => cause.class === "wrong");
  const refused = causes.filter((cause) => cause.class !== "wrong");
  const lineOf = (cause) => element("li", {}, `${verb}: `,
    marked(cause.class, [cause.sentence, !cause.name && cause.where].filter(Boolean).join(": "), MARKS[cause.class] ?? "?"),
    ` (${amount(cause.cases, "case")})`, upstreamOf(result, cause));
  const more = refused.length - MOST_REFUSALS;
  return [...wrong, ...refused.slice(0, MOST_REFUSALS)].map(lineOf)
    .concat(more > 0 ? element("li", {}, `${verb}: ${amount(more, "more refusal")}, of fewer cases`) : []);
}

function columnChanges(before, after) {
  return COLUMNS.flatMap((column) => {
    const [was, is] = [cellOf(before, column, []), cellOf(after, column, [])];
    const words = (one) => `${one.mark} ${one.words.join(", ")}`;
    const isSame = hasSameCases(before, after) ? words(was) === words(is) : was.own === is.own;
    return isSame || [was.own, is.own].includes("missing") ? [] : element("li", {}, `${column.label}: ${words(was)} → ${words(is)}`);
  });
}

// What changed besides the runtime, which may have other kernels for another processor.
function moveBetween(before, after) {
  const [was, is] = [before, after].map(({ host = "" }) => host.split(", ").slice(1).join(", ") || "an unknown processor");
  const cases = planOf(before) === planOf(after) ? "some cases have other forms or other data than before"
    : `other cases than before: ${planWords(before)} → ${planWords(after)}`;
  return [was === is ? [] : element("li", {}, `run on another processor than the release before: ${was} → ${is}`),
    hasSameCases(before, after) ? [] : element("li", {}, cases)];
}

// The history of this configuration; without one, of the configuration that has the longest.
function historyOf(result) {
  const own = seriesOf(result);
  const longest = sameRuntime(result).map((one) => seriesOf(one)).reduce((best, one) => (one.length > best.length ? one : best), own);
  const series = (own.length > 1 ? own : longest).toReversed();
  if (series.length < 2) return [];
  const changes = series.slice(1).flatMap((after, index) => {
    const before = series[index];
    const lines = [causeChanges("gone", before, missingIn(after, before)), causeChanges("new", after, missingIn(before, after)),
      columnChanges(before, after)].flat();
    return lines.length === 0 ? [] : element("li", {}, element("strong", {}, shortVersion(after.version)),
      element("ul", {}, moveBetween(before, after), lines));
  });
  const configuration = configurationOf(series.at(-1));
  return [element("h3", {}, `From ${shortVersion(series[0].version)} to ${shortVersion(series.at(-1).version)}`
    + `${configuration && `, ${configuration}`}`),
    element("p", { class: "note" }, `${planWords(series.at(-1))}. From the bottom of a bar: right; from the top: wrong; `
      + "between them: refused, not asked or undecided."),
    element("div", { class: "figures" }, COLUMNS.map((column) => plotOf(column, series))),
    changes.length === 0 ? element("p", { class: "note" }, "No release changed anything.") : [
      element("p", {}, "Causes that are gone or new in a release, and columns that it changed, the newest first:"),
      element("ul", { class: "changes" }, changes.toReversed())]];
}

function fourParts({ total, illegal }) {
  const { right, wrong, refused, not_asked: notAsked = 0, total: all } = total;
  const legal = `${number(right)} right, ${number(wrong)} wrong, ${number(refused)} refused, `
    + `${number(notAsked)} not asked, of ${number(all)}`;
  if (illegal === undefined) return legal;
  return `${legal}; illegal models: ${ratio(illegal.rejected + illegal.permitted, illegal.total)} rejected or permitted, `
    + `${number(illegal.not_rejected)} accepted`;
}

function factsOf(result) {
  const { backend, command, plan, not_run: notRun } = result;
  return facts([
    ["version", result.version],
    ["description", backend.description ?? ""],
    ["--backend", command],
    ["configuration", configurationOf(result) || "by default"],
    ["host", result.host ?? ""],
    ["finished", result.finished ?? ""],
    ["plan", [plan.suites?.join(", "), planWords(result), plan.hash.slice(0, 12)].filter(Boolean).join("; ")],
    ["filter", plan.filter === "*" ? "" : plan.filter ?? ""],
    ["judge", judgeWords(result)],
    ["not run", notRun ? `${number(notRun.cases)} cases: ${notRun.reason}` : ""],
    ["Touchstone", result.touchstone ?? ""],
  ]);
}

function linksTo(rows, current, wordsOf) {
  return rows.map((one) => element("a",
    { href: fragmentOf({ result: one.key }), "aria-current": one === current ? "true" : undefined }, wordsOf(one)));
}

function drawPart() {
  const result = byKey(selected.result) ?? results[0];
  const newest = [...runtimes().values()].map(([first]) => first);
  const same = sameRuntime(result);
  const missing = missingOf(same);
  const readings = Object.entries(result.fingerprint).map(([name, reading]) => element("tr", {},
    element("td", {}, name), element("td", { class: "words" }, readingWords(reading))));
  byId("parts").replaceChildren(
    element("nav", { class: "choices", "aria-label": "Runtimes" }, linksTo(newest, result, ({ name }) => name)),
    element("article", { "aria-labelledby": "part-heading" },
      element("h2", { id: "part-heading", tabindex: "-1" }, result.key),
      element("p", {}, fourParts(result)),
      factsOf(result),
      same.length === 1 ? [] : element("details", {},
        element("summary", {}, "Other versions, configurations and processors"),
        element("nav", { class: "choices", "aria-label": "Results of this runtime" }, linksTo(same, result, ({ key }) => key))),
      historyOf(result),
      missing.length === 0 ? [] : element("details", {},
        element("summary", {}, `${amount(missing.length, "release")} without a result`),
        element("ul", { class: "changes" }, missing.map((one) => element("li", {},
          `${[one.version, configurationOf(one)].filter(Boolean).join(", ")}: ${one.reason}`)))),
      element("h3", {}, "Causes"),
      same[0].version === result.version ? [] : element("p", { class: "note" },
        `The commands need ${result.name} ${shortVersion(result.version)}: add --python with a Python that has it.`),
      result.causes.length > 0 ? causesOf(result) : element("p", { class: "note" }, "None."),
      result.more_causes > 0 ? element("p", { class: "note" }, 
        `${[`${number(result.more_causes)} more, with fewer cases`, (result.more_names ?? []).join(", ")].filter(Boolean).join(": ")}.`) : [],
      readings.length === 0 ? [] : [element("h3", {}, "Fingerprint"),
        table(["where the standard leaves a choice", "what it does"], readings)]));
}
