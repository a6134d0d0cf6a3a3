import type { HeaderList } from '../../model/source.ts';
import { headerFindings } from '../../reconcile/reconcile-run.ts';
import { enumerate, many, present } from '../../report/common/phrase.ts';
import { entryClause } from '../../report/common/words.ts';
import { type CheckResult, warningIf } from '../examination.ts';

/** What the settlement files of a profile have, instead of a service. */
export interface FilesExamined {
  readonly provider: string;
  readonly path: string;
  readonly list: HeaderList;
}

export function filesCheck({ provider, path, list }: FilesExamined): CheckResult {
  const { settlements } = list;
  const findings = headerFindings(list);
  const days = settlements.map(({ date }) => date);
  const range = present(days[0], days.at(-1)).join(' to ');
  const found = [
    `${many(settlements.length, 'pay-out')} of ${provider}${range && `, ${range}`}, in ${path}`,
    ...findings.map(entryClause),
  ].join('; ');
  const isIncomplete = findings.some(({ weight }) => weight === 'incomplete');
  const fields = [...new Set(list.unreadable.map(({ field }) => field))];
  const whatToDo =
    fields.length > 0
      ? `Compare settlements_csv with what the files have in ${enumerate(fields)}.`
      : 'Add what is missing to the settlement files.';
  return warningIf(isIncomplete || settlements.length === 0, found, whatToDo);
}
