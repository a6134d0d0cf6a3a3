import { keysOf } from '../base/lists.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Acceptance } from './acceptance.ts';
import { checks } from './checks.ts';
import { type Entry, weighed, weights } from './entry.ts';
import { type Compared, type SettlementInput, subjectOf } from './subject.ts';
import { type Opinions, opinionsOn } from './verdict.ts';

export interface ReconciledSettlement extends Compared, Opinions {
  readonly settlement: Settlement;
  /** Entries of weight discrepancy and incomplete. */
  readonly discrepancies: readonly Entry[];
  /** Entries of weight notice, and of ignored checks. */
  readonly notices: readonly Entry[];
  /** Only if out of balance and in the register. */
  readonly acceptance?: Acceptance;
}

const codes = keysOf(weights);

/** Judges one settlement by its own data alone. Applies the corrections to `input.rows`. */
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
    ...opinionsOn(settlement, subject.headerConflicts, entries),
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
