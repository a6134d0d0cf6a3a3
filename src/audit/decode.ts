import { tableOf } from '../base/keys.ts';
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
    ...texts(answer, 'profile', 'day', 'accountingToken', 'settlementId', 'transactionId'),
    ...texts(answer, 'chargeId', 'currency', 'field', 'change', 'before', 'after', 'lastDay'),
    ...counts(answer, 'decimalPlaces', 'days', 'longestBefore', 'lake', 'firstLake'),
    amount: minor(answer, 'amount_minor'),
    expected: minor(answer, 'expected_minor'),
  };
}

/** How often something was found, as each row behind it says. */
export function foundCount([answer]: readonly AnswerRow[]): number {
  return answer ? count(answer, 'found') : 0;
}

export function coverageOf(answer: AnswerRow): AuditCoverage {
  return {
    ...texts(answer, 'profile', 'firstDay', 'lastDay'),
    ...counts(answer, 'days', 'transactions'),
    settlements: settlementsOf(answer),
  };
}

export function totalOf(answer: AnswerRow): AuditTotal {
  const [net, absolute] = ['pay_in_difference_minor', 'pay_in_absolute_minor'].map((key) =>
    minor(answer, key),
  );
  const payIn = amounts(answer, 'pay_in');
  return {
    ...texts(answer, 'profile', 'accountingToken', 'accountingName', 'currency'),
    ...counts(answer, 'decimalPlaces', 'transactions'),
    settlements: settlementsOf(answer),
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
    ...texts(answer, 'profile', 'paymentType', 'currency'),
    ...counts(answer, 'decimalPlaces', 'transactions'),
    month: (answer['month'] ?? '').slice(0, 7),
    gross: minor(answer, 'gross_minor') ?? 0n,
    fees: minor(answer, 'fees_minor') ?? 0n,
  };
}

function settlementsOf(answer: AnswerRow): AuditTotal['settlements'] {
  return counts(answer, 'balanced', 'out_of_balance', 'pending', 'incomplete');
}

function amounts(answer: AnswerRow, measure: string): AuditAmounts {
  return {
    reported: minor(answer, `${measure}_reported_minor`) ?? 0n,
    computed: minor(answer, `${measure}_computed_minor`),
  };
}

/** Fields by their names here; columns have underscores. */
function texts<Field extends string>(answer: AnswerRow, ...fields: readonly Field[]) {
  return tableOf(fields, (field) => answer[columnOf(field)] ?? '');
}

function counts<Field extends string>(answer: AnswerRow, ...fields: readonly Field[]) {
  return tableOf(fields, (field) => count(answer, columnOf(field)));
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function count(answer: AnswerRow, column: string): number {
  return Number(answer[column] ?? 0);
}

function minor(answer: AnswerRow, column: string): bigint | undefined {
  const digits = answer[column];
  return digits === null || digits === undefined ? undefined : BigInt(digits);
}
