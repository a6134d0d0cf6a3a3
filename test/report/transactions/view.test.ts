import { expect, test } from 'vitest';
import { valueText } from '../../../src/model/value.ts';
import { type NotesShown, transactionColumns } from '../../../src/report/transactions/view.ts';
import { buildRow, buildSettlement } from '../../support/build.ts';

const notes = [
  { key: 'ref', value: 'first' },
  { key: 'state', value: 'of the merchant' },
  { key: 'ref', value: 'second' },
];

/** The columns behind the standard ones, with what they say of one row. */
function noteCells(shown: NotesShown): Record<string, string> {
  const transaction = { settlement: buildSettlement(), row: buildRow({ notes }) };
  const columns = transactionColumns(new Map(), shown).slice(19);
  return Object.fromEntries(columns.map(({ key, value }) => [key, valueText(value(transaction))]));
}

test('each chosen note has a column, with repeated notes in one cell', () => {
  expect(noteCells(['ref', 'absent'])).toEqual({ ref: 'first | second', absent: '' });
  expect(noteCells([])).toEqual({});
});

test('all notes are JSON in one column, in the order in which they came', () => {
  const { notes: json = '', ...others } = noteCells('all');
  expect(JSON.parse(json)).toEqual(notes);
  expect(others).toEqual({});
});

test('no two columns have the same name, in any case', () => {
  expect(noteCells(['state', 'State', 'note_state', 'REF', 'ref'])).toEqual({
    note_state: 'of the merchant',
    note_note_State: '',
    note_note_note_state: '',
    REF: '',
    note_ref: 'first | second',
  });
});

test('amounts have the decimal places of their row, with minor units beside them', () => {
  const row = buildRow({ scale: 3, amount: -50_250n, fees: 0n, tax: 5n });
  const cells = transactionColumns(new Map([['token-a', 'Shop']]), []).map(({ value }) =>
    valueText(value({ settlement: buildSettlement(), row })),
  );
  expect(cells.slice(12)).toEqual(['3', '-50.250', '0.000', '0.005', '-50250', '0', '5']);
  expect(cells[3]).toBe('Shop');
});
