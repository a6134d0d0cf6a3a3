import { uuidForm } from '../../model/forms.ts';
import type { Code, Entry } from '../../reconcile/entry.ts';
import type { SettlementsReport } from '../settlements/report.ts';

/** Commands that lead on from here, most useful first. */
export function whatNext(report: SettlementsReport): readonly string[] {
  return [...explain(report), ...readAgain(report)];
}

/** An id of the service goes into a command only in its own form: a shell can't misread that. */
export function canBeCopied(id: string): boolean {
  return uuidForm.test(id);
}

function explain({ run, flags }: SettlementsReport): readonly string[] {
  const [first, ...others] = run.settlements.filter(
    ({ verdict, settlement }) => verdict === 'out_of_balance' && canBeCopied(settlement.id),
  );
  if (first === undefined) return [];
  const rest = others.length === 0 ? '' : `; the same for ${others.length} more`;
  return [command('recon explain', first.settlement.id, flags, `# why it does not add up${rest}`)];
}

/** What to do where not everything was read. */
export function readAgain({ run, range, flags }: SettlementsReport): readonly string[] {
  if (run.complete || range === undefined) return [];
  const dates = `--from ${range.from} --to ${range.to}`;
  const incomplete = run.settlements.filter(({ verdict }) => verdict === 'incomplete');
  const entries = [...incomplete.flatMap((one) => one.discrepancies), ...run.findings];
  return forIncomplete(entries, [
    command('recon settlements', dates, flags, '# again, for what was not read'),
  ]);
}

const unreadable: readonly Code[] = ['unreadable_record', 'unreadable_header'];

/** Reading again helps where reading failed, never where a record can't be understood. */
export function forIncomplete(
  entries: readonly Entry[],
  readAgain: readonly string[],
): readonly string[] {
  const codes = entries.filter(({ weight }) => weight === 'incomplete').map(({ code }) => code);
  return [
    ...(codes.some((code) => !unreadable.includes(code)) ? readAgain : []),
    ...(codes.some((code) => unreadable.includes(code))
      ? ["Report record and field to the provider: reading again does not mend what can't be read."]
      : []),
  ];
}

/** A command to copy. */
export function command(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}

/** A command or an advice at the end of a conclusion. */
export function nextText(text: string): string {
  return `Next: ${text}`;
}
