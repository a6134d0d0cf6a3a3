import { isDayIn } from '../base/calendar.ts';
import { DigestSum } from '../base/digest-sum.ts';
import { groupedBy } from '../base/lists.ts';
import type { ListedSettlement } from '../books/drift.ts';
import { saleDay } from '../match/orders/month-orders.ts';
import type { AcceptedBankDifference, AcceptedDifference } from '../model/accepted-difference.ts';
import type { Agreement } from '../model/agreed-rates.ts';
import type { BankEntry } from '../model/bank.ts';
import type { CloseDigest } from '../model/close.ts';
import type { Orders } from '../model/orders.ts';
import type { DateRange } from '../model/source.ts';
import { formatMinor } from '../money/money.ts';
import { type AcceptedDifferences, discrepanciesAmong } from '../reconcile/acceptance.ts';
import { ruleLines } from '../reconcile/rules.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import type { BankReport } from './bank-report.ts';
import type { CloseReport } from './close-report.ts';

/** Digests of the data that a close rests on. If other data goes into one, its form must change too. */
export function closeDigests(
  { range, run, bank, names }: Pick<CloseReport, 'range' | 'run' | 'names'> & DigestedBank,
  settlements: readonly ListedSettlement[],
  { settings: judgement, orders, agreement }: Judging,
): readonly CloseDigest[] {
  const { identity, tolerance, ignored, rules, expectedScales } = judgement;
  const tables = [expectedScales, names].map((table) => [...table].sort());
  const settings = [
    identity,
    tolerance,
    [...ignored].sort(),
    ruleLines(rules).map(String).sort(),
    ...tables,
  ];
  const headers = run.settlements.map(({ settlement: one }) => {
    const { id, date, accountingToken, status, currency, scale, transactions } = one;
    const amounts = [one.gross, one.fees, one.tax, one.payIn];
    return [id, date, accountingToken, status, currency, scale, transactions, ...amounts];
  });
  return [
    { of: 'settings', form: 'settings/1', digest: digestOf([settings]) },
    { of: 'headers', form: 'headers/1', digest: digestOf(headers) },
    { of: 'rows', form: 'rows/1', digest: sumOf(settlements).text },
    ...entriesDigests(bank.statements.entries, range),
    ...(orders
      ? [{ of: 'orders', form: 'orders/1', digest: digestOf(soldIn(range, orders)) }]
      : []),
    ...(agreement ? [{ of: 'rates', form: 'rates/1', digest: digestOf([[agreement]]) }] : []),
  ];
}

/** By what data are judged: settings and, where the settings name them, orders and agreed rates. */
interface Judging {
  readonly settings: ReconcileSettings;
  readonly orders: Orders | undefined;
  readonly agreement: Agreement | undefined;
}

/** The orders that were sold in a range, wherever their lines stand in the files. */
function* soldIn(range: DateRange, orders: Orders): Generator<readonly unknown[]> {
  for (let order = 0; order < orders.size; order += 1) {
    const documents = orders.documents(order);
    if (!isDayIn(range, saleDay(documents))) continue;
    const lines = documents.map((one) => {
      const { isRefund, isCancelled, isUnpaid, isInScope, currency, scale } = one;
      const flags = [isRefund, isCancelled, isUnpaid, isInScope];
      const days = [one.day, one.paidDay, one.refundDay];
      const amounts = [one.total, one.notDue, one.refunded].map((of) => formatMinor(of, scale));
      return [...flags, currency, ...days, ...amounts, one.chargeId];
    });
    yield [orders.reference(order), orders.account(order), ...lines];
  }
}

/** The digest of all accepted differences: closes had it before they kept each decision. */
export function acceptedDigest(accepted: AcceptedDifferences | undefined): CloseDigest {
  const { bySettlement = new Map(), onBank = new Map() } = accepted ?? {};
  const lines = [...bySettlement.values(), ...onBank.values()];
  return { of: 'accepted', form: 'accepted/1', digest: digestOf(lines.map(valuesOf)) };
}

interface DigestedBank {
  readonly bank: { readonly statements: Pick<BankReport['statements'], 'entries'> };
}

/** A list, so that neither the order of fields nor a notice of another version changes a digest. */
function valuesOf(line: AcceptedDifference | AcceptedBankDifference): readonly unknown[] {
  const { settlementId, settlementDate, accountingToken, currency, scale } = line;
  const { reason, by, on, until = '', account } = line;
  const whose = [settlementId, settlementDate, accountingToken, currency, scale];
  const why = [reason, by, on, until, account];
  if ('received' in line) return [...whose, line.expected, line.received, ...why];
  const figures = [line.reported, line.computed].map((of) => {
    return [of.transactions, of.gross, of.fees, of.tax, of.payIn];
  });
  return [...whose, ...figures, discrepanciesAmong(line.codes), ...why];
}

/** The booked entries of each bank account in a range, by the fields that all formats have. */
function entriesDigests(entries: readonly BankEntry[], range: DateRange): readonly CloseDigest[] {
  const booked = entries.filter(({ status, date }) => status === 'booked' && isDayIn(range, date));
  const byAccount = groupedBy(booked, ({ account, currency }) => `${account} ${currency}`);
  return [...byAccount].map(([account, own]) => {
    const values = own.map(({ date, amount, scale }) => [date, formatMinor(amount, scale)]);
    return { of: `statement ${account}`, form: 'entries/1', digest: digestOf(values) };
  });
}

function sumOf(settlements: readonly ListedSettlement[]): DigestSum {
  const sum = new DigestSum();
  for (const { rows } of settlements) sum.addSum(rows ?? '0');
  return sum;
}

function digestOf(records: Iterable<readonly unknown[]>): string {
  const sum = new DigestSum();
  for (const values of records) sum.add(JSON.stringify(values, withoutBigints));
  return sum.text;
}

const withoutBigints = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;

/** The digests that differ, or exist on one side only; those in different forms are not compared. */
export function comparedDigests(before: readonly CloseDigest[], now: readonly CloseDigest[]) {
  const digestIn = (all: readonly CloseDigest[], name: string) => all.find(({ of }) => of === name);
  const names = [...new Set([...before, ...now].map(({ of }) => of))];
  const isOtherForm = (name: string) => {
    const [was, is] = [digestIn(before, name), digestIn(now, name)];
    return was !== undefined && is !== undefined && was.form !== is.form;
  };
  const isOther = (name: string) => digestIn(before, name)?.digest !== digestIn(now, name)?.digest;
  return {
    changed: names.filter((name) => isOther(name) && !isOtherForm(name)),
    notComparable: names.filter(isOtherForm),
  };
}
