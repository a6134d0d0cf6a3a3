import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkbook, recordsOf } from '../render/xlsx/read-workbook.ts';
import { readRecords } from './read-report.ts';
import { asPaid, shared, threeProfiles } from './three-profiles.ts';

const names = ['adyen', 'stripe', 'main'] as const;
const close = (profiles: string) => ['close', '--profile', profiles, '--month', '2026-03'];
const all = close(names.join());
const record = ['--record', '--by', 'Anna'];

const whole = [
  ...asPaid,
  ['2026-03-11', 'EUR', '19.40', 'STRIPE ST-Z1X2C3V4B5N6'],
  ['2026-03-12', 'EUR', '19.40', 'Payments E2E-20260310-02'],
] as const;

interface Point {
  readonly code: string;
  readonly count: number;
  readonly examples: readonly string[];
  readonly amounts: readonly object[];
}

interface Report {
  readonly verdict: string;
  readonly profiles: readonly {
    readonly profile: string;
    readonly verdict: string;
    readonly blockers: readonly Point[];
    readonly lines: readonly { readonly currency: string; readonly closing: object }[];
    readonly bridge: readonly object[];
    readonly ladders: readonly object[];
  }[];
  readonly bridge: readonly {
    readonly account: string;
    readonly [figure: string]: unknown;
  }[];
}

type Run = Awaited<ReturnType<typeof threeProfiles>>['run'];

async function reportOf(run: Run, ...more: readonly string[]) {
  const { stdout, stderr, exitCode } = await run([...all, ...more, '--format', 'json']);
  return { exitCode, stderr, report: JSON.parse(stdout) as Report };
}

const verdictsIn = ({ profiles }: Report) => profiles.map(({ verdict }) => verdict);
const pointsIn = ({ profiles }: Report) =>
  profiles.map(({ blockers }) => blockers.map(({ code, count }) => [code, count]));

describe('the month end of three profiles', () => {
  test('rolls each forward by itself, and has each bank account once over all of them', async () => {
    const { run } = await threeProfiles({ booked: whole });
    const { report, exitCode } = await reportOf(run);
    expect([exitCode, report.verdict]).toEqual([0, 'ready']);
    expect(verdictsIn(report)).toEqual(['ready', 'ready', 'ready']);
    expect(report.profiles.map(({ lines }) => lines.map(({ currency }) => currency))).toEqual([
      ['EUR', 'USD'],
      ['EUR', 'USD'],
      ['EUR'],
    ]);
    expect(report.bridge).toMatchObject([
      {
        currency: 'USD',
        movement: { amount: '57.50' },
        cleared: { amount: '57.50' },
        residual: { amount: '0.00' },
      },
      {
        currency: 'EUR',
        movement: { amount: '181.80' },
        cleared: { amount: '181.80' },
        residual: { amount: '0.00' },
      },
    ]);
    expect(report.profiles.flatMap(({ bridge }) => bridge)).toEqual([]);
  });

  test('is recorded once for each, and stays as it is', async () => {
    const { run, folder } = await threeProfiles({ booked: whole });
    const closed = await run([...all, ...record, '--format', 'table']);
    expect(closed.exitCode).toBe(0);
    expect(closed.stdout).toMatch(/^CLOSED\n3 profiles: all closed\.\n/);
    for (const name of names) {
      const lines = await readFile(join(folder, `${name}-closes.csv`), 'utf8');
      expect(lines.match(/^close,1,/gm)).toHaveLength(1);
      const alone = await run([...close(name), '--format', 'table']);
      expect(alone.stdout).toMatch(/^CLOSED on 2026-04-05 by Anna/);
      expect(alone.exitCode).toBe(0);
    }
    const again = await reportOf(run);
    expect([again.exitCode, verdictsIn(again.report)]).toEqual([0, ['closed', 'closed', 'closed']]);
    expect(again.report.bridge).toMatchObject([
      { movement: { amount: '57.50' } },
      { movement: { amount: '181.80' } },
    ]);
    const twice = await run([...all, ...record]);
    expect(twice.exitCode).toBe(1);
    expect(twice.stderr).toMatch(/stripe: Not recorded: .*closed/);
  });

  test('goes on in the next month where each was closed', async () => {
    // The last pay-out of Stripe arrives in April.
    const late = ['2026-04-01', 'EUR', '19.40', 'STRIPE ST-Z1X2C3V4B5N6'] as const;
    const booked = whole.map((one) => (one[3] === late[3] ? late : one));
    const { run } = await threeProfiles({ booked });
    const forced = ['--force', '--note', 'late', ...record];
    const march = await run([...all, ...forced, '--format', 'table']);
    expect(march.stdout).toMatch(/^CLOSED/);
    const april = ['--from', '2026-04-01', '--to', '2026-04-02', '--format', 'json'];
    const { stdout } = await run([...close(names.join()).slice(0, 3), ...april]);
    const { profiles, bridge } = JSON.parse(stdout) as Report;
    const ofStripe = profiles[1]?.lines.find(({ currency }) => currency === 'EUR');
    expect(ofStripe).toMatchObject({
      opening: { amount: '19.40' },
      received: { amount: '19.40' },
      closing: { amount: '0.00' },
    });
    expect(bridge.find(({ account }) => account.startsWith('DE79'))).toMatchObject({
      movement: { amount: '19.40' },
      residual: { amount: '0.00' },
    });
  });
});

describe('what stands against it', () => {
  test('is an entry that two could have, for both, and none is recorded', async () => {
    const { run, folder } = await threeProfiles({ booked: [...asPaid, shared] });
    const { report, exitCode, stderr } = await reportOf(run, ...record);
    expect([exitCode, report.verdict]).toEqual([1, 'not_ready']);
    expect(pointsIn(report)).toEqual([[], [['ambiguous', 1]], [['ambiguous', 1]]]);
    expect(stderr).toContain('adyen: Not recorded: another profile cannot be closed.');
    await expect(readFile(join(folder, 'adyen-closes.csv'))).rejects.toThrow('ENOENT');
    // On suspense until someone decides, the account still adds up.
    expect(report.bridge[1]).toMatchObject({
      suspense: { amount: '19.40' },
      residual: { amount: '0.00' },
    });
    const forced = await reportOf(run, ...record, '--force', '--note', 'asked Stripe');
    expect(verdictsIn(forced.report)).toEqual(['closed', 'closed', 'closed']);
  });

  test('is what is unknown to all, once', async () => {
    const other = ['2026-03-12', 'USD', '7.00', 'Anyone'] as const;
    const { run } = await threeProfiles({ booked: [...whole, other] });
    const { report } = await reportOf(run);
    expect(pointsIn(report)).toEqual([[['unknown_on_bank', 1]], [], []]);
    expect(report.bridge[0]).toMatchObject({
      movement: { amount: '64.50' },
      suspense: { amount: '7.00' },
      residual: { amount: '0.00' },
    });
  });

  test('is a profile that cannot be read', async () => {
    const { run, folder } = await threeProfiles({ booked: whole });
    await writeFile(join(folder, 'adyen', 'a.csv'), 'nothing,of,it\n1,2,3\n');
    const { report, exitCode, stderr } = await reportOf(run, ...record);
    expect([exitCode, report.verdict]).toEqual([2, 'incomplete']);
    expect(stderr).toContain('stripe: Not recorded: another profile cannot be closed.');
    await expect(readFile(join(folder, 'main-closes.csv'))).rejects.toThrow('ENOENT');
  });
});

test('a run that recorded only one is repeated: what is recorded stays, the others follow', async () => {
  const { run, folder } = await threeProfiles({ booked: whole });
  const alone = [...close('adyen'), ...record, '--force', '--note', 'alone'];
  expect(await run(alone)).toMatchObject({ exitCode: 0 });
  const { report } = await reportOf(run, ...record, '--new-register');
  expect(verdictsIn(report)).toEqual(['closed', 'closed', 'closed']);
  const lines = await readFile(join(folder, 'adyen-closes.csv'), 'utf8');
  expect(lines.match(/^close,\d+,/gm)).toEqual(['close,1,']);
});

test('one register may have the closes of all', async () => {
  const { run, folder } = await threeProfiles({ booked: whole });
  const register = join(folder, 'all.csv');
  const { report } = await reportOf(run, ...record, '--closes', register);
  expect(verdictsIn(report)).toEqual(['closed', 'closed', 'closed']);
  const lines = await readFile(register, 'utf8');
  expect(lines.match(/^close,\d+,/gm)).toEqual(['close,1,', 'close,2,', 'close,3,']);
});

test('an order is judged by the profile that its method belongs to', async () => {
  const columns = (method: string) =>
    `orders = "orders.csv"\norders_csv = { order = "Order", date = "Date", total = "Total", currency = "Currency", charge = "Order", method = "Method", methods = ["${method}"] }`;
  const { run, folder } = await threeProfiles({
    booked: whole,
    more: { adyen: columns('adyen'), stripe: columns('stripe') },
  });
  const lines = [
    'Order,Date,Total,Currency,Method',
    'P1,2026-03-02,20.00,EUR,adyen',
    'P2,2026-03-02,20.00,EUR,adyen',
    'P3,2026-03-02,10.00,USD,adyen',
    'Order 3,2026-03-02,50.00,USD,stripe',
    'Order 4,2026-03-02,20.00,EUR,stripe',
    'Order 9,2026-03-02,33.00,EUR,stripe',
  ];
  await writeFile(join(folder, 'orders.csv'), `${lines.join('\n')}\n`);
  const { report } = await reportOf(run);
  const [adyen, stripe] = report.profiles.map(({ blockers }) =>
    blockers.map((one) => [one.code, one.examples]),
  );
  expect(adyen).toEqual([]);
  expect(stripe).toEqual([['order_missing_in_settlements', ['Order 9']]]);
});

test('the paper is one workbook, one page and one CSV, which name the profile', async () => {
  const { run, folder } = await threeProfiles({ booked: whole });
  const [book, page] = ['close.xlsx', 'close.html'].map((name) => join(folder, name));
  const paper = ['--output', book ?? '', '--output', page ?? ''];
  expect(await run([...all, ...paper])).toMatchObject({ exitCode: 0 });
  const sheets = await readWorkbook(await readFile(book ?? ''));
  const profilesOn = (name: string) => recordsOf(sheets.get(name)).map((row) => row['Profile']);
  expect(new Set(profilesOn('Roll-forward'))).toEqual(new Set(names));
  // Its accounts, and a total of each currency.
  expect(recordsOf(sheets.get('Bridge'))).toHaveLength(4);
  const html = await readFile(page ?? '', 'utf8');
  expect(html).toContain('Bridge to the bank statements, DE79');
  const { stdout } = await run(all);
  expect(readRecords(stdout).map((row) => row['profile'])).toEqual([
    ...['adyen', 'adyen', 'stripe', 'stripe', 'main'],
  ]);
  const lines = (await run([...all, '--format', 'ndjson'])).stdout.trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'summary', profiles: [{}, {}, {}] });
});
