// The table of games: sorted by a click on a column's head.

export function makeSortable(table) {
  for (const head of table.querySelectorAll("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, head));
    head.append(button);
  }
}

/** Sorts the way the column says at first, and the other way the next time. */
function sortBy(table, head) {
  const other = { ascending: "descending", descending: "ascending" };
  const order = other[head.getAttribute("aria-sort")] ?? head.dataset.sort;
  for (const sorted of table.querySelectorAll("[aria-sort]")) sorted.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const value = (row) => row.cells[head.cellIndex].dataset.value;
  const [body] = table.tBodies;
  const rows = [...body.rows].sort((one, two) => sign * compare(value(one), value(two)));
  body.append(...rows);
}

function compare(one, two) {
  const difference = Number(one) - Number(two);
  return Number.isNaN(difference) ? one.localeCompare(two) : difference;
}
