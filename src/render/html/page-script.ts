/**
 * The script of a page, for browsers: it sorts longer tables by the buttons that it makes of their
 * heads, and offers to filter them by columns that are meant for it; on a phone, it moves differences
 * to the front. Without it all stands there as well. It takes texts from the page and gives them back as text, never as markup.
 */
export const pageScript = `
'use strict';
// On a phone the difference stands behind the two columns that say what it is about.
if (matchMedia('(max-width: 40rem)').matches) {
  for (const cell of document.querySelectorAll('.decisive')) {
    if (cell.cellIndex > 2) cell.parentElement.cells[1].after(cell);
  }
}
for (const table of document.querySelectorAll('table.sortable')) {
  const records = [...table.tBodies];
  const heads = [...table.tHead.rows[0].cells];
  const cellOf = (record, column) => record.rows[0].cells[column];

  // Minor units may be more than a number holds. Empty cells come last.
  const keyOf = (cell) => {
    const { k } = cell.dataset;
    return k === undefined ? cell.textContent : k === '' ? null : BigInt(k);
  };
  const sortBy = (column) => {
    const isUp = heads[column].getAttribute('aria-sort') !== 'ascending';
    const keys = new Map(records.map((record) => [record, keyOf(cellOf(record, column))]));
    const compare = (one, other) => {
      const [a, b] = [keys.get(one), keys.get(other)];
      if (a === b) return 0;
      if (a === null || b === null) return a === null ? 1 : -1;
      return a < b === isUp ? -1 : 1;
    };
    table.tHead.after(...records.sort(compare));
    for (const head of heads) head.removeAttribute('aria-sort');
    heads[column].setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
  };
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    button.addEventListener('click', () => sortBy(column));
    head.replaceChildren(button);
  });

  const wanted = new Map();
  const bar = document.createElement('div');
  const count = document.createElement('p');
  const show = () => {
    let shown = 0;
    for (const record of records) {
      record.hidden = [...wanted].some(
        ([column, text]) => text !== '' && cellOf(record, column).textContent !== text,
      );
      if (!record.hidden) shown += 1;
    }
    count.textContent = shown === records.length ? '' : 'Showing ' + shown + ' of ' + records.length;
  };
  const addFilter = (column) => {
    const texts = new Set(records.map((record) => cellOf(record, column).textContent));
    if (texts.size < 2) return;
    const label = document.createElement('label');
    const select = document.createElement('select');
    label.append(heads[column].textContent, ' ', select);
    select.add(new Option('All', ''));
    for (const text of [...texts].sort()) select.add(new Option(text, text));
    select.addEventListener('change', () => {
      wanted.set(column, select.value);
      show();
    });
    bar.append(label);
  };
  heads.forEach((head, column) => {
    if ('filter' in head.dataset) addFilter(column);
  });
  if (bar.childElementCount > 0) {
    bar.className = 'filters';
    count.setAttribute('role', 'status');
    bar.append(count);
    table.parentElement.before(bar);
  }
}
`;
