import { ReconError } from '../base/errors.ts';
import { canBeWrittenOff } from '../match/bank-acceptance.ts';
import { type BankMatch, type EntryShare, isExplained, type MatchKey } from '../match/match.ts';
import { differenceKey, type PayoutDecision } from '../model/accepted-difference.ts';
import { magnitude, maxScale, rescale } from '../money/money.ts';
import { isOverdue } from '../reconcile/as-reported.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { WrittenDecision } from '../register/decisions-file.ts';
import { isDecided, isInOrder, judgeDecisions } from './accept-decisions.ts';
import { type Decision, decisionId, isOpenPayout, payInDifference } from './decisions.ts';
import type { RegisterState } from './place-line.ts';

/** What can be decided: as `recon accept` would take it. */
export type Choice = 'accept' | PayoutDecision;

/** What can be decided of a difference, beside all that is on the statements. */
export function choicesFor(decision: Decision, matches: readonly BankMatch[]): readonly Choice[] {
  const { difference, match, refusal } = decision;
  const accept = refusal ? [] : (['accept'] as const);
  if (!match || differenceKey(difference).kind !== 'bank') return accept;
  const hasEntry = isSuggested(decision) || entriesFor(decision, matches).length > 0;
  const hasPartner = matches.some(
    (one) =>
      one.currency === match.currency &&
      isOpenPayout(one) &&
      (one !== match || one.settlements.length > 1),
  );
  return [
    ...accept,
    ...(hasEntry ? (['confirmed'] as const) : []),
    ...(hasPartner ? (['settled_with'] as const) : []),
    ...(canBeWrittenOff(match) ? (['written_off'] as const) : []),
  ];
}

/** Whether entries are suggested as its money: they need not be named. */
export function isSuggested({ match }: Decision): boolean {
  return match?.state === 'suggested';
}

/** An entry that is the money of no pay-out, and how far its amount is from that of one. */
interface FreeEntry extends Pick<BankMatch, 'scale'> {
  readonly share: EntryShare;
  readonly off: bigint;
}

/** The entries that a person may confirm as the money of a pay-out, the likeliest amounts first. */
export function entriesFor(
  { match: own }: Decision,
  matches: readonly BankMatch[],
): readonly FreeEntry[] {
  if (!own) return [];
  const { currency, expected } = own;
  const free = matches.filter(
    (one) => one === own || (one.currency === currency && !isExplained(one)),
  );
  const found = free.flatMap((one) => {
    const scale = Math.max(one.scale, own.scale);
    return one.entries
      .filter(({ entry }) => entry.status === 'booked' && entry.currency === currency)
      .map((share): FreeEntry => {
        const off = rescale(share.amount, one.scale, scale) - rescale(expected, own.scale, scale);
        return { share, scale: one.scale, off: rescale(magnitude(off), scale, maxScale) };
      });
  });
  return found.sort((one, other) => Number(one.off > other.off) - Number(one.off < other.off));
}

/** By what entries of exactly the amount of a pay-out are suggested; undefined for other amounts. */
export function exactlySuggestedBy({ match }: Decision): MatchKey | undefined {
  if (match?.state !== 'suggested') return undefined;
  const sum = match.entries.reduce((all, { amount }) => all + amount, 0n);
  return sum === match.expected ? match.by : undefined;
}

/** Settlements that are pending for too long. Only the provider can do something about them. */
export function overdueToAsk({ settlements }: Pick<ReconciledRun, 'settlements'>) {
  return settlements.filter(isOverdue).map((one): Decision => {
    const accepted = payInDifference(one);
    const refusal = accepted instanceof ReconError ? accepted : undefined;
    const { settlement } = one;
    const { id, date, accountingToken, currency, scale, payIn: expected } = settlement;
    const whose = { settlementId: id, settlementDate: date, accountingToken };
    const difference = { ...whose, currency, scale, expected, received: 0n };
    return { difference, codes: [overdueCode], isAccepted: false, refusal };
  });
}

const overdueCode = 'overdue';

/** Whether it is only asked for, as a settlement that is pending for too long. */
export function isOnlyAsked({ codes, match }: Decision): boolean {
  return !match && codes[0] === overdueCode;
}

/** A list of decisions in the making. A line is in it if `recon accept` will take it after those before it. */
export class ReviewedList {
  readonly #against: Parameters<typeof judgeDecisions>[1];
  readonly #lines = new Map<Decision, WrittenDecision>();

  constructor(due: readonly Decision[], register: RegisterState, matches: readonly BankMatch[]) {
    const idOf = ({ difference }: Decision) => decisionId(differenceKey(difference));
    const decisions = new Map(due.map((one) => [idOf(one), one]));
    this.#against = { ...register, decisions, matches };
  }

  /** The lines by what they decide. */
  get lines(): ReadonlyMap<Decision, WrittenDecision> {
    return this.#lines;
  }

  /** Forgets all lines, so that they can be decided anew. */
  clear(): void {
    this.#lines.clear();
  }

  /** Takes lines unless something stands against them, and says what was judged of those. */
  decide(wanted: ReadonlyMap<Decision, WrittenDecision>) {
    const lines = [...this.#lines.values(), ...wanted.values()];
    const { judged } = judgeDecisions(lines, this.#against, true);
    const found = new Map(judged.map((one) => [one.written, one]));
    return [...wanted].flatMap(([decision, line]) => {
      const one = found.get(line);
      const isTaken = one && isInOrder(one) && isDecided(line);
      if (isTaken) this.#lines.set(decision, line);
      return one && !isTaken ? [one] : [];
    });
  }
}
