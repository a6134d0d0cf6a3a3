import { filterFields } from '../../app/row-filter.ts';
import type { Note } from '../../model/row.ts';
import { jsonAmount, jsonEntry } from '../common/json.ts';
import { reasonsOf } from '../common/partial-words.ts';
import type { Names } from '../common/report.ts';
import type { NotesShown, Transaction, TransactionsEnd, TransactionsQuery } from './report.ts';

/** A transaction. Others script against its keys. */
export function jsonTransaction(names: Names, notes: NotesShown): (one: Transaction) => object {
  const isShown = noteTest(notes);
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
    ...(isShown && { notes: row.notes.filter(isShown) }),
  });
}

/** Which notes are shown; undefined where none are asked for. */
function noteTest(notes: NotesShown): ((note: Note) => boolean) | undefined {
  if (notes === 'all') return () => true;
  return notes.length === 0 ? undefined : ({ key }) => notes.includes(key);
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
    conflicting: conflicting.map(({ settlement, entry }) => ({
      settlementId: settlement.id,
      settlementDate: settlement.date,
      ...jsonEntry(entry, settlement.scale),
    })),
    findings: findings.map((entry) => jsonEntry(entry, 0)),
    unmatched,
  };
}

/** What was asked for. */
export function jsonQuery({ of, profile, filters }: TransactionsQuery) {
  const isRange = 'range' in of;
  return {
    range: isRange ? { from: of.range.from, to: of.range.to } : null,
    settlement: isRange ? null : of.settlement,
    profile: profile ?? null,
    filters: {
      ...(isRange && of.filters),
      ...Object.fromEntries(
        filterFields.flatMap((field) => {
          const values = filters[field];
          return values === undefined ? [] : [[field, values]];
        }),
      ),
    },
  };
}
