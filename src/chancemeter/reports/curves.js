// Every threshold: kappa, its area, tables and costs at any prevalence.
const kappaAt = (f, t, p) => div(2 * p * (1 - p) * (t - f), p + (p * t + (1 - p) * f) * (1 - 2 * p));
// The integral of a quotient of two straight lines, from their values at both ends.
function quotient(a, b, c, d) {
const n = b - a, r = (d - c) / c;
if (!c) return d ? n / d : NaN;
if (Math.abs(r) < .02) {
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
const n = Math.ceil(Math.max(v - f[i - 1], t[i] - t[i - 1]) / .02);
for (let j = 1; j < n; j++) { x.push(f[i - 1] + (v - f[i - 1]) * j / n); y.push(t[i - 1] + (t[i] - t[i - 1]) * j / n); }
}
x.push(v); y.push(t[i]);
});
return [x, y];
}
function everyThreshold(data, place) {
const cumulated = x => { let s = 0; return x.map(v => s += v); };
for (const m of data.models) {
m.tp = cumulated(m.tp); m.fp = cumulated(m.fp);
m.P = m.tp.at(-1); m.N = m.fp.at(-1);
m.t = m.tp.map(v => v / m.P); m.f = m.fp.map(v => v / m.N);
}
const chart = key => {
const figure = document.querySelector(`figure[data-chart="${key}"]`), svg = figure.querySelector("svg.chart");
const [low, high] = data.spans[key];
const marks = [...svg.querySelectorAll("circle")], dot = document.createElementNS(NS, "circle");
dot.setAttribute("r", 6);
svg.append(dot);
const y = v => (high - Math.min(high, Math.max(low, v))) / (high - low);
return {figure, svg, marks, dot, y, path: (x, v) => "M" + x.map((a, i) => `${(1000 * a).toFixed(1)} ${(1000 * y(v[i])).toFixed(1)}`).join("L")};
};
const roc = chart("roc"), k = chart("k");
let p = data.prevalence, who = 0, at = 0;
const field = (label, attributes, then) => {
const input = make("input", attributes), output = make("output", {for: attributes.id});
input.addEventListener("input", () => { then(input); draw(); });
return [input, output, make("div", {}, make("label", {for: attributes.id}, make("span", {}, label), output), input)];
};
const [share, shareSaid, shareBox] = field("Share of positives", {type: "range", min: .1, max: 99.9, step: "any", id: "prevalence"}, e => { p = e.value / 100; });
const [step, stepSaid, stepBox] = field("Threshold", {type: "range", min: 0, step: 1, id: "threshold"}, e => { at = +e.value; });
const [miss, , missBox] = field("Cost of a miss", {type: "number", min: 0, step: "any", value: 1, id: "miss"}, () => {});
const [alarm, , alarmBox] = field("Cost of a false alarm", {type: "number", min: 0, step: "any", value: 1, id: "alarm"}, () => {});
const select = make("select", {id: "who"}, ...data.models.map((m, i) => make("option", {value: i}, m.name)));
select.addEventListener("change", () => { who = +select.value; at = nearest(data.models[who].use); draw(); });
const button = (text, act) => { const b = make("button", {type: "button"}, text); b.addEventListener("click", () => { act(); draw(); }); return b; };
const m = () => data.models[who], now = i => pointOf(m(), i, p, +miss.value, +alarm.value);
const areas = make("p"), cells = make("table", {class: "few"}), told = make("table");
place.replaceChildren(make("h3", {}, "At one threshold, for any share of positives"),
...(data.models.length > 1 ? [make("p", {}, make("label", {for: "who"}, "Model "), select)] : []),
make("div", {class: "sliders"}, shareBox, stepBox, missBox, alarmBox),
make("p", {}, button("As in the data", () => { p = data.prevalence; }), " ", button("Most kappa", () => { at = bestOf(m().f.length, i => now(i).kappa); }), " ",
button("Least cost", () => { at = bestOf(m().f.length, i => -now(i).cost); })),
areas, make("div", {class: "beside", id: "readout"}, make("div", {}, cells), make("div", {}, told)));
// the last threshold that calls nothing positive below the one that is asked for
function nearest(use) {
const {at} = m();
if (use === undefined) return bestOf(at.length, i => kappaAt(m().f[i], m().t[i], p));
let found = 0;
at.forEach((v, i) => { if (i && (data.sign == ">=" ? v >= use : v <= use)) found = i; });
return found;
}
for (const c of [roc, k]) c.svg.addEventListener("pointermove", e => {
const box = c.svg.getBoundingClientRect(), x = (e.clientX - box.left) / box.width;
if (x < 0 || x > 1) return;
at = bestOf(m().f.length, i => c == k ? -Math.abs(m().f[i] - x) : -Math.hypot(m().f[i] - x, m().t[i] - 1 + (e.clientY - box.top) / box.height));
draw();
});
const rowOf = (name, value, show) => make("tr", {"data-key": name}, make("th", {scope: "row"}, name), make("td", {}, figure(value, show)));
function draw() {
share.value = 100 * p;
shareSaid.replaceChildren(figure(p, percent));
share.setAttribute("aria-valuetext", percent(p));
step.max = m().f.length - 1;
step.value = at;
const v = now(at);
const said = `${data.sign == ">=" ? "≥" : "≤"} ${v.threshold}`;
stepSaid.textContent = said;
step.setAttribute("aria-valuetext", `${said}: kappa ${number(v.kappa)}`);
data.models.forEach((m, i) => {
const curve = k.figure.querySelector(`path.curve.m${i}`), band = k.figure.querySelector(`path.band.m${i}`);
const [x, y] = bent(m.f, m.t);
if (curve) curve.setAttribute("d", k.path(x, x.map((f, j) => kappaAt(f, y[j], p))));
if (band && m.band) {
const places = m.band[0].map((_, j) => j / (m.band[0].length - 1)), edge = b => places.map((f, j) => kappaAt(f, b[j], p));
band.setAttribute("d", k.path([...places, ...[...places].reverse()], [...edge(m.band[1]), ...edge(m.band[0]).reverse()]) + "Z");
}
});
for (const mark of k.marks) mark.style.visibility = p == data.prevalence ? "" : "hidden";
const guides = [...roc.figure.querySelectorAll("path.guide:not([class*=' '])")].slice(1), labels = [...roc.figure.querySelectorAll("text.guide")];
let room = 1;
data.levels.forEach((v, i) => {
const a = lineOfKappa(v, 0, p), slope = lineOfKappa(v, 1, p) - a, end = Math.min(1, slope > 0 ? (1 - a) / slope : 1);
if (!guides[i]) return;
const shown = a >= 0 && a < 1 && end > 0;
guides[i].setAttribute("d", shown ? roc.path([0, end], [a, a + slope * end]) : "");
// no label where the one before it still is
const labelled = shown && end > .12 && end <= room;
if (labelled) room = end - .14;
if (labels[i]) { labels[i].setAttribute("x", 100 * end + "%"); labels[i].style.visibility = labelled ? "" : "hidden"; }
});
for (const [c, y] of [[roc, v.recall], [k, v.kappa]]) {
c.dot.setAttribute("class", "m" + who);
c.dot.setAttribute("cx", 100 * v.fpr + "%");
c.dot.setAttribute("cy", 100 * c.y(y) + "%");
}
const most = mostOfKappa(p);
areas.replaceChildren("Area under kappa at ", figure(p, percent), " positives, of at most ", figure(most, number), ": ",
...data.models.flatMap((m, i) => [i ? "; " : "", make("b", {}, isolated(m.name)), " ", make("span", {"data-area": i}, figure(areaOfKappa(m.f, m.t, p), number))]), ".");
const [yes, no] = data.labels, head = name => make("th", {scope: "col"}, isolated(name));
const counted = key => make("td", {"data-key": key}, figure(v[key], x => x.toLocaleString("en")));
cells.replaceChildren(make("caption", {}, make("b", {}, isolated(m().name)), ", “", isolated(yes), `” if the score is ${said}: rows truth`),
make("thead", {}, make("tr", {}, make("td", {}, "truth ╲ predicted"), head(yes), head(no))), make("tbody", {},
...[[yes, "tp", "fn"], [no, "fp", "tn"]].map(([name, a, b]) => make("tr", {}, make("th", {scope: "row"}, isolated(name)), counted(a), counted(b)))));
told.replaceChildren(make("caption", {}, "At ", figure(p, percent), " positives"), make("tbody", {},
rowOf("recall", v.recall, number), rowOf("false positive rate", v.fpr, number), rowOf("precision", v.precision, number),
rowOf("kappa", v.kappa, number), rowOf("cost of a case", v.cost, number)));
}
at = nearest(m().use);
draw();
return {set(state) { p = state.p ?? p; who = state.who ?? who; at = state.at ?? at; if (state.miss !== undefined) miss.value = state.miss; if (state.alarm !== undefined) alarm.value = state.alarm; select.value = who; draw(); return now(at); }};
}
const curvesAt = document.getElementById("thresholds-now");
if (curvesAt) window.curves = everyThreshold(JSON.parse(document.getElementById("curves-data").textContent), curvesAt);
