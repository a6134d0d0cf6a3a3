/** What a check came to by what was found. Facts are plain values, moments as ISO 8601. */
export interface CheckFinding<Facts> {
  readonly level: 'ok' | 'warning' | 'failure';
  readonly facts: Facts;
}

/** A check that could not be made, and what it lacks. */
export interface NotChecked<Lacking extends string> {
  readonly level: 'not_checked';
  readonly lacks: Lacking;
}

/** What a check came to, in the type of its facts as they are written. */
export function finding<const Facts>(
  level: CheckFinding<Facts>['level'],
  facts: Facts,
): CheckFinding<Facts> {
  return { level, facts };
}

/** A warning if `isOdd`, else nothing to worry about. */
export function warningIf<const Facts>(isOdd: boolean, facts: Facts): CheckFinding<Facts> {
  return { level: isOdd ? 'warning' : 'ok', facts };
}

/** Says what a check lacks. */
export function notChecked<Lacking extends string>(lacks: Lacking): NotChecked<Lacking> {
  return { level: 'not_checked', lacks };
}
