import { describe, expect, test } from 'vitest';
import { type Company, textOf } from '../closed-stays-true/company.ts';
import { held } from '../closed-stays-true/two-months.ts';
import { close, codes, journal, newRegister, recording, said } from '../closed-stays-true/words.ts';
import { euros, listed, open, profile, write, yens } from './csv-bank.ts';

const one = listed('a', '2026-03-10', 100_00, { endToEndId: 'E2E-20260310-0001' });
const short = listed('b', '2026-03-12', 50_00, { endToEndId: 'KT-9' });

const rule = (...lines: readonly string[]) => ['[[profiles.main.bank_rules]]', ...lines];
const fee = rule(...['text = "account fee"', 'sign = "out"', 'books_account = "expenses:account"']);
const rent = rule('text = "Rent"', `account = "${euros[0]}"`, 'unrelated = true');
const never = rule('text = "dividend"', 'unrelated = true');

/** Two accounts in two currencies, with the bank's own fee on each, and a rent. */
async function march(...rules: readonly (readonly string[])[]): Promise<Company> {
  const company = await open(rules.flat());
  company.lists(one);
  write(
    company,
    'euro-03.csv',
    euros,
    ['01.03.2026', '0,01', '0,01', 'interest'],
    ['11.03.2026', '100,00', '100,01', 'PAYMENTS E2E-20260310-0001'],
    ['15.03.2026', '20,00', '120,01', 'RENT of the garage'],
    ['31.03.2026', '-3,90', '116,11', 'Account  FEE'],
  );
  write(
    company,
    'yen-03.csv',
    yens,
    ['01.03.2026', '500', '500', 'rent'],
    ['31.03.2026', '-200', '300', 'account fee'],
  );
  return company;
}

interface Match {
  readonly state: string;
  readonly reason: string | null;
  readonly rule: string | null;
  readonly entries: readonly { readonly texts: readonly string[] }[];
}

async function stories(company: Company): Promise<readonly string[]> {
  const { stdout } = await company.run('bank', '--month', '2026-03', '--format', 'json');
  const { matches } = JSON.parse(stdout) as { readonly matches: readonly Match[] };
  return matches.map(({ state, reason, rule, entries }) =>
    [state, reason ?? rule ?? '', entries[0]?.texts[0]].join(': '),
  );
}

describe('a standing rule for bank lines', () => {
  test('books the fee of each month to its account, or leaves a line out, in both currencies', async () => {
    const company = await march(fee, rent, never);
    expect(await stories(company)).toEqual([
      'unknown_on_bank: : rent',
      'unknown_on_bank: : interest',
      'matched: : PAYMENTS E2E-20260310-0001',
      'unrelated: Rent: RENT of the garage',
      'by_rule: account fee: account fee',
      'by_rule: account fee: Account  FEE',
    ]);
    const run = await company.run('bank', '--month', '2026-03', '--format', 'table');
    expect(said(run)).toContain('2 entries are booked by rules: -3.90 EUR; -200 JPY.');
    expect(said(run)).toContain('by the rule "account fee": account expenses:account');
    expect(said(run)).toContain('by the rule "Rent": unrelated');
    expect(said(run)).toContain('No entry is taken by these bank_rules: "dividend".');
    expect(said(run)).toMatch(/booked by rules -3\.90/);
  });

  test('is in the journal, the bridge and the close, and needs no decision again', async () => {
    const company = await march(
      fee,
      rent,
      rule('text = "interest"', 'books_account = "income:interest"'),
    );
    await journal(company, '2026-03', '1.journal', newRegister);
    expect(held(company, '1.journal')).toMatchObject({
      'assets:bank EUR': 96_11n,
      'expenses:account EUR': 3_90n,
      'expenses:account JPY': 200n,
      'income:interest EUR': -1n,
      'assets:bank JPY': 300n,
      'assets:suspense JPY': -500n,
    });
    expect(textOf(company.file('1.journal'))).toContain('By the rule "account fee"');
    const { bridge, ...ready } = await close(company, '2026-03');
    expect(codes({ ...ready, bridge })).toEqual(['unknown_on_bank']);
    expect(bridge).toMatchObject({
      [euros[0]]: { byRule: -3_89n, unrelated: 20_00n, suspense: 0n, residual: 0n },
      [yens[0]]: { byRule: -200n, unrelated: 0n, suspense: 500n, residual: 0n },
    });
  });

  test('is kept by a close, which is the same when it is looked at again', async () => {
    const yen = rule('text = "rent"', 'unrelated = true');
    const interest = rule('text = "interest"', 'books_account = "income:interest"');
    const company = await march(fee, interest, yen);
    await journal(company, '2026-03', '1.journal', newRegister);
    const before = await close(company, '2026-03');
    expect([before.verdict, codes(before)]).toEqual(['ready', []]);
    const recorded = await close(company, '2026-03', ...recording, newRegister);
    expect(recorded.verdict).toBe('closed');
    const again = await close(company, '2026-03');
    expect(again.bridge).toEqual(before.bridge);
  });

  test('that is set later transfers what was on suspense', async () => {
    const company = await march();
    await journal(company, '2026-03', '1.journal', newRegister);
    expect(held(company, '1.journal')).toMatchObject({ 'assets:suspense JPY': -300n });
    await company.sets(...profile(fee));
    await journal(company, '2026-03', '2.journal');
    expect(held(company, '1.journal', '2.journal')).toMatchObject({
      'assets:suspense JPY': -500n,
      'expenses:account JPY': 200n,
      'expenses:account EUR': 3_90n,
    });
  });

  test('never takes a line with the id of a pay-out, however short, nor one that is a pay-out', async () => {
    const all = rule('text = "payments"', 'books_account = "income:other"');
    const company = await march(all);
    company.lists(
      short,
      // Two ids that begin alike: a text that was cut may mean either.
      listed('c', '2026-03-20', 70_00, { endToEndId: 'LONG-REFERENCE-20260320-01' }),
      listed('d', '2026-03-20', 80_00, { endToEndId: 'LONG-REFERENCE-20260320-02' }),
    );
    write(
      company,
      'euro-03.csv',
      euros,
      ['11.03.2026', '100,00', '100,00', 'PAYMENTS E2E-20260310-0001'],
      ['13.03.2026', '50,00', '150,00', 'PAYMENTS'],
      ['16.03.2026', '49,00', '199,00', 'PAYMENTS KT-9'],
      ['17.03.2026', '1,00', '200,00', `PAYMENTS ${one.id}`],
      ['18.03.2026', '2,00', '202,00', 'PAYMENTS LONG-REFERENCE-20260320'],
      ['19.03.2026', '3,00', '205,00', 'PAYMENTS'],
    );
    expect((await stories(company)).filter((story) => /PAYMENTS/.test(story))).toEqual([
      'matched: : PAYMENTS E2E-20260310-0001',
      'suggested: : PAYMENTS',
      'unknown_on_bank: rule_held: PAYMENTS KT-9',
      `unknown_on_bank: rule_held: PAYMENTS ${one.id}`,
      'unknown_on_bank: rule_held: PAYMENTS LONG-REFERENCE-20260320',
      'by_rule: payments: PAYMENTS',
    ]);
    const run = await company.run('bank', '--month', '2026-03', '--format', 'table');
    expect(said(run)).toContain('a rule fits, but the line has the id of a pay-out');
  });

  test.each([
    ['without a text', rule('unrelated = true'), /bank_rules\[0\]\.text/],
    ['without what it is', rule('text = "fee"'), /either books_account or unrelated = true/],
    [
      'with both',
      rule('text = "fee"', 'unrelated = true', 'books_account = "x"'),
      /either books_account or unrelated = true/,
    ],
    ['with a wrong sign', rule('text = "fee"', 'sign = "-"', 'unrelated = true'), /"in" or "out"/],
    ['with another key', rule('text = "fee"', 'unrelatd = true'), /unrelated/],
  ])('%s is refused', async (_, wrong, why) => {
    const company = await march(wrong);
    const { exitCode, stderr } = await company.run('bank', '--month', '2026-03');
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(why)]);
  });
});
