import type { Fixture } from './fixture.ts';

/** A JSON object as the service sends it. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** What the service holds. Records are sent exactly as they stand here, sound or not. */
export interface Scenario {
  readonly name: string;
  /** What is in it, and the arithmetic. */
  readonly about: string;
  /** The dates that hold all of it, both included. */
  readonly period: { readonly from: string; readonly to: string };
  /** What its user calls the accounting tokens: the service knows nothing of it. */
  readonly names: Readonly<Record<string, string>>;
  /** In the order in which the service lists them. */
  readonly settlements: readonly ScenarioSettlement[];
  /** Charges as they are sent, where they aren't just what the rows call for. */
  readonly charges?: readonly WireRecord[];
  /** What is on the bank beside the pay-outs. */
  readonly otherEntries?: readonly OtherEntry[];
}

export interface ScenarioSettlement {
  readonly header: WireRecord;
  readonly rows: readonly WireRecord[];
  /** What the service knows of it beside the header; a filter on what isn't here finds nothing. */
  readonly filter?: SettlementFilter;
  readonly bank?: BankQuirk;
}

/** How a pay-out stands on the bank, where it isn't paid whole, once and on the next business day. */
export interface BankQuirk {
  /** Taken off by the bank, in minor units. */
  readonly fee?: number;
  /** Days from the settlement to its entry. */
  readonly days?: number;
  /** 0 for one that is missing, 2 for one that is paid again on the next business day. */
  readonly times?: 0 | 2;
  /** One entry for all settlements with this word. */
  readonly batch?: string;
}

/** An entry that is no pay-out; the amount is in minor units, money in positive. */
export interface OtherEntry {
  readonly currency: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly amount: number;
  /** Of the other side; the service's own where left out. */
  readonly name?: string;
  readonly text: string;
}

export interface SettlementFilter {
  readonly mid?: string;
  readonly cid?: number;
  readonly chid?: number;
  /** The service's own day for it, where that isn't the date written in the header. */
  readonly date?: string;
}

/** The scenarios that come with the sandbox, the default first: each a file in fixtures/. */
export const scenarioNames: readonly string[] = [
  'month',
  'balanced',
  'fee-off-by-one',
  'missing-row',
  'duplicate-row',
  'conflicting-row',
  'shared-transaction',
  'refund',
  'offsetting',
  'foreign-currency-row',
  'other-scale',
  'unusual-scale',
  'foreign-settlement-row',
  'service-says-out-of-balance',
  'service-says-settled',
  'contradicting-header',
  'other-identity',
  'two-causes',
  'declined-rows',
  'pending',
  'pending-unread',
  'overdue',
  'unknown-status',
  'malformed',
  'conflicting-header',
  'outside-range',
  'charges',
  'fee-drift',
  'filters',
  'empty',
  'hostile-text',
];

/** A month is thousands of rows: a process that starts many services writes each out once. */
const loaded = new Map<string, Scenario>();

/** Reads one of them; whoever asks again gets the same one. */
export async function loadScenario(name: string): Promise<Scenario> {
  const known = loaded.get(name);
  if (known) return known;
  if (!scenarioNames.includes(name)) {
    throw new Error(`Unknown scenario "${name}". Known: ${scenarioNames.join(', ')}.`);
  }
  // Our own files: a test reads every one of them.
  const { default: fixture }: { default: Fixture } = await import(`../../fixtures/${name}.json`, {
    with: { type: 'json' },
  });
  // Others only want to know the names.
  const { expandFixture } = await import('./fixture.ts');
  const scenario = expandFixture(name, fixture);
  loaded.set(name, scenario);
  return scenario;
}
