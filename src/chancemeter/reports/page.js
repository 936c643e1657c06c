for (const table of all("table.cm")) table.parentElement.before(switchable(table));
const place = find("#sim");
if (place) {
const data = JSON.parse(find("#data").textContent);
window.simulation = simulate(data, place);
for (const hidden of all("main [hidden]")) hidden.hidden = false;
}
