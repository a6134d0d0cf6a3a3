import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bankOf, folderOf, runBank, whyNotChecked } from '../../bank/bank-report.ts';
import {
  type Balance,
  document,
  documentOf,
  entry,
  entryOn,
  statement,
} from '../../bank/camt-message.ts';
import { readWorkbook } from '../../render/xlsx/read-workbook.ts';
import { booked, swift } from './mt940-message.ts';
import { zipOf } from './zip-file.ts';

const [first, last] = ['2026-03-02', '2026-03-06'] as const;
const period = [first, last] as const;
const plus = entryOn('2026-03-05', '5.00');
const withBalances = (...balances: readonly Balance[]) =>
  document({ period, balances, entries: [plus] });
const opening = ['OPBD', '10.00', first] as const;
const closing = ['CLBD', '15.00', last] as const;
const unreadable = entry('', {
  money: '<Amt Ccy="EUR">7x</Amt><CdtDbtInd>CRDT</CdtDbtInd>',
});
const swiftEntry = booked(5, 'C5,00');

/** What the only statement of a file says of its balances, and what is found. */
async function told(text: string | Uint8Array, name = 'a') {
  const run = await bankOf({ [name]: text });
  const [only] = run.report.statements;
  return {
    run,
    count: run.report.statements.length,
    checked: only?.checked,
    why: only && whyNotChecked(only),
    codes: run.codes,
  };
}

describe('a statement with balances that are checked', () => {
  const checked: Readonly<Record<string, string>> = {
    'camt.053': withBalances(opening, closing),
    'camt.053 with the closing balance of the day before': withBalances(
      ['PRCD', '10.00', '2026-03-01'],
      closing,
    ),
    'camt.053 with both, and what is available': withBalances(
      ['PRCD', '10.00', '2026-03-01'],
      opening,
      closing,
      ['CLAV', '3.00', last],
      ['FWAV', '2.00', '2026-03-09'],
    ),
    'camt.053 below zero': document({
      period,
      balances: [
        ['OPBD', '-10.00', first],
        ['CLBD', '-5.00', last],
      ],
      entries: [plus],
    }),
    'camt.053 without entries': document({
      balances: [opening, ['CLBD', '10.00', last]],
    }),
    'camt.053 with pending entries': document({
      period,
      balances: [opening, closing],
      entries: [plus, entry('99.00', { status: '<Sts><Cd>PDNG</Cd></Sts>' })],
    }),
    'camt.053 with more decimals in its balances': withBalances(
      ['OPBD', '10.00000', first],
      ['CLBD', '15', last],
    ),
    'camt.052 with interim balances': document({
      kind: '052',
      period,
      balances: [
        ['ITBD', '10.00', first],
        ['ITBD', '15.00', last],
      ],
      entries: [plus],
    }),
    MT940: swift({ opening: 'C260302EUR10,00', lines: [swiftEntry] }),
    'MT940 below zero': swift({ opening: 'D260302EUR10,00', lines: [swiftEntry] }),
    'MT940 without entries': swift({ opening: 'C260302EUR10,00' }),
    'MT940 with a funds code': swift({
      opening: 'C260302EUR10,00',
      lines: [booked(5, 'CR5,00')],
    }),
    'MT940 with an odd value date': swift({
      opening: 'C260302EUR10,00',
      lines: [':61:2602300303C5,00NTRFNONREF'],
    }),
    'MT940 in yen': swift({ opening: 'C260302JPY1000,', lines: [booked(5, 'C5,')] }),
  };
  test.each(Object.entries(checked))('is reported as checked: %s', async (_, text) => {
    const { checked: isChecked, why, codes, run } = await told(text);
    expect(isChecked).toBe(true);
    expect(why).toBeNull();
    expect(codes.filter((code) => code !== 'odd_value_date')).toEqual([]);
    expect(run.exitCode).toBe(0);
  });

  const broken: Readonly<Record<string, readonly [text: string, difference: string]>> = {
    'camt.053': [withBalances(opening, ['CLBD', '15.01', last]), '0.01'],
    'camt.053 with the sign of an entry turned': [
      document({ period, balances: [opening, closing], entries: [entryOn(last, '-5.00')] }),
      '10.00',
    ],
    MT940: [
      swift({ opening: 'C260302EUR10,00', lines: [swiftEntry], closing: 'C260306EUR14,99' }),
      '-0.01',
    ],
    'MT940 with the sign of its closing balance turned': [
      swift({ opening: 'C260302EUR10,00', lines: [swiftEntry], closing: 'D260306EUR15,00' }),
      '-30.00',
    ],
  };
  test.each(Object.entries(broken))(
    'is reported as checked even if it does not add up: %s',
    async (_, given) => {
      const [text, difference] = given;
      const { checked: isChecked, codes, run } = await told(text);
      expect(isChecked).toBe(true);
      expect(codes).toEqual(['balance_break']);
      expect(run.report.statementFindings[0]?.difference?.amount).toBe(difference);
      expect(run.exitCode).toBe(1);
    },
  );

  test('is each statement of a document, by its own balances', async () => {
    const own = (account: string, balances: readonly Balance[]) =>
      statement({ account, period, balances, entries: [plus] });
    const text = documentOf(
      {},
      [
        own('NL91ABNA0417164300', [opening, closing]),
        own('DE89370400440532013000', [closing]),
        own('FR1420041010050500013M02606', []),
      ].join('\n'),
    );
    const { report } = await bankOf({ 'a.xml': text });
    const byAccount = Object.fromEntries(
      report.statements.map((one) => [one.account.slice(0, 2), [one.checked, whyNotChecked(one)]]),
    );
    expect(byAccount).toEqual({
      NL: [true, null],
      DE: [false, 'no_opening_balance'],
      FR: [false, 'no_balances'],
    });
  });

  test('is each page of a statement', async () => {
    const page = (number: number) =>
      swift({
        number: `7/${number}`,
        isFirst: number === 1,
        isLast: number === 3,
        opening: `C260305EUR${10 * number},00`,
        closing: `C260305EUR${10 * number + 10},00`,
        lines: [booked(5, 'C10,00', `page ${number}`)],
      });
    const { report, codes } = await bankOf({ 'a.sta': [1, 2, 3].map(page).join('') });
    expect(codes).toEqual([]);
    expect(report.statements.length).toBeGreaterThan(0);
    expect(report.statements.map(({ checked: isChecked }) => isChecked)).not.toContain(false);
    expect(report.statements[0]?.checked).toBe(true);
  });
});

describe('a statement with balances that are not checked', () => {
  const unchecked: Readonly<Record<string, readonly [text: string, why: string]>> = {
    'without an opening balance': [withBalances(closing), 'no_opening_balance'],
    'without a closing balance': [withBalances(opening), 'no_closing_balance'],
    'without balances': [withBalances(), 'no_balances'],
    'with what is available alone': [
      withBalances(['OPAV', '10.00', first], ['CLAV', '15.00', last]),
      'no_balances',
    ],
    'with a forecast as closing balance': [
      withBalances(opening, ['FWAV', '15.00', last]),
      'no_closing_balance',
    ],
    'with a closing balance in another currency': [
      withBalances(opening, ['CLBD', '15.00', last, 'USD']),
      'other_currency',
    ],
    'with an opening balance in another currency': [
      withBalances(['OPBD', '10.00', first, 'USD'], closing),
      'other_currency',
    ],
    'MT940 whose closing balance has another currency': [
      swift({ opening: 'C260302EUR10,00', lines: [swiftEntry], closing: 'C260306USD15,00' }),
      'other_currency',
    ],
    'MT940 whose closing balance has another currency and amount': [
      swift({ opening: 'C260302EUR10,00', lines: [swiftEntry], closing: 'C260306USD99,00' }),
      'other_currency',
    ],
    'a notification': [document({ kind: '054', period, entries: [plus] }), 'notification'],
  };
  test.each(Object.entries(unchecked))('is reported with why: %s', async (_, [text, why]) => {
    const found = await told(text);
    expect(found.checked).toBe(false);
    expect(found.why).toBe(why);
    expect(found.codes).not.toContain('balance_break');
    expect(found.count).toBe(1);
  });

  test.each([
    ['its balances', ['OPBD', '10.00', first, 'USD'], ['CLBD', '15.00', last, 'USD'], 'EUR'],
    ['an entry', opening, closing, 'USD'],
  ] as const)('is reported with %s in another currency', async (_, before, after, currency) => {
    const balances = [before, after];
    const entries = [plus, entry('3.00', { currency })];
    const { report, codes } = await bankOf({ 'a.xml': document({ period, balances, entries }) });
    const unsure = report.statements.filter(({ checked }) => checked === false);
    expect(unsure.map(whyNotChecked).filter((why) => why !== 'no_balances')).toEqual([
      'other_currency',
    ]);
    expect(codes).not.toContain('balance_break');
  });

  test('is reported if MT940 has a funds code of another currency', async () => {
    const text = swift({ opening: 'C260302EUR10,00', lines: [booked(5, 'CD5,00')] });
    const { checked, why, codes } = await told(text);
    expect(checked === false && why !== null ? 'said' : codes.join()).not.toBe('');
    if (checked === false) expect(['other_currency', 'partly_read']).toContain(why);
  });

  test('is reported or unreadable if MT940 has no closing balance', async () => {
    const text = swift({ opening: 'C260302EUR10,00', lines: [swiftEntry], closing: '' });
    const { checked, why, codes } = await told(text);
    expect(checked).toBe(false);
    expect(['no_closing_balance', 'partly_read']).toContain(why);
    expect(codes).not.toContain('balance_break');
  });

  test('is reported or unreadable if MT940 has no opening balance', async () => {
    const text = swift({ opening: '', lines: [swiftEntry], closing: 'C260306EUR15,00' });
    const { checked, why, codes } = await told(text);
    expect(checked).toBe(false);
    expect(['no_opening_balance', 'partly_read']).toContain(why);
    expect(codes).not.toContain('balance_break');
  });

  test('has no balances in CSV', async () => {
    const csv = { date: 'Date', amount: 'Amount', currency: 'EUR' };
    const run = await bankOf({ 'a.csv': 'Date,Amount\r\n2026-03-05,5.00\r\n' }, { csv });
    expect(run.report.statements).toHaveLength(1);
    const [only] = run.report.statements;
    expect(only?.checked).toBe(false);
    expect(only && whyNotChecked(only)).toBe('no_balances');
    expect(run.exitCode).toBe(0);
  });

  test('has no balances in MT942', async () => {
    const text = [
      ':20:X',
      ':25:37040044/532013000',
      ':28C:1/1',
      ':34F:EUR0,',
      ':13D:2603051200+0100',
      swiftEntry,
      '-',
      '',
    ].join('\n');
    const { checked, why, run } = await told(text);
    expect(checked).toBe(false);
    expect(['no_balances', 'notification']).toContain(why);
    expect(run.exitCode).toBe(0);
  });

  test.each([
    'no_opening_balance',
    'no_closing_balance',
    'no_balances',
    'other_currency',
    'notification',
  ])('changes neither verdict nor exit code: %s', async (why) => {
    const texts = Object.values(unchecked).filter((one) => one[1] === why);
    for (const [text] of texts.filter(([one]) => !one.startsWith(':'))) {
      const { run } = await told(text);
      expect(run.exitCode).toBe(0);
    }
  });
});

describe('a statement that is read in part', () => {
  const part: Readonly<Record<string, string>> = {
    'an amount of camt': document({
      period,
      balances: [opening, ['CLBD', '22.00', last]],
      entries: [plus, unreadable],
    }),
    'a booking day of camt': document({
      period,
      balances: [opening, ['CLBD', '22.00', last]],
      entries: [plus, entry('7.00', { booked: '<BookgDt><Dt>2026-02-30</Dt></BookgDt>' })],
    }),
    'a status of camt': document({
      period,
      balances: [opening, ['CLBD', '22.00', last]],
      entries: [plus, entry('7.00', { status: '<Sts><Cd>MAYBE</Cd></Sts>' })],
    }),
    'an amount of MT940': swift({
      opening: 'C260302EUR10,00',
      lines: [swiftEntry, ':61:2603050305C7NTRFNONREF'],
      sum: 12_00,
    }),
    'a day of MT940': swift({
      opening: 'C260302EUR10,00',
      lines: [swiftEntry, ':61:2602300230C7,00NTRFNONREF'],
      sum: 12_00,
    }),
  };
  test.each(Object.entries(part))('is not reported as not adding up: %s', async (_, text) => {
    const { checked, why, codes, run } = await told(text);
    expect(codes).toContain('unreadable');
    expect(codes).not.toContain('balance_break');
    expect(checked).toBe(false);
    expect(why).toBe('partly_read');
    expect(run.exitCode).toBe(4);
    expect(run.stdout).not.toContain('do not add up');
  });

  test('is reported once if a balance cannot be read', async () => {
    const { checked, codes, run } = await told(withBalances(opening, ['CLBD', '15,00', last]));
    expect(codes).toEqual(['unreadable']);
    expect(checked).toBe(false);
    expect(run.exitCode).toBe(4);
  });

  test('is not checked if an entry has no day', async () => {
    const undated = entry('7.00', { booked: '', valued: '' });
    const { codes } = await told(
      document({ period, balances: [opening, ['CLBD', '22.00', last]], entries: [plus, undated] }),
    );
    expect(codes).toEqual(['undated']);
  });

  test('does not stop another statement from being checked', async () => {
    const run = await bankOf({
      'part.xml': part['an amount of camt'] ?? '',
      'whole.xml': document({
        account: 'NL91ABNA0417164300',
        period,
        balances: [opening, ['CLBD', '16.00', last]],
        entries: [plus],
      }),
    });
    expect(run.codes).toEqual(['balance_break', 'unreadable']);
    expect(run.exitCode).toBe(4);
  });
});

describe('the report for people', () => {
  const files = {
    'checked.xml': withBalances(opening, closing),
    'other.xml': document({ account: 'NL91ABNA0417164300', period, entries: [plus] }),
    'archive.zip': zipOf([
      {
        name: 'in.xml',
        content: document({
          account: 'FR1420041010050500013M02606',
          period,
          balances: [opening],
          entries: [plus],
        }),
      },
    ]),
  };

  test.each(['table', 'markdown', 'html'])(
    'names the statements that are checked and those that are not: %s',
    async (format) => {
      const folder = await folderOf(files);
      const { stdout } = await runBank([folder], ['--format', format]);
      const text = stdout.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/\s+/g, ' ');
      expect(text).toMatch(/not\s+checked/i);
      expect(text.replaceAll(/not\s+checked/gi, '')).toMatch(/checked/i);
    },
  );

  test('does not mention balances if all are checked', async () => {
    const folder = await folderOf({ 'checked.xml': files['checked.xml'] });
    const { stdout } = await runBank([folder], ['--format', 'table']);
    expect(stdout).not.toMatch(/not\s+checked/i);
  });

  test('has the checks in the workbook', async () => {
    const folder = await folderOf(files);
    const path = join(folder, 'bank.xlsx');
    const { exitCode } = await runBank(
      [join(folder, 'checked.xml'), join(folder, 'other.xml')],
      ['--output', path],
    );
    expect(exitCode).toBe(0);
    const text = JSON.stringify(await readWorkbook(await readFile(path)), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value instanceof Map ? [...value] : value,
    );
    expect(text).toMatch(/not checked/i);
  });
});
