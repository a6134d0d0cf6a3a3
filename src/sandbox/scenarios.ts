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
}

export interface ScenarioSettlement {
  readonly header: WireRecord;
  readonly rows: readonly WireRecord[];
  /** What the service knows of it beside the header; a filter on what isn't here finds nothing. */
  readonly filter?: SettlementFilter;
}

export interface SettlementFilter {
  readonly mid?: string;
  readonly cid?: number;
  readonly chid?: number;
  /** The service's own day for it, where that isn't the date written in the header. */
  readonly date?: string;
}

/** Each a file and, once bundled, a chunk of its own; the default first. */
const fixtures: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  month: () => import('../../fixtures/month.json', { with: { type: 'json' } }),
  balanced: () => import('../../fixtures/balanced.json', { with: { type: 'json' } }),
  'fee-off-by-one': () => import('../../fixtures/fee-off-by-one.json', { with: { type: 'json' } }),
  'missing-row': () => import('../../fixtures/missing-row.json', { with: { type: 'json' } }),
  'duplicate-row': () => import('../../fixtures/duplicate-row.json', { with: { type: 'json' } }),
  'conflicting-row': () =>
    import('../../fixtures/conflicting-row.json', { with: { type: 'json' } }),
  'shared-transaction': () =>
    import('../../fixtures/shared-transaction.json', { with: { type: 'json' } }),
  refund: () => import('../../fixtures/refund.json', { with: { type: 'json' } }),
  offsetting: () => import('../../fixtures/offsetting.json', { with: { type: 'json' } }),
  'foreign-currency-row': () =>
    import('../../fixtures/foreign-currency-row.json', { with: { type: 'json' } }),
  'other-scale': () => import('../../fixtures/other-scale.json', { with: { type: 'json' } }),
  'unusual-scale': () => import('../../fixtures/unusual-scale.json', { with: { type: 'json' } }),
  'foreign-settlement-row': () =>
    import('../../fixtures/foreign-settlement-row.json', { with: { type: 'json' } }),
  'service-says-out-of-balance': () =>
    import('../../fixtures/service-says-out-of-balance.json', { with: { type: 'json' } }),
  'service-says-settled': () =>
    import('../../fixtures/service-says-settled.json', { with: { type: 'json' } }),
  'contradicting-header': () =>
    import('../../fixtures/contradicting-header.json', { with: { type: 'json' } }),
  'other-identity': () => import('../../fixtures/other-identity.json', { with: { type: 'json' } }),
  'two-causes': () => import('../../fixtures/two-causes.json', { with: { type: 'json' } }),
  pending: () => import('../../fixtures/pending.json', { with: { type: 'json' } }),
  'unknown-status': () => import('../../fixtures/unknown-status.json', { with: { type: 'json' } }),
  malformed: () => import('../../fixtures/malformed.json', { with: { type: 'json' } }),
  'conflicting-header': () =>
    import('../../fixtures/conflicting-header.json', { with: { type: 'json' } }),
  'outside-range': () => import('../../fixtures/outside-range.json', { with: { type: 'json' } }),
  charges: () => import('../../fixtures/charges.json', { with: { type: 'json' } }),
  filters: () => import('../../fixtures/filters.json', { with: { type: 'json' } }),
  empty: () => import('../../fixtures/empty.json', { with: { type: 'json' } }),
  'hostile-text': () => import('../../fixtures/hostile-text.json', { with: { type: 'json' } }),
};

/** The scenarios that come with the sandbox, the default first. */
export const scenarioNames: readonly string[] = Object.keys(fixtures);

/** A month is thousands of rows: a process that starts many services writes each out once. */
const loaded = new Map<string, Scenario>();

/** Reads one of them; whoever asks again gets the same one. */
export async function loadScenario(name: string): Promise<Scenario> {
  const known = loaded.get(name);
  if (known) return known;
  const load = Object.hasOwn(fixtures, name) ? fixtures[name] : undefined;
  if (load === undefined) {
    throw new Error(`Unknown scenario "${name}". Known: ${scenarioNames.join(', ')}.`);
  }
  // Our own files: a test reads every one of them.
  const { default: fixture } = await load();
  // Others only want to know the names.
  const { expandFixture } = await import('./fixture.ts');
  const scenario = expandFixture(name, fixture as Fixture);
  loaded.set(name, scenario);
  return scenario;
}
