import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DifferenceKind, differenceKey } from '../../src/model/accepted-difference.ts';
import { valueText } from '../../src/model/value.ts';
import {
  isSameButForItsDay,
  parseRegister,
  recordsOf,
  registerColumns,
  sameLine,
} from '../../src/register/accepted-register.ts';
import { readKeptCsv } from '../../src/register/kept-csv.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { uuid } from '../support/build.ts';

const line = {
  settlement_date: '2026-03-05',
  settlement_id: uuid(1),
  accounting_token: 'token-a',
  currency: 'EUR',
  decimal_places: '2',
  transactions_reported: '3',
  transactions_computed: '2',
  gross_reported: '1960.50',
  gross_computed: '1950.50',
  fees_reported: '0.30',
  fees_computed: '0.30',
  tax_reported: '0.00',
  tax_computed: '0.00',
  pay_in_reported: '1960.20',
  pay_in_computed: '1950.20',
  pay_in_difference: '10.00',
  codes: 'gross | count',
  accepted_reason: 'refunded',
  accepted_by: '',
  accepted_on: '2026-03-20',
  accepted_until: '',
};
type Line = Partial<typeof line>;

const keys = Object.keys(line);

async function understood(lines: readonly Line[], delimiter = ',') {
  const path = join(await temporaryFolder(), 'accepted.csv');
  const records = lines.map((changes) => ({ ...line, ...changes }));
  const rows = records.map((record) => Object.values(record));
  writeFileSync(
    path,
    [Object.keys(records[0] ?? {}), ...rows].map((cells) => cells.join(delimiter)).join('\n'),
  );
  return parseRegister(await readKeptCsv(path));
}

/** The columns that a register may lack. */
const later = {
  books_account: '4970',
  bank_expected: '1950.20',
  bank_received: '1948.70',
  bank_difference: '-1.50',
  bank_account: '',
  bank_entry_id: '',
  bank_date: '',
  bank_decision: '',
  settled_with: '',
  settled_with_date: '',
  settled_with_pay_in: '',
  confirmed_entries: '',
  confirmed_places: '',
  confirmed_date: '',
  confirmed_with: '',
  ...{ order_ref: '', order_date: '', order_account: '', order_difference: '' },
};
const figures = keys.filter((key) => /_reported|_computed|_difference|^codes/.test(key));
const ofBank = { ...line, ...Object.fromEntries(figures.map((key) => [key, ''])), ...later };

test('the register has these columns, and its lines are read as they were written', async () => {
  expect(registerColumns.map(({ key }) => key)).toEqual([...keys, ...Object.keys(later)]);
  const plain = { ...line, ...later, bank_expected: '', bank_received: '', bank_difference: '' };
  const { lines, faults } = await understood([plain, ofBank]);
  expect(faults).toEqual([]);
  expect(lines.map((one) => registerColumns.map(({ value }) => valueText(value(one))))).toEqual([
    Object.values(plain),
    Object.values(ofBank),
  ]);
});

test('a register without columns that no line needs is read too', async () => {
  const { lines, faults } = await understood([{}]);
  expect(faults).toEqual([]);
  expect(lines).toMatchObject([{ account: '', reported: { gross: 196050n } }]);
});

test.each<[Partial<typeof ofBank>, string]>([
  [{ bank_received: '' }, 'bank_received must be an amount with at most 2 decimals'],
  [{ bank_difference: '1.50' }, 'bank_difference must be bank_received - bank_expected.'],
  [{ gross_reported: '5.00' }, 'gross_reported must be empty for a bank difference, not "5.00".'],
])('an uncertain line of a bank difference accepts nothing: %j', async (changes, message) => {
  const { lines, faults } = await understood([{ ...ofBank, ...changes }]);
  expect(lines).toEqual([]);
  expect(faults).toMatchObject([{ line: 2, message: expect.stringContaining(message) }]);
});

test.each([
  { gross_reported: '1960.5', tax_reported: '0' },
  { decimal_places: '3' },
  { settlement_id: uuid(1).toUpperCase() },
  { codes: 'gross|count' },
])('a line is read as a spreadsheet may write it: %j', async (changes) => {
  expect(await understood([changes])).toMatchObject({
    lines: [{ reason: 'refunded' }],
    faults: [],
  });
});

test('decimal commas are read if semicolons separate the cells', async () => {
  const entries = Object.entries(line).map(([key, cell]) => [key, cell.replace('.', ',')]);
  const { lines } = await understood([Object.fromEntries(entries)], ';');
  expect(lines).toMatchObject([{ reported: { gross: 196050n, payIn: 196020n } }]);
});

test('a text is read without the mark that keeps a spreadsheet from running it', async () => {
  const { lines } = await understood([{ accepted_reason: "'=1+1", accepted_by: "'t Hart" }]);
  expect(lines).toMatchObject([{ reason: '=1+1', by: "'t Hart" }]);
});

test.each<[Line, string]>([
  [{ settlement_id: '1' }, 'settlement_id must be a UUID, not "1".'],
  [
    { settlement_date: '5/3/2026' },
    'settlement_date must be a date such as 2026-03-05, not "5/3/2026".',
  ],
  [{ currency: '' }, 'currency must be filled in.'],
  [{ decimal_places: '19' }, 'decimal_places must be a number from 0 to 18, not "19".'],
  [{ transactions_reported: '3.0' }, 'transactions_reported must be a whole number, not "3.0".'],
  [{ gross_reported: '"1,960.50"' }, 'not "1,960.50".'],
  [{ gross_reported: '1.96E+03' }, 'not "1.96E+03".'],
  [{ gross_reported: '' }, 'gross_reported must be an amount with at most 2 decimals'],
  [{ fees_computed: '0.301' }, 'fees_computed must be an amount with at most 2 decimals'],
  [{ pay_in_difference: '-10.00' }, 'pay_in_difference must be pay_in_reported - pay_in_computed.'],
  [{ accepted_reason: '' }, 'accepted_reason must be filled in.'],
  [{ accepted_on: '' }, 'accepted_on must be a date such as 2026-03-05.'],
  [
    { accepted_until: 'June' },
    'accepted_until must be a date such as 2026-03-05, or empty, not "June".',
  ],
  [{ settlement_date: '<<<<<<< HEAD' }, 'Two versions of this file were merged'],
  [{ settlement_date: '=======' }, 'Two versions of this file were merged'],
  [{ settlement_date: '>>>>>>> branch' }, 'Two versions of this file were merged'],
])('a line with %j is named and accepts nothing; the others count', async (changes, message) => {
  const { lines, faults } = await understood([{ settlement_id: uuid(2) }, changes]);
  expect(lines.map((one) => differenceKey(one).id)).toEqual([uuid(2)]);
  expect(faults).toEqual([{ line: 3, message: expect.stringContaining(message) }]);
});

test('two lines for one settlement do not count', async () => {
  const other = { settlement_id: uuid(2) };
  expect(await understood([{}, other, { accepted_until: '2026-12-31' }])).toMatchObject({
    lines: [{ settlementId: uuid(2) }],
    faults: [{ line: 4, message: 'This settlement is also on line 2. Neither line counts.' }],
  });
});

test('a header with missing columns is named once', async () => {
  const path = join(await temporaryFolder(), 'accepted.csv');
  writeFileSync(path, 'settlement_id,note\n1,2\n3,4\n');
  const { lines, faults } = parseRegister(await readKeptCsv(path));
  expect(lines).toEqual([]);
  expect(faults).toEqual([
    {
      line: 1,
      message: expect.stringMatching(/^Missing columns: settlement_date, .*accepted_until\. No/),
    },
  ]);
});

test('a header that has a column twice is named, and no line counts', async () => {
  const path = join(await temporaryFolder(), 'accepted.csv');
  const titles = [...keys, 'accepted_reason'].join();
  writeFileSync(path, `${titles}\n${[...Object.values(line), 'another'].join()}\n`);
  const { lines, faults } = parseRegister(await readKeptCsv(path));
  expect(lines).toEqual([]);
  expect(faults).toEqual([
    { line: 1, message: 'Two columns are named accepted_reason. No line can be read.' },
  ]);
});

test('a bank difference and a difference in pay-in of one settlement both count', async () => {
  const plain = { ...line, ...later, bank_expected: '', bank_received: '', bank_difference: '' };
  const id = uuid(1).toUpperCase();
  const { lines, faults } = await understood([ofBank, plain, { ...ofBank, settlement_id: id }]);
  expect(lines).toMatchObject([{ reported: { payIn: 1960_20n } }]);
  expect(faults).toMatchObject([{ line: 4, message: expect.stringContaining('also on line 2') }]);
});

test('lines are found by the id of a settlement, also in capital letters, and by their kind', async () => {
  const path = join(await temporaryFolder(), 'accepted.csv');
  const texts = [
    { ...line, ...later, bank_expected: '', bank_received: '', bank_difference: '' },
    { ...ofBank, settlement_id: uuid(1).toUpperCase() },
    { ...ofBank, settlement_id: uuid(2) },
  ].map((record) => Object.values(record).join(','));
  writeFileSync(path, [Object.keys(ofBank).join(','), ...texts].join('\n'));
  const csv = await readKeptCsv(path);
  const linesOf = (id: string, kind: DifferenceKind) =>
    recordsOf(csv, { id, kind }).map((record) => record.line);
  expect(linesOf(uuid(1), 'pay_in')).toEqual([2]);
  expect(linesOf(uuid(1).toUpperCase(), 'bank')).toEqual([3]);
  expect(linesOf(uuid(2), 'pay_in')).toEqual([]);
  expect(linesOf(uuid(1), 'unknown')).toEqual([]);
});

test('two lines of one settlement and kind are the same line, whatever their other cells', async () => {
  const lineOf = async (changes: Partial<typeof ofBank>) => {
    const [only] = (await understood([{ ...ofBank, ...changes }])).lines;
    if (!only) throw new RangeError('not understood');
    return only;
  };
  const bank = await lineOf({});
  const [own] = (await understood([{}])).lines;
  if (!own) throw new RangeError('not understood');
  const capital = await lineOf({ settlement_id: uuid(1).toUpperCase(), accepted_reason: 'x' });
  expect(sameLine([own, bank], capital)).toBe(bank);
  expect(sameLine([bank], own)).toBeUndefined();
  expect(sameLine([await lineOf({ settlement_id: uuid(2) })], bank)).toBeUndefined();
  expect(isSameButForItsDay(bank, await lineOf({ accepted_on: '2026-03-21' }))).toBe(true);
  for (const changes of [
    { accepted_reason: 'x' },
    { accepted_by: 'x' },
    { accepted_until: '2026-12-31' },
    { books_account: '1' },
    { bank_received: '1948.71', bank_difference: '-1.49' },
  ]) {
    expect(isSameButForItsDay(bank, await lineOf(changes)), JSON.stringify(changes)).toBe(false);
  }
});

test('errors are in the order of the file, and an open quotation mark ends the reading', async () => {
  const broken = { settlement_id: uuid(3), accepted_reason: '"never closed' };
  const { lines, faults } = await understood([{}, {}, { currency: '' }, broken, {}]);
  expect(lines).toEqual([]);
  expect(faults.map((one) => one.line)).toEqual([3, 4, 5]);
  expect(faults.at(-1)?.message).toContain('Nothing can be read from here on.');
});

describe('a decision on a pay-out', () => {
  const other = '63dfe00c-2b3c-4d4e-9f50-6b7c8d9e0f1a';
  const writtenOff = { ...ofBank, bank_decision: 'written_off', accepted_by: 'Ada' };
  const settled = {
    ...{ ...writtenOff, bank_decision: 'settled_with', settled_with: other },
    ...{ settled_with_date: '2026-03-11', settled_with_pay_in: '200.00', accepted_reason: '' },
  };

  const confirmed = {
    ...{ ...writtenOff, bank_decision: 'confirmed', accepted_reason: '' },
    ...{ confirmed_entries: '0f | 1f#0', confirmed_places: 'a.csv:1 | b.csv:2' },
    ...{ confirmed_date: '2026-03-12', confirmed_with: other },
  };

  test('confirms an entry once: the second line with it does not count', async () => {
    const twice = { ...confirmed, settlement_id: uuid(2), confirmed_entries: '1f#0' };
    const { lines, faults } = await understood([confirmed, twice]);
    expect(lines).toHaveLength(1);
    expect(faults).toEqual([{ line: 3, message: expect.stringContaining('does not count') }]);
  });

  test('is read as it was written, beside a difference of the same settlement', async () => {
    const { lines, faults } = await understood([ofBank, writtenOff, settled, confirmed]);
    expect(faults).toEqual([]);
    expect(lines.map((one) => differenceKey(one).kind)).toEqual([
      ...['bank', 'written_off', 'settled_with', 'confirmed'],
    ]);
    expect(lines[3]).toMatchObject({
      confirmed: { entryIds: ['0f', '1f#0'], bookingDate: '2026-03-12', others: [other] },
    });
    expect(lines[2]).toMatchObject({
      other: { settlementId: other, settlementDate: '2026-03-11', payIn: 200_00n },
    });
    expect(lines.map((one) => registerColumns.map(({ value }) => valueText(value(one))))).toEqual(
      [ofBank, writtenOff, settled, confirmed].map((one) => Object.values(one)),
    );
  });

  test.each<[string, Line & Partial<typeof settled>, string]>([
    ['without a name', { ...writtenOff, accepted_by: '' }, 'accepted_by must be filled in.'],
    [
      'without a note',
      { ...writtenOff, accepted_reason: '' },
      'accepted_reason must be filled in.',
    ],
    ['without the other one', { ...settled, settled_with: '' }, 'settled_with must be a UUID.'],
    ['without an entry', { ...confirmed, confirmed_entries: '' }, 'confirmed_entries must be'],
    ['of no known kind', { ...writtenOff, bank_decision: 'lost' }, 'bank_decision must be'],
  ])('%s does not count', async (_, given, fault) => {
    const { lines, faults } = await understood([given]);
    expect(lines).toEqual([]);
    expect(faults[0]?.message).toContain(fault);
  });
});
