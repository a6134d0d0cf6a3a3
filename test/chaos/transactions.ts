import { expect } from 'vitest';
import { readRecords } from '../cli/read-report.ts';
import { days } from './random-scenario.ts';
import type { Ended, Trial } from './trial.ts';

type Line = Readonly<Record<string, string>>;

/** `recon transactions`: the rows that it lists with the faults, against those without. */
export async function tryOutTransactions(trial: Trial): Promise<Ended> {
  const { random, blind } = trial;
  const range = ['--from', days[0], '--to', days.at(-1) ?? ''];
  const [id] = random.chance(25) ? random.sample(trial.ids, 1) : [];
  const of = id === undefined ? range : ['--settlement', id];
  const args = ['transactions', ...of, '--notes', '--format', 'csv', ...trial.connection];
  const file = random.chance(50) ? 'rows.csv' : undefined;
  const calm = await trial.undisturbed(args);
  const wild = await trial.disturbed(args, file);

  expect(wild.exitCode).not.toBe(1);
  expect(wild.file === undefined).toBe(file === undefined || wild.exitCode !== 0);
  if (wild.exitCode !== 0) expect(wild.stderr).toContain('error: ');

  const ambiguous = ambiguousRows(trial);
  const read = ({ text }: Ended) => (text === '' ? [] : readRecords(text));
  const sure = (line: Line) => !ambiguous.has(line['transaction_id'] ?? '');
  const [before, after] = [read(calm), read(wild)];
  // What is listed is there, and stands there once.
  expect(new Set(after.map(keyOf)).size).toBe(after.length);
  const known = new Set(before.map((line) => JSON.stringify(line)));
  expect(after.filter(sure).filter((line) => !known.has(JSON.stringify(line)))).toEqual([]);
  if (wild.exitCode !== 0) return wild;

  // All is there, but for what may be hidden, and for what isn't settled yet.
  const pending = new Set(
    trial.scenario.settlements
      .filter(({ header }) => header['settlementStatus'] === 'pending_settlement')
      .map(({ header }) => header['settlementId']),
  );
  const isCertain = (line: Line) => {
    const settlement = line['settlement_id'] ?? '';
    return !blind.settlements && !blind.rowsOf(settlement) && !pending.has(settlement);
  };
  const listed = new Set(after.map(keyOf));
  expect(before.filter(isCertain).filter((line) => !listed.has(keyOf(line)))).toEqual([]);
  return wild;
}

function keyOf({ settlement_id, transaction_id }: Line): string {
  return `${settlement_id} ${transaction_id}`;
}

/** Transactions that the service lists with different contents: either may be handed on. */
function ambiguousRows({ scenario }: Trial): ReadonlySet<unknown> {
  const contents = new Map<unknown, string>();
  const ambiguous = new Set<unknown>();
  for (const row of scenario.settlements.flatMap(({ rows }) => rows)) {
    const id = row['transactionId'];
    const content = JSON.stringify([row['amount'], row['fees'], row['tax']]);
    if ((contents.get(id) ?? content) !== content) ambiguous.add(id);
    contents.set(id, content);
  }
  return ambiguous;
}
