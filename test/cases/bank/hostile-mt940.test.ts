import { describe, expect, test } from 'vitest';
import {
  bankOf,
  bankOfFolder,
  entriesOf,
  type Files,
  folderOf,
  moneyFrom,
  runBank,
} from '../../bank/bank-report.ts';
import { Random } from '../../support/random.ts';
import { booked, swift } from './mt940-message.ts';

const control = booked(4, 'C1,00');
const onlyControl = ['2026-03-04 1.00 EUR'];

/** A file with one good entry of 1.00, and one in question, which should be so many cents, in its sixth line. */
const besideControl = (questioned: string, cents: number) =>
  swift({ lines: [control, questioned], sum: 100 + cents });

const sum = (money: readonly string[]) =>
  money.reduce((total, one) => total + Math.round(Number(one.split(' ')[1]) * 100), 0);

describe('the day of an entry', () => {
  const unreadable = {
    '30 February twice': '2602300230',
    '29 February in a common year': '2602290229',
    '31 April': '2604310431',
    'month 13': '2613011301',
    'day 0': '2603000300',
    'day 32': '2603320332',
    '30 February as booking day alone': '2603020230',
    'month 0 as booking day': '2603020005',
    'month 13 as booking day': '2603021305',
  };
  test.each(Object.entries(unreadable))('is unreadable: %s', async (_, days) => {
    const run = await bankOf({ 'a.sta': besideControl(`:61:${days}C77,00NTRFNONREF`, 77_00) });
    expect(run.money).toEqual(onlyControl);
    expect(run.exitCode).toBe(4);
    expect(run.codes).toContain('unreadable');
    const finding = run.report.statementFindings.find(({ code }) => code === 'unreadable');
    expect(finding?.file).toContain('a.sta');
    expect(finding?.line).toBe(6);
    expect(finding?.element).toContain('61');
  });

  test.each(['260230', '260229', '260431', '260631'])(
    'is the booking day if the value date does not exist, and that is named: %s',
    async (value) => {
      const run = await bankOf({
        'a.sta': besideControl(`:61:${value}0302C77,00NTRFNONREF`, 77_00),
      });
      expect(run.money).toEqual(['2026-03-02 77.00 EUR', ...onlyControl]);
      expect(run.codes).toEqual(['odd_value_date']);
      expect(run.exitCode).toBe(0);
      const [finding] = run.report.statementFindings;
      expect(finding).toMatchObject({ line: 6 });
      const listed = entriesOf(run.report).find(({ amount }) => amount.amount === '77.00');
      const digits = (listed?.valueDate ?? '').replaceAll(/\D/g, '');
      expect(['', value, `20${value}`]).toContain(digits);
      expect(finding?.message.replaceAll('-', '')).toContain(value.slice(2));
    },
  );

  test.each(['260230', '260431', '261301', '260300'])(
    'is not taken from an impossible value date that stands alone: %s',
    async (value) => {
      const run = await bankOf({ 'a.sta': besideControl(`:61:${value}C77,00NTRFNONREF`, 77_00) });
      expect(run.money).toEqual(onlyControl);
      expect(run.exitCode).toBe(4);
      expect(run.codes.length).toBeGreaterThan(0);
    },
  );

  test('is of the year that is nearest to its value date', async () => {
    const lines = [
      ':61:2512310102C1,00NTRFNONREF',
      ':61:2601021231C2,00NTRFNONREF',
      ':61:2402290229C3,00NTRFNONREF',
      ':61:240301C4,00NTRFNONREF',
      ':61:2803010229C5,00NTRFNONREF',
    ];
    const args = ['--from', '2024-01-01', '--to', '2028-12-31'];
    const run = await bankOf({ 'a.sta': swift({ lines }) }, { args });
    expect(run.money).toEqual([
      '2024-02-29 3.00 EUR',
      '2024-03-01 4.00 EUR',
      '2025-12-31 2.00 EUR',
      '2026-01-02 1.00 EUR',
      '2028-02-29 5.00 EUR',
    ]);
    expect(run.codes).toEqual([]);
  });
});

describe('an amount in field 61', () => {
  const fine = {
    'C9880,': '9880.00',
    'C0,5': '0.50',
    'C000000009880,': '9880.00',
    'C9880,05': '9880.05',
    'D9880,05': '-9880.05',
    'RC9880,05': '-9880.05',
    'RD9880,05': '9880.05',
    'CR9880,05': '9880.05',
    'DR9880,05': '-9880.05',
    'RCR9880,05': '-9880.05',
    'RDR9880,05': '9880.05',
  };
  test.each(Object.entries(fine))('is read: %s', async (written, amount) => {
    const text = besideControl(
      `:61:2603050305${written}NTRFNONREF//X1`,
      Math.round(Number(amount) * 100),
    );
    const run = await bankOf({ 'a.sta': text });
    expect(run.money).toEqual([...onlyControl, `2026-03-05 ${amount} EUR`]);
    expect(run.codes).toEqual([]);
    expect(run.exitCode).toBe(0);
  });

  test.each(['NTRF', 'NMSC', 'N654', 'FCHG', 'S103', 'N051'])(
    'is followed by the type %s',
    async (type) => {
      const text = swift({ lines: [`:61:2603050305C9880,05${type}NONREF//X1`] });
      const run = await bankOf({ 'a.sta': text });
      expect(run.money).toEqual(['2026-03-05 9880.05 EUR']);
      expect(run.exitCode).toBe(0);
    },
  );

  test('has the third letter of its currency as funds code', async () => {
    const lines = ['CD9,50', 'DD1,00', 'RCD2,00', 'RDD3,00'].map((money) => booked(5, money));
    const run = await bankOf({ 'a.sta': swift({ opening: 'C260302USD0,', lines }) });
    expect(run.money.map((one) => one.split(' ')[1]).sort()).toEqual([
      '-1.00',
      '-2.00',
      '3.00',
      '9.50',
    ]);
    expect(run.exitCode).toBe(0);
  });

  const refused = {
    'without its comma': 'C9880',
    'without its comma, with a funds code': 'CR9880',
    'without its comma, out': 'D9880',
    'without its comma, reversed': 'RC9880',
    'with a point': 'C9880.05',
    'with points between thousands': 'C9.880,05',
    'with blanks between thousands': 'C9 880,05',
    'with two commas': 'C98,80,05',
    'with a comma at both ends': 'C9880,05,',
    'with a minus': 'C-9880,05',
    'with a plus': 'C+9880,05',
    'with a letter in it': 'C98x80,05',
    'with a letter in its decimals': 'C9880,0x5',
    'with a letter for a digit': 'C988O,05',
    'with an l for a one': 'C9880,l5',
    'with a blank in its decimals': 'C9880,0 5',
    'with its currency': 'CEUR9880,05',
    'without digits': 'C,',
    'that is not there': 'C',
    'without a direction': '9880,05',
    'with an unknown direction': 'X9880,05',
    'with two directions': 'CD9880,05',
    'in wide digits': 'C９８８０,05',
  };
  test.each(Object.entries(refused))('%s is read or named', async (_, money) => {
    const run = await bankOf({
      'a.sta': besideControl(`:61:2603050305${money}NTRFNONREF//X1\n:86:text`, 9880_05),
    });
    const mayBe: readonly string[] = [...onlyControl, '2026-03-05 9880.05 EUR'];
    if (run.exitCode === 0) {
      // Read in full, as with a decimal point: no other money than what stands there.
      expect(['C9880.05', 'CD9880,05', 'C+9880,05']).toContain(money);
      expect(run.money).toEqual(mayBe);
    } else {
      expect(run.exitCode).toBe(4);
      expect(run.money).toEqual(onlyControl);
      const finding = run.report.statementFindings.find(({ code }) => code === 'unreadable');
      expect(finding).toMatchObject({ line: 6 });
      expect(finding?.element).toContain('61');
    }
  });

  const missingComma = ['C9880', 'CR9880', 'D9880', 'RC9880', 'C1x0,00', 'C10a00', 'C9880,5O'];
  test.each(missingComma)('is unreadable, and no part of it is booked: %s', async (money) => {
    const run = await bankOf({
      'a.sta': besideControl(`:61:2603050305${money}NTRFNONREF//X1`, 9880_00),
    });
    expect(run.money).toEqual(onlyControl);
    expect(run.exitCode).toBe(4);
  });

  const broken = {
    'before its comma': 'C98\n80,05NTRFNONREF//X1',
    'behind its comma': 'C9880,\n05NTRFNONREF//X1',
    'in its decimals': 'C9880,0\n5NTRFNONREF//X1',
    'behind its last digit': 'C9880,05\nNTRFNONREF//X1',
    'behind its first digit': 'C9\n880,05NTRFNONREF//X1',
    'before an own line of digits': 'C98\n80,05',
    'with carriage returns': 'C98\r\n80,05NTRFNONREF//X1',
    'into three lines': 'C9\n88\n0,05NTRFNONREF//X1',
    'in the middle, with blanks': 'C98  \n  80,05NTRFNONREF//X1',
  };
  test.each(Object.entries(broken))(
    'is read in full or unreadable if it breaks %s',
    async (_, money) => {
      const run = await bankOf({
        'a.sta': besideControl(`:61:2603050305${money}\n:86:text`, 9880_05),
      });
      if (run.exitCode === 0) {
        expect(run.money).toEqual([...onlyControl, '2026-03-05 9880.05 EUR']);
      } else {
        expect(run.exitCode).toBe(4);
        expect(run.money).toEqual(onlyControl);
        expect(run.codes).toContain('unreadable');
      }
    },
  );

  test('is not searched in the lines below it', async () => {
    const lines = [
      `${booked(5, 'C5,00')}//X1\nC9880,05 supplementary`,
      ':86:166?00GUTSCHRIFT?20EREF+E-1?21SVWZ+:61 2603050305C9880,05',
      'C9880,05',
      booked(6, 'D6,00', '/EREF/E-2//REMI/USTD//2603050305C9880,05NTRF/'),
      booked(6, 'C7,00', 'free text\nNTRF :61 and :62F of nothing\nC9880,05'),
    ];
    const run = await bankOf({ 'a.sta': swift({ lines, closing: 'C260306EUR6,00' }) });
    expect(run.money).toEqual([
      '2026-03-05 5.00 EUR',
      '2026-03-06 -6.00 EUR',
      '2026-03-06 7.00 EUR',
    ]);
    expect(run.codes).toEqual([]);
  });
});

describe('a statement that is skipped', () => {
  /** Statements of 100.00 each, one a day; each begins where it is said to. */
  const chain = (given: readonly (readonly [number: string, day: number, opening: number])[]) =>
    given.map(([number, day, opening]) =>
      swift({
        number,
        opening: `C26030${day}EUR${opening},00`,
        lines: [booked(day, 'C100,00', `of day ${day}`)],
        closing: `C26030${day}EUR${opening + 100},00`,
      }),
    );
  const skipped = {
    'with its number and 120.00': [
      ['1/1', 2, 500],
      ['3/1', 4, 720],
    ],
    'with two numbers': [
      ['1/1', 2, 500],
      ['4/1', 5, 720],
    ],
    'from a list without pages': [
      ['1', 2, 500],
      ['3', 4, 720],
    ],
    'from a list with leading zeros': [
      ['00001/001', 2, 500],
      ['00003/001', 4, 720],
    ],
    'from the middle': [
      ['1/1', 2, 400],
      ['2/1', 3, 500],
      ['4/1', 5, 720],
      ['5/1', 6, 820],
    ],
    'over a weekend': [
      ['1/1', 2, 400],
      ['2/1', 5, 500],
      ['4/1', 9, 720],
    ],
    'with money that went out': [
      ['7/1', 3, 500],
      ['9/1', 5, 480],
    ],
  } as const;
  const differences: Readonly<Record<string, string>> = { 'with money that went out': '-120.00' };

  test.each(Object.entries(skipped))('%s is a gap', async (name, given) => {
    const statements = chain(given);
    const run = await bankOf({ 'a.sta': statements.join('') });
    expect(run.codes).toEqual(['statement_gap']);
    expect(run.report.statementFindings[0]?.difference?.amount).toBe(differences[name] ?? '120.00');
    expect(run.exitCode).toBe(1);
    const apart = await bankOf(
      Object.fromEntries(statements.toReversed().map((text, index) => [`${index}.sta`, text])),
    );
    expect(apart.codes).toEqual(['statement_gap']);
    expect(apart.exitCode).toBe(1);
  });

  test('that was not skipped, but does not continue where the last one ended, is a gap as before', async () => {
    const texts = chain([
      ['1/1', 2, 500],
      ['2/1', 3, 720],
    ]);
    const run = await bankOf({ 'a.sta': texts.join('') });
    expect(run.codes).toEqual(['statement_gap']);
    expect(run.exitCode).toBe(1);
  });

  const whole = {
    'numbers are left out, but balances go on': [
      ['1/1', 2, 500],
      ['3/1', 4, 600],
      ['9/1', 6, 700],
    ],
    'numbers begin again in a new year': [
      ['252/1', 2, 500],
      ['1/1', 3, 600],
      ['2/1', 4, 700],
    ],
    'each has the same number': [
      ['0/1', 2, 500],
      ['0/1', 3, 600],
      ['0/1', 4, 700],
    ],
    'numbers are days of the year': [
      ['61/1', 2, 500],
      ['65/1', 6, 600],
      ['68/1', 9, 700],
    ],
  } as const;
  test.each(Object.entries(whole))('is not a gap if %s', async (_, given) => {
    const run = await bankOf({ 'a.sta': chain(given).join('') });
    expect(run.codes).toEqual([]);
    expect(run.exitCode).toBe(0);
    expect(sum(run.money)).toBe(given.length * 100_00);
  });

  test('is not a gap between two accounts, and between two currencies of one', async () => {
    const other = (account: string, currency: string, number: string, day: number) =>
      swift({
        account,
        number,
        opening: `C26030${day}${currency}10,00`,
        lines: [booked(day, 'C1,00')],
        closing: `C26030${day}${currency}11,00`,
      });
    const run = await bankOf({
      'a.sta': other('37040044/1', 'EUR', '1/1', 2) + other('37040044/2', 'EUR', '3/1', 4),
      'b.sta': other('37040044/3', 'EUR', '1/1', 2) + other('37040044/3', 'USD', '3/1', 4),
    });
    expect(run.codes).toEqual([]);
    expect(run.exitCode).toBe(0);
  });

  test('is not a gap if a statement is there twice', async () => {
    const [first = '', second = ''] = chain([
      ['1/1', 2, 500],
      ['3/1', 4, 600],
    ]);
    const run = await bankOf({ 'a.sta': first, 'b.sta': second, 'c.sta': first + second });
    expect(run.codes).toEqual([]);
    expect(sum(run.money)).toBe(200_00);
  });
});

describe('equal entries', () => {
  const same = booked(5, 'D20000,00', '020?00UEBERWEISUNG?20SVWZ+Instalment?32Miller');
  const sameId = `${booked(5, 'D20000,00', '/EREF/E-1/REMI/USTD//Instalment/')}`.replace(
    'NONREF',
    'NONREF//BANK-77',
  );
  const pageOf = (number: string, from: number, lines: readonly string[], part: Partial<Part>) =>
    swift({
      number,
      opening: `C260305EUR${from},00`,
      closing: `C260305EUR${from - 20_000 * lines.length},00`,
      lines,
      ...part,
    });
  interface Part {
    readonly isFirst: boolean;
    readonly isLast: boolean;
    readonly reference: string;
  }
  const first = { isLast: false };
  const last = { isFirst: false };
  const middle = { isFirst: false, isLast: false };
  const pages: Readonly<Record<string, readonly string[]>> = {
    'on the next page': [pageOf('5/1', 90_000, [same], first), pageOf('5/2', 70_000, [same], last)],
    'on the next page, with the same bank reference': [
      pageOf('5/1', 90_000, [sameId], first),
      pageOf('5/2', 70_000, [sameId], last),
    ],
    'on a page after the next': [
      pageOf('5/1', 90_000, [same], first),
      pageOf('5/2', 70_000, [], middle),
      pageOf('5/3', 70_000, [same], last),
    ],
    'on pages whose balances are all called final': [
      pageOf('5/1', 90_000, [same], {}),
      pageOf('5/2', 70_000, [same], {}),
    ],
    'on pages with the same number': [
      pageOf('5', 90_000, [same], first),
      pageOf('5', 70_000, [same], last),
    ],
    'on pages without a number': [
      pageOf('', 90_000, [same], first),
      pageOf('', 70_000, [same], last),
    ],
    'on pages with references of their own': [
      pageOf('5/1', 90_000, [same], { ...first, reference: 'PAGE1' }),
      pageOf('5/2', 70_000, [same], { ...last, reference: 'PAGE2' }),
    ],
    'on one page': [pageOf('5/1', 90_000, [same, same], {})],
    'on one page, with the same bank reference': [pageOf('5/1', 90_000, [sameId, sameId], {})],
    'in the next statement of the day': [
      pageOf('5/1', 90_000, [same], {}),
      pageOf('6/1', 70_000, [same], {}),
    ],
  };

  test.each(Object.entries(pages))('are two entries %s', async (_, texts) => {
    const twice = ['2026-03-05 -20000.00 EUR', '2026-03-05 -20000.00 EUR'];
    const whole = texts.join('');
    const together = await bankOf({ 'a.sta': whole });
    expect(together.money).toEqual(twice);
    expect(together.codes).toEqual([]);
    const named = texts.map((text, index) => [`${index}.sta`, text] as const);
    const apart = await bankOf(Object.fromEntries(named));
    const backwards = await bankOf(Object.fromEntries(named.toReversed()));
    expect(apart.money).toEqual(twice);
    expect(backwards.money).toEqual(twice);
    const copied = await bankOf({ 'a.sta': whole, 'b.sta': whole });
    expect(copied.money).toEqual(twice);
    expect(copied.codes).toEqual([]);
  });

  test('are four if two pages have two each', async () => {
    const text =
      pageOf('5/1', 90_000, [same, same], first) + pageOf('5/2', 50_000, [same, same], last);
    const run = await bankOf({ 'a.sta': text, 'copy.sta': text });
    expect(sum(run.money)).toBe(-80_000_00);
    expect(run.codes).toEqual([]);
  });

  test('count once if the same page is there again, alone or with the others', async () => {
    const [one = '', two = ''] = pages['on the next page'] ?? [];
    const cases: readonly Files[] = [
      { 'a.sta': one, 'b.sta': one + two },
      { 'a.sta': one + two, 'b.sta': two },
      { 'a.sta': one + two + one + two },
      { 'a.sta': one + two, 'b.sta': (one + two).replaceAll('\n', '\r\n') },
    ];
    for (const files of cases) {
      const run = await bankOf(files);
      expect(sum(run.money)).toBe(-40_000_00);
      expect(run.codes).toEqual([]);
    }
  });

  test('count once if a statement of the month has the entries of the days', async () => {
    const daily = [2, 3, 4].map((day) =>
      swift({
        number: `${day}/1`,
        opening: `C26030${day}EUR${100 * day},00`,
        lines: [booked(day, 'C100,00', `day ${day}`)],
        closing: `C26030${day}EUR${100 * day + 100},00`,
      }),
    );
    const monthly = swift({
      number: '1/1',
      reference: 'MONTH',
      opening: 'C260302EUR200,00',
      lines: [2, 3, 4].map((day) => booked(day, 'C100,00', `day ${day}`)),
      closing: 'C260304EUR500,00',
    });
    const run = await bankOf({ 'daily.sta': daily.join(''), 'monthly.sta': monthly });
    expect(sum(run.money)).toBe(300_00);
  });
});

describe('a statement as real banks write it', () => {
  const texts = [
    booked(
      3,
      'C10,00',
      '166?00GUTSCHRIFT?109310?20EREF+E2E-77?21KREF+NONREF\n?22SVWZ+Payout?3\n1DE77?32Payer',
    ),
    booked(
      4,
      'D4,50',
      '/EREF/E-78//CNTP/NL91ABNA0417164300/ABNANL2A/Payer///REMI/USTD//Invo\nice 12/',
    ),
    booked(5, 'RD0,50', 'free text with: colons :08 and\na second line'),
  ];
  const usual = swift({
    opening: 'C260302EUR100,00',
    closing: 'C260305EUR106,00',
    lines: texts,
  });
  const money = ['2026-03-03 10.00 EUR', '2026-03-04 -4.50 EUR', '2026-03-05 0.50 EUR'];
  const blocks = (text: string) =>
    `{1:F01AAAABB99BSMK3513951576}{2:O9400934081223BBBBAA33XXXX03592332770812230834N}{4:\r\n${text.replaceAll('\n', '\r\n').replace(/-\r\n$/, '-}')}`;
  const good: Readonly<Record<string, string | Uint8Array>> = {
    'plain.sta': usual,
    'crlf.sta': usual.replaceAll('\n', '\r\n'),
    'bom.sta': `\uFEFF${usual}`,
    'blocks.sta': blocks(usual),
    'no-dash.sta': usual.replace(/\n-\n$/, '\n'),
    'no-end.sta': usual.replace(/\n-\n$/, ''),
    'empty-lines.sta': `\r\n\r\n${usual.replaceAll('\n', '\r\n')}\r\n\r\n`,
    'windows.sta': Buffer.from(usual.replace('Payer', 'M\u00fcller'), 'latin1'),
    'available.sta': usual.replace(
      '\n-\n',
      '\n:64:C260305EUR90,00\n:65:C260306EUR80,00\n:86:end\n-\n',
    ),
    'more-tags.sta': usual
      .replace(':28C:', ':21:NONREF\n:28C:')
      .replace('\n-\n', '\n:90D:1EUR4,50\n:90C:2EUR10,50\n-\n'),
    'old-number.sta': usual.replace(':28C:1/1', ':28:1/1'),
    'iban.sta': usual.replace('37040044/532013000', 'DE89370400440532013000'),
    'iban-currency.sta': usual.replace('37040044/532013000', 'DE89370400440532013000EUR'),
  };
  test.each(Object.entries(good))(
    'is read to the cent, without findings: %s',
    async (name, text) => {
      const run = await bankOf({ [name]: text });
      expect(run.codes).toEqual([]);
      expect(run.money).toEqual(money);
      expect(run.exitCode).toBe(0);
    },
  );

  test('may be an interim report with pending entries and without balances', async () => {
    const text = [
      ':20:INTRADAY',
      ':25:37040044/532013000',
      ':28C:1/1',
      ':34F:EUR0,',
      ':13D:2603051200+0100',
      booked(5, 'C5,00'),
      ':61:2603050305EC7,00NTRFNONREF',
      ':61:2603050305ED8,00NTRFNONREF',
      ':90D:1EUR8,00',
      ':90C:2EUR12,00',
      '-',
      '',
    ].join('\n');
    const run = await bankOf({ 'a.942': text });
    expect(run.money).toEqual(['2026-03-05 5.00 EUR']);
    expect(run.exitCode).toBe(0);
    expect(run.codes).toEqual([]);
  });

  test('is read to the last of three pages', async () => {
    const text = [1, 2, 3]
      .map((page) =>
        swift({
          number: `12/${page}`,
          isFirst: page === 1,
          isLast: page === 3,
          opening: `C260305EUR${page * 10},00`,
          closing: `C260305EUR${page * 10 + 10},00`,
          lines: [booked(5, 'C6,00', `a${page}`), booked(5, 'C4,00', `b${page}`)],
        }),
      )
      .join('');
    const run = await bankOf({ 'a.sta': text });
    expect(sum(run.money)).toBe(30_00);
    expect(run.codes).toEqual([]);
  });
});

describe('a generated statement', () => {
  const strange = [
    '',
    ' ',
    '.',
    '-',
    '+',
    'O',
    'l',
    'x',
    'N',
    'C',
    '\n',
    '\r\n',
    '\u00a0',
    '/',
    ':',
  ];

  /** A statement whose balances fit; what is in it; and its text between balances. */
  function generate(random: Random, account: string) {
    const entries = Array.from({ length: random.int(1, 5) }, () => ({
      day: random.int(2, 6),
      cents: random.int(1, 9_999_999) * (random.chance(40) ? -1 : 1),
    }));
    const total = entries.reduce((all, { cents }) => all + cents, 0);
    const text = swift({
      account,
      opening: balance(0),
      lines: entries.map(({ day, cents }) => {
        const isReversal = random.chance(15);
        const isIn = cents > 0 !== isReversal;
        const mark = `${isReversal ? 'R' : ''}${isIn ? 'C' : 'D'}${random.chance(30) ? 'R' : ''}`;
        const details = random.pick([
          '',
          '166?00X?20EREF+A?21SVWZ+B',
          '/EREF/A//REMI/USTD//B/',
          'a\nb',
        ]);
        return booked(day, `${mark}${commas(Math.abs(cents))}`, details);
      }),
      closing: balance(total),
    });
    const money = entries.map(({ day, cents }) => `2026-03-0${day} ${points(cents)} EUR`).sort();
    return { text: random.chance(40) ? text.replaceAll('\n', '\r\n') : text, money };
  }
  const commas = (cents: number) =>
    `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
  const points = (cents: number) =>
    `${cents < 0 ? '-' : ''}${commas(Math.abs(cents)).replace(',', '.')}`;
  const balance = (cents: number) => `${cents < 0 ? 'D' : 'C'}260306EUR${commas(Math.abs(cents))}`;

  test('is read as written', async () => {
    const random = new Random(2);
    const made = Array.from({ length: 150 }, (_, index) => ({
      name: `whole-${index}-.sta`,
      ...generate(random, `AB${1000 + index}X`),
    }));
    const run = await bankOfFolder(Object.fromEntries(made.map(({ name, text }) => [name, text])));
    for (const { name, money } of made) expect(moneyFrom(run, name), name).toEqual(money);
    expect(run.codes).toEqual([]);
  });

  test('gives the same or is named after one character of a line is changed', async () => {
    const random = new Random(30);
    const made = Array.from({ length: 800 }, (_, index) => {
      const { text, money } = generate(random, `AB${1000 + index}X`);
      const fields = [...text.matchAll(/^(:61:)(\d{10}R?[CD]R?[\d,]+)N/gm)];
      const field = random.pick(fields);
      const start = field.index + 4;
      const at = random.int(start, start + (field[2] ?? '').length - 1);
      const changed = text.slice(0, at) + random.pick(strange) + text.slice(at + random.int(0, 1));
      // Another direction, amount or type that is as well formed as the first: nobody can tell.
      const line = changed.slice(start, changed.indexOf('NONREF', start));
      // Banks put blanks or a line end around the amount: it is whole all the same.
      const isFree = /^\d{6}(\d{4})?R?[CD][A-Z]?\s*\d+,\d*\s*[SNF][A-Z0-9]{3}/.test(line);
      return { name: `changed-${index}-.sta`, text: changed, money, isFree };
    });
    const run = await bankOfFolder(Object.fromEntries(made.map(({ name, text }) => [name, text])));
    const isUnreadable = (name: string) =>
      run.report.statementFindings.some(
        ({ code, file }) => code !== 'balance_break' && file.includes(name),
      );
    // That balances do not fit shows that something is wrong, but not on which line.
    const wrong = made.filter(({ name, money, isFree }) => {
      const isSame = JSON.stringify(moneyFrom(run, name)) === JSON.stringify(money);
      return !isFree && !isSame && !isUnreadable(name);
    });
    expect(wrong.map(({ name, text }) => `${name}: ${text}`)).toEqual([]);
  });
});

test('an unreadable amount is shown with its line in the table', async () => {
  const folder = await folderOf({
    'a.sta': besideControl(':61:2603050305C9880NTRFNONREF', 9880_00),
  });
  const { stdout, exitCode } = await runBank([folder], ['--format', 'table']);
  expect(exitCode).toBe(4);
  expect(stdout).toContain('a.sta:6');
});
