import type { Section } from '../report/common/view.ts';
import type { Examination } from './examination.ts';

/** Checks by their names. One gives nothing if what it needs did not come. */
export type Checks = Readonly<
  Record<string, (evidence: Examination) => CheckResult | NotChecked | undefined>
>;

export interface CheckResult<Facts extends object = object> {
  readonly level: 'ok' | 'warning' | 'failure';
  /** Plain values, moments as ISO 8601. */
  readonly facts: Facts;
  /** The same in a sentence, without its capital letter and its full stop. */
  readonly found: string;
  readonly whatToDo: string;
  readonly table?: Section;
}

/** What a check came to, with the types of its facts. */
export function result<const Facts extends object>(
  level: CheckResult['level'],
  facts: Facts,
  found: string,
  whatToDo = '',
): CheckResult<Facts> {
  return { level, found, whatToDo, facts };
}

/** A warning if something is odd; otherwise nothing is to be done. */
export function warningIf<const Facts extends object>(
  isOdd: boolean,
  facts: Facts,
  found: string,
  whatToDo: string,
): CheckResult<Facts> {
  return isOdd ? result('warning', facts, found, whatToDo) : result('ok', facts, found);
}

export interface NotChecked {
  readonly lacks: keyof typeof needs;
}

export const needs = {
  settlement: 'no settlement',
  charge_id: 'no row with a charge id',
  short_settlement: 'no settled settlement with all rows on one page',
  date_header: 'no answer with a Date header',
};
