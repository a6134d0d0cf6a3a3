import { describe, expect, test } from 'vitest';
import { digitsOf, linesOf, recordOf } from './fixed-records.ts';
import { checksIn, findingsIn, moneyIn, read } from './reading.ts';

interface Entry {
  readonly cents: number;
  readonly texts?: readonly string[];
  readonly reference?: string;
}

const sign = (cents: number) => (cents < 0 ? '1' : '2');

const header = (opening: number, currency = '978', account = '0200051332') =>
  recordOf(80, {
    0: `1121000418${account}260301260331${sign(opening)}${digitsOf(opening, 14)}${currency}3`,
    51: 'SHOP SL',
  });

const entryOf = ({ cents, texts = [], reference = '' }: Entry) => [
  recordOf(80, {
    0: '22',
    6: '0418260305260306',
    22: `02000${sign(cents)}${digitsOf(cents, 14)}0000000000`,
    52: reference,
  }),
  ...texts.map((text, index) => recordOf(80, { 0: `230${index + 1}`, 4: text })),
];

const footer = (
  opening: number,
  entries: readonly Entry[],
  change = {},
  account = '0200051332',
) => {
  const of = (isDebit: boolean) => entries.filter(({ cents }) => cents < 0 === isDebit);
  const sum = (list: readonly Entry[]) => list.reduce((total, { cents }) => total + cents, 0);
  const side = (isDebit: boolean) =>
    digitsOf(of(isDebit).length, 5) + digitsOf(sum(of(isDebit)), 14);
  const closing = opening + sum(entries);
  return recordOf(80, {
    0: `3321000418${account}${side(true)}${side(false)}${sign(closing)}${digitsOf(closing, 14)}978`,
    ...change,
  });
};

const entries: readonly Entry[] = [
  { cents: 345_272, texts: ['ORDEN DE EXAMPLE PAYMENTS            A', 'B E2E-20260304-03'] },
  { cents: -1_000, reference: 'RECIBO 77' },
];

const end = (records: number) =>
  recordOf(80, { 0: '88999999999999999999', 20: digitsOf(records, 6) });
const records = (change = {}) => [
  header(10_000),
  ...entries.flatMap(entryOf),
  footer(10_000, entries, change),
];
const file = linesOf(...records(), end(6));

describe('a Norma 43 file', () => {
  test('has entries, their texts and references, and balances that are checked', async () => {
    const result = await read(file);
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 -10.00', '2026-03-05 3452.72']);
    expect(result.statements).toMatchObject([
      {
        ...{ account: 'ES9121000418450200051332', currency: 'EUR', opening: 10_000n },
        ...{ closing: 354_272n, from: '2026-03-01', to: '2026-03-31', isWhole: true },
      },
    ]);
    expect(checksIn(result)).toEqual(['checked']);
    const [paid, charged] = [...result.entries].sort((one, other) =>
      Number(other.amount - one.amount),
    );
    expect(paid?.details.texts).toEqual([
      'ORDEN DE EXAMPLE PAYMENTS            A\nB E2E-20260304-03',
    ]);
    expect(paid).toMatchObject({ valueDate: '2026-03-06', place: { line: 2 } });
    expect(charged?.details.references).toEqual(['RECIBO 77']);
  });

  test('is the same in pieces of any size, and without line ends', async () => {
    const result = await read(file);
    for (const blockBytes of [1, 7, 81]) expect(await read(file, { blockBytes })).toEqual(result);
    expect(moneyIn(await read(file.replaceAll('\r\n', '')))).toEqual(moneyIn(result));
  });

  test('in ISO 8859-1 keeps its columns', async () => {
    const content = Buffer.from(
      file.replace('EXAMPLE PAYMENTS', 'ESPA\xd1A Y CIGUE\xd1A'),
      'latin1',
    );
    const result = await read(content);
    expect(result.findings).toEqual([]);
    expect(result.entries.map(({ details }) => details.texts.join()).join()).toContain('ESPAÑA');
  });

  test.each([
    ['the number of debits', { 20: '00002' }, 'line 6: number of debits 00002'],
    ['the sum of debits', { 25: '00000000001001' }, 'line 6: debits 00000000001001'],
    ['the number of credits', { 39: '00003' }, 'line 6: number of credits 00003'],
    ['the sum of credits', { 44: '00000000345271' }, 'line 6: credits 00000000345271'],
  ])('is unreadable if %s is not that of the entries', async (_, change, finding) => {
    const result = await read(linesOf(...records(change), end(6)));
    expect(findingsIn(result)).toEqual([finding]);
    expect(result.statements).toMatchObject([{ isWhole: false, notChecked: 'partly_read' }]);
    expect(result.entries).toHaveLength(2);
  });

  test('has a balance break if its balances do not add up', async () => {
    const result = await read(linesOf(...records({ 59: '00000000354271' }), end(6)));
    expect(findingsIn(result)).toEqual(['line 1: balance_break -0.01']);
  });

  test('that ends early covers no days', async () => {
    const cut = await read(linesOf(...records().slice(0, 3)));
    expect(cut.findings.map(({ expected }) => expected)).toEqual([
      'a record 33 at the end of the account',
      'a record 88 at the end of the file',
    ]);
    expect(cut.statements).toMatchObject([{ isWhole: false }]);
    const [finding] = (await read(linesOf(...records(), end(9)))).findings;
    expect(finding).toMatchObject({ found: '000009', expected: '6 records, as in the file' });
  });

  test('names records that cannot be read, by line', async () => {
    const lines = records();
    const spoiled = (line: number, from: string, to: string) =>
      lines.map((one, index) => (index === line - 1 ? one.replace(from, to) : one));
    const foundIn = async (changed: readonly string[]) =>
      (await read(linesOf(...changed, end(6)))).findings[0];
    expect(await foundIn(spoiled(2, '200000000345272', '300000000345272'))).toMatchObject({
      place: { line: 2 },
      expected: 'an amount of digits, with its sign',
    });
    expect(await foundIn(spoiled(2, '260305', '260230'))).toMatchObject({
      place: { line: 2 },
      expected: 'a booking date of the calendar',
    });
    expect(await foundIn(spoiled(1, '9783', '0003'))).toMatchObject({ place: { line: 1 } });
    expect(await foundIn(spoiled(5, '22', '29'))).toMatchObject({ place: { line: 5 } });
  });

  test('may have several accounts, in several currencies', async () => {
    const other = [header(500, '840', '9876543210'), footer(500, [], { 73: '840' }, '9876543210')];
    const result = await read(linesOf(...records(), ...other, end(8)));
    expect(result.findings).toEqual([]);
    expect(result.statements.map(({ currency, closing }) => [currency, closing]).sort()).toEqual([
      ['EUR', 354_272n],
      ['USD', 500n],
    ]);
  });
});
