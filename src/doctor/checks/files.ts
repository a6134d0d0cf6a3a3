import type { Fault } from '../../base/errors.ts';
import type { HeaderList } from '../../model/source.ts';
import { headerFindings } from '../../reconcile/reconcile-run.ts';
import { enumerate, many, present, withoutStop } from '../../report/common/phrase.ts';
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

/** What a folder or a file of the settings has, or why it cannot be read. */
export interface PlaceExamined {
  readonly check: 'statements' | 'orders' | 'registers';
  /** A sentence without its capital letter and its full stop. */
  readonly found: string;
  readonly fault?: (Pick<Fault, 'message' | 'hint'> & Partial<Pick<Fault, 'where'>>) | undefined;
}

/** Settlements can be reconciled without statements, orders and registers, so all that is wrong is a warning. */
export function placeCheck({ check, found, fault }: PlaceExamined) {
  const why = fault && [withoutStop(fault.message), fault.where].filter(Boolean).join(': ');
  const all = present(found, why).join('. ');
  return { check, ...warningIf(fault !== undefined, all, fault?.hint ?? '') };
}
