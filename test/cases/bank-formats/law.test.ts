import { describe, expect, test } from 'vitest';
import { brokenLaw, openDesk } from './judge.ts';
import { decimal, later, type Payout } from './truth.ts';

// A pay-out reported missing while the same report lists its entry, id visible, as unknown, is impossible:
// whatever stands around the id, in whatever field, of whatever amount.

const ids: readonly ((n: number) => string)[] = [
  (n) => `E2E-202603${String(n).padStart(2, '0')}-07`,
  (n) => `po2603${String(n).padStart(10, '0')}`,
  (n) => `7d1f${String(n).padStart(4, '0')}-55aa-4b3c-9d8e-00112233445566`.slice(0, 36),
  (n) => `STL/2026/03/${String(n).padStart(4, '0')}X`,
  (n) => `PAYOUT_2026_${String(n).padStart(4, '0')}`,
  (n) => `RF18${String(539007547034000 + n)}`,
  (n) => `Ref.2026.03.${String(n).padStart(4, '0')}`,
];

const around: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ...[':', '/', '+', '.', '(', '#', '=', "'", '*', '|', '&', '@', '>', '[', '- ', '_ '].map(
    (mark) => [`Ref${mark}`, ' paid'] as const,
  ),
  ...[
    ':',
    '/',
    '+',
    '.',
    ')',
    '#',
    '=',
    "'",
    '*',
    '|',
    '&',
    '@',
    '<',
    ']',
    ' -',
    ' _',
    ',',
    ';',
    '!',
    '?',
  ].map((mark) => ['Payout ', `${mark} thanks`] as const),
  ['Payout 2026-03-05 ', ' 2026-03-06'],
  ['12:21:33 ', ''],
  ['1234567890123456 ', ' 98765432109876'],
  ['/EREF/', '/REMI/Payout'],
  ['EREF: ', ' IBAN: DE77999999990000251034'],
  ['\u00a0', '\u00a0'],
  ['Zahlung\t', '\tDanke'],
  ['Überweisung ', ' für März'],
];

type Write = (payouts: readonly (Payout & { readonly text: string })[]) => {
  readonly bytes: Buffer;
  readonly name: string;
  readonly settings?: readonly string[];
};

const money = (payout: Payout, point: string) => decimal(payout.received ?? 0, 2, point);

const table: Write = (payouts) => ({
  name: 'export.csv',
  bytes: Buffer.from(
    [
      'Date;Text;Type;Amount',
      '2026-03-01;Rent;Rent;-1.00',
      ...payouts.map(
        (one) =>
          `2026-03-06;"${one.text.replaceAll('"', '""')}";CREDIT TRANSFER;${money(one, '.')}`,
      ),
      '2026-03-31;Rent;Rent;-1.00',
    ].join('\n'),
  ),
  settings: [
    '[profiles.main.bank_csv]',
    'delimiter = ";"',
    'date = "Date"',
    'texts = ["Text", "Type"]',
    'amount = "Amount"',
    'currency = "EUR"',
    'account = "DE79123456780000143027"',
  ],
});

const ofx: Write = (payouts) => {
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const entries = payouts.map(
    (one, at) =>
      `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260306<TRNAMT>${money(one, '.')}<FITID>${at}<NAME>Example Payments<MEMO>${escaped(one.text)}</STMTTRN>`,
  );
  return {
    name: 'stmt.ofx',
    bytes: Buffer.from(
      [
        ...['OFXHEADER:100', 'DATA:OFXSGML', 'VERSION:102', 'ENCODING:UTF-8', ''],
        '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR',
        '<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>',
        '<BANKTRANLIST><DTSTART>20260301<DTEND>20260331',
        ...entries,
        '</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>',
      ].join('\n'),
    ),
  };
};

const mt940: Write = (payouts) => {
  const sum = payouts.reduce((all, { received = 0 }) => all + received, 0);
  const entries = payouts.flatMap((one) => {
    // Subfields of 27 characters, in lines of 65.
    const plain = one.text
      .replaceAll(/[?\t\u00a0]/g, ' ')
      .replaceAll(/[Üü]/g, 'U')
      .replace('ä', 'a');
    const pieces = plain.match(/.{1,27}/g) ?? [];
    const text = `166?00GUTSCHRIFT${pieces.map((piece, at) => `?${20 + at}${piece}`).join('')}?32EXAMPLE PAYMENTS`;
    const [first = '', ...rest] = text.match(/.{1,65}/g) ?? [];
    return [`:61:2603060306C${money(one, ',')}NTRFNONREF`, `:86:${first}`, ...rest];
  });
  return {
    name: 'umsaetze.sta',
    bytes: Buffer.from(
      [
        ...[':20:STARTUMSE', ':25:DE79123456780000143027', ':28C:3/1', ':60F:C260228EUR0,00'],
        ...entries,
        `:62F:C260331EUR${decimal(sum, 2, ',')}`,
        '-',
        '',
      ].join('\r\n'),
    ),
  };
};

const writers = { CSV: table, OFX: ofx, MT940: mt940 } as const;

describe.each(Object.keys(writers) as readonly (keyof typeof writers)[])(
  'ids in a text of %s',
  (name) => {
    test.each(ids.map((idOf, index) => [idOf(0), index] as const))(
      'a pay-out whose id, such as %s, stands in an entry is not missing beside it',
      async (_, index) => {
        const idOf = ids[index] ?? String;
        const payouts = around.map(([before, after], n) => {
          const endToEndId = idOf(n);
          const amount = 20_000 + n * 137;
          return {
            ...{
              id: `${String(n).padStart(8, '0')}-aaaa-4bbb-8ccc-ddddeeeeffff`,
              day: later('2026-03-03', n % 3),
            },
            ...{ currency: 'EUR', decimals: 2, amount, endToEndId },
            // Every second one is short.
            received: n % 2 ? amount - 150 : amount,
            text: `${before}${endToEndId.slice(0, 35)}${after}`,
          };
        });
        const { runAll } = await openDesk({ month: '2026-03', accounts: [], payouts });
        const { bytes, settings, ...file } = writers[name](payouts);
        const { report, stderr } = await runAll([{ ...file, bytes }], settings);
        const found = payouts.map(({ id, text }) => {
          const match = report?.matches.find(({ settlements }) =>
            settlements.some((one) => one.id === id),
          );
          return `${text}: ${match?.state ?? stderr}`;
        });
        const right = payouts.map(
          ({ text, amount, received }) =>
            `${text}: ${amount === received ? 'matched' : 'difference'}`,
        );
        expect(found).toEqual(right);
        expect(report && brokenLaw(report)).toEqual([]);
      },
    );
  },
);

describe('a short id', () => {
  const judge = async (short: number) => {
    const payout = {
      ...{ id: '5851f760-04f7-5c6d-a667-c08371a2a756', day: '2026-03-04', currency: 'EUR' },
      ...{ decimals: 2, amount: 345_272, endToEndId: 'PMT-0', received: 345_272 - short },
    };
    const { runAll } = await openDesk({ month: '2026-03', accounts: [], payouts: [payout] });
    const { settings, ...file } = table([{ ...payout, text: 'Payout PMT-0' }]);
    const { report, stdout } = await runAll([file], settings);
    const match = report?.matches.find(({ settlements }) => settlements.length > 0);
    const isNamed = match?.entries.length === 1 || /too.short/i.test(stdout);
    expect([match?.state, isNamed]).toEqual([expect.not.stringMatching('matched'), true]);
  };

  test('an entry that shows it is named beside its pay-out', () => judge(0));

  test('an entry that shows it is named beside its pay-out, if something is missing', () =>
    judge(150));
});
