import type { SettlementsReport } from './settlements-report.ts';

/** An id of the service goes into a command to copy only where a shell can't misread it. */
export const harmless = /^[A-Za-z0-9][\w.-]*$/;

/** Commands that lead on from here, most useful first. */
export function whatNext(report: SettlementsReport): readonly string[] {
  return [...explain(report), ...again(report)];
}

function explain({ run, flags }: SettlementsReport): readonly string[] {
  const first = run.settlements.find(
    ({ verdict, settlement }) => verdict === 'out_of_balance' && harmless.test(settlement.id),
  );
  return first === undefined
    ? []
    : [command('recon explain', first.settlement.id, flags, '# why it does not add up')];
}

function again({ run, range, flags }: SettlementsReport): readonly string[] {
  if (run.complete || range === undefined) return [];
  const dates = `--from ${range.from} --to ${range.to}`;
  return [command('recon settlements', dates, flags, '# again, for what was not read')];
}

/** A command to copy. */
export function command(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}
