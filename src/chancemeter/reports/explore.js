const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const count = (n, one, many) => number0(n) + " " + (n == 1 ? one : many);
const number0 = n => n.toLocaleString("en", {maximumFractionDigits: 0});
const visible = label => [...label].map(c => /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(c)
? "\\u{" + c.codePointAt(0).toString(16) + "}" : c).join("");
// A matrix as people paste it: blanks, tabs, commas or bars between cells, labels or none.
const isNumber = s => /^[+-]?(\d[\d,]*)?\.?\d*(e[+-]?\d+)?$/i.test(s) && /\d/.test(s);
function readMatrix(text) {
const lines = text.split(/\r?\n/).filter(line => line.trim());
if (!lines.length) throw "There are no cells yet.";
const mark = lines.every(l => l.includes("\t")) ? "\t" : lines.every(l => l.includes("|")) ? "|"
: lines.every(l => l.includes(";")) ? ";" : lines.every(l => /,/.test(l) && !/\d\s+\d/.test(l)) ? "," : /\s+/;
let cells = lines.map(line => (mark instanceof RegExp ? line.trim() : line.replace(/^\||\|\s*$/g, "")).split(mark).map(c => c.trim()));
cells = cells.filter(row => !row.every(c => /^:?-{2,}:?$/.test(c)));
let labels = null;
if (cells.length > 1 && !cells[0].slice(-1).every(isNumber)) {
labels = cells[0].slice(-(cells.length - 1));
cells = cells.slice(1).map((row, i) => {
if (row.length != labels.length + 1) throw `Row ${i + 1} has ${row.length} fields; a label and ${labels.length} counts are needed.`;
if (row[0] != labels[i]) throw `Row ${i + 1} is called “${visible(row[0])}”, column ${i + 1} “${visible(labels[i])}”.`;
return row.slice(1);
});
}
const k = cells.length;
const counts = cells.map((row, i) => {
if (row.length != k) throw `Row ${i + 1} has ${row.length} numbers; a square matrix of ${k} rows needs ${k}.`;
return row.map((cell, j) => {
const n = mark == "," ? +cell : +cell.replace(/,/g, "");
if (!isNumber(cell) || !(n >= 0) || n == Infinity) throw `Row ${i + 1}, column ${j + 1}: “${visible(cell)}” is not a count.`;
return n;
});
});
if (k < 2) throw "A confusion matrix has two rows at least.";
return {counts, labels: (labels || counts.map((_, i) => String(i))).map(visible)};
}
// CSV with quotes.
function readRows(text) {
const first = text.split(/\r?\n/, 1)[0];
const mark = [",", ";", "\t"].reduce((a, b) => first.split(b).length > first.split(a).length ? b : a);
const rows = [[]];
let field = "", quoted = false;
const end = () => { rows[rows.length - 1].push(field); field = ""; };
for (let i = 0; i < text.length; i++) {
const c = text[i];
if (quoted) {
if (c == '"' && text[i + 1] == '"') { field += c; i++; } else if (c == '"') quoted = false; else field += c;
} else if (c == '"' && !field) quoted = true;
else if (c == mark) end();
else if (c == "\n") { end(); rows.push([]); } else if (c != "\r") field += c;
}
end();
if (quoted) throw "A quote is opened and not closed.";
return rows.filter(row => row.length > 1 || row[0] !== "");
}
function tally(rows, a, b) {
const lacking = rows.filter(row => !row[a] || !row[b]).length;
if (lacking) throw `${count(lacking, "row lacks", "rows lack")} a label.`;
const labels = [...new Set(rows.flatMap(row => [row[a], row[b]]))].sort();
if (labels.length > 50) throw `${labels.length} classes: are these the columns of labels?`;
const place = new Map(labels.map((label, i) => [label, i])), counts = labels.map(() => labels.map(() => 0));
for (const row of rows) counts[place.get(row[a])][place.get(row[b])]++;
return {counts, labels: labels.map(visible)};
}
// The sentences of chancemeter.luck.
function told(n, m, majority, label) {
const {accuracy: a, expected_cohen: c, kappa} = m, name = "The classifier";
const share = k => k < .005 ? "less than 1%" : k >= .995 ? "more than 99%" : evenly(100 * k) + "%";
const shown = `(Cohen's kappa ${number(kappa)})`;
const cases = Number.isInteger(n) ? count(n, "case", "cases") : "cases of total weight " + n;
const lines = [`${name} is right in ${percent(a)} of ${cases}.`];
if (Number.isNaN(kappa)) return [...lines, "Truth and predictions hold one class only: nothing can be said about chance."];
lines[0] += ` Guessing with the same habits would get ${percent(c)}.`;
lines.push(a == 1 ? "It won all that chance left to win (Cohen's kappa 1)."
: Math.abs(kappa) < 1e-12 ? "It is just as good as guessing (Cohen's kappa 0)."
: kappa < 0 ? `Guessing would be better by ${percent(c - a)} of all cases ${shown}.`
: `It won ${share(kappa)} of what chance left to win ${shown}.`);
if (majority >= a && a < 1) lines.push(`Always answering “${label.length > 30 ? label.slice(0, 29) + "…" : label}” would be right in ${percent(majority)}, ${majority > a ? "more than" : "the same as"} this model.`);
return lines;
}
const evenly = x => { const r = Math.round(x); return x % 1 == .5 && r % 2 ? r - 1 : r; };
const section = (title, ...inner) => plain.section(plain.h2(title), ...inner);
function grid(caption, heads, lines) {
return make("div", {tabindex: 0, role: "region", "aria-label": caption}, plain.table(plain.caption(caption),
plain.thead(plain.tr(...heads.map(h => make("th", {scope: "col"}, h)))),
plain.tbody(...lines.map(([head, ...cells]) => plain.tr(make("th", {scope: "row"}, head), ...cells.map(c => plain.td(c)))))));
}
function show({counts, labels}) {
const k = counts.length, n = rows(counts), said = counts.map((_, j) => sum(k, i => counts[i][j])), all = n.reduce((a, b) => a + b, 0);
if (!all) throw "There are no cases: nothing can be said.";
const t = n.map(v => v / all), c = said.map(v => v / all), d = counts.map((row, i) => row[i] / all);
const m = measures(t, d, c), wrong = sum(k, i => sum(k, j => i == j ? 0 : counts[i][j]));
m.accuracy = sum(k, i => counts[i][i]) / all;
const most = n.indexOf(Math.max(...n)), majority = n[most] / all;
const lines = told(all, m, majority, labels[most]);
const label = `${percent(m.accuracy)} right, ${percent(m.expected_cohen)} by chance, kappa ${number(m.kappa)}`;
const lead = make("p", {class: "lead", "aria-live": "polite"}, lines.slice(0, 2).join(" "));
const warning = lines[2] ? [make("p", {class: "warning", role: "note"}, lines[2])] : [];
const drawn = Number.isNaN(m.kappa) ? [] : [plain.figure(bar(label, m.accuracy, m.expected_cohen, m.kappa),
make("p", {class: "below"}, "κ = ", plain.b(number(m.kappa)), " of what chance left to win"))];
const mean = t.map((v, i) => (v + c[i]) / 2), hit = i => counts[i][i], missed = i => div(n[i] - hit(i), n[i]), alarmed = i => div(said[i] - hit(i), all - n[i]);
const powers = wrong ? div(sum(k, i => said[i] && hit(i) * (n[i] - said[i]) / n[i] + said[i] * alarmed(i)), sum(k, i => said[i] && said[i] * (missed(i) + alarmed(i)))) : NaN;
const level = {uniform: 1 / k, scott: sum(k, i => mean[i] ** 2), cohen: m.expected_cohen,
gwet: sum(k, i => mean[i] * (1 - mean[i])) / (k - 1), powers, majority};
const beyond = {scott: m.scott_pi, cohen: m.kappa, gwet: m.gwet_ac1, powers: m.informedness};
const ideas = DATA.ideas.map(([key, says]) => [plain.span(says), figure(level[key], percent),
figure(key in beyond ? beyond[key] : div(m.accuracy - level[key], 1 - level[key]), number)]);
const table = make("table", {class: "cm " + (k > 12 ? "many" : k > 4 ? "some" : "few")}, plain.caption("Rows truth, columns prediction"),
plain.thead(plain.tr(plain.td("truth ╲ predicted"), ...labels.map(l => make("th", {scope: "col"}, isolated(l))))),
plain.tbody(...counts.map((row, i) => plain.tr(make("th", {scope: "row"}, isolated(labels[i])), ...row.map((v, j) => {
const tenth = v ? Math.min(9, Math.max(1, Math.ceil(9 * v / n[i]))) : 0;
return make("td", tenth ? {class: (i == j ? "r" : "x") + tenth} : {}, v.toLocaleString("en", {maximumFractionDigits: 6}));
})))));
const classes = labels.map((l, i) => {
const hit = counts[i][i], rest = all - n[i];
return [isolated(l), number0(n[i]), figure(div(hit, n[i]), number), figure(div(hit, said[i]), number),
figure(div(2 * hit, n[i] + said[i]), number), figure(div(hit, n[i]) - div(said[i] - hit, rest), number)];
});
const parts = [plain.section(lead, ...drawn, ...warning),
section("What was taken for what", switchable(table), make("div", {tabindex: 0, role: "region", "aria-label": "Confusion matrix"}, table)),
section("Class by class", grid("Classes", ["class", "support", "recall", "precision", "f_score", "informedness@each"], classes)),
section("Six ideas of chance", grid("The same accuracy under six ideas of chance", ["idea of chance", "by chance", "beyond chance"], ideas))];
const place = make("div", {id: "sim"});
const alive = n.filter(v => v).length > 1;
parts.push(section("Measures, and what if classes were rarer or more common?", alive ? place : plain.p("There is one class only in the truth: nothing to move.")));
$("shown").replaceChildren(...parts);
if (alive) window.simulation = simulate({labels, measures: DATA.measures, sliders: n.map((v, i) => v ? i : -1).filter(i => i >= 0).slice(0, 12),
models: [{name: "The classifier", counts}]}, place);
}
const turned = g => ({...g, counts: g.counts.map((_, j) => g.counts.map(row => row[j]))});
function attempt(get) {
try {
$("err").textContent = "";
show(get());
} catch (error) {
if (typeof error != "string") throw error;
$("err").textContent = error;
$("shown").replaceChildren();
}
}
const fromText = () => {
const given = readMatrix($("cells").value);
return document.querySelector("[name=rows]:checked").value == "truth" ? given : turned(given);
};
$("cells").addEventListener("input", () => attempt(fromText));
for (const radio of document.querySelectorAll("[name=rows]")) radio.addEventListener("change", () => attempt(fromText));
let table = [];
const chosen = () => attempt(() => {
const found = tally(table.slice(1), +$("true").value, +$("pred").value);
document.querySelector("[name=rows][value=truth]").checked = true;
$("cells").value = [["", ...found.labels], ...found.counts.map((row, i) => [found.labels[i], ...row])].map(r => r.join("\t")).join("\n");
return found;
});
$("file").addEventListener("change", async event => {
const file = event.target.files[0];
if (!file) return;
const text = await file.text();
attempt(() => {
table = readRows(text.replace(/^\uFEFF/, ""));
const heads = table[0] || [], ragged = table.findIndex(row => row.length != heads.length);
if (heads.length < 2 || table.length < 2) throw "The file needs a line of names, with two columns at least, and cases below it.";
if (ragged > 0) throw `Line ${ragged + 1} has ${table[ragged].length} fields where the first has ${heads.length}.`;
const low = heads.map(h => h.trim().toLowerCase());
const pick = names => low.indexOf(names.find(name => low.includes(name)));
const guesses = {true: pick(DATA.true), pred: pick(DATA.pred)};
for (const id in guesses) {
$(id).replaceChildren(...heads.map((h, i) => make("option", {value: i}, visible(h))));
$(id).value = Math.max(0, guesses[id]);
}
$("columns").hidden = false;
if (guesses.true < 0 || guesses.pred < 0) throw "Say which columns hold the truth and the predictions.";
return tally(table.slice(1), guesses.true, guesses.pred);
});
if (!$("err").textContent) chosen();
});
for (const id of ["true", "pred"]) $(id).addEventListener("change", chosen);
attempt(fromText);
