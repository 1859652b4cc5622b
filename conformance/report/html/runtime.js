// ---- The part of a runtime

const quoted = (text) => (/^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

// Long texts are cut in compact results.
function reproducerOf({ command, configuration: { cpu, assume = [] } = {}, plan, judge = {} }, example) {
  if (example.endsWith("...") || command.endsWith("...")) return example;
  const options = [["--backend", command], ["--cpu", cpu], ...assume.map((limit) => ["--assume", limit])];
  if (!example.startsWith("onnx/")) options.push(["--tier", plan.tier], ["--seed", String(plan.seed ?? 0)]);
  return [
    `touchstone replay ${quoted(example)}`,
    ...options.filter(([, value]) => value).map(([name, value]) => `${name} ${quoted(value)}`),
    judge.strict ? "--strict" : "", judge.sign_of_zero ? "--sign-of-zero" : "",
  ].filter(Boolean).join(" ");
}

function causesOf(result) {
  const code = (text) => (text ? element("code", { class: "line" }, text) : []);
  const isRepairKnown = result.causes.some(({ repair }) => repair);
  const rows = result.causes.map((cause) => element("tr", {},
    element("td", {}, marked(cause.class, cause.class.replace("_", " "), MARKS[cause.class] ?? "?")),
    element("td", { class: "amount" }, number(cause.cases)),
    element("td", { class: "words" }, cause.sentence,
      linesOf([cause.from && !cause.where?.includes(cause.from) && `from ${cause.from} on`])),
    element("td", { class: "words" }, cause.where ?? ""),
    element("td", { class: "words" }, cause.element ?? "", code(cause.example && reproducerOf(result, cause.example))),
    isRepairKnown ? element("td", {}, code(cause.repair)) : []));
  const headings = ["class", "cases", "what", "where", "example", ...(isRepairKnown ? ["right with"] : [])];
  return table(headings, rows, { class: "causes" });
}

const PLOT = { bar: 9, gap: 2, height: 44 };

// Stacked from the bottom: right; from the top: wrong; between them what was refused, not asked or undecided.
function plotOf(column, oldestFirst) {
  const found = oldestFirst.map((one) => ({ one, counts: countsOf(one, column.has), words: cellOf(one, column, []) }));
  if (found.every(({ counts }) => totalOf(counts) === 0)) return [];
  const width = found.length * (PLOT.bar + PLOT.gap);
  const described = found.map(({ one, words: { words } }) => `${shortVersion(one.version)} ${words.filter(Boolean).join(", ")}`);
  return element("figure", { class: "history" }, element("figcaption", {}, column.label),
    svg("svg", {
      viewBox: `0 0 ${width} ${PLOT.height}`, width, height: PLOT.height, role: "img",
      "aria-label": `${column.label}: ${described.join("; ")}`,
    },
    found.map(({ one, counts, words }, index) => {
      const total = totalOf(counts);
      const high = (count) => (total === 0 ? 0 : count / total * PLOT.height);
      const at = { x: index * (PLOT.bar + PLOT.gap), width: PLOT.bar };
      return svg("g", {}, svg("title", {}, `${one.version}: ${words.title}`),
        svg("rect", { class: total === 0 ? "none" : "rest", ...at, y: 0, height: PLOT.height }),
        svg("rect", { class: "right", ...at, y: PLOT.height - high(counts[0]), height: high(counts[0]) }),
        counts[1] > 0 ? svg("rect", { class: "wrong", ...at, y: 0, height: Math.max(3, high(counts[1])) }) : undefined);
    })));
}

function historyOf(result) {
  const series = seriesOf(result).toReversed();
  if (series.length < 2) return [];
  const changes = series.slice(1).flatMap((one, index) => {
    const words = COLUMNS.flatMap((column) => {
      const [before, after] = [cellOf(series[index], column, []), cellOf(one, column, [])];
      return before.own === after.own || [before.own, after.own].includes("missing") ? []
        : `${column.label} ${before.mark} ${before.words[0]} → ${after.mark} ${after.words[0]}`;
    });
    return words.length === 0 ? [] : element("li", {}, element("strong", {}, `${shortVersion(one.version)}: `), words.join("; "));
  });
  return [element("h3", {}, `From ${shortVersion(series[0].version)} to ${shortVersion(series.at(-1).version)}`),
    element("p", { class: "note" }, `${planWords(series.at(-1))}. From the bottom of a bar: right; from the top: wrong; `
      + "between them: refused, not asked or undecided."),
    element("div", { class: "figures" }, COLUMNS.map((column) => plotOf(column, series))),
    element("ul", { class: "changes" }, changes)];
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
  const { backend, command, plan, judge = {}, not_run: notRun } = result;
  const judging = [judge.strict && "only primary readings pass", judge.sign_of_zero && "+0 and −0 differ"];
  return facts([
    ["version", result.version],
    ["description", backend.description ?? ""],
    ["--backend", command],
    ["configuration", result.setup || "by default"],
    ["host", result.host ?? ""],
    ["finished", result.finished ?? ""],
    ["plan", [plan.suites?.join(", "), planWords(result), plan.hash.slice(0, 12)].filter(Boolean).join("; ")],
    ["filter", plan.filter === "*" ? "" : plan.filter ?? ""],
    ["judge", judging.filter(Boolean).join(", ")],
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
      element("h3", {}, "Causes"),
      result.causes.length > 0 ? causesOf(result) : element("p", { class: "note" }, "None."),
      result.more_causes > 0 ? element("p", { class: "note" }, 
        `${[`${number(result.more_causes)} more, with fewer cases`, (result.more_names ?? []).join(", ")].filter(Boolean).join(": ")}.`) : [],
      readings.length === 0 ? [] : [element("h3", {}, "Fingerprint"),
        table(["where the standard leaves a choice", "what it does"], readings)]));
}
