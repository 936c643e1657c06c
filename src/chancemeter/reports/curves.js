// Every threshold: kappa, its area, tables and costs at any prevalence.
const kappaAt = (f, t, p) => div(2 * p * (1 - p) * (t - f), p + (p * t + (1 - p) * f) * (1 - 2 * p));
// The integral of a quotient of two straight lines, from their values at both ends.
function quotient(a, b, c, d) {
const n = b - a, r = (d - c) / c;
if (!c) return d ? n / d : NaN;
if (abs(r) < .02) {
let s = 0, x = 1;
for (let i = 0; i < 10; i++, x *= -r) s += x * (a / (i + 1) + n / (i + 2));
return s / c;
}
return (n / r + (a - n / r) * Math.log1p(r) / r) / c;
}
function areaOfKappa(f, t, p) {
const q = 1 - p, above = i => 2 * p * q * (t[i] - f[i]), below = i => p + (p * t[i] + q * f[i]) * (1 - 2 * p);
return sum(f.length - 1, i => f[i + 1] > f[i] ? (f[i + 1] - f[i]) * quotient(above(i), above(i + 1), below(i), below(i + 1)) : 0);
}
const mostOfKappa = p => areaOfKappa([0, 0, 1], [0, 1, 1], p);
// TPR where kappa is v: a straight line.
const lineOfKappa = (v, f, p) => { const q = 1 - p; return (v * p + (2 * p * q + v * (q - p) * q) * f) / (2 * p * q - v * (q - p) * p); };
function pointOf(m, i, p, miss, alarm) {
const f = m.f[i], t = m.t[i];
return {threshold: m.at[i], tp: m.tp[i], fn: m.P - m.tp[i], fp: m.fp[i], tn: m.N - m.fp[i], recall: t, fpr: f,
precision: div(p * t, p * t + (1 - p) * f), kappa: kappaAt(f, t, p), cost: p * (1 - t) * miss + (1 - p) * f * alarm};
}
const bestOf = (n, f) => { let best = 0; for (let i = 1; i < n; i++) if (!(f(i) <= f(best))) best = i; return best; };
// Chords are straight in ROC space only.
function bent(f, t) {
const x = [], y = [];
f.forEach((v, i) => {
if (i) {
const n = ceil(max(v - f[i - 1], t[i] - t[i - 1]) / .02);
for (let j = 1; j < n; j++) { x.push(f[i - 1] + (v - f[i - 1]) * j / n); y.push(t[i - 1] + (t[i] - t[i - 1]) * j / n); }
}
x.push(v); y.push(t[i]);
});
return [x, y];
}
// Whole numbers from the steps between them, in which capitals are digits before the last.
function unpacked(x) {
if (x.map) return x;
let sum = 0, high = 0;
const found = [];
for (const c of x) {
if (c < "A" || c > "Z") { found.push(sum += 36 * high + parseInt(c, 36)); high = 0; } else high = 26 * high + c.charCodeAt() - 65;
}
return found;
}
function everyThreshold({models, levels, sign, spans, labels: [yes, no], prevalence: seen}, place) {
for (const m of models) {
if (m.steps) {
const [scale, start, steps] = m.steps;
m.at.push(...unpacked(steps).map(v => (start + (sign == ">=" ? -v : v)) / scale));
}
m.tp = unpacked(m.tp); m.fp = unpacked(m.fp);
if (m.band) m.band = m.band.map(edge => unpacked(edge).map(v => v / 1000));
m.P = m.tp.at(-1); m.N = m.fp.at(-1);
m.t = m.tp.map(v => v / m.P); m.f = m.fp.map(v => v / m.N);
}
const chart = key => {
const svg = find(`[data-chart=${key}] .chart`), marks = all("circle", svg), dot = draw("circle", {}), [low, high] = spans[key];
svg.append(dot);
const y = v => (high - min(high, max(low, v))) / (high - low);
return {svg, marks, dot, y, path: (x, v) => "M" + x.map((a, i) => `${(1000 * a).toFixed(1)} ${(1000 * y(v[i])).toFixed(1)}`).join("L")};
};
const roc = chart("roc"), k = chart("k");
models.forEach((m, i) => set(find(".curve.m" + i, roc.svg), {d: roc.path(m.f, m.t)}));
let p = seen, who = 0, at = 0;
const [prevalence, prevalenceSaid, prevalenceBox] = share("prevalence", ["Share of positives"], () => { p = prevalence.value / 100; show(); });
const [step, stepSaid, stepBox] = field("threshold", ["Threshold"], {type: "range", min: 0, step: 1}, () => { at = +step.value; show(); });
const [miss, alarm] = ["miss", "alarm"].map((id, i) => field(id, ["Cost of a ", i ? "false alarm" : "miss"], {type: "number", min: 0, step: "any", value: 1}, show));
const select = make("select", {id: "who", change() { who = +select.value; at = nearest(m().use); show(); }}, ...models.map((m, i) => make("option", {value: i}, m.name)));
const to = (text, act) => button(text, () => { act(); show(); });
const m = () => models[who], now = i => pointOf(m(), i, p, +miss[0].value, +alarm[0].value), best = f => bestOf(m().f.length, f);
const areas = plain.p(), cells = make("table", {class: "few"}), told = plain.table();
put(place, plain.h3("At one threshold, for any share of positives"),
...(models.length > 1 ? [plain.p(make("label", {for: "who"}, "Model "), select)] : []),
make("div", {class: "sliders"}, prevalenceBox, stepBox, miss[2], alarm[2]),
plain.p(to("As in the data", () => { p = seen; }), " ", to("Most kappa", () => { at = best(i => now(i).kappa); }), " ",
to("Least cost", () => { at = best(i => -now(i).cost); })),
areas, make("div", {class: "beside", id: "readout"}, plain.div(cells), plain.div(told)));
// the last threshold that calls nothing positive below the one that is asked for
function nearest(use) {
const {at} = m();
if (use == null) return best(i => now(i).kappa);
let found = 0;
at.forEach((v, i) => { if (i && (sign == ">=" ? v >= use : v <= use)) found = i; });
return found;
}
for (const c of [roc, k]) set(c.svg, {pointermove(e) {
const box = c.svg.getBoundingClientRect(), x = (e.clientX - box.left) / box.width;
if (x < 0 || x > 1) return;
at = best(i => c == k ? -abs(m().f[i] - x) : -hypot(m().f[i] - x, m().t[i] - 1 + (e.clientY - box.top) / box.height));
show();
}});
function show() {
say(prevalence, prevalenceSaid, p);
step.max = m().f.length - 1;
step.value = at;
const v = now(at);
const said = `${sign == ">=" ? "≥" : "≤"} ${v.threshold}`;
put(stepSaid, said);
step.ariaValueText = `${said}: kappa ${number(v.kappa)}`;
models.forEach((m, i) => {
const curve = find(".curve.m" + i, k.svg), band = find(".band.m" + i, k.svg);
const [x, y] = bent(m.f, m.t);
if (curve) set(curve, {d: k.path(x, x.map((f, j) => kappaAt(f, y[j], p)))});
if (band && m.band) {
const places = m.band[0].map((_, j) => j / (m.band[0].length - 1)), edge = b => places.map((f, j) => kappaAt(f, b[j], p));
set(band, {d: k.path([...places, ...[...places].reverse()], [...edge(m.band[1]), ...edge(m.band[0]).reverse()]) + "Z"});
}
});
for (const mark of k.marks) set(mark, {opacity: p == seen ? 1 : 0});
const guides = all("path[class=guide]", roc.svg).slice(1), labels = all("text.guide", roc.svg);
let room = 1;
levels.forEach((v, i) => {
const a = lineOfKappa(v, 0, p), slope = lineOfKappa(v, 1, p) - a, end = min(1, slope > 0 ? (1 - a) / slope : 1);
if (!guides[i]) return;
const shown = a >= 0 && a < 1 && end > 0;
set(guides[i], {d: shown ? roc.path([0, end], [a, a + slope * end]) : ""});
// no label where the one before it still is
const labelled = shown && end > .12 && end <= room;
if (labelled) room = end - .14;
if (labels[i]) set(labels[i], {x: labelled ? 100 * end + "%" : "-999%"});
});
for (const [c, y] of [[roc, v.recall], [k, v.kappa]]) set(c.dot, {class: "m" + who, cx: 100 * v.fpr + "%", cy: 100 * c.y(y) + "%"});
const most = mostOfKappa(p);
put(areas, "Area under kappa at ", figure(p, percent), " positives, of at most ", figure(most, number), ": ",
...models.flatMap((m, i) => [i ? "; " : "", plain.b(isolated(m.name)), " ", make("span", {"data-area": i}, figure(areaOfKappa(m.f, m.t, p), number))]), ".");
const counted = key => make("td", {"data-key": key}, figure(v[key], x => x.toLocaleString("en")));
put(cells, plain.caption(plain.b(isolated(m().name)), ", “", isolated(yes), `” if the score is ${said}: rows truth`),
plain.thead(plain.tr(plain.td("truth ╲ predicted"), column(isolated(yes)), column(isolated(no)))), make("tbody", {},
line({}, isolated(yes), ["tp", "fn"].map(counted)), line({}, isolated(no), ["fp", "tn"].map(counted))));
put(told, plain.caption("At ", figure(p, percent), " positives"), make("tbody", {},
...Object.entries({recall: v.recall, "false positive rate": v.fpr, precision: v.precision, kappa: v.kappa, "cost of a case": v.cost})
.map(([name, value]) => line({"data-key": name}, name, [plain.td(figure(value, number))]))));
}
at = nearest(m().use);
show();
return {kappaAt, lineOfKappa, mostOfKappa, set(state) {
p = state.p ?? p; who = state.who ?? who; at = state.at ?? at;
miss[0].value = state.miss ?? miss[0].value; alarm[0].value = state.alarm ?? alarm[0].value; select.value = who;
show();
return now(at);
}};
}
const curvesAt = find("#thresholds-now");
if (curvesAt) window.curves = everyThreshold(JSON.parse(find("#curves-data").textContent), curvesAt);
