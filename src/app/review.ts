import { canBeWrittenOff } from '../match/bank-acceptance.ts';
import type { BankMatch } from '../match/match.ts';
import { differenceKey, type PayoutDecision } from '../model/accepted-difference.ts';
import type { WrittenDecision } from '../register/decisions-file.ts';
import { isDecided, isInOrder, type JudgedDecision, judgeDecisions } from './accept-decisions.ts';
import { type Decision, decisionId } from './decisions.ts';
import type { RegisterState } from './place-line.ts';

/** What can be decided of a difference as it is. */
export function choicesFor({
  difference,
  match,
  refusal,
}: Decision): readonly ('accept' | PayoutDecision)[] {
  const accept = refusal ? [] : (['accept'] as const);
  if (!match || differenceKey(difference).kind !== 'bank') return accept;
  const lost = canBeWrittenOff(match) ? (['written_off'] as const) : [];
  return [...accept, 'confirmed', 'settled_with', ...lost];
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

  /** Takes a line unless something stands against it, and says what was judged. */
  decide(decision: Decision, line: WrittenDecision): JudgedDecision | undefined {
    const lines = [...this.#lines.values(), line];
    const judged = judgeDecisions(lines, this.#against, true).judged.at(-1);
    if (judged && isInOrder(judged) && isDecided(line)) this.#lines.set(decision, line);
    return judged;
  }
}
