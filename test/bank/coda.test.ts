import { describe, expect, test } from 'vitest';
import { digitsOf, linesOf, recordOf } from './fixed-records.ts';
import { checksIn, findingsIn, moneyIn, read } from './reading.ts';

const iban = 'BE68539007547034';
/** An amount with three decimals after its sign. */
const amount = (mills: number) => (mills < 0 ? '1' : '0') + digitsOf(mills, 15);

const header = recordOf(128, { 0: '0000005032672505', 34: 'SHOP NV', 127: '2' });
const opening = (mills: number, day = '280226') =>
  recordOf(128, { 0: `12042${iban}`, 39: 'EUR', 42: amount(mills) + day, 64: 'SHOP NV' });
const closing = (mills: number, change = {}) =>
  recordOf(128, { 0: `8042${iban}`, 38: 'EUR', 41: `${amount(mills)}310326`, ...change });

interface Movement {
  readonly sequence: number;
  readonly detail?: number;
  readonly mills: number;
  readonly type?: string;
  readonly message?: string;
  readonly isStructured?: boolean;
}

const movement = ({
  sequence,
  detail = 0,
  mills,
  type = '0',
  message = '',
  isStructured = false,
}: Movement) =>
  recordOf(128, {
    0: `21${digitsOf(sequence, 4)}${digitsOf(detail, 4)}BANKREF${sequence}`,
    31: `${amount(mills)}060326${type}0150000${isStructured ? 1 : 0}${message}`,
    115: '0503260420',
    127: '0',
  });
const more = (type: string, sequence: number, fields: Readonly<Record<number, string>>) =>
  recordOf(128, { 0: `${type}${digitsOf(sequence, 4)}0000`, ...fields });
const trailer = (records: number, debits: number, credits: number) =>
  recordOf(128, {
    0: '9',
    16: digitsOf(records, 6) + digitsOf(debits, 15) + digitsOf(credits, 15),
    127: '2',
  });

const records = [
  header,
  opening(100_000),
  movement({
    sequence: 1,
    mills: 3_452_720,
    message: 'PAYOUT OF 4 MARCH WITH A TEXT THAT GOES ON INTO THE N',
  }),
  more('22', 1, { 10: 'EXT RECORD', 63: 'E2E-20260304-03', 98: 'GEBABEBB' }),
  more('23', 1, { 10: 'NL91ABNA0417164300', 44: 'EUR', 47: 'EXAMPLE PAYMENTS' }),
  more('31', 1, { 10: 'BANKREF1', 39: '1001EXAMPLE PAYMENTS BV' }),
  movement({ sequence: 2, mills: -10_000, isStructured: true, message: '101090933755493' }),
  recordOf(128, { 0: '4 00010000', 32: 'GENERAL CONDITIONS HAVE CHANGED' }),
  closing(3_542_720),
  trailer(7, 10_000, 3_452_720),
];
const file = linesOf(...records);

describe('a CODA file', () => {
  test('has entries with their details, and balances that are checked', async () => {
    const result = await read(file);
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 -10.00', '2026-03-05 3452.72']);
    expect(checksIn(result)).toEqual(['checked']);
    expect(result.statements).toMatchObject([
      {
        ...{ account: iban, currency: 'EUR', number: '042', opening: 10_000n, closing: 354_272n },
        ...{ from: '2026-03-01', to: '2026-03-31', isWhole: true },
      },
    ]);
    const [paid, charged] = [...result.entries].sort((one, other) =>
      Number(other.amount - one.amount),
    );
    expect(paid).toMatchObject({ bankReference: 'BANKREF1', valueDate: '2026-03-06' });
    expect(paid?.details).toMatchObject({
      ...{ accounts: ['NL91ABNA0417164300'], names: ['EXAMPLE PAYMENTS'] },
      references: ['E2E-20260304-03'],
      texts: [
        'PAYOUT OF 4 MARCH WITH A TEXT THAT GOES ON INTO THE N\nEXT RECORD',
        'EXAMPLE PAYMENTS BV',
      ],
    });
    expect(charged?.details.references).toEqual(['090933755493']);
  });

  test('is the same in pieces of any size, and may follow another', async () => {
    const result = await read(file);
    for (const blockBytes of [1, 127, 129])
      expect(await read(file, { blockBytes })).toEqual(result);
    const next = file.replaceAll('042BE', '043BE').replace('280226', '310326');
    const both = await read(file + next);
    expect(both.statements.map(({ number }) => number)).toEqual(['042', '043']);
  });

  test('never counts the details of an entry as money', async () => {
    const result = await read(
      linesOf(
        header,
        opening(0),
        movement({ sequence: 1, mills: 5_000, type: '1' }),
        movement({ sequence: 1, detail: 1, mills: 3_000, type: '5', message: 'FIRST' }),
        movement({ sequence: 1, detail: 2, mills: 2_000, type: '5', message: 'SECOND' }),
        movement({ sequence: 2, mills: 940, type: '3' }),
        movement({ sequence: 2, detail: 1, mills: 1_000, type: '8', message: 'GROSS' }),
        movement({ sequence: 2, detail: 2, mills: -60, type: '8', message: 'CHARGES' }),
        closing(5_940),
        trailer(8, 0, 5_940),
      ),
    );
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 0.94', '2026-03-05 5.00']);
    const batch = result.entries.find(({ amount }) => amount === 500n);
    expect(batch?.parts.map(({ amount, texts }) => [amount, texts])).toEqual([
      [300n, ['FIRST']],
      [200n, ['SECOND']],
    ]);
    const net = result.entries.find(({ amount }) => amount === 94n);
    expect(net?.details.texts).toEqual(['GROSS', 'CHARGES']);
  });

  test.each([
    ['the number of records', trailer(8, 10_000, 3_452_720), 'number of records 000008'],
    ['the debits', trailer(7, 10_001, 3_452_720), 'debits 000000000010001'],
    ['the credits', trailer(7, 10_000, 3_452_721), 'credits 000000003452721'],
  ])('is unreadable if %s of the last record differ', async (_, last, finding) => {
    const result = await read(linesOf(...records.slice(0, -1), last));
    expect(findingsIn(result)).toEqual([`line 10: ${finding}`]);
    expect(result.statements).toMatchObject([{ isWhole: false }]);
  });

  test('has a balance break if an entry is missing, and says what is cut off', async () => {
    const broken = [...records.slice(0, 8), closing(3_542_730), records[9] ?? ''];
    expect(findingsIn(await read(linesOf(...broken)))).toEqual(['line 2: balance_break 0.01']);
    const { findings, statements } = await read(linesOf(...records.slice(0, 7)));
    expect(findings).toMatchObject([{ expected: 'a record 9 at the end' }]);
    expect(statements).toMatchObject([{ isWhole: false }]);
  });

  test('of another version or of another account at its end is refused by line', async () => {
    const old = linesOf(`${header.slice(0, 127)}1`, ...records.slice(1));
    const refused = await read(old);
    expect(refused.findings).toMatchObject([{ expected: 'version 2 of CODA' }]);
    expect(refused.entries).toEqual([]);
    const other = closing(3_542_720, { 4: 'BE71096123456769' });
    const mixed = await read(linesOf(...records.slice(0, 8), other, records[9] ?? ''));
    expect(mixed.findings).toMatchObject([{ place: { line: 9 }, element: 'record 8' }]);
  });

  test('of a national account has its number', async () => {
    const own = recordOf(128, { 0: '10042539007547034 EUR0BE', 42: `${amount(0)}280226` });
    const last = recordOf(128, { 0: '8042539007547034 EUR0BE', 41: `${amount(0)}310326` });
    const result = await read(linesOf(header, own, last, trailer(2, 0, 0)));
    expect(result.findings).toEqual([]);
    expect(result.statements).toMatchObject([{ account: '539007547034', currency: 'EUR' }]);
  });
});
