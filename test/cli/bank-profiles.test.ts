import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecords } from './read-report.ts';
import { asPaid, shared, threeProfiles } from './three-profiles.ts';

const bank = (names: string) => ['bank', '--profile', names, '--month', '2026-03'];
const all = bank('adyen,stripe,main');

interface Match {
  readonly state: string;
  readonly settlements: readonly { readonly id: string }[];
  readonly entries: readonly { readonly id: string }[];
  readonly rivals?: readonly object[];
}

interface Report {
  readonly verdict: string;
  readonly matches: readonly Match[];
  readonly movements: readonly {
    readonly [figure: string]: { readonly amount: string } | string;
  }[];
  readonly statements: readonly object[];
}

interface Several extends Report {
  readonly profiles: readonly (Report & { readonly profile: string; readonly exitCode: number })[];
}

async function reportOf(...[month, names = all]: [Parameters<typeof threeProfiles>[0], string[]?]) {
  const { run, folder } = await threeProfiles(month);
  const { stdout, exitCode } = await run([...names, '--format', 'json']);
  return { run, folder, exitCode, report: JSON.parse(stdout) as Several };
}

const outcomes = ({ profiles }: Several) =>
  profiles.map(({ profile, verdict, exitCode }) => [profile, verdict, exitCode]);

describe('three profiles on the statements of two accounts', () => {
  test('are matched each with its own entries, and the accounts add up over all of them', async () => {
    const { report, exitCode } = await reportOf({ booked: [...asPaid, ...paidLater] });
    expect(outcomes(report)).toEqual([
      ['adyen', 'reconciled', 0],
      ['stripe', 'reconciled', 0],
      ['main', 'reconciled', 0],
    ]);
    expect([exitCode, report.verdict, report.matches]).toEqual([0, 'reconciled', []]);
    const taken = report.profiles.flatMap(({ matches }) =>
      matches.flatMap(({ entries }) => entries.map(({ id }) => id)),
    );
    expect([taken.length, new Set(taken).size]).toEqual([7, 7]);
    expect(report.movements).toMatchObject([
      { currency: 'EUR', movement: { amount: '181.80' }, received: { amount: '181.80' } },
      { currency: 'USD', movement: { amount: '57.50' }, received: { amount: '57.50' } },
    ]);
    expect(report.statements).toHaveLength(2);
    expect(report.profiles.flatMap(({ statements }) => statements)).toEqual([]);
  });

  test('never take an entry twice: one that two could have is said to be of either', async () => {
    const { report, exitCode } = await reportOf({ booked: [...asPaid, shared] });
    expect([exitCode, report.verdict, report.matches]).toEqual([1, 'not_reconciled', []]);
    const doubts = report.profiles.flatMap(({ profile, matches }) =>
      matches.flatMap(({ state, settlements, rivals = [] }) =>
        state === 'ambiguous' ? [[profile, settlements.map(({ id }) => id), rivals]] : [],
      ),
    );
    const [stripe, main] = [ids.stripe, ids.main];
    expect(doubts).toEqual([
      ['stripe', [stripe], [{ profile: 'main', settlementId: main }]],
      ['main', [main], [{ profile: 'stripe', settlementId: stripe }]],
    ]);
    expect(report.movements).toMatchObject([
      { received: { amount: '143.00' }, unknown: { amount: '19.40' } },
      { unknown: { amount: '0.00' } },
    ]);
  });

  test('have what names its pay-out, whoever else expects the same amount', async () => {
    const { report } = await reportOf({ booked: [...asPaid, paidLater[0]] });
    const lateIn = (name: string) =>
      report.profiles
        .filter(({ profile }) => profile === name)
        .flatMap(({ matches }) => matches)
        .find(({ settlements }) => settlements.some(({ id }) => Object.values(ids).includes(id)));
    expect(lateIn('stripe')?.state).toBe('matched');
    expect(lateIn('main')?.state).toBe('missing_on_bank');
  });

  test('share what is unknown to all of them', async () => {
    const other = ['2026-03-12', 'USD', '7.00', 'Anyone'] as const;
    const { report, run, exitCode } = await reportOf({ booked: [...asPaid, ...paidLater, other] });
    expect([exitCode, report.verdict]).toEqual([0, 'reconciled']);
    expect(report.matches).toMatchObject([{ state: 'unknown_on_bank', settlements: [] }]);
    const screen = await run([...all, '--format', 'table']);
    expect(screen.stdout).toMatch(
      /^RECONCILED\n3 profiles: all reconciled\. 1 entry is unknown to all profiles: 7\.00 USD\.\n/,
    );
    expect(screen.stdout).toMatch(/^On the bank statements, unknown to all profiles: 1$/m);
    expect(await run([...all, '--fail-on', '+unknown-on-bank'])).toMatchObject({ exitCode: 1 });
  });
});

const paidLater = [
  ['2026-03-11', 'EUR', '19.40', 'STRIPE ST-Z1X2C3V4B5N6'],
  ['2026-03-12', 'EUR', '19.40', 'Payments E2E-20260310-02'],
] as const;

const ids = {
  stripe: 'stripe-po_3nC4QyLkdIwVu1xR-EUR',
  main: '3059ea1d-8061-59a3-aecc-ad13dbcfafaa',
};

test('a rule of one profile takes an entry that is then unknown to none', async () => {
  const rule = 'bank_rules = [{ text = "account fee", books_account = "4970" }]';
  const booked = [...asPaid, ['2026-03-20', 'EUR', '-5.00', 'Account fee'] as const];
  const { report } = await reportOf({ booked, more: { stripe: rule } });
  expect(report.matches).toEqual([]);
  const states = report.profiles.map(({ profile, matches }) => [
    profile,
    matches.filter(({ state }) => state === 'by_rule').length,
  ]);
  expect(states).toEqual([
    ['adyen', 0],
    ['stripe', 1],
    ['main', 0],
  ]);
});

test('an entry that a person confirmed for one profile is not possible for another', async () => {
  const accepted = 'accepted = "stripe-accepted.csv"';
  const { run, folder } = await threeProfiles({
    booked: [...asPaid, shared],
    more: { stripe: accepted },
  });
  const entry = `${join(folder, 'bank', 'EUR.csv')}:5`;
  const words = ['accept', ids.stripe, '--profile', 'stripe', '--bank', '--entry', entry];
  expect(await run([...words, '--by', 'Anna'])).toMatchObject({ exitCode: 0 });
  const { report } = { report: JSON.parse((await run([...all, '--json'])).stdout) as Several };
  const states = report.profiles.map(({ matches }) => matches.map(({ state }) => state));
  expect(states).toEqual([
    ['matched', 'matched'],
    ['matched', 'matched', 'matched'],
    ['matched', 'missing_on_bank'],
  ]);
});

test('a profile that cannot be read leaves the others, and ends with its own code', async () => {
  const { run, folder } = await threeProfiles({ booked: asPaid });
  await writeFile(join(folder, 'adyen', 'a.csv'), 'nothing,of,it\n1,2,3\n');
  const { stdout, exitCode } = await run([...all, '--format', 'table']);
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(/^INCOMPLETE\n.*1 not read/);
  expect(stdout).toMatch(/Entries may belong\s+to pay-outs of adyen\./);
});

test('the CSV has the rows of each profile as it has them alone, and those of none', async () => {
  const { run } = await threeProfiles({ booked: [...asPaid, ...paidLater] });
  const [several, alone] = await Promise.all([run(all), run(bank('adyen'))]);
  const rows = readRecords(several.stdout);
  const paidBy = (one: typeof several) =>
    readRecords(one.stdout).filter((row) => row['settlement_id'] !== '');
  const own = rows.filter((row) => row['profile'] === 'adyen');
  expect(own.map(({ profile: _, ...row }) => row)).toEqual(paidBy(alone));
  expect(several.stderr).toMatch(/^adyen: RECONCILED\. 2 of 2 pay-outs/m);
});

test('the workbook has a column for the profile, and the lines are one NDJSON', async () => {
  const { run, folder } = await threeProfiles({ booked: [...asPaid, ...paidLater] });
  const path = join(folder, 'bank.xlsx');
  expect(await run([...all, '--output', path])).toMatchObject({ exitCode: 0 });
  const lines = (await run([...all, '--format', 'ndjson'])).stdout.trimEnd().split('\n');
  const last = JSON.parse(lines.at(-1) ?? '');
  expect(last).toMatchObject({ type: 'summary', profiles: [{ profile: 'adyen' }, {}, {}] });
});

test('entries and exports are of one profile', async () => {
  const { run } = await threeProfiles({ booked: asPaid });
  const { stderr, exitCode } = await run([...all, '--entries']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--entries cannot be combined with several profiles.');
});
