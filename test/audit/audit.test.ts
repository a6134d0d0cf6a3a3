import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import { openDuckDb } from '../../src/audit/duckdb.ts';
import { findLakes } from '../../src/audit/find-lakes.ts';
import { runRecon } from '../support/run-recon.ts';
import { type LakeDay, rowsOf, type SomeColumns, settlementOf, writeLake } from './write-lake.ts';

let place = '';
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'recon-lakes-'));
});
afterAll(() => rm(place, { recursive: true }));

interface Finding {
  readonly code: string;
  readonly weight: string;
  readonly count: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

interface Report {
  readonly verdict: string;
  readonly notChecked: readonly string[];
  readonly findings: readonly Finding[];
  readonly totals: readonly Readonly<Record<string, unknown>>[];
  readonly feeRates: readonly Readonly<Record<string, unknown>>[];
}

async function auditOf(...args: readonly string[]) {
  const { stdout, stderr, exitCode } = await runRecon(['audit', ...args, '--json']);
  expect(stderr).toBe('');
  return { exitCode, report: JSON.parse(stdout) as Report };
}

const types = ['--refund-types', 'refund', '--purchase-types', 'purchase,purchase_online'];

/** A settlement and its rows, as parts of a day. */
function settled(id: string, rows: Parameters<typeof rowsOf>[1], more: SomeColumns = {}) {
  const token = more['accounting_token'];
  const own = token === undefined ? {} : { accounting_token: token };
  const transactions = rowsOf(id, rows).map((row) => ({ ...own, ...row }));
  return { settlements: [settlementOf(id, transactions, more)], transactions };
}

describe('an audit of a lake without findings', () => {
  let folder = '';
  let withoutTypes: Awaited<ReturnType<typeof auditOf>>;
  beforeAll(async () => {
    folder = await writeLake(join(place, "it's [a] lake?"), {
      '2026-03-30': settled('s1', {
        a1: { amount_minor: 1000, fees_minor: 14, tax_minor: 2, charge_id: 'c1' },
        // Sums are exact beyond what a double holds, and at the scale of the settlement.
        a2: { amount_minor: 9007199254740993n, payment_type: 'transfer' },
      }),
      '2026-03-31': {},
      '2026-04-01': settled('s2', {
        b1: { amount_minor: -400, transaction_type: 'refund', charge_id: 'C1' },
        b2: { amount_minor: 2000, fees_minor: 30 },
      }),
    });
    withoutTypes = await auditOf(folder);
  });

  it('says so, with exit code 0', async () => {
    const { report, exitCode } = await auditOf(folder, ...types);
    expect(report).toMatchObject({ verdict: 'balanced', findings: [], notChecked: [] });
    expect(exitCode).toBe(0);
  });

  it('accepts the lake folder itself, and reads it once', async () => {
    const { report } = await auditOf(join(folder, 'lake'), folder, ...types);
    expect(report.findings).toEqual([]);
  });

  it('has exact totals and fee rates', () => {
    const { report } = withoutTypes;
    expect(report.totals).toMatchObject([
      {
        accountingToken: 'shop',
        transactions: 4,
        reported: { gross: { minor: '9007199254743593' } },
        computed: { payIn: { amount: '90071992547435.47' } },
        difference: { gross: { minor: '0' } },
      },
    ]);
    expect(report.feeRates).toMatchObject([
      { month: '2026-03', paymentType: 'card', feesPercent: '1.4000' },
      {
        month: '2026-04',
        paymentType: 'card',
        gross: { amount: '16.00' },
        feesPercent: '1.8750',
      },
      { month: '2026-03', paymentType: 'transfer', feesPercent: '0.0000' },
    ]);
  });

  it('does not check refunds if it is not given the types', () => {
    expect(withoutTypes.report.notChecked).toEqual([
      'over_refunded',
      'refund_without_purchase',
      'missing_type',
    ]);
  });

  it('says that no transaction has the types that it is given', async () => {
    const mistyped = ['--refund-types', 'Refund', '--purchase-types', 'purchase'];
    const { report, exitCode } = await auditOf(folder, ...mistyped);
    expect(report.findings).toMatchObject([
      {
        code: 'missing_type',
        weight: 'notice',
        rows: [{ message: 'No transaction has one of the refund types.' }],
      },
    ]);
    expect(exitCode).toBe(0);
  });
});

describe('a lake with every kind of finding', () => {
  let report: Report;
  let exitCode: number;
  beforeAll(async () => {
    const old = {
      verdict: 'pending',
      settlement_status: 'pending_settlement',
      service_says: 'pending',
    };
    const more = ['gross_reported', 'gross_computed', 'pay_in_reported', 'pay_in_computed'];
    const wrong = Object.fromEntries(more.map((name) => [`${name}_minor`, 101]));
    const folder = await writeLake(join(place, 'findings'), {
      '2026-02-01': {
        ...settled('s1', { 'A1-x': 1000, a2: { amount_minor: 500, charge_id: 'c2' } }),
        changes: [
          {
            settlement_id: 's1',
            change: 'settlement_changed',
            field: 'gross',
            before: '14.00',
            after: '15.00',
          },
          { settlement_id: 's9', change: 'settlement_added', field: 'settlement_status' },
        ],
      },
      '2026-02-02': {
        ...settled('s2', { 'a1-X': 1000 }),
        // That it settles is no change after it was settled.
        changes: [
          {
            settlement_id: 's2',
            change: 'settlement_changed',
            field: 'settlement_status',
            before: 'pending_settlement',
            after: 'settled',
          },
          { settlement_id: 's2', change: 'settlement_changed', field: 'fees', before: '1.00' },
        ],
      },
      '2026-02-05': {
        ...settled('s3', {
          a3: { amount_minor: -700, transaction_type: 'refund', charge_id: 'C2' },
        }),
        version: 'v2',
      },
      '2026-02-06': settled('s4', { a4: 300 }, old),
      '2026-02-07': {
        ...settled('s5', { a5: { amount_minor: -1, transaction_type: 'refund', charge_id: 'c3' } }),
        days: { complete: false, verdict: 'incomplete' },
        discrepancies: [{ code: 'unsteady_headers', weight: 'incomplete' }],
      },
      '2026-02-08': settled('s6', { a6: 100 }, wrong),
      '2026-02-09': settled('s4', { z1: 300 }, old),
      '2026-02-10': { ...settled('s7', { '': 1 }), days: { settlements_balanced: 2 } },
    });
    ({ report, exitCode } = await auditOf(folder, ...types, '--silent-days', '3'));
  });

  const found = (code: string) => report.findings.find((one) => one.code === code);

  it.each([
    [
      'missing_day',
      'incomplete',
      [{ day: '2026-02-03', message: '2 days missing: 2026-02-03 to 2026-02-04.' }],
    ],
    ['incomplete_day', 'incomplete', [{ day: '2026-02-07' }]],
    [
      'sums',
      'discrepancy',
      ['gross', 'net pay-out'].map((figure) => ({
        settlement: { id: 's6' },
        amount: { amount: '1.00' },
        expected: { amount: '1.01' },
        message: expect.stringMatching(new RegExp(figure, 'i')),
      })),
    ],
    [
      'day_counts',
      'discrepancy',
      [{ day: '2026-02-10', message: '2 balanced in the table days, 1 in the table settlements.' }],
    ],
    [
      'repeated_transaction',
      'discrepancy',
      [
        {
          transactionId: 'A1-x',
          settlement: { id: 's1' },
          day: '2026-02-01',
          amount: { minor: '1000' },
        },
        { transactionId: 'a1-X', settlement: { id: 's2' }, day: '2026-02-02' },
      ],
    ],
    [
      'repeated_settlement',
      'discrepancy',
      [{ settlement: { id: 's4' }, day: '2026-02-06' }, { day: '2026-02-09' }],
    ],
    [
      'over_refunded',
      'discrepancy',
      [{ chargeId: 'c2', amount: { amount: '7.00' }, expected: { amount: '5.00' } }],
    ],
    ['refund_without_purchase', 'notice', [{ transactionId: 'a5', chargeId: 'c3' }]],
    [
      'changed_after_settled',
      'notice',
      [
        {
          settlement: { id: 's1' },
          message: 'Settlement s1: settlement changed, gross from 14.00 to 15.00.',
        },
      ],
    ],
    [
      'never_settled',
      'notice',
      [{ settlement: { id: 's4' }, day: '2026-02-06' }, { day: '2026-02-09' }],
    ],
  ] as const)('%s', (code, weight, rows) => {
    expect(found(code)).toMatchObject({ weight, rows });
  });

  it('has no other findings, and the run is incomplete', () => {
    expect(report.findings).toHaveLength(10);
    expect(report.verdict).toBe('incomplete');
    expect(exitCode).toBe(4);
  });
});

describe('an audit of contradictory tables', () => {
  /** What is changed in a day with one settlement of two rows, s1. */
  interface Change {
    readonly settlement?: SomeColumns;
    readonly row?: SomeColumns;
    readonly day?: SomeColumns;
    readonly more?: Partial<LakeDay>;
  }

  const raised = {
    gross_reported_minor: 1600,
    gross_reported: '16.00',
    gross_difference_minor: 100,
  };

  const consistent: readonly (readonly [name: string, change: Change])[] = [
    ['nothing is changed', {}],
    [
      'a tolerance forgives a difference, and a notice says so',
      {
        settlement: { ...raised, notices: '["within_tolerance"]' },
        day: { tolerance: 100 },
        more: { discrepancies: [{ settlement_id: 's1', code: 'within_tolerance' }] },
      },
    ],
  ];

  const contradictions: readonly (readonly [string, Change, readonly string[]])[] = [
    [
      'a reported amount that was raised',
      { settlement: { pay_in_reported_minor: 11486, pay_in_reported: '114.86' } },
      [
        'differences: Net pay-out: difference 0.00 EUR, reported − computed 100.00 EUR.',
        'verdicts: Settlement s1: the discrepancy identity is missing.',
      ],
    ],
    [
      'a difference without its discrepancy',
      { settlement: { transactions_reported: 3, transactions_difference: 1 } },
      ['verdicts: Settlement s1: the discrepancy count is missing.'],
    ],
    [
      'a verdict that is not that of the status and the sums',
      {
        settlement: { verdict: 'out_of_balance' },
        day: { settlements_out_of_balance: 1, verdict: 'out_of_balance' },
      },
      ['verdicts: Settlement s1: verdict is out_of_balance; the rest of it gives balanced.'],
    ],
    [
      'an opinion that is not that of the status',
      { settlement: { service_says: 'unknown', verdict: 'pending' } },
      [
        'verdicts: Settlement s1: service says is unknown; the rest of it gives balanced.',
        'never_settled: Settlement s1 of 2026-03-01 was settled when it was exported: net pay-out 14.86 EUR.',
      ],
    ],
    [
      'a discrepancy without a difference',
      {
        settlement: {
          discrepancies: '["gross"]',
          sums_say: 'out_of_balance',
          verdict: 'out_of_balance',
        },
        day: { verdict: 'out_of_balance' },
      },
      [
        'verdicts: Settlement s1: the discrepancy gross does not follow from the figures.',
        'day_counts: 1 codes in the table settlements, 0 rows in the table discrepancies.',
      ],
    ],
    [
      'a day with another verdict than its settlements',
      { day: { verdict: 'pending', complete: false } },
      [
        'verdicts: 2026-03-01: complete is no; the rest of it gives yes.',
        'verdicts: 2026-03-01: verdict is pending; the rest of it gives balanced.',
      ],
    ],
    [
      'transactions that name another settlement, or another account',
      { row: { own_settlement_id: 'S2', accounting_token: 'another' } },
      [
        'sums: Transactions of another account: 0 in the export, 1 from the transactions.',
        'sums: Transactions of another settlement: 0 in the export, 1 from the transactions.',
      ],
    ],
    [
      'an incomplete settlement that has figures',
      { settlement: { complete: false } },
      ['verdicts: Settlement s1: complete is no; the rest of it gives yes.'],
    ],
    [
      'a decimal that is not its minor units',
      { row: { amount: '10.01' } },
      [
        'different_forms: Settlement s1, transaction a: amount 10.0100 EUR as a decimal, 10.0000 EUR in the smallest unit.',
      ],
    ],
    [
      'a decimal that is missing',
      { settlement: { tax_reported: null } },
      ['different_forms: Settlement s1: tax none as a decimal, 0.0000 EUR in the smallest unit.'],
    ],
    [
      'a time that is not its timestamp',
      { row: { time: '2026-03-01T10:00:00.5Z' } },
      [
        'different_forms: Settlement s1, transaction a: the time is not that of the timestamp 2026-03-01T10:00:00.5+01:00.',
      ],
    ],
    [
      'a transaction that is listed zero times',
      { row: { listed: 0 } },
      ['different_forms: Settlement s1, transaction a: listed 0 times.'],
    ],
    [
      'transactions of another scale, without a notice',
      { row: { decimal_places: 1, amount_minor: 100, fees_minor: 0, tax_minor: 0 } },
      [
        'sums: Decimal places: 2 in the export, 1 from the transactions.',
        'sums: Fees: 0.14 EUR in the export, 0.00 EUR from the transactions.',
        'sums: Net pay-out: 14.86 EUR in the export, 15.00 EUR from the transactions.',
      ],
    ],
    [
      'a number of transactions that is not that of the transactions',
      { day: { transactions: 3 } },
      ['day_counts: 3 transactions in the table days, 2 in the table settlements.'],
    ],
    [
      'transactions and discrepancies of a settlement that is not there',
      {
        more: {
          transactions: [...rowsOf('s1', {}), ...rowsOf('orphan', { c: 7, d: 8 })],
          discrepancies: [{ settlement_id: 'lost', code: 'gross', weight: 'discrepancy' }],
          settlements: [],
        },
      },
      [
        'unknown_settlement: The table discrepancies has 1 row of settlement lost on 2026-03-01, which the table settlements does not have.',
        'unknown_settlement: The table transactions has 2 rows of settlement orphan on 2026-03-01, which the table settlements does not have.',
        'day_counts: 2 transactions in the table days, 0 in the table settlements.',
      ],
    ],
    [
      'checks that are ignored, without their notices among the discrepancies',
      { settlement: { ...raised, notices: '["gross","identity"]' } },
      ['day_counts: 2 codes in the table settlements, 0 rows in the table discrepancies.'],
    ],
    [
      'a difference beyond the tolerance that its notice names',
      {
        settlement: { ...raised, notices: '["within_tolerance"]' },
        day: { tolerance: 99 },
        more: { discrepancies: [{ settlement_id: 's1', code: 'within_tolerance' }] },
      },
      [
        'verdicts: Settlement s1: the discrepancy gross is missing.',
        'verdicts: Settlement s1: the discrepancy identity is missing.',
      ],
    ],
  ];

  const cases = [
    ...consistent.map(([name, change]) => [name, change, []] as const),
    ...contradictions,
  ];
  const dayOf = (at: number) => `2026-03-${String(at + 1).padStart(2, '0')}`;
  /** Ends the ids of a case, which no other may have. */
  const markOf = (at: number) => `~${at}`;

  let findings: Report['findings'];
  beforeAll(async () => {
    // A day for each: one audit takes hardly longer for all of them.
    const folder = await writeLake(
      join(place, 'contradictions'),
      Object.fromEntries(cases.map(([, change], at) => [dayOf(at), dayWith(change, markOf(at))])),
    );
    const { report, exitCode } = await auditOf(folder);
    expect(exitCode).toBe(1);
    ({ findings } = report);
  });

  function dayWith({ settlement, row, day, more }: Change, mark: string): LakeDay {
    const id = `s1${mark}`;
    const { settlements, transactions } = settled(id, {
      [`a${mark}`]: {
        amount_minor: 1000,
        fees_minor: 14,
        timestamp: '2026-03-01T10:00:00.5+01:00',
      },
      [`b${mark}`]: { amount_minor: 500 },
    });
    const times = { time: '2026-03-01T09:00:00.5Z' };
    const { discrepancies } = more ?? {};
    return {
      settlements: settlements.map((one) => ({ ...one, ...settlement })),
      transactions: transactions.map((one, index) =>
        index === 0 ? { ...one, ...times, ...row } : one,
      ),
      ...(day && { days: day }),
      ...more,
      ...(discrepancies && {
        discrepancies: discrepancies.map((one) =>
          one['settlement_id'] === 's1' ? { ...one, settlement_id: id } : one,
        ),
      }),
    };
  }

  /** The findings of a case, as if it were alone in its lake. */
  function found(at: number) {
    return findings.flatMap(({ code, weight, rows }) =>
      rows
        .filter(({ day }) => day === dayOf(at))
        .map(({ message }) => ({
          weight,
          message: `${code}: ${message}`
            .replaceAll(markOf(at), '')
            .replaceAll(dayOf(at), '2026-03-01'),
        })),
    );
  }

  it.each(consistent.map(([name], at) => [name, at] as const))('finds nothing if %s', (_, at) => {
    expect(found(at)).toEqual([]);
  });

  it.each(
    contradictions.map(
      ([name, , messages], at) => [name, messages, consistent.length + at] as const,
    ),
  )('finds: %s', (_, messages, at) => {
    expect(found(at).map(({ message }) => message)).toEqual(messages);
    expect(found(at).map(({ weight }) => weight)).toContain('discrepancy');
    expect(found(at).map(({ weight }) => weight)).not.toContain('incomplete');
  });

  it('finds nothing else', () => {
    const days = new Set(cases.map((_, at) => dayOf(at)));
    const rows = findings.flatMap((one) => one.rows);
    expect(rows.filter(({ day }) => !days.has(String(day)))).toEqual([]);
  });
});

describe('the check of the folders', () => {
  it('names files that are not tables, and accepts folders of a catalogue', async () => {
    const folder = await writeLake(join(place, 'extra'), {
      '2026-03-01': settled('s1', { a: 1 }),
    });
    const partition = join(folder, 'lake', 'transactions', 'day=2026-03-01');
    await copyFile(join(partition, 'part-0.parquet'), join(partition, 'copy.parquet'));
    for (const name of ['_delta_log', 'metadata']) {
      await mkdir(join(folder, 'lake', 'transactions', name));
      await writeFile(join(folder, 'lake', 'transactions', name, '0.json'), '{}');
    }
    await writeFile(join(folder, 'lake', 'days', 'notes.txt'), 'notes');
    const { report, exitCode } = await auditOf(folder);
    expect(report.findings).toMatchObject([
      {
        code: 'extra_file',
        weight: 'incomplete',
        rows: [
          {
            message: expect.stringContaining(
              'Transactions/day=2026-03-01/copy.parquet in folder 1',
            ),
          },
          { message: expect.stringContaining('Days/notes.txt') },
        ],
      },
    ]);
    expect(exitCode).toBe(4);
  });

  it.each(['part', 'day', 'table'])('ends with 4 if a link is a %s', async (which) => {
    const folder = await writeLake(join(place, `link-${which}`), {
      '2026-03-01': settled('s1', { a: 1 }),
    });
    const table = join(folder, 'lake', 'settlements');
    const day = join(table, 'day=2026-03-01');
    const path = { table, day, part: join(day, 'part-0.parquet') }[which] ?? '';
    await rename(path, join(place, `moved-${which}`));
    await symlink(join(place, `moved-${which}`), path);
    const run = await runRecon(['audit', folder]);
    expect(run.exitCode).toBe(4);
    expect(run.stderr).toContain('link');
  });

  it('gives one row for a table with rows of many foreign versions', async () => {
    const transactions = Array.from({ length: 50 }, (_, index) => ({
      ...rowsOf('s1', { [`t${index}`]: 1 })[0],
      day_version: `v${index}`,
      profile: `p${index}`,
    }));
    const folder = await writeLake(join(place, 'foreign'), {
      '2026-03-01': { transactions, days: { transactions: 0 } },
    });
    const { report } = await auditOf(folder);
    expect(report.findings).toMatchObject([
      {
        code: 'mixed_versions',
        count: 1,
        rows: [{ message: expect.stringMatching(/^The table transactions has 50 rows/) }],
      },
    ]);
  });

  it.each(['day=2026-01-01', 'back\\slash'])('accepts a folder called %s', async (name) => {
    const folder = await writeLake(join(place, name), {
      '2026-03-01': settled('s1', { a: 1 }),
      '2026-03-02': settled('s2', { b: 1 }),
    });
    const { report } = await auditOf(folder);
    expect(report).toMatchObject({
      findings: [],
      profiles: [{ firstDay: '2026-03-01', lastDay: '2026-03-02', days: 2 }],
    });
  });
});

describe('several lakes', () => {
  it('are read together, and a day in two of them counts once', async () => {
    const day = (id: string, version?: string) => ({
      ...settled(`s${id}`, { [id]: 100 }),
      ...(version && { version }),
    });
    const first = await writeLake(join(place, 'first'), {
      '2026-03-01': day('1'),
      '2026-03-02': day('2'),
    });
    const second = await writeLake(join(place, 'second'), {
      '2026-03-02': day('2'),
      '2026-03-03': day('3'),
    });
    const third = await writeLake(join(place, 'third'), {
      '2026-03-03': day('3', 'v2'),
      '2026-03-04': { ...day('4'), profile: 'spain' },
    });
    const fourth = await writeLake(join(place, 'fourth'), { '2026-03-03': day('3') });
    const { report, exitCode } = await auditOf(first, second, third, fourth);
    expect(report.findings).toMatchObject([
      {
        code: 'conflicting_day',
        weight: 'incomplete',
        rows: [
          {
            message: '2026-03-03 differs between folders 2 and 3; only folder 2 is read.',
          },
        ],
      },
      {
        code: 'repeated_day',
        weight: 'notice',
        rows: [
          { message: '2026-03-02 has the same data in folders 1 and 2; folder 1 is read.' },
          // The one in between is another, which is found above.
          { message: '2026-03-03 has the same data in folders 2 and 4; folder 2 is read.' },
        ],
      },
    ]);
    expect(report.totals).toMatchObject([
      { profile: '', transactions: 3, reported: { gross: { amount: '3.00' } } },
      { profile: 'spain', transactions: 1 },
    ]);
    expect(exitCode).toBe(4);
    const failing = await runRecon(['audit', first, second, '--fail-on', '+finding', '--quiet']);
    expect(failing.exitCode).toBe(1);
  });
});

it('a total has no computed pay-in if the identity was off on some days', async () => {
  const off = { pay_in_computed_minor: null, pay_in_difference_minor: null };
  const folder = await writeLake(join(place, 'off'), {
    '2026-03-01': settled('s1', { a: 100 }),
    '2026-03-02': {
      ...settled('s2', { b: 200 }, off),
      days: { fees_sign: null, tax_sign: null },
    },
  });
  const { report } = await auditOf(folder);
  expect(report.findings).toEqual([]);
  expect(report.totals).toMatchObject([
    {
      reported: { payIn: { amount: '3.00' } },
      computed: { gross: { amount: '3.00' }, payIn: null },
      difference: { payIn: null },
      outOfBalance: null,
    },
  ]);
});

it('an account that had a single settlement can go silent too', async () => {
  const folder = await writeLake(join(place, 'silent'), {
    '2026-03-01': settled('s1', { a: 1 }),
    '2026-03-02': settled('s2', { b: 1 }, { accounting_token: 'other' }),
    '2026-03-03': {},
    '2026-03-04': settled('s3', { c: 1 }, { accounting_token: 'other' }),
    '2026-03-05': {},
    '2026-03-06': {},
  });
  const { report } = await auditOf(folder, '--silent-days', '3');
  expect(report.findings).toMatchObject([
    {
      code: 'silent_account',
      weight: 'notice',
      rows: [{ accountingToken: 'shop', day: '2026-03-01' }],
    },
  ]);
});

it('a day whose tables were not all replaced is incomplete, and its sums are not compared', async () => {
  const folder = await writeLake(join(place, 'torn'), {
    '2026-03-01': settled('s1', { a: 1, b: 2 }),
  });
  const later = await writeLake(join(place, 'later'), {
    '2026-03-01': { ...settled('s1', { a: 1 }), version: 'v2' },
  });
  for (const table of ['days', 'settlements']) {
    const part = join('lake', table, 'day=2026-03-01', 'part-0.parquet');
    await copyFile(join(later, part), join(folder, part));
  }
  const { report, exitCode } = await auditOf(folder);
  expect(report.findings).toMatchObject([
    {
      code: 'mixed_versions',
      rows: [{ day: '2026-03-01', message: expect.stringContaining('transactions') }],
    },
  ]);
  expect(exitCode).toBe(4);
});

it('a search of ids in many parts finds the same as a search at once', async () => {
  const ids = ['0', '0f', '7f', '80', 'F', 'ff', 'zebra', '-', '\u{10ffff}'];
  const rows = Object.fromEntries(ids.map((id) => [id, 1]));
  const folder = await writeLake(join(place, 'parts'), {
    '2026-03-01': settled('s1', rows),
    '2026-03-02': settled('s2', { ...rows, once: 1 }),
  });
  const { signal } = new AbortController();
  const lakes = await findLakes([folder]);
  const engine = await openDuckDb(lakes, { memory: 10 ** 9, threads: 2, temporary: place, signal });
  const settings = {
    today: '2026-03-03',
    pendingDays: 14,
    silentDays: 14,
    refundTypes: [],
    purchaseTypes: [],
  };
  const parts: string[] = [];
  const ask = (queries: readonly string[]) => {
    const isPart = (query: string) => query.includes('hash % 7 =');
    parts.push(...queries.filter(isPart));
    return engine.ask(queries);
  };
  const atOnce = await audit(engine, settings);
  const inParts = await audit({ ...engine, ask, idsAtOnce: 3 }, settings);
  await engine.close();
  expect(parts).toHaveLength(7);
  expect(inParts.findings).toMatchObject([{ code: 'repeated_transaction', count: 9 }]);
  expect(inParts.findings[0]?.count).toBe(atOnce.findings[0]?.count);
  expect(new Set(inParts.findings[0]?.rows)).toEqual(new Set(atOnce.findings[0]?.rows));
});

describe('an audit', () => {
  it('ends with a usage error if the folder has no tables', async () => {
    const run = await runRecon(['audit', place]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('No Parquet tables found.');
    expect(run.stderr).toContain(`recon export --out ${place} --parquet --existing`);
  });

  it('ends with 4 if a table is damaged, and names the folder', async () => {
    const folder = await writeLake(join(place, 'damaged'), {
      '2026-03-01': settled('s1', { a: 1 }),
    });
    const path = join(folder, 'lake', 'settlements', 'day=2026-03-01', 'part-0.parquet');
    await writeFile(path, 'PAR1 this is no table PAR1');
    const run = await runRecon(['audit', folder]);
    expect(run.exitCode).toBe(4);
    expect(run.stderr).toContain(folder);
  });

  it('refuses types with quotes', async () => {
    const run = await runRecon(['audit', place, '--refund-types', "a' OR 1=1"]);
    expect(run.exitCode).toBe(2);
  });
});

it('the engine leaves no temporary files, even if it fails', async () => {
  const folder = await writeLake(join(place, 'temporary'), { '2026-03-01': {} });
  const lakes = await findLakes([folder]);
  const { signal } = new AbortController();
  const temporary = join(place, 'spill');
  const open = (memory: number) => openDuckDb(lakes, { memory, threads: 1, temporary, signal });
  const engine = await open(10 ** 9);
  expect(await readdir(temporary)).toHaveLength(1);
  await engine.close();
  await expect(open(Number.NaN)).rejects.toThrow();
  expect(await readdir(temporary)).toEqual([]);
});

it.each(['duckdb', 'spark', 'trino'] as const)(
  'the SQL for %s is printed without placeholders',
  async (dialect) => {
    const folder = await writeLake(join(place, dialect), { '2026-03-01': {} });
    const { stdout } = await runRecon(['audit', folder, '--print-sql', dialect, ...types]);
    expect(stdout).not.toMatch(/\{\{|undefined/);
    expect(stdout).toContain("'purchase_online'");
    // Trino refuses a whole number beyond 64 bits that is not a text.
    expect(stdout).not.toMatch(/(?<!['\d])\d{19}/);
    expect(stdout.includes("SET SESSION hive.timestamp_precision = 'MICROSECONDS';")).toBe(
      dialect === 'trino',
    );
  },
);
