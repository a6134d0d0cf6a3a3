import { isDayIn } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import { isSameUuid } from '../base/uuid.ts';
import { currencyForm, isOdd, rowFields, timestampForm, uuidForm } from '../model/row.ts';
import { isOfFile, type Settlement, settlementFields } from '../model/settlement.ts';
import type { RowsOutcome } from '../model/source.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import type { Money } from '../money/money.ts';
import {
  type Entry,
  exampleLimit,
  found,
  type OddValue,
  smallest,
  smallestIds,
  smallestRecords,
  type UnusualScale,
} from './entry.ts';
import { deviation, isWithin, statesParts } from './identity.ts';
import { type RowColumns, smallestRows } from './row-columns.ts';
import { seenByRules } from './rules.ts';
import type { Subject } from './subject.ts';
import { noRows } from './sums.ts';
import { serviceSays } from './verdict.ts';

type Check = (subject: Subject) => readonly Entry[];

const measures = ['gross', 'fees', 'tax'] as const;

/** `gross`, `fees`, `tax`: the header reports the sum over the rows. */
const amounts: Check = (subject) => {
  const { reported, computed } = subject;
  if (computed === undefined) return [];
  return measures.flatMap((measure) =>
    found(measure, 1, compared(subject, reported[measure], computed[measure])),
  );
};

/** `pay_in`: the reported pay-in is that of the rows, if the amounts from which it follows are not all stated. */
const payIn: Check = (subject) => {
  const { reported, computed, settings } = subject;
  const isByParts = statesParts(settings.identity, reported);
  if (isByParts || computed?.payIn === undefined) return [];
  return found('pay_in', 1, compared(subject, reported.payIn, computed.payIn));
};

/** `count`: `totalTransactions` is the number of unique transaction ids in all currencies. */
const count: Check = ({ reported, computed, rows: { size: listed } }) => {
  if (computed === undefined || reported.transactions === undefined) return [];
  const difference = reported.transactions - computed.transactions;
  const facts = { reported: reported.transactions, computed: computed.transactions, difference };
  const isByRule = listed !== computed.transactions;
  return found('count', Math.abs(difference), { ...facts, ...(isByRule && { listed }) });
};

/** `identity`: the header's pay-in follows from its own gross, fees and tax. */
const identity: Check = (subject) => {
  const { reported, settings } = subject;
  if (settings.identity === 'off' || !statesParts(settings.identity, reported)) return [];
  const computed = reported.payIn - deviation(settings.identity, reported);
  const facts = compared(subject, reported.payIn, computed);
  return found('identity', 1, facts && { ...facts, identity: settings.identity });
};

/** Undefined if the amounts are equal or within the tolerance, or one is not stated. */
function compared(subject: Subject, reported: bigint | undefined, computed: bigint) {
  if (reported === undefined) return undefined;
  const difference = reported - computed;
  if (difference === 0n || isTolerated(subject, difference)) return undefined;
  return {
    reported: moneyOf(subject, reported),
    computed: moneyOf(subject, computed),
    difference: moneyOf(subject, difference),
  };
}

/** `within_tolerance`: what `gross`, `fees`, `tax` and `identity` (as pay-in) tolerate. */
const withinTolerance: Check = (subject) => {
  const { difference, tolerance, reported, settings } = subject;
  const differences = [
    ...measures.map((measure) => ({ measure, minor: difference?.[measure] ?? 0n })),
    {
      measure: 'payIn' as const,
      minor: statesParts(settings.identity, reported)
        ? deviation(settings.identity, reported)
        : (difference?.payIn ?? 0n),
    },
  ]
    .filter(({ minor }) => minor !== 0n && isTolerated(subject, minor))
    .map(({ measure, minor }) => ({ measure, difference: moneyOf(subject, minor) }));
  const facts = { tolerance: moneyOf(subject, tolerance), differences };
  return found('within_tolerance', differences.length, facts);
};

/** The computed pay-in, if any, must be within the tolerance too: small differences may add up. */
function isTolerated({ tolerance, difference }: Subject, amount: bigint): boolean {
  return isWithin(tolerance, amount) && isWithin(tolerance, difference?.payIn ?? 0n);
}

function moneyOf({ scale, settlement: { currency } }: Subject, minor: bigint): Money {
  return { minor, scale, currency };
}

/** `reported_by_service`: the service itself says that the settlement is out of balance. */
const reportedByService: Check = ({ settlement: { status } }) =>
  found('reported_by_service', serviceSays(status) === 'out_of_balance' ? 1 : 0, { status });

/** `unusual_scale`: all amounts of the header may be wrong by a power of ten. */
const unusualScale: Check = ({ settlement, settings: { expectedScales } }) =>
  found('unusual_scale', 1, unusualScaleOf(settlement, expectedScales));

type Scaled = Pick<Settlement, 'currency' | 'scale'>;

/** By the setting, else by ISO 4217. Undefined if as expected, or if the currency is unknown. */
function unusualScaleOf(
  { currency, scale }: Scaled,
  expectedScales: ReadonlyMap<string, number>,
): UnusualScale | undefined {
  const expected = expectedScales.get(currency) ?? minorUnitsOf(currency);
  return expected === undefined || expected === scale
    ? undefined
    : { currency, decimalPlaces: scale, expected };
}

/** The number of settlements with the same unusual decimal places. */
export interface UnusualScales extends UnusualScale {
  readonly settlements: number;
}

/** The settlements with unusual decimal places, counted by currency and decimal places, sorted. */
export function unusualScales(
  settlements: readonly Scaled[],
  expectedScales: ReadonlyMap<string, number>,
): readonly UnusualScales[] {
  const found = settlements.flatMap((one) => unusualScaleOf(one, expectedScales) ?? []);
  return [...groupedBy(found, (one) => `${one.currency} ${one.decimalPlaces}`).values()]
    .flatMap(([one, ...others]) => (one ? { ...one, settlements: others.length + 1 } : []))
    .sort((a, b) => byText(a.currency, b.currency) || a.decimalPlaces - b.decimalPlaces);
}

/** `outside_range`: the date as written is outside the range; doc 4.3 does not name a time zone. */
const outsideRange: Check = ({ settlement: { date }, range }) => {
  const isOutside = range !== undefined && !isDayIn(range, date);
  return found('outside_range', 1, isOutside ? { date, range } : undefined);
};

/** `foreign_settlement`: rows that name another settlement. They stay in the sums of this one. */
const foreignSettlement: Check = ({ settlement, rows }) => {
  const isForeign = (id: string) => id !== '' && !isSameUuid(id, settlement.id);
  const foreign = rows.ofKind(({ settlementId }) => isForeign(settlementId));
  return found('foreign_settlement', foreign.length, {
    settlementIds: smallestIds(new Set(foreign.map((row) => rows.kind(row).settlementId))),
    examples: examplesOf(rows, foreign),
  });
};

/** `currency`: rows in another currency than the header that count by the rules. They are never in its sums. */
const currency: Check = ({ settlement, rows, sums, settings: { rules } }) => {
  const totals = [...sums]
    .filter(([code]) => code !== settlement.currency)
    .sort(([a], [b]) => byText(a, b))
    .map(([, one]) => one);
  const one = { ...noRows, count: 1 };
  const others = rows.ofKind(
    (kind) => kind.currency !== settlement.currency && seenByRules(rules, kind, one).count > 0,
  );
  return found('currency', others.length, { totals, examples: examplesOf(rows, others) });
};

/** `scale`: rows in the header's currency with other decimal places than the header. */
const scale: Check = ({ settlement, rows }) => {
  const others = rows.ofKind(
    (kind) => kind.scale !== settlement.scale && kind.currency === settlement.currency,
  );
  return found('scale', others.length, {
    decimalPlaces: settlement.scale,
    others: [...new Set(others.map((row) => rows.kind(row).scale))].sort((a, b) => a - b),
    examples: examplesOf(rows, others),
  });
};

function examplesOf(rows: RowColumns, among: readonly number[]): readonly string[] {
  return smallestRows(rows, among).map((row) => rows.id(row));
}

/** `unreadable_record` and `unsteady_read`: rows may be missing from the sums. */
export function incompleteRows({
  unreadable,
  unsteady: reason,
}: RowsOutcome): readonly Entry<'unreadable_record' | 'unsteady_read'>[] {
  return [
    ...found('unreadable_record', unreadable.length, { examples: smallestRecords(unreadable) }),
    ...found('unsteady_read', 1, reason && { reason }),
  ];
}

const notRead: Check = ({ notRead: reason }) =>
  found('not_read', 1, reason === undefined ? undefined : { reason });

/** `conflicting_transaction`: one transaction id, different rows, of which one counts. */
export function conflictingTransactions({
  conflicts,
}: RowsOutcome): readonly Entry<'conflicting_transaction'>[] {
  const examples = smallest(conflicts, ([row]) => row?.id ?? '').map((contents) => ({
    transactionId: contents[0]?.id ?? '',
    amounts: contents
      .slice(0, exampleLimit)
      .map(({ amount, scale, currency }) => ({ minor: amount, scale, currency })),
    fields: differingFields(contents, rowFields),
  }));
  return found('conflicting_transaction', conflicts.length, { examples });
}

const conflictingSettlement: Check = ({ headerConflicts: contents }) =>
  found('conflicting_settlement', contents.length, {
    contents: contents.length,
    fields: differingFields(contents, settlementFields),
  });

/** The fields in which records differ, by the names that the service has for them. */
function differingFields(records: readonly object[], names: Readonly<Record<string, string>>) {
  const contents = records.map((record) => new Map<string, unknown>(Object.entries(record)));
  const text = (value: unknown) =>
    typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  return Object.entries(names)
    .filter(([field]) => new Set(contents.map((values) => text(values.get(field)))).size > 1)
    .map(([, name]) => name);
}

/** `duplicate_transaction`: the service lists the same row more than once. It counts once. */
const duplicateTransaction: Check = ({ outcome: { repeated } }) =>
  found('duplicate_transaction', repeated.length, {
    copies: repeated.reduce((sum, { copies }) => sum + copies, 0),
    examples: smallestIds(repeated.map(({ row }) => row.id)),
  });

/** `unknown_value`: an unknown status (doc 3.4), or a value of unexpected form, kept as it came. */
const unknownValue: Check = ({ settlement, rows }) => {
  const { status, id, timestamp, currency } = settlement;
  // Only the service's document says which forms values have.
  if (isOfFile(settlement)) return [];
  const inHeader = [
    { field: 'settlementStatus', value: status, isOdd: serviceSays(status) === 'unknown' },
    { field: 'settlementId', value: id, isOdd: isOdd(id, uuidForm) },
    { field: 'settlementDate', value: timestamp, isOdd: isOdd(timestamp, timestampForm) },
    { field: 'currencyCode', value: currency, isOdd: isOdd(currency, currencyForm) },
  ].filter((one) => one.isOdd);
  const examples = variedExamples([...inHeader, ...rows.odd.examples]);
  return found('unknown_value', inHeader.length + rows.odd.count, { examples });
};

/** Each value once; first one of each field, then the second of each, and so on. */
function variedExamples(values: readonly OddValue[]): readonly OddValue[] {
  return [...groupedBy(values, ({ field }) => field)]
    .map(([field, all]) => [field, new Set(all.map(({ value }) => value))] as const)
    .flatMap(([field, distinct]) => [...distinct].map((value, rank) => ({ field, value, rank })))
    .sort((a, b) => a.rank - b.rank || byText(a.field, b.field))
    .slice(0, exampleLimit)
    .map(({ field, value }) => ({ field, value }));
}

export const checks: readonly Check[] = [
  amounts,
  payIn,
  count,
  identity,
  withinTolerance,
  reportedByService,
  unusualScale,
  outsideRange,
  foreignSettlement,
  currency,
  scale,
  ({ outcome }) => conflictingTransactions(outcome),
  conflictingSettlement,
  duplicateTransaction,
  ({ outcome }) => incompleteRows(outcome),
  notRead,
  unknownValue,
];
