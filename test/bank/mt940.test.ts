import { describe, expect, test } from 'vitest';
import { checksIn, findingsIn, moneyIn, read } from './reading.ts';

/** A statement that begins with 100.00 and ends with `closing`. */
const statement = (closing: string, ...lines: readonly string[]) =>
  [
    ':20:START',
    ':25:NL91ABNA0417164300EUR',
    ':28C:00012/001',
    ':60F:C260304EUR100,',
    ...lines,
    `:62F:C260305EUR${closing}`,
    ':86:of the statement',
    '-',
    '',
  ].join('\r\n');

const entries = async (...lines: readonly string[]) =>
  (await read(statement('1,', ...lines))).entries;
const details = async (...lines: readonly string[]) =>
  (await entries(':61:260305C1,NTRFNONREF', ...lines))[0]?.details;

describe('an MT940 file', () => {
  const day = statement(
    '145,5',
    ':61:2603050305CR50,50NTRFREF-1//BANK-1',
    ':86:Pay-out one',
    ':61:2603050305D5,NMSCNONREF',
  );

  test('has statements with their balances', async () => {
    const { statements, findings, entries } = await read(day);
    expect(findings).toEqual([]);
    expect(statements).toMatchObject([
      {
        ...{ account: 'NL91ABNA0417164300', currency: 'EUR', number: '00012/001' },
        ...{ from: '2026-03-05', to: '2026-03-05', isWhole: true },
        ...{ opening: 10_000n, closing: 14_550n, sum: 4_550n, entries: 2 },
      },
    ]);
    expect(entries.map(({ amount }) => amount).sort()).toEqual([-500n, 5050n].sort());
    expect(entries.find(({ amount }) => amount > 0n)).toMatchObject({
      ...{ bankReference: 'BANK-1', date: '2026-03-05', place: { line: 5 } },
      details: { references: ['REF-1'], texts: ['Pay-out one'] },
    });
  });

  test.each([
    ['line feeds', day.replaceAll('\r\n', '\n')],
    [
      'blocks of SWIFT',
      `{1:F01ABNANL2AXXXX}{2:O9400000N}{4:\r\n${day.slice(0, -3)}-}{5:{CHK:1}}\r\n`,
    ],
    ['a header on the first line', `{1:F01}{2:O940}{3:{108:x}}{4:${day}`],
    ['a mark', `\ufeff${day}`],
    ['no last line end', day.slice(0, -5)],
  ])('is read with %s', async (_, content) => {
    const result = await read(content);
    expect(moneyIn(result)).toEqual(['2026-03-05 -5.00', '2026-03-05 50.50']);
    expect(result.findings).toEqual([]);
    for (const blockBytes of [1, 2, 5]) expect(await read(content, { blockBytes })).toEqual(result);
  });

  test('in windows-1252 has its own characters', async () => {
    const bytes = Buffer.from(
      statement('1,', ':61:260305C1,NTRFNONREF', ':86:M\xfcnchen \x80'),
      'latin1',
    );
    expect((await read(bytes)).entries[0]?.details.texts).toEqual(['München €']);
  });

  test('has findings for what cannot be read, and the rest is read', async () => {
    const result = await read(
      statement('101,', ':61:2603050305C1.00NTRF', ':61:2603050305C1,00NTRF', ':61:261305C1,NTRF'),
    );
    expect(moneyIn(result)).toEqual(['2026-03-05 1.00']);
    expect(findingsIn(result)).toEqual([
      'line 5: :61: 2603050305C1.00NTRF',
      'line 7: :61: 261305C1,NTRF',
    ]);
  });

  test('that ends early has a finding', async () => {
    const result = await read(day.slice(0, day.indexOf(':62F:')));
    expect(moneyIn(result)).toHaveLength(2);
    expect(findingsIn(result)).toEqual(['line 1: :62F:']);
    expect(result.statements[0]?.isWhole).toBe(false);
  });

  test('has a finding for a balance without its comma, or of a day that does not exist', async () => {
    const without = await read(day.replace('EUR100,', 'EUR100'));
    expect(findingsIn(without)).toEqual(['line 4: :60F: C260304EUR100']);
    const odd = await read(day.replace('C260305EUR', 'C260230EUR'));
    expect(findingsIn(odd)).toEqual(['line 8: :62F: C260230EUR145,5']);
    expect([...checksIn(without), ...checksIn(odd)]).toEqual(['partly_read', 'partly_read']);
  });

  test.each([
    ['a closing balance', ':62F:C260305EUR', ':62F:C260305USD'],
    ['an opening balance', ':60F:C260304EUR', ':60F:C260304USD'],
    ['an entry', ':61:2603050305CR', ':61:2603050305CD'],
  ])('is not checked with %s in another currency', async (_, written, other) => {
    const result = await read(day.replace(written, other));
    expect(checksIn(result)).toEqual(['other_currency']);
    expect(findingsIn(result)).toEqual([]);
    expect(checksIn(await read(day))).toEqual(['checked']);
  });

  test('of a day that is not over has pending entries', async () => {
    const result = await read(
      [
        ':20:X\n:25:NL91ABNA0417164300\n:28C:1\n:34F:EUR0,\n:13D:2603051200+0100',
        ':61:260305C1,NTRFNONREF\n:61:260305EC2,NTRFNONREF\n:61:260305ED3,NTRFNONREF\n-',
      ].join('\n'),
    );
    expect(moneyIn(result)).toEqual([
      '2026-03-05 -3.00 pending',
      '2026-03-05 1.00',
      '2026-03-05 2.00 pending',
    ]);
    expect(result.statements).toMatchObject([{ from: '2026-03-05', isWhole: true }]);
  });
});

describe('an entry line', () => {
  test.each([
    ['2603050305C500,NTRF', '2026-03-05 500.00'],
    ['260305    CD5,NTRF', '2026-03-05 5.00'],
    ['260305C0,5NTRF', '2026-03-05 0.50'],
    ['260305CR12,34NTRF', '2026-03-05 12.34'],
    ['260305DR12,34NTRF', '2026-03-05 -12.34'],
    ['260305RC12,34NTRF', '2026-03-05 -12.34'],
    ['260305RD12,34NTRF', '2026-03-05 12.34'],
    ['260305RDR12,34NTRF', '2026-03-05 12.34'],
    ['260305C  12,34NTRF', '2026-03-05 12.34'],
    ['260305C\r\n12,34NTRF', '2026-03-05 12.34'],
    ['260305C12,345NTRF', '2026-03-05 12.345'],
    // The booking day is in the year in which it is nearest to the value date.
    ['2512310102C1,NTRF', '2026-01-02 1.00'],
    ['2601021231C1,NTRF', '2025-12-31 1.00'],
    ['991231C1,NTRF', '1999-12-31 1.00'],
  ])('%j is %s', async (line, money) => {
    expect(moneyIn(await read(statement('1,', `:61:${line}`)))).toEqual([money]);
  });

  test.each([
    ['without its decimal comma', '2603050305C9880NTRFX'],
    ['that goes on in the next line', '2603050305C1234,\r\n56NTRFX'],
    ['whose decimals go on in the next line', '2603050305C1234,5\r\n6NTRFX'],
    ['that goes on behind a blank', '2603050305C1234,5 6NTRFX'],
    ['that breaks before its comma', '2603050305C1234\r\n,56NTRFX'],
  ])('with an amount %s is unreadable', async (_, line) => {
    const result = await read(statement('100,', `:61:${line}`));
    expect(result.entries).toEqual([]);
    expect(findingsIn(result)).toEqual([`line 5: :61: ${line.replace('\r\n', ' ')}`]);
    expect(result.findings[0]?.expected).toContain('1234,56');
    expect(checksIn(result)).toEqual(['partly_read']);
  });

  test('keeps a value date of a month of 30 days, and a finding names it', async () => {
    const lines = ['2602300302C1,NTRFA', '2602300227C2,NTRFB'].map((line) => `:61:${line}`);
    const result = await read(statement('103,', ...lines));
    expect(moneyIn(result)).toEqual(['2026-02-27 2.00', '2026-03-02 1.00']);
    expect(result.entries.map(({ valueDate }) => valueDate)).toEqual(['2026-02-30', '2026-02-30']);
    expect(findingsIn(result)).toEqual([
      'line 5: odd_value_date 2026-02-30',
      'line 6: odd_value_date 2026-02-30',
    ]);
    expect(result.statements).toMatchObject([{ isWhole: true, notChecked: undefined }]);
  });

  test.each([
    ['booking day', '2602300230C1,NTRF'],
    ['booking day, where the year before has it', '2703010229C1,NTRF'],
    ['only date', '260230C1,NTRF'],
    ['value date of no month', '2602320302C1,NTRF'],
  ])('with an impossible %s is unreadable', async (_, line) => {
    const result = await read(statement('100,', `:61:${line}`));
    expect(findingsIn(result)).toEqual([`line 5: :61: ${line}`]);
  });

  test('is a reversal if its mark or its type says so', async () => {
    expect(await entries(':61:260305RC1,NTRFX')).toMatchObject([{ isReversal: true }]);
    const text = ':86:159?00RETOURE?20EREF+A?34914';
    expect(await entries(':61:260305D1,NTRFX', text)).toMatchObject([
      { returnReason: 'RETOURE 914' },
    ]);
    expect(await entries(':61:260305D1,NRTIX')).toMatchObject([{ returnReason: 'NRTI' }]);
  });

  test('may have its reference cut, and the next line has the rest', async () => {
    const [entry] = await entries(':61:260305C1,NTRF3f0c7a526d1e4b8a//B-1', '9c351e7d20a4b601');
    expect(entry).toMatchObject({ bankReference: 'B-1' });
    expect(entry?.details.references).toEqual([
      '3f0c7a526d1e4b8a',
      '3f0c7a526d1e4b8a9c351e7d20a4b601',
    ]);
  });
});

describe('the text of an entry', () => {
  test('has numbered subfields, cut anywhere, with identifiers that continue', async () => {
    const text = [
      ':86:166?00GUTSCHRIFT?109249?20EREF+3f0c7a52-6d1e-4b8a-9c3?215-1e7d20a4b601?22KREF+PMT-7?2',
      '3SVWZ+Pay-out of?24 March?30BANKDEFF?31DE89370400440532013000?32Pay Ltd?33of London',
    ];
    expect(await details(...text)).toEqual({
      endToEndIds: ['3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601'],
      paymentInformationIds: [],
      references: ['PMT-7'],
      texts: ['EREF+3f0c7a52-6d1e-4b8a-9c3\n5-1e7d20a4b601\nKREF+PMT-7\nSVWZ+Pay-out of\n March'],
      names: ['Pay Ltd of London'],
      accounts: ['DE89370400440532013000'],
    });
  });

  test('has the character after the code as its separator', async () => {
    expect((await details(':86:166<00GUT<20EREF+A?1<32Pay'))?.endToEndIds).toEqual(['A?1']);
  });

  test('has names between slashes, cut by line ends', async () => {
    const text = [
      ':86:/TRTP/SEPA OVERBOEKING/IBAN/GB29NWBK60161331926819/BIC/NWBKGB2L/NAME/PAY L',
      'TD/REMI/USTD//Pay-out 7/EREF/NOTPROVIDED/RTRN/AC04',
    ];
    expect(await details(...text)).toMatchObject({
      ...{ endToEndIds: [], texts: ['Pay-out 7'], names: ['PAY LTD'] },
      accounts: ['GB29NWBK60161331926819'],
    });
  });

  test('may be free text, with a colon at the beginning of a line', async () => {
    expect((await details(':86:Arrived at', ':08 o clock', '-ish'))?.texts).toEqual([
      'Arrived at\n:08 o clock\n-ish',
    ]);
  });
});

describe('what may follow an entry', () => {
  /** The texts of the only entry, and what its labels say. */
  const only = async (...lines: readonly string[]) => {
    const { entries, findings, statements } = await read(statement('101,', ...lines));
    expect(findings).toEqual([]);
    expect(statements).toHaveLength(1);
    expect(entries).toHaveLength(1);
    return entries[0]?.details;
  };
  const entry = ':61:260305C1,NTRFNONREF';

  test.each(['13', '20', '21', '25', '28'])(
    'is no tag if it is the minutes of a time that is cut in two: %s',
    async (minutes) => {
      const coded = await only(
        entry,
        ':86:166?00CREDIT?20SVWZ+2026-03-05T14',
        `:${minutes}:33 Payout?21E2E-1`,
      );
      expect(coded?.texts.join('')).toContain(`T14:${minutes}:33 Payout`);
      expect(coded?.texts.join('')).toContain('E2E-1');
      const free = await only(entry, ':86:Arrived at 14', `:${minutes}:33 Payout`);
      expect(free?.texts.join('\n')).toBe(`Arrived at 14\n:${minutes}:33 Payout`);
    },
  );

  test('is another message only if it goes on as one', async () => {
    const cut = statement('101,', entry, ':86:one').replace(/:62F:[\s\S]*/, '');
    const both = await read(cut + statement('105,', ':61:260305C5,NTRFNONREF'));
    expect(moneyIn(both)).toEqual(['2026-03-05 1.00', '2026-03-05 5.00']);
    expect(both.findings).toMatchObject([{ element: ':62F:' }]);
  });

  test('may be a line with a dash, in a text or between pages', async () => {
    const details = await only(entry, ':86:Payout', '-', 'E2E-1');
    expect(details?.texts.join('\n')).toBe('Payout\n-\nE2E-1');
    const pages = statement('106,', '-', entry, ':86:one', '-', ':61:260305C5,NTRFNONREF');
    const result = await read(pages);
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 1.00', '2026-03-05 5.00']);
    expect(result.statements).toMatchObject([{ account: 'NL91ABNA0417164300' }]);
    for (const blockBytes of [1, 2]) expect(await read(pages, { blockBytes })).toEqual(result);
  });

  test('may be several texts, the first with the code alone', async () => {
    const details = await only(
      ...[entry, ':86:020', ':86:020~00IBCG', '~20E2E-2026', '~210304-03 PAYOUT'],
      ...['~32EXAMPLE PAYMENTS', '~38DE89370400440532013000'],
    );
    expect(details?.texts.join('')).toContain('E2E-2026');
    expect(details?.texts.join('')).toContain('0304-03 PAYOUT');
    expect(details).toMatchObject({
      ...{ names: ['EXAMPLE PAYMENTS'], accounts: ['DE89370400440532013000'] },
    });
    const two = await only(entry, ':86:166?20FIRST', ':86:166?20SECOND');
    expect(two?.texts).toEqual(['FIRST', 'SECOND']);
    const structured = await only(entry, ':NS:17SHOP', ':86:Payout');
    expect(structured?.texts.join('')).toContain('Payout');
  });

  test('keeps the texts of all subfields, whatever their numbers and code', async () => {
    const same = await only(
      ...[entry, ':86:168?00ECHTZEIT-GUTSCHRIFT?109310?00EREF+E2E-1?00SVWZ+Payout'],
      '?30COBADEFFXXX?31DE89370400440532013000?00Example Payments',
    );
    expect(same?.endToEndIds).toEqual(['E2E-1']);
    expect(same?.texts.join('')).toContain('Example Payments');
    for (const code of ['', 'NTRF', '1234']) {
      const details = await only(entry, `:86:${code}?00CREDIT?20PAYOUT?45E2E-1`);
      expect(details?.texts.join('').replace('\n', '')).toBe('PAYOUTE2E-1');
    }
    expect((await only(entry, ':86:100.50 EUR for E2E-1'))?.texts).toEqual([
      '100.50 EUR for E2E-1',
    ]);
    expect((await only(entry, ':86:/XYZ/E2E-1/REMI/Payout'))?.texts.join('')).toContain('E2E-1');
  });
});
