import type { ReportSettings, SettlementsReport } from '../../src/app/settlements-report.ts';
import { type Entry, entry } from '../../src/reconcile/entry.ts';
import { reconcileRun } from '../../src/reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { opinionsOn } from '../../src/reconcile/verdict.ts';
import type { Stated } from '../support/build.ts';

export const lisbon = '8f14e45f-ceea-467f-9e1b-6f0a3c1d2e01';
export const porto = 'c9f0f895-fb98-4b91-8e2a-7d1b4c2e3f02';
const tokyo = '45c48cce-2e2d-4fbd-9c3b-8e2c5d3f4a03';

/** `00000000-0000-4000-8000-00000000000N` */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function settlement(changes: Partial<Stated> = {}): Stated {
  const date = changes.date ?? '2026-03-04';
  return {
    id: idOf(1),
    timestamp: `${date}T06:00:00Z`,
    date,
    accountingToken: lisbon,
    merchantId: 'm-1',
    paymentService: 'card',
    status: 'settled',
    currency: 'EUR',
    scale: 2,
    gross: 10_000n,
    fees: 150n,
    tax: 30n,
    payIn: 9_820n,
    transactions: 30,
    paymentReferences: ['PR-1', 'PR-2'],
    paymentEndToEndIds: ['E2E-1'],
    ...changes,
  };
}

interface Differences {
  readonly gross?: bigint;
  readonly fees?: bigint;
  readonly tax?: bigint;
  readonly transactions?: number;
}

/** A settlement whose rows give other amounts than its header, by `differences`. */
export function reconciled(
  header: Stated,
  differences: Differences = {},
  entries: readonly Entry[] = [],
): ReconciledSettlement {
  const { gross, fees, tax, payIn, transactions } = header;
  const off = { gross: 0n, fees: 0n, tax: 0n, transactions: 0, ...differences };
  const own = {
    gross: gross - off.gross,
    fees: fees - off.fees,
    tax: tax - off.tax,
    transactions: transactions - off.transactions,
  };
  const computed = { ...own, payIn: own.gross - own.fees - own.tax };
  const all = [...amountEntries(header, off), ...entries];
  const complete = all.every((one) => one.weight !== 'incomplete');
  return {
    settlement: header,
    complete,
    scale: header.scale,
    ...opinionsOn(header, [], all),
    reported: { gross, fees, tax, payIn, transactions },
    computed: complete ? computed : undefined,
    byRule: [],
    difference: complete ? { ...off, payIn: payIn - computed.payIn } : undefined,
    discrepancies: all.filter((one) => one.weight !== 'notice'),
    notices: all.filter((one) => one.weight === 'notice'),
  };
}

function amountEntries(header: Stated, off: Required<Differences>): readonly Entry[] {
  const money = (minor: bigint) => ({ minor, scale: header.scale, currency: header.currency });
  return (['gross', 'fees', 'tax'] as const).flatMap((measure) =>
    off[measure] === 0n
      ? []
      : [
          entry(measure, 1, {
            reported: money(header[measure]),
            computed: money(header[measure] - off[measure]),
            difference: money(off[measure]),
          }),
        ],
  );
}

export function report(
  settlements: readonly ReconciledSettlement[],
  changes: Partial<Omit<SettlementsReport, 'settings'>> & {
    readonly settings?: Partial<ReportSettings>;
    readonly finding?: Entry;
  } = {},
): SettlementsReport {
  const { settings: changedSettings, finding, ...rest } = changes;
  const settings: ReportSettings = {
    profile: 'es',
    identity: 'gross-fees-tax',
    tolerance: 0n,
    ignored: [],
    expectedScales: new Map(),
    rules: {},
    filters: {},
    ...changedSettings,
  };
  const headers = { unreadable: [] };
  const judged = settings.identity === 'off' ? settlements.map(withoutPayIn) : settlements;
  const run = reconcileRun({ settlements: judged, headers, shared: { finding }, settings });
  return {
    run,
    range: { from: '2026-03-01', to: '2026-03-31' },
    settings,
    names: new Map([
      [lisbon, 'Lisbon shop'],
      [porto, 'Porto warehouse and outlet'],
    ]),
    ...rest,
  };
}

function withoutPayIn(one: ReconciledSettlement): ReconciledSettlement {
  const { computed, difference } = one;
  return {
    ...one,
    computed: computed && { ...computed, payIn: undefined },
    difference: difference && { ...difference, payIn: undefined },
  };
}

/** A believable month: balanced, off, pending, incomplete, in EUR and JPY. */
export function month(): SettlementsReport {
  const eur = Array.from({ length: 6 }, (_, index) =>
    reconciled(settlement({ id: idOf(index + 1), date: `2026-03-0${index + 1}` })),
  );
  const yen = { currency: 'JPY', scale: 0, accountingToken: tokyo };
  return report([
    ...eur,
    reconciled(settlement({ id: idOf(10), date: '2026-03-10', fees: 151n, payIn: 9_819n }), {
      fees: 1n,
    }),
    reconciled(
      settlement({ id: idOf(11), date: '2026-03-11', accountingToken: porto, payIn: 8_820n }),
      { gross: -1_000n },
      [
        entry('count', 1, { reported: 30, computed: 31, difference: -1 }),
        entry('duplicate_transaction', 1, { copies: 1, examples: [idOf(991)] }),
      ],
    ),
    reconciled(
      settlement({ id: idOf(12), date: '2026-03-12', status: 'settled_out_of_balance' }),
      {},
      [entry('reported_by_service', 1, { status: 'settled_out_of_balance' })],
    ),
    reconciled(settlement({ id: idOf(13), date: '2026-03-13', status: 'pending_settlement' })),
    reconciled(settlement({ id: idOf(14), date: '2026-03-14', accountingToken: porto }), {}, [
      entry('unreadable_record', 1, {
        examples: [
          {
            record: idOf(992),
            field: 'decimalPlaces',
            found: '""',
            expected: 'scale',
          },
        ],
      }),
    ]),
    reconciled(
      settlement({ id: idOf(20), date: '2026-03-20', ...yen, gross: 500_000n, payIn: 499_820n }),
    ),
    reconciled(
      settlement({ id: idOf(21), date: '2026-03-21', ...yen, gross: -4_000n, payIn: -4_180n }),
      { gross: 500n },
    ),
  ]);
}
