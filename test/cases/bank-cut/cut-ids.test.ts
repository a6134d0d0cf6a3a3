import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { books, openCompany, web } from '../closed-stays-true/company.ts';
import { type Bank, banks, type Line } from './banks.ts';
import { isSure, makeMonth } from './month.ts';

/** `CUT_SEEDS=400` tests four hundred months a bank. */
const seeds = Array.from({ length: Number(process.env['CUT_SEEDS'] ?? 40) }, (_, at) => at + 1);

interface Match {
  readonly state: string;
  readonly matchedBy: string | null;
  readonly settlements: readonly { readonly id: string }[];
  readonly entries: readonly { readonly date: string; readonly texts: readonly string[] }[];
}

async function matchesOf(bank: Bank, seed: number) {
  const month = makeMonth(seed, bank);
  const company = await openCompany(
    ['statements = "bank"', 'books_from = "2026-03-01"'],
    ['[profiles.main.bank_csv]', ...bank.mapping, ...books],
  );
  for (const { minor, ...one } of month.payouts) {
    const rows = [{ a: minor, f: 0, t: 0 }];
    company.lists({ ...one, rows, currency: bank.currency, token: web });
  }
  // The order of the rows in their statement tells them apart.
  writeFileSync(company.file('bank/march.csv'), bank.write(month.lines));
  const { stdout, stderr } = await company.run('bank', '--month', '2026-03', '--format', 'json');
  expect([stdout.slice(0, 1), stderr]).toEqual(['{', expect.any(String)]);
  const { matches } = JSON.parse(stdout) as { readonly matches: readonly Match[] };
  return { ...month, matches };
}

/** What a match and a line of the account have in common: the day, the payer and what the bank kept. */
const isOf = (bank: Bank, { entries }: Match, line: Line) =>
  entries.some(
    ({ date, texts }) =>
      date === line.day &&
      texts.join(' ').includes(line.payer) &&
      texts.join(' ').includes(bank.keeps(line.reference)),
  );

describe.each(banks)('$name, which cuts ids', (bank) => {
  test.each(seeds)('matches what begins so, and nothing of others, in month %i', async (seed) => {
    const { payouts, paid, lines, matches } = await matchesOf(bank, seed);
    const ofPayouts = matches.filter(({ settlements }) => settlements.length > 0);
    const sure = ofPayouts.filter(({ state }) => ['matched', 'difference'].includes(state));
    for (const match of sure) {
      const own = lines.filter((line) => isOf(bank, match, line));
      const right = own.filter((line) => paid.get(line)?.id === match.settlements[0]?.id);
      const told = [match.matchedBy, match.settlements[0]?.id, match.entries[0]?.texts];
      expect([...told, right.length]).toEqual([...told, 1]);
    }
    for (const [line, { id }] of paid) {
      const kept = bank.keeps(line.reference);
      if (!isSure(kept, payouts)) continue;
      const found = ofPayouts.find(({ settlements }) => settlements[0]?.id === id);
      expect([kept, found?.state]).toEqual([kept, 'matched']);
    }
  });
});
