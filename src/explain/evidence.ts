import type { Charge } from '../model/charge.ts';
import type { Settlement } from '../model/settlement.ts';
import type { RowsOutcome } from '../model/source.ts';
import type { Money } from '../money/money.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { Obstacle } from './candidate.ts';

/** A settlement of the same accounting token and currency, some days before or after. */
export interface Neighbour {
  readonly settlement: Settlement;
  /** Its rows, corrections in place; absent unless they were asked for and read whole. */
  readonly rows?: RowColumns | undefined;
}

/** What is known of the settlements around it. */
export interface Neighbourhood {
  /** Absent where they were not asked for, or not read. Others than real neighbours are passed over. */
  readonly neighbours?: readonly Neighbour[] | undefined;
  /** What keeps it from being known in full: what is known is searched all the same. */
  readonly obstacles?: readonly Obstacle[] | undefined;
}

/** What is known beside the settlement and its rows. */
export interface Evidence extends Neighbourhood {
  /** The copies that reading removed, and the ids with different contents. */
  readonly outcome: Pick<RowsOutcome, 'repeated' | 'conflicts'>;
}

/** A charge that was asked for: as it was read, or why it was not. */
export type ChargeReading =
  | { readonly id: string; readonly charge: Charge }
  | { readonly id: string; readonly notRead: string };

/** What a charge says that concerns its rows. */
export type ChargeFinding =
  /** Its settled amount is not what its rows in this settlement come to, in whichever way. */
  | {
      readonly code: 'settled_differs';
      readonly settled: Money;
      readonly rows: Money;
      /** Settled − rows. */
      readonly difference: Money;
    }
  | { readonly code: 'disputed' | 'reversed' | 'canceled'; readonly amount: Money }
  /** `whole`: by doc 2.5, so that its completed amount is 0. */
  | { readonly code: 'refunded'; readonly amount: Money; readonly whole: boolean }
  | {
      readonly code: 'out_of_balance';
      readonly status: string;
      readonly amounts: readonly Money[];
      /** In a form that is no amount, as JSON. */
      readonly others: readonly string[];
    }
  /** A row is approved, and its charge was never completed. */
  | { readonly code: 'status_contradicts'; readonly status: string };

export interface WeighedCharge {
  readonly chargeId: string;
  readonly status: string;
  /** Its rows in this settlement. */
  readonly transactionIds: readonly string[];
  readonly findings: readonly ChargeFinding[];
}

/** The charges of rows that hypotheses name. */
export interface ChargesSeen {
  /** How many charges are named; fewer may have been asked for. */
  readonly named: number;
  readonly weighed: readonly WeighedCharge[];
  readonly unread: readonly { readonly id: string; readonly notRead: string }[];
}
