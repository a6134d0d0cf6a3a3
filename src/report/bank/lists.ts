import { type CellColumn, section } from '../common/blocks.ts';
import { grouped } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import { listedEntryColumns, listedPayoutColumns } from './cells.ts';
import { type BankLine, bankLines } from './lines.ts';
import type { BankReport } from './report.ts';
import { bankStateTones } from './words.ts';

/** All pay-outs, a row each, to be sorted and filtered, `most` at the most; none where there are none. */
export function payoutList({ matching, names }: BankReport, most: number): readonly Section[] {
  const lines = bankLines(matching.matches).filter(({ hasSettlement }) => hasSettlement);
  return list('All pay-outs', lines, listedPayoutColumns(names), most);
}

/** All bank entries, or the parts of them that belong to a match, as above. */
export function entryList({ matching }: BankReport, most: number): readonly Section[] {
  const lines = bankLines(matching.matches).filter(({ hasEntry }) => hasEntry);
  return list('Bank entries', lines, listedEntryColumns, most);
}

function list(
  title: string,
  lines: readonly BankLine[],
  columns: readonly CellColumn<BankLine>[],
  most: number,
): readonly Section[] {
  if (lines.length === 0) return [];
  const whole = `${title}: ${grouped(lines.length)}`;
  const table = section<BankLine>(whole, lines, columns, undefined, [], most);
  const toneOf = (line: BankLine | undefined) => line && bankStateTones[line.match.state];
  return [{ ...table, rows: table.rows.map((row, at) => ({ ...row, tone: toneOf(lines[at]) })) }];
}
