import { keysOf } from '../base/lists.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Acceptance } from './acceptance.ts';
import { checks } from './checks.ts';
import type { Figures, RuleEffect } from './computed.ts';
import { type Entry, weighed, weights } from './entry.ts';
import { type SettlementInput, subjectOf } from './subject.ts';
import {
  opinionThatCounts,
  type ServiceSays,
  type SumsSay,
  serviceSays,
  sumsSay,
  type Verdict,
  verdictOf,
} from './verdict.ts';

/** A settlement with its verdict. */
export interface ReconciledSettlement {
  readonly settlement: Settlement;
  /** Whether all rows were read. */
  readonly complete: boolean;
  /** The most decimal places among the header and the rows in its currency. */
  readonly scale: number;
  readonly serviceSays: ServiceSays;
  readonly sumsSay: SumsSay;
  readonly verdict: Verdict;
  readonly reported: Figures;
  /** From the rows and the rules; absent unless all rows were read. */
  readonly computed: Figures | undefined;
  /** The effects of rules on `computed`, in their order. */
  readonly byRule: readonly RuleEffect[];
  /** Reported − computed. */
  readonly difference: Figures | undefined;
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
