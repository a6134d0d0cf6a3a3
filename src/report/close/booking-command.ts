import type { NextBooking } from '../../app/book-batch.ts';
import type { CloseReport } from '../../app/close-report.ts';
import { shellWord } from '../../base/texts.ts';
import type { DateRange } from '../../model/source.ts';
import { command, daysFlags } from '../common/phrase.ts';

/** The command that books all that the register lacks; undefined without a register. */
export function bookingCommand(report: CloseReport): string | undefined {
  const { booking, range, bank, flags } = report;
  if (!booking) return undefined;
  const { from, register, number, format, currency, reversesMissing } = booking;
  const paths = bank?.paths ?? [];
  // DATEV asks for this name.
  const prefix = format === 'datev' ? 'EXTF_' : '';
  const [, stem = ''] = /([^\\/]*?)(?:\.csv)?$/.exec(register) ?? [];
  const name = `${prefix}${stem}-${number}.${(format && suffixes[format]) ?? 'csv'}`;
  return command(
    overRange('recon journal', { from, to: range.to }, `--for ${format ?? 'FORMAT'}`),
    ...(paths.length === 0 ? ['--bank'] : paths.map((path) => `--bank ${shellWord(path)}`)),
    currency && `--currency ${currency}`,
    reversesMissing ? '--reverse-missing' : undefined,
    ...[flags, ...registersOf(report)],
    `--output ${shellWord(name)}`,
  );
}

const suffixes: Readonly<Partial<Record<NonNullable<NextBooking['format']>, string>>> = {
  hledger: 'journal',
  ledger: 'journal',
  beancount: 'beancount',
};

/** The flags of a suggested command for the registers that the command line names. */
export function registersOf({ named }: Pick<CloseReport, 'named'>): readonly string[] {
  return Object.entries(named ?? {}).flatMap(([name, path]) =>
    path === undefined ? [] : `--${name} ${shellWord(path)}`,
  );
}

/** A command for a range, with more words. */
export function overRange(words: string, range: DateRange, ...more: readonly string[]): string {
  return command(words, daysFlags(range), ...more);
}
