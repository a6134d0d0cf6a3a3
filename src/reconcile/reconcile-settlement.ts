import { keysOf } from '../base/keys.ts';
import { figureChecks } from './checks/figures.ts';
import { headerChecks } from './checks/header.ts';
import { readingChecks } from './checks/reading.ts';
import { rowChecks } from './checks/rows.ts';
import { type Entry, weighed, weights } from './entry.ts';
import { unknownValue } from './odd-values.ts';
import type { ReconciledSettlement } from './reconciled.ts';
import { type Check, type SettlementInput, subjectOf } from './subject.ts';
import { opinionThatCounts, serviceSays, sumsSay, verdictOf } from './verdict.ts';

const checks: readonly Check[] = [
  ...figureChecks,
  ...headerChecks,
  ...rowChecks,
  ...readingChecks,
  unknownValue,
];

/** Entries stand in the order of their codes. */
const codes = keysOf(weights);

/**
 * Judges one settlement by its own data alone, whatever the order of its rows. It takes the rows
 * over: corrections from the outcome are put in their place, so that they can be explained later.
 */
export function reconcileSettlement(input: SettlementInput): ReconciledSettlement {
  const subject = subjectOf(input);
  const { settlement, settings, complete, scale, reported, computed, byRule, difference } = subject;
  const entries = checks
    .flatMap((check) => check(subject))
    .map((entry) => weighed(entry, settings.ignored))
    .sort((a, b) => codes.indexOf(a.code) - codes.indexOf(b.code));
  return {
    settlement,
    complete,
    scale,
    serviceSays: serviceSays(settlement.status),
    sumsSay: sumsSay(entries),
    verdict: verdictOf(opinionThatCounts([settlement, ...subject.headerConflicts]), entries),
    reported,
    computed,
    byRule,
    difference,
    discrepancies: entries.filter(isAlarming),
    notices: entries.filter((entry) => !isAlarming(entry)),
  };
}

function isAlarming({ weight }: Entry): boolean {
  return weight === 'discrepancy' || weight === 'incomplete';
}
