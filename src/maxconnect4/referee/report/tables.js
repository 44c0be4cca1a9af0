// Tables that are there already: sort them by a column, and let the cross table show games.

function makeSortable(table) {
  table.querySelectorAll("thead th").forEach((head, index) => {
    const settings = { type: "button", class: "sorter", onclick: () => sortTable(table, index) };
    head.replaceChildren(element("button", settings, head.textContent));
  });
}

function sortTable(table, index) {
  const heads = [...table.querySelectorAll("thead th")];
  const body = table.tBodies[0];
  const value = (row) => {
    const cell = row.cells[index];
    if (cell.dataset.v === undefined) return cell.textContent;
    return cell.dataset.v === "" ? null : Number(cell.dataset.v);
  };
  const rows = [...body.rows];
  const words = rows.length > 0 && typeof value(rows[0]) === "string";
  // Large numbers first, as one looks for the best or the worst; ranks and names from the beginning.
  const begin = words || index === 0 ? "ascending" : "descending";
  const now = heads[index].getAttribute("aria-sort");
  const order = now === null ? begin : now === "ascending" ? "descending" : "ascending";
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[index].setAttribute("aria-sort", order);
  rows.sort((one, another) => compare(value(one), value(another), order === "ascending" ? 1 : -1));
  body.append(...rows);
}

// What is not there comes last in either order.
function compare(one, another, sign) {
  if (one === null || another === null) return (one === null) - (another === null);
  if (typeof one === "string") return sign * one.localeCompare(another, undefined, { numeric: true });
  return sign * (one - another);
}

function makeCrossTable(table, showGames) {
  table.tBodies[0].addEventListener("click", (event) => {
    const cell = event.target.closest("td");
    if (!cell || !cell.textContent || cell.classList.contains("self")) return;
    const opponent = cell.classList.contains("sum") ? null : cell.cellIndex - 1;
    showGames(cell.parentElement.sectionRowIndex, opponent);
  });
}
