for (const table of all("table.cm")) table.parentElement.before(switchable(table));
const place = find("#sim");
if (place) {
const data = JSON.parse(find("#data").textContent);
for (const m of data.measures) for (const i of [2, 3]) m[i] = +m[i];
window.simulation = simulate(data, place);
for (const hidden of all("main [hidden]")) hidden.hidden = false;
}
