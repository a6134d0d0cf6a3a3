import { amounts, count, identity, withinTolerance } from './checks/figures.ts';
import { outsideRange, reportedByService, unusualScale } from './checks/header.ts';
import {
  conflictingSettlement,
  conflictingTransaction,
  duplicateTransaction,
  notRead,
  unreadableRecord,
  unsteadyRead,
} from './checks/reading.ts';
import { currency, foreignSettlement, scale } from './checks/rows.ts';
import { type Entry, weighed } from './entry.ts';
import { unknownValue } from './odd-values.ts';
import type { ReconciledSettlement } from './reconciled.ts';
import { type Check, type SettlementInput, subjectOf } from './subject.ts';
import { opinionThatCounts, serviceSays, sumsSay, verdictOf } from './verdict.ts';

/** All checks of a settlement, in the order of their entries. */
const checks: readonly Check[] = [
  amounts,
  count,
  identity,
  reportedByService,
  currency,
  conflictingTransaction,
  conflictingSettlement,
  foreignSettlement,
  withinTolerance,
  duplicateTransaction,
  scale,
  unusualScale,
  unknownValue,
  outsideRange,
  unreadableRecord,
  unsteadyRead,
  notRead,
];

/**
 * Judges one settlement by its own data alone, whatever the order of its rows. It takes the rows
 * over: corrections from the outcome are put in their place, so that they can be explained later.
 */
export function reconcileSettlement(input: SettlementInput): ReconciledSettlement {
  const subject = subjectOf(input);
  const { settlement, settings } = input;
  const entries = checks
    .flatMap((check) => check(subject))
    .map((entry) => weighed(entry, settings.ignored));
  return {
    settlement,
    complete: subject.complete,
    scale: subject.scale,
    serviceSays: serviceSays(settlement.status),
    sumsSay: sumsSay(entries),
    verdict: verdictOf(opinionThatCounts([settlement, ...subject.headerConflicts]), entries),
    reported: subject.reported,
    computed: subject.computed,
    difference: subject.difference,
    discrepancies: entries.filter(isAlarming),
    notices: entries.filter((entry) => !isAlarming(entry)),
  };
}

function isAlarming({ weight }: Entry): boolean {
  return weight === 'discrepancy' || weight === 'incomplete';
}
