import type { Note } from '../../model/row.ts';
import { jsonAmount, jsonEntry } from '../common/json.ts';
import { reasonsOf } from '../common/partial-words.ts';
import type { Names } from '../common/report.ts';
import type { NotesShown, Transaction, TransactionsEnd, TransactionsQuery } from './view.ts';

/** A transaction. Others script against its keys. */
export function jsonTransaction(names: Names, notes: NotesShown): (one: Transaction) => object {
  const isShown = ({ key }: Note) => notes === 'all' || notes.includes(key);
  return ({ settlement, row }) => ({
    settlementId: settlement.id,
    settlementDate: settlement.date,
    accountingToken: settlement.accountingToken,
    accountingName: names.get(settlement.accountingToken) ?? '',
    transactionId: row.id,
    chargeId: row.chargeId,
    orderId: row.orderId,
    timestamp: row.timestamp,
    transactionType: row.type,
    paymentType: row.paymentType,
    state: row.state,
    currency: row.currency,
    decimalPlaces: row.scale,
    amount: jsonAmount(row.amount, row.scale),
    fees: jsonAmount(row.fees, row.scale),
    tax: jsonAmount(row.tax, row.scale),
    ...(notes.length > 0 && { notes: row.notes.filter(isShown) }),
  });
}

/** How the list ended. */
export function jsonEnd({ read, listed, unmatched }: TransactionsEnd) {
  const { settlements, transactions, complete, partial, conflicting, findings } = read;
  return {
    completeness: { complete, settlements, transactions },
    listed,
    partial: partial.map((one) => ({
      settlementId: one.settlement.id,
      settlementDate: one.settlement.date,
      pending: one.isPending,
      transactions: one.rows,
      reasons: reasonsOf(one),
    })),
    conflicting: conflicting.map(({ settlement: { id, date, scale }, entry }) => ({
      settlementId: id,
      settlementDate: date,
      ...jsonEntry(entry, scale),
    })),
    findings: findings.map((entry) => jsonEntry(entry, 0)),
    unmatched,
  };
}

/** What was asked for. */
export function jsonQuery({ of, profile, filters }: TransactionsQuery) {
  const isRange = 'range' in of;
  return {
    range: isRange ? of.range : null,
    settlement: isRange ? null : of.settlement,
    profile: profile ?? null,
    filters: { ...(isRange && of.filters), ...filters },
  };
}
