import { accountNumber, type BankStatement } from '../model/bank.ts';
import type { Finding } from './finding.ts';
import type { Piece } from './pieces.ts';

/** The accounts that the service pays from: those that are known, and those that matched money came from. */
export class PaidFrom {
  readonly #accounts: ReadonlySet<string>;

  /** `byKeys` are matches by keys alone: one by its amount may be somebody else's. */
  constructor(
    known: readonly string[],
    byKeys: readonly Finding[],
    statements: readonly BankStatement[],
  ) {
    const matched = byKeys.filter(({ state, by }) => state === 'matched' && by !== 'text_start');
    const learned = matched.flatMap(({ pieces }) =>
      pieces.flatMap(({ details }) => details.accounts),
    );
    const own = new Set(statements.map(({ account }) => accountNumber(account)));
    this.#accounts = new Set(
      [...known, ...learned].map(accountNumber).filter((one) => !own.has(one)),
    );
  }

  /** All of them, in order. */
  get accounts(): readonly string[] {
    return [...this.#accounts].sort();
  }

  /** Whether a piece is from such an account, as far as anything is known. */
  includes({ details }: Piece): boolean {
    if (this.#accounts.size === 0) return true;
    return details.accounts.some((account) => this.#accounts.has(accountNumber(account)));
  }

  /** The same, or the bank doesn't say where it is from. */
  mayInclude(piece: Piece): boolean {
    return piece.details.accounts.length === 0 || this.includes(piece);
  }
}
