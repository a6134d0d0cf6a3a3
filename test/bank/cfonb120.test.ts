import { describe, expect, test } from 'vitest';
import { digitsOf, linesOf, recordOf } from './fixed-records.ts';
import { checksIn, findingsIn, moneyIn, read } from './reading.ts';

/** Minor units with the sign in the last of 14 digits. */
const overpunched = (minor: number) => {
  const digits = digitsOf(minor, 14);
  const last = (minor < 0 ? '}JKLMNOPQR' : '{ABCDEFGHI')[Number(digits.at(-1))];
  return digits.slice(0, 13) + last;
};

const owner = { 2: '20041', 11: '01005', 16: 'EUR2', 21: '0500013M026' };

const balance = (type: '01' | '07', minor: number, day: string, change = {}) =>
  recordOf(120, { ...owner, 0: type, 34: day, 90: overpunched(minor), ...change });

const booked = (minor: number, label: string, change = {}) =>
  recordOf(120, {
    ...owner,
    0: '04',
    32: '05',
    34: '050326',
    42: '060326',
    48: label,
    90: overpunched(minor),
    104: 'REFERENCE 1',
    ...change,
  });

const detail = (qualifier: string, text: string) =>
  recordOf(120, { ...owner, 0: '05', 32: '05', 34: '050326', 45: qualifier, 48: text });

const records = [
  balance('01', 10_000, '280226'),
  booked(345_272, 'VIR EXAMPLE PAYMENTS'),
  detail('NPY', 'EXAMPLE PAYMENTS SA'),
  detail('RCN', 'E2E-20260304-03'),
  detail('LCC', 'PAYOUT OF 4 MARCH, WITH A LONG TEXT THAT FILLS THE WHOLE LINE, AND WIT'),
  detail('LC2', 'HOUT A BREAK'),
  booked(-1_000, 'FRAIS', { 104: '' }),
  balance('07', 354_272, '310326'),
];

describe('a CFONB 120 file', () => {
  test('has entries with the sign in their last digit, details by qualifiers, and balances', async () => {
    const result = await read(linesOf(...records));
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 -10.00', '2026-03-05 3452.72']);
    expect(checksIn(result)).toEqual(['checked']);
    expect(result.statements).toMatchObject([
      {
        ...{ account: 'FR1420041010050500013M02606', currency: 'EUR', opening: 10_000n },
        ...{ closing: 354_272n, from: '2026-03-01', to: '2026-03-31' },
      },
    ]);
    const paid = result.entries.find(({ amount }) => amount > 0n);
    expect(paid).toMatchObject({ valueDate: '2026-03-06', place: { line: 2 } });
    expect(paid?.details).toMatchObject({ names: ['EXAMPLE PAYMENTS SA'] });
    expect(paid?.details.references).toEqual(['REFERENCE 1', 'E2E-20260304-03']);
    expect(paid?.details.texts).toContain(
      'PAYOUT OF 4 MARCH, WITH A LONG TEXT THAT FILLS THE WHOLE LINE, AND WIT\nHOUT A BREAK',
    );
  });

  test('may have no line ends', async () => {
    const result = await read(linesOf(...records));
    const whole = await read(records.join(''));
    expect(whole.findings).toEqual([]);
    expect(whole.entries.map(({ id }) => id)).toEqual(result.entries.map(({ id }) => id));
    for (const blockBytes of [1, 119, 121]) {
      expect(await read(records.join(''), { blockBytes })).toEqual(whole);
    }
  });

  test('has the decimals that a record states', async () => {
    const francs = { 16: 'XPF0' };
    const result = await read(
      linesOf(
        balance('01', 100, '280226', francs),
        booked(-30, 'A', francs),
        balance('07', 70, '310326', francs),
      ),
    );
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 -30']);
  });

  test('may leave out the currency in the records of balances', async () => {
    const blank = { 16: '    ' };
    const result = await read(
      linesOf(
        balance('01', 100, '280226', blank),
        booked(50, 'A'),
        balance('07', 150, '310326', blank),
      ),
    );
    expect(result.findings).toEqual([]);
    expect(checksIn(result)).toEqual(['checked']);
  });

  test.each([
    ['a plain last digit', booked(0, 'A', { 90: '00000000345272' })],
    ['a shifted amount', booked(0, 'A', { 90: ' 000000345272{' })],
    ['no decimals', booked(0, 'A', { 19: 'X' })],
  ])('names an amount that cannot be read: %s', async (_, spoiled) => {
    const lines = [balance('01', 0, '280226'), spoiled, balance('07', 0, '310326')];
    const { findings } = await read(linesOf(...lines));
    expect(findings).toMatchObject([
      { place: { line: 2 }, expected: 'an amount of digits, with its sign' },
    ]);
  });

  test('that lacks an entry or the new balance is not taken as whole', async () => {
    const lacking = await read(linesOf(...records.slice(0, 6), ...records.slice(7)));
    expect(findingsIn(lacking)).toEqual(['line 1: balance_break -10.00']);
    const cut = await read(linesOf(...records.slice(0, 6)));
    expect(cut.findings).toMatchObject([{ expected: 'a record 07 with the new balance' }]);
    expect(cut.statements).toMatchObject([{ isWhole: false }]);
    const foreign = records.map((one, line) => (line === 6 ? one.replace('01005', '01006') : one));
    expect((await read(linesOf(...foreign))).findings).toMatchObject([{ place: { line: 7 } }]);
  });
});
