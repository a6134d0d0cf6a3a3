import type { IdOwners, Owners } from '../id-owners.ts';
import type { MatchKey } from '../match.ts';
import type { Piece } from '../pieces.ts';

/** The ids that the service hands out (doc 2.7). */
export interface PayoutIds {
  readonly endToEnd: IdOwners;
  readonly paymentInformation: IdOwners;
  readonly both: IdOwners;
}

/** One way to find settlements by their ids. */
export interface KeyLevel {
  readonly by: MatchKey;
  /** For each id that is found in what the bank says of a piece, the settlements that have it. */
  readonly find: (piece: Piece, ids: PayoutIds) => readonly Owners[];
  /** Set where the key is too weak for anything but a single piece of exactly the amount. */
  readonly isExact?: true;
}
