// ---- Pictures of wrong elements, as SVG: the staircase of QuantizeLinear, and the histogram of floating-point errors.

const MOST_POINTS = 300; // of a staircase
const MOST_TREADS = 64; // side by side; more are too narrow to be seen
const CLOSE_UP = 16; // the width of the part that is shown if errors are small
const MOST_LINEAR = 1000; // the length of an axis that does not need to be logarithmic

const HEIGHT = 260;
const MARGIN = { left: 68, right: 22, top: 10, bottom: 42 };
const pictureWidth = () => Math.max(300, Math.min(580, byId("cases").clientWidth));

// A number as the report has it; NaN also for infinities.
const valueOf = (text) => (text === "" ? NaN : Number(text.replace("~", "")));
const decimalOf = (index) => report.numbers[index][0];

const wrongRows = (ofCases) => ofCases.filter(({ wrong }) => wrong !== null)
  .flatMap((one) => one.wrong[2].map((row) => ({ one, row })));

// ---- Axes

// Numbers that need a logarithmic axis have both signs, and may be zero.
const bent = (value) => Math.sign(value) * Math.log10(1 + Math.abs(value));

function linearTicks(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const ticks = [];
  for (let index = Math.ceil(low / step); index * step <= high; ++index) ticks.push(index * step);
  return ticks;
}

// Powers of ten, with the signs that occur, and zero.
function logarithmicTicks(low, high, most) {
  const step = Math.ceil((high - low) / most);
  const exponents = [];
  for (let exponent = 0; exponent <= Math.max(-low, high); exponent += step) exponents.push(exponent);
  return exponents.flatMap((exponent) => (exponent === 0 ? [0] : [-(10 ** exponent), 10 ** exponent]))
    .filter((tick) => bent(tick) >= low && bent(tick) <= high);
}

// From the smallest to the largest value, with a margin. `place` gives a position between 0 and 1.
function axisOf(values, margin, mostTicks) {
  const smallest = Math.min(...values);
  const largest = Math.max(...values);
  const isLinear = largest - smallest <= MOST_LINEAR;
  const bend = isLinear ? (value) => value : bent;
  const around = isLinear ? Math.max(margin, 0.05 * (largest - smallest)) || Math.abs(smallest) / 2 || 1 : 0.3;
  const low = bend(smallest) - around;
  const high = bend(largest) + around;
  return {
    isLinear, low, high,
    place: (value) => (bend(value) - low) / (high - low),
    ticks: (isLinear ? linearTicks : logarithmicTicks)(low, high, mostTicks),
  };
}

const raised = (exponent) => String(exponent).replace(/./g, (digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]));

function tickText(value) {
  const rounded = Number(value.toPrecision(6));
  const isPlain = rounded === 0 || (Math.abs(rounded) < 1e5 && Math.abs(rounded) >= 1e-3);
  const [digits, exponent] = isPlain ? [String(rounded)] : rounded.toExponential().replace("+", "").split("e");
  const power = exponent === undefined ? "" : `10${raised(exponent)}`;
  return `${digits}${power && `·${power}`}`.replace(/^(-?)1·/, "$1").replace("-", "−");
}

// ---- The frame of a picture

let pictures = 0;

// `draw` gives the content for an area of a width and a height. Positions of ticks are between 0 and 1.
function picture({ title, description, x, y, legend, draw }) {
  const width = pictureWidth();
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const id = `picture-${pictures++}`;
  const right = MARGIN.left + inner.width;
  const bottom = MARGIN.top + inner.height;
  const xTicks = x.ticks.map(({ at, text }) => [
    svg("line", { class: "grid", x1: MARGIN.left + at * inner.width, x2: MARGIN.left + at * inner.width, y1: MARGIN.top, y2: bottom }),
    svg("text", { class: "tick", x: MARGIN.left + at * inner.width, y: bottom + 16, "text-anchor": "middle" }, text),
  ]);
  const yTicks = y.ticks.map(({ at, text }) => [
    svg("line", { class: "grid", x1: MARGIN.left, x2: right, y1: bottom - at * inner.height, y2: bottom - at * inner.height }),
    svg("text", { class: "tick", x: MARGIN.left - 6, y: bottom - at * inner.height + 4, "text-anchor": "end" }, text),
  ]);
  const middle = MARGIN.top + inner.height / 2;
  return element("figure", {},
    element("figcaption", {}, title),
    svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-labelledby": `${id}-title ${id}-text` },
      svg("title", { id: `${id}-title` }, title),
      svg("desc", { id: `${id}-text` }, description),
      xTicks, yTicks,
      svg("text", { class: "label", x: MARGIN.left + inner.width / 2, y: HEIGHT - 6, "text-anchor": "middle" }, x.label),
      svg("text", { class: "label", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, y.label),
      // An inner svg clips its content.
      svg("svg", { x: MARGIN.left, y: MARGIN.top, ...inner, class: "plot" }, draw(inner)),
      svg("rect", { class: "frame", x: MARGIN.left, y: MARGIN.top, ...inner })),
    element("p", { class: "legend" }, legend),
    element("p", { class: "note" }, description));
}

const ticksOf = (axis) => axis.ticks.map((value) => ({ at: axis.place(value), text: tickText(value) }));

// ---- The staircase

// Integers are shown without their zero points, which differ between elements, so that all are on one staircase.
function staircasePoint({ one, row: [, , , zeroPoint, expected, actual, , , quotient, error] }) {
  const isInteger = error === undefined;
  const shift = isInteger && zeroPoint !== null ? valueOf(decimalOf(zeroPoint)) : 0;
  return {
    type: one.type, isInteger, shift, x: valueOf(quotient), quotient,
    expected: valueOf(decimalOf(expected)) - shift, actual: valueOf(decimalOf(actual)) - shift,
  };
}

const isDrawable = ({ x, expected, actual }) => [x, expected, actual].every(Number.isFinite);

// Each point once, in the order of x.
function differentPoints(points) {
  const different = new Map(points.map((point) => [`${point.x} ${point.expected} ${point.actual}`, point]));
  return [...different.values()].sort((a, b) => a.x - b.x);
}

function evenlyChosen(points) {
  if (points.length <= MOST_POINTS) return points;
  return Array.from({ length: MOST_POINTS },
    (_, index) => points[Math.round(index * (points.length - 1) / (MOST_POINTS - 1))]);
}

// Errors of one or two steps cannot be seen from far away: then the part of the staircase in which most of them are.
function closeUp(points) {
  const errors = points.map(({ expected, actual }) => Math.abs(actual - expected)).sort((a, b) => a - b);
  const isSmall = points[0].isInteger && errors[Math.floor(errors.length / 2)] <= CLOSE_UP / 4;
  if (!isSmall || points.at(-1).x - points[0].x <= CLOSE_UP) return points;
  const parts = points.map((from) => points.filter(({ x }) => x >= from.x && x <= from.x + CLOSE_UP));
  return parts.reduce((best, part) => (part.length > best.length ? part : best));
}

const largestGroup = (points, keyOf) =>
  [...Map.groupBy(points, keyOf).values()].reduce((best, one) => (one.length > best.length ? one : best), []);

// Elements with different zero points saturate at different places. If that shows, those with the most frequent one.
function onOneStaircase(points) {
  if (staircaseRule(closeUp(points)) !== null) return points;
  return largestGroup(points, ({ shift }) => shift);
}

const isRising = (points) => points.every(({ expected }, index) => index === 0 || expected >= points[index - 1].expected);

function roundedHalfToEven(value) {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

// The rounded quotient between the largest and the smallest expected value, if these are where it saturates. Null if
// it does not explain all points. Types with few bits may round the quotient to another step before.
function staircaseRule(points) {
  const expected = points.map((point) => point.expected);
  const highest = Math.max(...expected);
  const lowest = Math.min(...expected);
  const high = points.some(({ x }) => roundedHalfToEven(x) > highest) ? highest : Infinity;
  const low = points.some(({ x }) => roundedHalfToEven(x) < lowest) ? lowest : -Infinity;
  const rule = (x) => Math.min(Math.max(roundedHalfToEven(x), low), high);
  const explains = ({ x, expected: y }) => [x, x * (1 - 2 ** -8), x * (1 + 2 ** -8)].some((near) => rule(near) === y);
  return points.every((point) => point.isInteger && explains(point)) ? rule : null;
}

// A line with a step in the middle between two points.
function stepsThrough(corners) {
  return corners.map(({ x, y }, index) => {
    if (index === 0) return `M${x} ${y}`;
    return `H${(corners[index - 1].x + x) / 2}V${y}H${x}`;
  }).join("");
}

function treads(rule, xAxis, at) {
  const first = Math.floor(xAxis.low);
  const corners = Array.from({ length: Math.ceil(xAxis.high) - first + 1 }, (_, index) => first + index);
  return corners.map((step, index) => {
    const { x: left, y } = at(step - 0.5, rule(step));
    return `${index === 0 ? "M" : "L"}${left} ${y}H${at(step + 0.5, 0).x}`;
  }).join("");
}

function staircase(points, others) {
  const different = differentPoints(points);
  const drawn = evenlyChosen(closeUp(onOneStaircase(different)));
  const { type, isInteger } = drawn[0];
  const xs = drawn.map(({ x }) => x);
  const yLabel = drawn.some(({ shift }) => shift !== 0) ? "y − zero point" : "y";
  const xAxis = axisOf(xs, isInteger ? 1 : 0, pictureWidth() < 450 ? 4 : 7);
  const yAxis = axisOf(drawn.flatMap(({ expected, actual }) => [expected, actual]), isInteger ? 1 : 0, 5);
  const rule = xAxis.isLinear && xAxis.high - xAxis.low <= MOST_TREADS ? staircaseRule(drawn) : null;
  const draw = ({ width, height }) => {
    const at = (x, y) => ({ x: xAxis.place(x) * width, y: (1 - yAxis.place(y)) * height });
    const lines = [];
    const through = (kind) => ({ class: `${kind} steps`, d: stepsThrough(drawn.map((point) => at(point.x, point[kind]))) });
    // Between the wrong elements of a close-up are right ones.
    if (rule !== null) lines.push({ class: "expected steps", d: treads(rule, xAxis, at) });
    else if (isRising(drawn)) lines.push(through("expected"), through("actual"));
    return [
      lines.map((line) => svg("path", line)),
      drawn.map((point) => staircaseMark(point, at(point.x, point.expected), at(point.x, point.actual))),
    ];
  };
  return picture({
    title: `Expected and actual ${type} over x / scale`,
    description: `${number(points.length)} wrong elements${others}. Shown: ${ratio(drawn.length, different.length)} different ones, `
      + `x / scale from ${tickText(xs[0])} to ${tickText(xs.at(-1))}.`
      + (rule === null ? "" : " The line is what the specification asks of exact quotients."),
    x: { label: `x / scale${xAxis.isLinear ? "" : ", logarithmic"}`, ticks: ticksOf(xAxis) },
    y: { label: `${yLabel}${yAxis.isLinear ? "" : ", logarithmic"}`, ticks: ticksOf(yAxis) },
    legend: [element("span", { class: "expected" }, "● expected"), element("span", { class: "actual" }, "✕ actual")],
    draw,
  });
}

function staircaseMark({ quotient, expected, actual }, from, to) {
  return svg("g", {},
    svg("title", {}, `x / scale ${quotient}: expected ${expected}, actual ${actual}`),
    svg("line", { class: "error", x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
    svg("circle", { class: "expected", cx: from.x, cy: from.y, r: 3.5 }),
    svg("path", { class: "actual", d: `M${to.x - 4} ${to.y - 4}l8 8m0 -8l-8 8` }));
}

// ---- The histogram

// Errors of 0 (another sign of zero), 1, 2, up to 4, up to 8, ... have bars of their own, below zero as above it.
const barOf = (error) => Math.sign(error) * (error === 0 ? 0 : Math.ceil(Math.log2(Math.abs(error))) + 1);

function barText(bar) {
  if (bar === 0) return "0";
  const exponent = Math.abs(bar) - 1;
  return `${bar < 0 ? "−" : ""}${exponent < 10 ? 2 ** exponent : `2${raised(exponent)}`}`;
}

function histogram(errors, notFinite) {
  const counts = Map.groupBy(errors, barOf);
  const first = Math.min(-1, ...counts.keys());
  const last = Math.max(1, ...counts.keys());
  const bars = Array.from({ length: last - first + 1 }, (_, index) => ({
    text: barText(first + index), count: counts.get(first + index)?.length ?? 0,
  }));
  if (notFinite > 0) bars.push({ text: "∞, NaN", count: notFinite });
  const middleOf = (index) => (index + 0.5) / bars.length;
  const most = Math.max(...bars.map(({ count }) => count));
  const every = Math.ceil(bars.length / (pictureWidth() < 450 ? 7 : 12));
  const yAxis = { ticks: linearTicks(0, most, 5).filter(Number.isInteger), place: (count) => count / (1.05 * most) };
  const draw = ({ width, height }) => bars.map(({ text, count }, index) => {
    const tall = yAxis.place(count) * height;
    return svg("rect", { class: "bar", x: (index + 0.1) * width / bars.length, width: 0.8 * width / bars.length, y: height - tall, height: tall },
      svg("title", {}, `${text}: ${number(count)}`));
  });
  const isLast = (index) => index === bars.length - 1;
  return picture({
    title: "Error of floating-point outputs",
    description: `${number(errors.length + notFinite)} wrong elements: ${number(errors.filter((error) => error > 0).length)} too large, `
      + `${number(errors.filter((error) => error < 0).length)} too small`
      + (notFinite > 0 ? `, ${number(notFinite)} with an infinity or NaN on one side` : "")
      + ". A bar counts the errors up to its number, from the previous bar on.",
    x: {
      label: "actual − expected, in units in the last place",
      ticks: bars.map(({ text }, index) => ({ at: middleOf(index), text, index }))
        .filter(({ index }) => (first + index) % every === 0 || (notFinite > 0 && isLast(index))),
    },
    y: { label: "elements", ticks: ticksOf(yAxis) },
    legend: [],
    draw,
  });
}

// ---- All of them, for the cases of a cause

function picturesOf(ofCases) {
  const rows = wrongRows(ofCases);
  const made = [];
  const points = rows.map(staircasePoint).filter(isDrawable);
  const largest = largestGroup(points, ({ type }) => type);
  if (largest.length > 0) {
    const left = points.length - largest.length;
    made.push(staircase(largest, left > 0 ? `; ${number(left)} more have other types` : ""));
  }
  const floats = rows.filter(({ row }) => row[9] !== undefined);
  const finite = floats.filter(({ row }) => [row[4], row[5]].every((index) => Number.isFinite(valueOf(decimalOf(index)))));
  if (floats.length > 0) made.push(histogram(finite.map(({ row }) => row[9]), floats.length - finite.length));
  return made;
}

function drawPictures() {
  const cause = report.causes[Number(selected.cause) - 1];
  byId("pictures").replaceChildren(...(cause === undefined ? [] : [
    element("p", { class: "cause" }, marked(cause.class, `Cause ${selected.cause}: ${cause.sentence}`), element("small", {}, ` ${cause.where}`)),
    element("div", { class: "figures" }, picturesOf(listed)),
  ]));
}
