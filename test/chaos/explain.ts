import { expect } from 'vitest';
import type { ReportSettlement } from '../cli/read-report.ts';
import { compareSettlements } from './settlements.ts';
import type { Ended, Trial } from './trial.ts';

interface Explained extends ReportSettlement {
  readonly tested: readonly { readonly outcome: string }[];
  readonly findings: readonly unknown[];
  readonly neighbours: number | null;
  readonly charges: { readonly notRead: readonly unknown[] } | null;
}

interface Report {
  readonly verdict: string;
  readonly settlements: readonly Explained[];
  readonly failures: readonly { readonly settlement: { readonly id: string } }[];
}

const unknownId = '00000000-0000-4000-8000-000000000000';

/** `recon explain`: what it says of some settlements with the faults, against without. */
export async function tryOutExplain(trial: Trial): Promise<Ended> {
  const { random, blind } = trial;
  const known = random.sample(trial.ids, random.int(1, 3));
  const ids = known.length === 0 || random.chance(10) ? [...known, unknownId] : known;
  const args = [
    ...['explain', ...ids, '--format', 'json'],
    ...(random.chance(60) ? ['--neighbours', String(random.int(0, 3))] : []),
    ...(random.chance(40) ? ['--neighbour-rows'] : []),
    ...(random.chance(40) ? ['--charges', '--charge-auth', random.pick(['v1', 'v2'])] : []),
    ...trial.connection,
  ];
  const file = random.chance(50) ? 'why.json' : undefined;
  const calm = await trial.undisturbed(args);
  const wild = await trial.disturbed(args, file);
  if (wild.text === '') {
    expect([3, 4]).toContain(wild.exitCode);
    expect([wild.stderr.includes('error'), wild.file]).toEqual([true, undefined]);
    return wild;
  }
  const [before, after]: Report[] = [JSON.parse(calm.text), JSON.parse(wild.text)];
  if (before === undefined || after === undefined) throw new Error('no report');

  // Each is explained or told as a failure, and nothing is concluded where one is missing.
  const asked = [...after.settlements, ...after.failures.map((one) => one.settlement)];
  const answered = asked.map((one) => one.id);
  expect(answered.toSorted()).toEqual(ids.toSorted());
  expect(after.verdict === 'incomplete').toBe(wild.exitCode === 4);
  if (after.failures.length > 0) expect(wild.exitCode).toBe(4);

  compareSettlements(before.settlements, after.settlements, trial, ofItself);
  const calmById = new Map(before.settlements.map((one) => [one.id, one]));
  for (const one of after.settlements) {
    const other = calmById.get(one.id);
    if (one.findings.length > 0) expect(one.verdict).toBe('incomplete');
    else if (one.complete && !blind.rowsOf(one.id)) expect(one.verdict).toBe(other?.verdict);
    const mayHide = blind.settlements || blind.repeats || trial.ids.some(blind.rowsOf);
    if (other === undefined || !one.complete || one.verdict === 'incomplete' || mayHide) continue;
    // What was not read around a settlement is told as not searched; else it is the same.
    const gaps = (of: Explained) =>
      of.tested.filter(({ outcome }) => outcome === 'not_searched').length +
      (of.neighbours === null ? 1 : 0);
    const isSame = gaps(one) === gaps(other) && !one.charges?.notRead.length;
    if (isSame) expect(one).toEqual(other);
    else expect(gaps(one) > gaps(other) || one.charges?.notRead.length).toBeTruthy();
  }
  return wild;
}

/** What its rows say. With a header that isn't certain, no verdict is given. */
function ofItself(one: Explained): unknown {
  const { id, reported, computed, difference, discrepancies, notices } = one;
  return { id, reported, computed, difference, discrepancies, notices };
}
