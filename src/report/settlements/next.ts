import { canBeCopied, command, forIncomplete } from '../common/what-next.ts';
import type { SettlementsReport } from './report.ts';

/** Commands that lead on from here, most useful first. */
export function whatNext(report: SettlementsReport): readonly string[] {
  return [...explain(report), ...readAgain(report)];
}

function explain({ run, flags }: SettlementsReport): readonly string[] {
  const [first, ...others] = run.settlements.filter(
    ({ verdict, settlement }) => verdict === 'out_of_balance' && canBeCopied(settlement.id),
  );
  if (first === undefined) return [];
  const rest = others.length === 0 ? '' : `; ${others.length} more to explain`;
  return [command('recon explain', first.settlement.id, flags, `# why it does not balance${rest}`)];
}

/** What to do where not everything was read. */
export function readAgain({ run, range, flags }: SettlementsReport): readonly string[] {
  if (run.complete || range === undefined) return [];
  const dates = `--from ${range.from} --to ${range.to}`;
  const incomplete = run.settlements.filter(({ verdict }) => verdict === 'incomplete');
  const entries = [...incomplete.flatMap((one) => one.discrepancies), ...run.findings];
  return forIncomplete(entries, [
    command('recon settlements', dates, flags, '# run again for what was not read'),
  ]);
}
