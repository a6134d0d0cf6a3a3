import type {
  AuditAmounts,
  AuditCoverage,
  AuditFeeRate,
  AuditTotal,
  FoundRow,
} from '../report/audit/report.ts';
import type { AnswerRow } from './engine.ts';

/** The columns of a row behind a finding; what its question doesn't have is empty or zero. */
export function foundRow(answer: AnswerRow): FoundRow {
  return {
    profile: text(answer, 'profile'),
    day: text(answer, 'day'),
    accountingToken: text(answer, 'accounting_token'),
    settlementId: text(answer, 'settlement_id'),
    transactionId: text(answer, 'transaction_id'),
    chargeId: text(answer, 'charge_id'),
    currency: text(answer, 'currency'),
    decimalPlaces: count(answer, 'decimal_places'),
    amount: minor(answer, 'amount_minor'),
    expected: minor(answer, 'expected_minor'),
    field: text(answer, 'field'),
    change: text(answer, 'change'),
    before: text(answer, 'before'),
    after: text(answer, 'after'),
    lastDay: text(answer, 'last_day'),
    days: count(answer, 'days'),
    longestBefore: count(answer, 'longest_before'),
    lake: count(answer, 'lake'),
    firstLake: count(answer, 'first_lake'),
  };
}

/** How often something was found, as each row behind it says. */
export function foundCount([answer]: readonly AnswerRow[]): number {
  return answer ? count(answer, 'found') : 0;
}

export function coverageOf(answer: AnswerRow): AuditCoverage {
  return {
    profile: text(answer, 'profile'),
    firstDay: text(answer, 'first_day'),
    lastDay: text(answer, 'last_day'),
    days: count(answer, 'days'),
    settlements: settlementsOf(answer),
    transactions: count(answer, 'transactions'),
  };
}

export function totalOf(answer: AnswerRow): AuditTotal {
  const [net, absolute] = ['pay_in_difference_minor', 'pay_in_absolute_minor'].map((key) =>
    minor(answer, key),
  );
  const payIn = amounts(answer, 'pay_in');
  return {
    profile: text(answer, 'profile'),
    accountingToken: text(answer, 'accounting_token'),
    accountingName: text(answer, 'accounting_name'),
    currency: text(answer, 'currency'),
    decimalPlaces: count(answer, 'decimal_places'),
    settlements: settlementsOf(answer),
    transactions: count(answer, 'transactions'),
    gross: amounts(answer, 'gross'),
    fees: amounts(answer, 'fees'),
    tax: amounts(answer, 'tax'),
    payIn,
    outOfBalance:
      payIn.computed === undefined ? undefined : { net: net ?? 0n, absolute: absolute ?? 0n },
    pendingPayIn: minor(answer, 'pay_in_pending_minor') ?? 0n,
  };
}

export function feeRateOf(answer: AnswerRow): AuditFeeRate {
  return {
    profile: text(answer, 'profile'),
    month: text(answer, 'month').slice(0, 7),
    paymentType: text(answer, 'payment_type'),
    currency: text(answer, 'currency'),
    decimalPlaces: count(answer, 'decimal_places'),
    transactions: count(answer, 'transactions'),
    gross: minor(answer, 'gross_minor') ?? 0n,
    fees: minor(answer, 'fees_minor') ?? 0n,
  };
}

function settlementsOf(answer: AnswerRow): AuditTotal['settlements'] {
  return {
    balanced: count(answer, 'balanced'),
    out_of_balance: count(answer, 'out_of_balance'),
    pending: count(answer, 'pending'),
    incomplete: count(answer, 'incomplete'),
  };
}

function amounts(answer: AnswerRow, measure: string): AuditAmounts {
  return {
    reported: minor(answer, `${measure}_reported_minor`) ?? 0n,
    computed: minor(answer, `${measure}_computed_minor`),
  };
}

function text(answer: AnswerRow, column: string): string {
  return answer[column] ?? '';
}

function count(answer: AnswerRow, column: string): number {
  return Number(answer[column] ?? 0);
}

function minor(answer: AnswerRow, column: string): bigint | undefined {
  const digits = answer[column];
  return digits === null || digits === undefined ? undefined : BigInt(digits);
}
