for (const table of document.querySelectorAll("table.cm")) table.parentElement.before(switchable(table));
const place = document.getElementById("sim");
if (place) {
const data = JSON.parse(document.getElementById("data").textContent);
for (const m of data.measures) for (const i of [2, 3]) m[i] = +m[i];
window.simulation = simulate(data, place);
for (const hidden of document.querySelectorAll("main [hidden]")) hidden.hidden = false;
}
