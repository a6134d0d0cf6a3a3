import type { Scenario } from './scenario.ts';

/** The scenarios, each a file in fixtures/; the first is the default. */
export const scenarioNames: readonly string[] = `
month balanced fee-off-by-one missing-row duplicate-row conflicting-row shared-transaction
refund offsetting foreign-currency-row other-scale unusual-scale foreign-settlement-row
service-says-out-of-balance service-says-settled contradicting-header other-identity two-causes
declined-rows pending pending-unread overdue unknown-status malformed conflicting-header
outside-range charges fee-drift filters empty hostile-text
`
  .trim()
  .split(/\s+/);

/** Expanding a month takes time: once per process. */
const loaded = new Map<string, Scenario>();

/** Reads a scenario; the same object each time. */
export async function loadScenario(name: string): Promise<Scenario> {
  const known = loaded.get(name);
  if (known) return known;
  if (!scenarioNames.includes(name)) {
    throw new Error(`Unknown scenario "${name}". Known: ${scenarioNames.join(', ')}.`);
  }
  const { expandFixture } = await import('./fixture.ts');
  const { default: fixture } = await import(`../../fixtures/${name}.json`, {
    with: { type: 'json' },
  });
  const scenario = expandFixture(name, fixture);
  loaded.set(name, scenario);
  return scenario;
}
