import type { Charge } from '../model/charge.ts';
import type { Money } from '../money/money.ts';
import { chargeRule, isApproved, settledAgainstRows, wasCompleted } from '../reconcile/charges.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type Explained, rowAt } from './explained.ts';

export type ChargeFinding =
  /** Its settled amount differs from its rows in this settlement, before and after fees. */
  | {
      readonly code: 'settled_differs';
      readonly settled: Money;
      readonly rows: Money;
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
  readonly transactionIds: readonly string[];
  readonly findings: readonly ChargeFinding[];
}

export interface ChargesSeen {
  /** How many charges are named; fewer may have been asked for. */
  readonly named: number;
  readonly weighed: readonly WeighedCharge[];
  readonly unread: readonly { readonly id: string; readonly notRead: string }[];
}

/** Charges that are read for one settlement, at most. */
export const mostCharges = 200;

/** The charges of rows in explanations, sorted; of all rows if only the service's status disagrees. */
export function chargesNamed({ hypotheses, best }: Explained, rows: RowColumns): readonly string[] {
  const causes = hypotheses.flatMap((one) => ('causes' in one ? one.causes : []));
  const named = causes.flatMap(({ rows }) => rows.examples.map(({ chargeId }) => chargeId));
  const isAboutAll = best?.codes.includes('only_the_service') ?? false;
  const all = isAboutAll ? rows.where(() => true).map((index) => rows.chargeId(index)) : [];
  return [...new Set([...named, ...all].filter((id) => id !== ''))].sort();
}

/** What a charge says about its rows: evidence that never changes a verdict. */
export function weighCharge(charge: Charge, chargeId: string, rows: RowColumns): WeighedCharge {
  const own = rows
    .where((index) => rows.chargeId(index) === chargeId)
    .map((index) => rowAt(rows, index));
  const { summary, status } = charge;
  const { relation, settled, difference, ...against } = settledAgainstRows(charge, own);
  const findings: ChargeFinding[] = [];
  if (relation === 'differs' && settled && difference) {
    findings.push({ code: 'settled_differs', settled, rows: against.rows, difference });
  }
  for (const code of ['disputed', 'reversed', 'canceled'] as const) {
    const amount = summary[code];
    if (isSome(amount)) findings.push({ code, amount });
  }
  const { refunded, outOfBalance: amounts, outOfBalanceOther: others } = summary;
  if (isSome(refunded)) {
    findings.push({ code: 'refunded', amount: refunded, whole: isWhole(charge, refunded) });
  }
  if (amounts.some(isSome) || others.length > 0 || status === 'settled_out_of_balance') {
    findings.push({ code: 'out_of_balance', status, amounts: amounts.filter(isSome), others });
  }
  const states = [...new Set(own.map(({ state }) => state))];
  if (isNeverCompleted(status) && states.includes('approved')) {
    findings.push({ code: 'status_contradicts', status });
  }
  return { chargeId, status, transactionIds: own.map((row) => row.transactionId), findings };
}

function isSome(amount: Money | undefined): amount is Money {
  return amount !== undefined && amount.minor !== 0n;
}

/** Doc 2.5: the refunded amount is the original one. */
function isWhole({ summary: { originalOrderTotal }, status }: Charge, refunded: Money): boolean {
  return status === 'refunded' || refunded.minor === originalOrderTotal?.minor;
}

/** Whether the customer was not charged, or not yet. Other statuses are unknown. */
function isNeverCompleted(status: string): boolean {
  const { handling } = chargeRule(status);
  return handling !== 'as_pending' && !isApproved(status) && !wasCompleted(status);
}
