/**
 * Why a night reads a day:
 * - `new`: it is over, and was never published
 * - `missing`: as `new`, and later days are published
 * - `unread`: it could not be read the night before
 * - `pending_unread`: a pending settlement of it could not be fully read
 * - `incomplete`: it was published although it could not be fully read
 * - `damaged`: its files are not what was written
 * - `changed`: it is older, and its headers are not what is stored
 * - `recent`: it is one of the last days, which the service may restate
 * - `pending`: a settlement of it was pending, and has changed
 * - `moved`: a settlement has come from another day, or left for one
 */
export type DayReason =
  | 'new'
  | 'missing'
  | 'unread'
  | 'pending_unread'
  | 'incomplete'
  | 'damaged'
  | 'changed'
  | 'recent'
  | 'pending'
  | 'moved';

/** A day that is to be read, and why. */
export interface PlannedDay {
  readonly day: string;
  readonly reason: DayReason;
}

/**
 * What can be new since the last night, the most important first:
 * - `failed`: the run failed for this profile
 * - `unread_day`: a day could not be fully read, or the new day of one of its settlements is not known
 * - `statements`: the bank statements cannot be read, or do not add up
 * - `closed_changed`: a settlement has changed, and its day was closed: what follows from it is posted later
 * - `pattern`: the same holds in all settlements of an account, which alone puts them out of balance
 * - `out_of_balance`: it is out of balance and was not before
 * - `acceptance`: its difference was accepted, and counts again: it has changed, or the acceptance has expired
 * - `changed`: it is still out of balance, with other figures or discrepancies
 * - `missing_on_bank`: a pay-out is not on the bank statements
 * - `bank_difference`: it is there with another amount
 * - `returned_by_bank`: it was there, and the bank has returned it
 * - `unknown_on_bank`: an entry that no pay-out explains
 * - `overcharged`: fees of a day are above the agreed rates
 * - `overdue`: a settlement is pending for too long
 * - `gone`: the service no longer lists it
 * - `no_longer_listed`: the service no longer lists any settlement of an older day, and its export stays
 * - `repaired`: files of a day were damaged, and it was read again
 * - `settled`: a settlement was pending and balances now
 * - `balanced`: it was out of balance and balances now
 * - `on_bank`: a pay-out that was reported as one of the above is on the bank statements as it should be
 * - `moved`: the service lists a settlement on another day
 * - `restated`: the service has changed it; of a day, if the change is unknown
 * - `read_day`: a day that could not be fully read before was read
 * - `recovered`: the last run failed for this profile, and this one did not
 */
export const newsKinds = [
  'failed',
  'unread_day',
  'statements',
  'closed_changed',
  'pattern',
  'out_of_balance',
  'acceptance',
  'changed',
  'missing_on_bank',
  'bank_difference',
  'returned_by_bank',
  'unknown_on_bank',
  'overcharged',
  'overdue',
  'gone',
  'no_longer_listed',
  'repaired',
  'settled',
  'balanced',
  'on_bank',
  'moved',
  'restated',
  'read_day',
  'recovered',
] as const;

export type NewsKind = (typeof newsKinds)[number];
