import { describe, expect, it } from 'vitest';
import { scenarioNames } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';
import { amounts, codes, type Report, type ReportSettlement, readReport } from './read-report.ts';

interface Expected {
  readonly verdict: 'balanced' | 'out_of_balance' | 'pending' | 'incomplete';
  readonly exitCode: number;
  /** Date; the service / the sums: the verdict; differences; discrepancies; notices. */
  readonly settlements: readonly string[];
  readonly findings?: string;
  /** Whether everything was read, where the verdict does not say so. */
  readonly complete?: boolean;
}

const none = '0.00 0.00 0.00 0.00 0';
const fine = (date: string, notices = '') =>
  `${date}; balanced / balanced: balanced; ${none}; ; ${notices}`;

/** What each scenario says of itself, worked out by hand from its rows. */
const scenarios: Readonly<Record<string, Expected>> = {
  balanced: {
    verdict: 'balanced',
    exitCode: 0,
    settlements: [
      fine('2026-03-03'),
      fine('2026-03-05'),
      '2026-03-06; balanced / balanced: balanced; 0 0 0 0 0; ; ',
      '2026-03-10; balanced / balanced: balanced; 0.000 0.000 0.000 0.000 0; ; ',
      fine('2026-03-12'),
      fine('2026-03-19'),
      '2026-03-20; balanced / balanced: balanced; 0 0 0 0 0; ; ',
      '2026-03-24; balanced / balanced: balanced; 0.000 0.000 0.000 0.000 0; ; ',
      fine('2026-03-31'),
    ],
  },
  charges: {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      '2026-03-04; balanced / out_of_balance: out_of_balance; -25.00 -0.63 -0.13 -24.24 -1; gross fees tax count; ',
      fine('2026-03-11'),
      '2026-03-12; balanced / balanced: balanced; 0 0 0 0 0; ; ',
      '2026-03-13; balanced / balanced: balanced; 0.000 0.000 0.000 0.000 0; ; ',
    ],
  },
  empty: { verdict: 'balanced', exitCode: 0, settlements: [] },
  'fee-off-by-one': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      '2026-03-04; balanced / out_of_balance: out_of_balance; 0.00 0.01 0.00 -0.01 0; fees; ',
    ],
  },
  'fee-drift': {
    verdict: 'balanced',
    exitCode: 0,
    settlements: ['2026-02-26', '2026-02-27', '2026-03-02', '2026-03-03'].map((date) => fine(date)),
  },
  'missing-row': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      '2026-03-04; balanced / out_of_balance: out_of_balance; 150.00 3.75 0.75 145.50 1; gross fees tax count; ',
    ],
  },
  'duplicate-row': {
    verdict: 'balanced',
    exitCode: 0,
    settlements: [fine('2026-03-04', 'duplicate_transaction')],
  },
  'conflicting-row': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      `2026-03-04; balanced / out_of_balance: out_of_balance; ${none}; conflicting_transaction; `,
    ],
  },
  'shared-transaction': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [fine('2026-03-04'), fine('2026-03-11')],
    findings: 'shared_transaction',
  },
  refund: {
    verdict: 'balanced',
    exitCode: 0,
    settlements: [fine('2026-03-04'), fine('2026-03-11')],
  },
  offsetting: {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      '2026-03-04; balanced / out_of_balance: out_of_balance; 5.00 0.00 0.00 5.00 0; gross; ',
      '2026-03-11; balanced / out_of_balance: out_of_balance; -5.00 0.00 0.00 -5.00 0; gross; ',
    ],
  },
  'two-causes': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      '2026-03-04; out_of_balance / out_of_balance: out_of_balance; 3.00 0.07 0.01 2.92 -2; gross fees tax count reported_by_service; ',
    ],
  },
  'declined-rows': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      '2026-03-04; balanced / out_of_balance: out_of_balance; -57.00 0.00 0.00 -57.00 -3; gross count; ',
      '2026-03-05; balanced / out_of_balance: out_of_balance; -2000 0 0 -2000 -2; gross count; ',
      '2026-03-05; balanced / out_of_balance: out_of_balance; -20.00 0.00 0.00 -20.00 -1; gross count; ',
      '2026-03-06; balanced / out_of_balance: out_of_balance; -15.50 0.00 0.00 -15.50 -2; gross count; ',
      fine('2026-03-09'),
    ],
  },
  'foreign-currency-row': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [`2026-03-04; balanced / out_of_balance: out_of_balance; ${none}; currency; `],
  },
  'other-scale': {
    verdict: 'balanced',
    exitCode: 0,
    settlements: [
      '2026-03-04; balanced / balanced: balanced; 0.000 0.000 0.000 0.000 0; ; scale',
      '2026-03-11; balanced / balanced: balanced; 0.0000 0.0000 0.0000 0.0000 0; ; ',
    ],
  },
  'unusual-scale': {
    verdict: 'balanced',
    exitCode: 0,
    settlements: [
      fine('2026-03-04'),
      '2026-03-05; balanced / balanced: balanced; 0 0 0 0 0; ; unusual_scale',
      fine('2026-03-05', 'unusual_scale'),
    ],
  },
  'foreign-settlement-row': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      `2026-03-04; balanced / out_of_balance: out_of_balance; ${none}; foreign_settlement; `,
      fine('2026-03-11'),
    ],
  },
  'service-says-out-of-balance': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      `2026-03-04; out_of_balance / balanced: out_of_balance; ${none}; reported_by_service; `,
    ],
  },
  'service-says-settled': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      '2026-03-04; balanced / out_of_balance: out_of_balance; 10.00 0.00 0.00 10.00 0; gross; ',
      '2026-03-11; out_of_balance / out_of_balance: out_of_balance; -2.00 0.00 0.00 -2.00 0; gross reported_by_service; ',
    ],
  },
  'contradicting-header': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      '2026-03-04; balanced / out_of_balance: out_of_balance; 0.00 0.00 0.00 -0.50 0; identity; ',
      fine('2026-03-11'),
    ],
  },
  'other-identity': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      '2026-03-04; balanced / out_of_balance: out_of_balance; 0.00 0.00 0.00 1.50 0; identity; ',
      '2026-03-11; balanced / out_of_balance: out_of_balance; 0.00 0.00 0.00 0.20 0; identity; ',
    ],
  },
  pending: {
    verdict: 'pending',
    exitCode: 0,
    settlements: [
      fine('2026-03-27'),
      `2026-03-30; pending / balanced: pending; ${none}; ; `,
      '2026-03-31; pending / out_of_balance: pending; 20.00 0.00 0.00 20.00 0; gross; ',
    ],
  },
  'pending-unread': {
    verdict: 'pending',
    exitCode: 0,
    complete: false,
    settlements: [
      fine('2026-03-05'),
      '2026-03-05; pending / out_of_balance: pending; 50.00 1.25 0.25 48.50 5; gross fees tax count; ',
    ],
  },
  overdue: {
    verdict: 'pending',
    exitCode: 0,
    settlements: [
      fine('2026-03-04'),
      `2026-03-05; pending / balanced: pending; ${none}; ; overdue`,
      '2026-03-10; pending / balanced: pending; 0 0 0 0 0; ; overdue',
      `2026-03-17; pending / balanced: pending; ${none}; ; overdue`,
      `2026-03-18; pending / balanced: pending; ${none}; ; `,
    ],
  },
  'unknown-status': {
    verdict: 'pending',
    exitCode: 0,
    settlements: [`2026-03-04; unknown / balanced: pending; ${none}; ; unknown_value overdue`],
  },
  malformed: {
    verdict: 'incomplete',
    exitCode: 4,
    settlements: [
      fine('2026-03-02'),
      '2026-03-04; balanced / incomplete: incomplete; none; unreadable_record; ',
      '2026-03-05; balanced / incomplete: incomplete; none; unreadable_record; ',
      '2026-03-09; balanced / out_of_balance: out_of_balance; 1.00 0.00 0.00 1.00 0; gross; ',
    ],
    findings: 'unreadable_header',
  },
  'conflicting-header': {
    verdict: 'out_of_balance',
    exitCode: 1,
    settlements: [
      `2026-03-04; balanced / out_of_balance: out_of_balance; ${none}; conflicting_settlement; `,
      fine('2026-03-05'),
    ],
  },
  'outside-range': {
    verdict: 'balanced',
    exitCode: 0,
    settlements: [fine('2026-03-31'), fine('2026-04-01', 'outside_range')],
  },
  filters: {
    verdict: 'balanced',
    exitCode: 0,
    settlements: [fine('2026-03-03'), fine('2026-03-04'), fine('2026-03-05')],
  },
  'hostile-text': {
    verdict: 'pending',
    exitCode: 0,
    settlements: [
      fine('2026-03-04', 'unknown_value'),
      `2026-03-05; unknown / balanced: pending; ${none}; ; unknown_value overdue`,
    ],
  },
};

async function judge(scenario: string, ...args: string[]) {
  const run = await runRecon([
    'settlements',
    '--sandbox',
    '--scenario',
    scenario,
    '--format',
    'json',
    ...args,
  ]);
  return { ...run, report: readReport(run.stdout) };
}

function story(one: ReportSettlement): string {
  return [
    one.date,
    `${one.serviceSays} / ${one.sumsSay}: ${one.verdict}`,
    amounts(one.difference),
    codes(one.discrepancies),
    codes(one.notices),
  ].join('; ');
}

/** The first settlement of a report. */
function first({ settlements }: Report): ReportSettlement {
  const [settlement] = settlements;
  if (!settlement) throw new Error('no settlement');
  return settlement;
}

describe('the verdict on', () => {
  it.each(Object.entries(scenarios))('%s', async (scenario, { complete, ...expected }) => {
    const { exitCode, report } = await judge(scenario);
    expect({
      verdict: report.verdict,
      exitCode,
      settlements: report.settlements.map(story),
      findings: codes(report.findings),
    }).toEqual({ findings: '', ...expected });
    expect(report.completeness.complete).toBe(complete ?? expected.verdict !== 'incomplete');
  });

  it('every scenario is tested', () => {
    expect([...Object.keys(scenarios), 'month'].sort()).toEqual([...scenarioNames].sort());
  });
});

describe('the month', () => {
  it('is out of balance where its text says, and nowhere else', async () => {
    const { exitCode, report } = await judge('month');
    const { settlements } = report;
    expect(exitCode).toBe(1);
    expect(report.verdict).toBe('out_of_balance');
    expect(settlements).toHaveLength(40);
    const notable = settlements.filter((one) => story(one).split('; ').slice(3).join('') !== '');
    expect(notable.map((one) => `${one.accountingName} ${story(one)}`)).toEqual([
      'Web shop 2026-03-04; balanced / out_of_balance: out_of_balance; 0.00 0.01 0.00 -0.01 0; fees; ',
      'Stores 2026-03-10; out_of_balance / out_of_balance: out_of_balance; 84.50 1.43 0.28 82.79 1; gross fees tax count reported_by_service; ',
      'Japan 2026-03-12; balanced / balanced: balanced; 0 0 0 0 0; ; duplicate_transaction',
      `Web shop 2026-03-12; balanced / out_of_balance: out_of_balance; ${none}; currency; `,
      `Stores 2026-03-17; out_of_balance / balanced: out_of_balance; ${none}; reported_by_service; `,
      'Web shop 2026-03-18; balanced / out_of_balance: out_of_balance; 5.00 0.00 0.00 5.00 0; gross; ',
      'Web shop 2026-03-25; balanced / out_of_balance: out_of_balance; -5.00 0.00 0.00 -5.00 0; gross; ',
    ]);
  });

  it('shows net and absolute differences per group: +5.00 does not hide -5.00', async () => {
    const { report } = await judge('month');
    expect(
      report.groups.map((group) => [
        group.accountingName,
        group.currency,
        ...Object.values(group.settlements),
        group.outOfBalance?.net.amount,
        group.outOfBalance?.absolute.amount,
      ]),
    ).toEqual([
      ['Web shop', 'EUR', 16, 4, 2, 0, '-0.01', '10.01'],
      ['Stores', 'EUR', 6, 2, 1, 0, '82.79', '82.79'],
      ['Japan', 'JPY', 8, 0, 1, 0, '0', '0'],
    ]);
  });
});

describe('groups', () => {
  it('never add across currencies (trap 26)', async () => {
    const { report } = await judge('balanced');
    const totals = report.groups.map(
      (group) => `${group.accountingName} ${group.currency} ${amounts(group.computed)}`,
    );
    expect(totals.sort()).toEqual([
      'Japan JPY 21000 525 52 20423',
      'Kuwait KWD 75.750 1.893 0.000 73.857',
      'Stores EUR 160.50 3.60 0.72 156.18',
      'Web shop EUR 570.00 13.20 2.64 554.16',
    ]);
  });

  it('leave pending pay-ins out of every sum but their own (trap 27)', async () => {
    const { report } = await judge('pending');
    expect(
      report.groups.map((group) => [amounts(group.reported), group.pendingPayIn.amount]),
    ).toEqual([['100.00 2.50 0.50 97.00', '126.70']]);
  });

  it('leave incomplete settlements out of every sum, and count them', async () => {
    const { report } = await judge('malformed');
    expect(report.groups.map((group) => [group.settlements, amounts(group.reported)])).toEqual([
      [{ balanced: 1, out_of_balance: 1, pending: 0, incomplete: 2 }, '121.00 3.00 0.60 117.40'],
    ]);
  });
});

describe('unreadable records', () => {
  it('are named with their field and its value (trap 20, trap 22)', async () => {
    const { report } = await judge('malformed');
    const unreadable = [
      ...report.settlements.flatMap(({ discrepancies }) => discrepancies),
      ...report.findings,
    ].filter(({ code }) => code.startsWith('unreadable'));
    expect(unreadable.map(({ facts }) => facts)).toMatchObject([
      { examples: [{ field: 'decimalPlaces', found: '""' }] },
      { examples: [{ field: 'amount', found: '10000.5' }] },
      { examples: [{ field: 'decimalPlaces', found: 'null' }] },
    ]);
    for (const { message } of unreadable) expect(message).toMatch(/decimalPlaces|amount/);
  });
});

describe('settings of the reconciliation', () => {
  it('may have another identity, with which the same settlements balance (trap 23)', async () => {
    const { exitCode, report } = await judge('other-identity', '--identity', 'gross-fees+tax');
    expect(exitCode).toBe(0);
    expect(report.settlements.map((one) => one.verdict)).toEqual(['balanced', 'balanced']);
    expect(report.settings['identity']).toBe('gross-fees+tax');
  });

  it('suggest an identity that always holds if the chosen one fails (trap 23)', async () => {
    const { report } = await judge('other-identity');
    expect(report.notes.join()).toContain('gross - fees + tax');
  });

  it('leave out the computed pay-in if the identity is off', async () => {
    const { exitCode, report } = await judge('other-identity', '--identity', 'off');
    expect(exitCode).toBe(0);
    const { computed, difference } = first(report);
    expect([computed?.payIn, difference?.payIn]).toEqual([null, null]);
  });

  it('allow a difference within the tolerance, and report it', async () => {
    const { exitCode, report } = await judge('fee-off-by-one', '--tolerance', '1');
    expect(exitCode).toBe(0);
    expect(report.settlements.map(story)).toEqual([
      '2026-03-04; balanced / balanced: balanced; 0.00 0.01 0.00 -0.01 0; ; within_tolerance',
    ]);
    expect(report.settings['tolerance']).toBe('1');
  });

  it('ignore a check that is switched off, and report it', async () => {
    const { exitCode, report } = await judge(
      'service-says-out-of-balance',
      '--ignore',
      'reported_by_service',
    );
    expect(exitCode).toBe(0);
    expect(first(report).verdict).toBe('balanced');
    expect(report.settings['ignored']).toEqual(['reported_by_service']);
  });
});

describe('a report on a scenario', () => {
  it('shows what the service and the sums say, and a verdict from both (trap 28)', async () => {
    const { report } = await judge('service-says-settled');
    expect(report.settlements.map((one) => [one.serviceSays, one.sumsSay])).toEqual([
      ['balanced', 'out_of_balance'],
      ['out_of_balance', 'out_of_balance'],
    ]);
    expect(report.notes.join()).toContain('disagree on 1 settlement');
  });

  it('is pending for a status that only a table of the document names (trap 29)', async () => {
    const { report } = await judge('pending');
    expect(report.settlements.map((one) => one.verdict)).toEqual([
      'balanced',
      'pending',
      'pending',
    ]);
  });

  it('keeps a settlement whose status the document does not name (trap 29, trap 30)', async () => {
    const { report } = await judge('unknown-status');
    expect(first(report).serviceSays).toBe('unknown');
    expect(amounts(first(report).computed)).toBe('100.00 2.50 0.50 97.00 2');
  });

  it('keeps signs: a refund is a negative row of the same charge (trap 11, trap 24)', async () => {
    const { report } = await judge('refund');
    expect(report.settlements.map((one) => amounts(one.computed))).toEqual([
      '120.00 3.75 0.75 115.50 3',
      '-20.00 0.00 0.00 -20.00 1',
    ]);
  });

  it('counts identical rows once, and reports different rows of one id (trap 11)', async () => {
    expect(amounts(first((await judge('duplicate-row')).report).computed)).toBe(
      '130.00 3.25 0.65 126.10 2',
    );
    const [conflict] = first((await judge('conflicting-row')).report).discrepancies;
    expect(conflict?.facts).toMatchObject({
      examples: [{ amounts: [{ minor: '3000' }, { minor: '3100' }], fields: ['amount'] }],
    });
  });

  it('never adds rows in another currency, and shows their own totals (trap 26)', async () => {
    const { report } = await judge('foreign-currency-row');
    expect(amounts(first(report).computed)).toBe('150.00 3.75 0.75 145.50 3');
    expect(first(report).discrepancies[0]?.facts).toMatchObject({
      totals: [{ transactions: 1, gross: { amount: '70.00', currency: 'USD' } }],
    });
  });

  it('rescales rows of other decimal places exactly (trap 20, trap 26)', async () => {
    const { report } = await judge('other-scale');
    expect(report.settlements.map((one) => amounts(one.computed))).toEqual([
      '150.000 3.750 0.750 145.500 2',
      '12.8456 0.3212 0.0609 12.4635 2',
    ]);
  });

  it('keeps a settlement whose date is outside the range, with a notice (trap 13)', async () => {
    const { report } = await judge('outside-range');
    expect(report.settlements).toHaveLength(2);
    expect(report.settlements[1]?.notices[0]?.facts).toEqual({
      date: '2026-04-01',
      range: { from: '2026-03-01', to: '2026-03-31' },
    });
  });

  it('names both settlements of a shared transaction', async () => {
    const { report } = await judge('shared-transaction');
    const ids = report.settlements.map((one) => one.id);
    expect(report.findings[0]?.facts).toMatchObject({
      examples: [{ settlementIds: expect.arrayContaining(ids) }],
    });
  });
});
