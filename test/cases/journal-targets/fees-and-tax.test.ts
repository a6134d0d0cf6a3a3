import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { runRecon } from '../../support/run-recon.ts';
import { asked } from '../fees/contract.ts';
import { exportFees } from '../fees/service.ts';
import { makeYear } from '../fees/year.ts';

const books = Object.fromEntries(
  ['in_transit', 'bank', 'fees', 'tax', 'receivable', 'suspense'].map((name) => [name, name]),
);

type Cells = Readonly<Record<string, string>>;
type Run = (args: readonly string[]) => Promise<{ readonly stdout: string }>;

const recordsOf = ({ stdout }: { readonly stdout: string }): readonly Cells[] =>
  parse(stdout, { columns: true });

function millionths(text = ''): bigint {
  const [whole = '', fraction = ''] = (text === '' ? '0' : text).split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** The sums of fees and tax by month, accounting token and currency. */
type Sums = Readonly<Record<string, bigint>>;

async function booked(run: Run): Promise<Sums> {
  const sums: Record<string, bigint> = {};
  for (const cells of recordsOf(await run(['journal', '--for', 'csv']))) {
    const { date = '', purpose = '', accounting_token: token, currency, debit, credit } = cells;
    if (!['fees', 'tax'].includes(purpose)) continue;
    const key = `${date.slice(0, 7)} ${token} ${currency} ${purpose}`;
    sums[key] = (sums[key] ?? 0n) + millionths(debit) - millionths(credit);
  }
  return sums;
}

async function told(run: Run): Promise<Sums> {
  const rows = recordsOf(await run(['fees', '--by', 'month', '--format', 'csv']));
  const sums = rows.flatMap(({ month, accounting_token: token, currency, fees, tax }) =>
    Object.entries({ fees, tax }).map(
      ([of, amount]) => [`${month} ${token} ${currency} ${of}`, millionths(amount)] as const,
    ),
  );
  // A journal leaves out amounts of zero.
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0n));
}

const withoutZeros = (sums: Sums): Sums =>
  Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));

describe('fees and tax by account and month are those of the journal', () => {
  test('in the sandbox', async () => {
    const run: Run = (args) =>
      runRecon([...args, '--sandbox', '--from', '2026-03-01', '--to', '2026-03-31']);
    const right = withoutZeros(await booked(run));
    expect(await told(run)).toEqual(right);
    expect(Object.keys(right).length).toBeGreaterThan(5);
  });

  test.each([1, 2, 3])(
    'over the months of seed %i, in currencies of 0 to 3 decimals',
    async (seed) => {
      const year = makeYear(seed);
      const charged = await exportFees(year);
      const contract = { ...year.contract, books };
      const days = ['--from', asked.from, '--to', asked.to];
      const run: Run = (args) => charged.run([...args, ...days, ...charged.source], contract);
      const right = withoutZeros(await booked(run));
      expect(await told(run)).toEqual(right);
      expect(new Set(Object.keys(right).map((key) => key.slice(0, 7))).size).toBeGreaterThan(1);
    },
  );
});
