"use strict";
const {abs, ceil, hypot, max, min, round, sqrt} = Math;
// Numbers in print, to the letter as chancemeter.scoring prints them.
const TEN = n => 10n ** BigInt(n);
function rounded(x, times, digits) {
// halves up on the shortest decimal of x, and never up to the whole nor down to nothing
const [mantissa, power] = abs(x).toExponential().split("e");
const all = BigInt(mantissa.replace(".", ""));
const shift = +power - (mantissa.length > 1 ? mantissa.length - 2 : 0) + (times == 100 ? 2 : 0);
let found, more;
for (more = digits; more < 18; more++) {
const by = shift + more;
found = by >= 0 ? all * TEN(by) : (2n * all + TEN(-by)) / (2n * TEN(-by));
const exact = by >= 0 || found * TEN(-by) == all;
if (exact || (found && found != BigInt(times) * TEN(more))) break;
}
more = min(more, 17);
const text = String(found).padStart(more + 1, "0");
return (x < 0 && found ? "-" : "") + text.slice(0, -more) + "." + text.slice(-more);
}
function number(x) {
if (isNaN(x)) return "undefined";
if (abs(x) == Infinity) return x > 0 ? "∞" : "−∞";
if (abs(x) >= 1e4 || (x == Math.trunc(x) && abs(x) > 1)) return x.toLocaleString("en", {maximumFractionDigits: 0});
if (x && abs(x) < 5e-4) {
const short = Number(x.toPrecision(3));
return abs(short) < 1e-4 ? short.toExponential().replace(/-(\d)$/, "-0$1") : String(short);
}
return rounded(x, 1, 3);
}
const percent = x => isNaN(x) ? "undefined" : rounded(x, 100, 1) + "%";
// Measures from shares of truth t, of hits d, of predictions c.
const div = (a, b) => b ? a / b : NaN;
const sum = (n, f) => { let s = 0; for (let i = 0; i < n; i++) s += f(i); return s; };
function others(x) {
const before = [0], after = [0];
x.forEach((v, i) => before.push(before[i] + v));
[...x].reverse().forEach((v, i) => after.push(after[i] + v));
return x.map((_, i) => before[i] + after[x.length - 1 - i]);
}
function measures(t, d, c) {
const k = t.length, S = f => sum(k, f), T = others(t), C = others(c);
const a = S(i => d[i]), m = t.map((v, i) => (v + c[i]) / 2), M = others(m);
const lever = i => d[i] - t[i] * c[i];
const beyond = (right, wrong) => div(a - right, wrong);
const gwet = div(S(i => m[i] * M[i]), k - 1);
return {
accuracy: a,
expected_cohen: S(i => t[i] * c[i]),
kappa: div(S(lever), S(i => t[i] * C[i])),
scott_pi: beyond(S(i => m[i] ** 2), S(i => m[i] * M[i])),
gwet_ac1: beyond(gwet, 1 - gwet),
mcc: div(S(lever), sqrt(S(i => t[i] * T[i]) * S(i => c[i] * C[i]))),
informedness: S(i => c[i] && c[i] * div(lever(i), t[i] * T[i])),
markedness: S(i => t[i] && t[i] * div(lever(i), c[i] * C[i])),
balanced_accuracy: S(i => div(d[i], t[i])) / k,
"f_score@macro": S(i => div(2 * d[i], t[i] + c[i])) / k,
};
}
// The same table at other shares of the true classes.
function shares(rates, t) {
const k = t.length;
return [t, t.map((v, i) => v && v * rates[i][i]), t.map((_, j) => sum(k, i => t[i] && t[i] * rates[i][j]))];
}
const rows = counts => counts.map(row => row.reduce((a, b) => a + b, 0));
function at(counts, t) {
const n = rows(counts);
const found = measures(...shares(counts.map((row, i) => row.map(v => v / n[i])), t));
// what is whole but for rounding is shown as whole
for (const key in found) if (abs(found[key] - round(found[key])) < 1e-12) found[key] = round(found[key]) + 0;
return found;
}
// Intervals by the delta method: each true class is a multinomial of its own, whose rates
// vary as after one case more, divided among all classes; so no rate is taken to be certain.
const Z = 1.959963984540054;
function intervals(counts, t, ranges) {
const k = t.length, n = rows(counts), value = at(counts, t), found = {};
const rates = counts.map((row, i) => row.map(v => (v + 1 / k) / (n[i] + 1)));
const [, d, c] = shares(rates, t), centre = measures(t, d, c), C = others(c);
const moved = (x, i, by) => x.map((v, j) => j == i ? v + by : v);
const byHit = d.map((_, i) => measures(t, moved(d, i, 1), c));
const byPrediction = c.map((v, j) => {
const h = 1e-3 * min(v, C[j]), f = s => measures(t, d, moved(c, j, s * h));
return [h, f(-2), f(-1), f(1), f(2)];
});
for (const key in value) {
const hit = byHit.map(f => f[key] - centre[key]);
const said = byPrediction.map(([h, a, b, e, f]) => (a[key] - 8 * b[key] + 8 * e[key] - f[key]) / (12 * h));
let variance = 0;
t.forEach((share, i) => {
if (!share) return;
const g = said.map((v, j) => share * (v + (i == j ? hit[i] : 0)));
const mean = sum(k, j => rates[i][j] * g[j]);
variance += sum(k, j => rates[i][j] * (g[j] - mean) ** 2) / n[i];
});
const [least, most] = ranges[key], wide = Z * sqrt(variance), v = value[key];
found[key] = [max(least, v - wide), min(most, v + wide)];
}
return found;
}
// Elements.
const NS = "http://www.w3.org/2000/svg";
// attributes, and what is done when something happens
const set = (e, attributes) => {
for (const name in attributes) attributes[name].call ? e.addEventListener(name, attributes[name]) : e.setAttribute(name, attributes[name]);
return e;
};
const filled = (e, inner) => (e.append(...inner), e);
const make = (tag, attributes, ...inner) => filled(set(document.createElement(tag), attributes), inner);
const plain = new Proxy({}, {get: (_, tag) => (...inner) => make(tag, {}, ...inner)});
const draw = (tag, attributes, ...inner) => filled(set(document.createElementNS(NS, tag), attributes), inner);
const put = (e, ...inner) => e.replaceChildren(...inner);
const find = (selector, e = document) => e.querySelector(selector);
const all = (selector, e = document) => [...e.querySelectorAll(selector)];
const button = (text, click) => make("button", {type: "button", click}, text);
const column = name => make("th", {scope: "col"}, name);
const line = (key, head, cells) => make("tr", key, make("th", {scope: "row"}, head), ...cells);
// An input with its label, and what it says.
function field(id, label, attributes, input) {
const e = make("input", {id, ...attributes, input}), output = make("output", {for: id});
return [e, output, plain.div(make("label", {for: id}, plain.span(...label), output), e)];
}
const share = (id, label, input) => field(id, label, {type: "range", min: .1, max: 99.9, step: "any"}, input);
function say(e, output, value) {
e.value = 100 * value;
put(output, figure(value, percent));
e.ariaValueText = percent(value);
}
const figure = (x, show) => make("data", {value: x}, show(x));
const isolated = name => plain.bdi(name);
function bar(label, accuracy, chance, kappa) {
const p = x => 100 * min(1, max(0, x)) + "%", low = min(accuracy, chance), high = max(accuracy, chance);
const rect = (kind, from, to, y) => draw("rect", {class: kind, x: p(from), width: p(to - from), y});
const zoom = draw("svg", {y: 25, height: 18, viewBox: "0 0 100 10", preserveAspectRatio: "none"},
draw("path", {class: "z", d: `M${100 * chance} 0H100V10H0Z`}));
return draw("svg", {class: "bar", role: "img", "aria-label": label}, rect("c", 0, low, 1),
rect(accuracy < chance ? "l" : "e", low, high, 1), rect("o", 0, 1, 1), zoom, rect("e", 0, kappa || 0, 43), rect("o", 0, 1, 43));
}
// Sliders: one for each class; when one moves, the others keep their proportions.
function simulate(data, place) {
const {labels, models} = data, k = labels.length, n = rows(models[0].counts), total = n.reduce((a, b) => a + b, 0);
const ranges = Object.fromEntries(data.measures.map(([key, , low, high]) => [key, [+low, +high]]));
const whole = models.map(m => m.counts.flat().every(Number.isInteger));
const moving = n.filter(v => v).length == 2 ? [data.sliders.reduce((a, b) => n[b] < n[a] ? b : a)] : data.sliders;
let t = n.map(v => v / total);
const sliders = moving.map(i => {
const parts = share("share" + i, ["Share of “", isolated(labels[i]), "”"], () => move(i, parts[0].value / 100));
return [i, ...parts];
});
const told = make("p", {"aria-live": "polite"}), bars = plain.div(), body = plain.tbody();
const used = n.filter(v => v).length, moved = "Measures at these shares, with 95% intervals for fixed numbers of cases in each class";
put(place,
make("div", {class: "sliders" + (moving.length < 2 ? " one" : "")}, ...sliders.map(s => s[3])),
plain.p(button("As in the data", () => to(n.map(v => v / total))), " ", button("All alike", () => to(n.map(v => v ? 1 / used : 0)))),
told, bars,
make("div", {tabindex: 0, role: "region", "aria-label": moved}, plain.table(plain.caption(moved),
plain.thead(plain.tr(column("measure"), ...models.map(m => column(isolated(m.name))))), body)));
function move(i, share) {
const rest = 1 - t[i];
to(t.map((v, j) => j == i ? share : v * (1 - share) / rest));
}
function to(shares) {
t = shares;
for (const [i, input, output] of sliders) say(input, output, t[i]);
const values = models.map(m => at(m.counts, t)), limits = models.map((m, i) => whole[i] ? intervals(m.counts, t, ranges) : {});
const v = values[0];
put(told, "At these shares ", plain.b(isolated(models[0].name)), " would be right in ", figure(v.accuracy, percent),
", guessing in ", figure(v.expected_cohen, percent), ": kappa ", figure(v.kappa, number), ".");
put(bars, ...models.slice(0, 3).map((m, i) => {
const v = values[i], label = `${m.name}: ${percent(v.accuracy)} right, ${percent(v.expected_cohen)} by chance, kappa ${number(v.kappa)}`;
return plain.figure(plain.figcaption(plain.b(isolated(m.name))), bar(label, v.accuracy, v.expected_cohen, v.kappa));
}));
put(body, ...data.measures.map(([key, symbol]) => line({"data-measure": key},
plain.span(plain.code(key), " ", plain.i(symbol)),
models.map((m, i) => {
const cell = plain.td(figure(values[i][key], number)), [low, high] = limits[i][key] || [];
if (low <= high) cell.append(" ", plain.i("[", figure(low, number), ", ", figure(high, number), "]"));
return cell;
}))));
}
to(t);
return {set: to, number, percent};
}
// The same matrix in counts, by truth and by prediction.
let views = 0;
function switchable(table) {
const cells = [...table.tBodies[0].rows].map(row => [...row.cells].slice(1));
const counts = cells.map(row => row.map(cell => +cell.textContent.replace(/,/g, "")));
const text = cells.map(row => row.map(cell => cell.textContent));
const truth = rows(counts), predicted = counts[0].map((_, j) => sum(counts.length, i => counts[i][j]));
const show = {
counts: (i, j) => text[i][j],
"shares of truth": (i, j) => percent(div(counts[i][j], truth[i])),
"shares of prediction": (i, j) => percent(div(counts[i][j], predicted[j])),
};
const name = "view" + views++;
return plain.fieldset(plain.legend("Show"), ...Object.entries(show).map(([title, of], index) => {
const input = make("input", {type: "radio", name, change: () => cells.forEach((row, i) => row.forEach((cell, j) => put(cell, of(i, j))))});
input.checked = !index;
return plain.label(input, " " + title);
}));
}
