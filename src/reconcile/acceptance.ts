import { tableOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import {
  type AcceptedBankDifference,
  type AcceptedDifference,
  type AcceptedLine,
  type AcceptedOrder,
  type AcceptedPayout,
  type AcceptedReceipt,
  orderKey,
  type PayoutDecision,
  payoutDecisions,
  type UnknownReceipt,
} from '../model/accepted-difference.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Value } from '../model/value.ts';
import { rescale } from '../money/money.ts';
import type { Figures } from './computed.ts';
import { type Code, type Entry, ignorableChecks } from './entry.ts';
import type { Verdict } from './verdict.ts';

/** The register of accepted differences on a day. */
export interface AcceptedDifferences {
  /** By settlement id in lower case. */
  readonly bySettlement: ReadonlyMap<string, AcceptedDifference>;
  /** Differences on the bank, by settlement id in lower case. */
  readonly onBank: ReadonlyMap<string, AcceptedBankDifference>;
  /** Bank entries that no pay-out explains, by `receiptKey`. */
  readonly receipts: ReadonlyMap<string, AcceptedReceipt>;
  /** Orders, by accounting token and reference. */
  readonly orders: ReadonlyMap<string, AcceptedOrder>;
  /** What was decided of pay-outs, each decision by settlement id in lower case. */
  readonly decided: Readonly<Record<PayoutDecision, ReadonlyMap<string, AcceptedPayout>>>;
  readonly today: string;
}

/** The lines of a register, as they count on a day. */
export function acceptedOn(today: string, lines: readonly AcceptedLine[]): AcceptedDifferences {
  const bySettlement = new Map<string, AcceptedDifference>();
  const onBank = new Map<string, AcceptedBankDifference>();
  const receipts = new Map<string, AcceptedReceipt>();
  const decided = tableOf(payoutDecisions, () => new Map<string, AcceptedPayout>());
  const orders = new Map<string, AcceptedOrder>();
  for (const line of lines) {
    if ('orderRef' in line) orders.set(orderKey(line.accountingToken, line.orderRef), line);
    else if ('decision' in line) decided[line.decision].set(line.settlementId.toLowerCase(), line);
    else if ('entryId' in line) receipts.set(receiptKey(line), line);
    else if ('received' in line) onBank.set(line.settlementId.toLowerCase(), line);
    else bySettlement.set(line.settlementId.toLowerCase(), line);
  }
  return { bySettlement, onBank, receipts, orders, decided, today };
}

/** Account and id of an entry that no pay-out explains. */
export function receiptKey({
  bankAccount,
  entryId,
}: Pick<UnknownReceipt, 'bankAccount' | 'entryId'>): string {
  return `${bankAccount} ${entryId}`;
}

/**
 * An accepted difference compared with the present one:
 * - `accepted`: nothing has changed, so no alarm
 * - `expired`: accepted until a day that is over
 * - `changed`: figures, currency or discrepancies have changed
 */
export interface Acceptance<Line extends AcceptedLine = AcceptedDifference> {
  readonly state: 'accepted' | 'expired' | 'changed';
  readonly line: Line;
  /** Empty unless `state` is `changed`. */
  readonly changes: readonly AcceptanceChange[];
}

/** A figure, the currency or the codes of discrepancies, in order, as accepted and now. Undefined: not computed. */
export interface AcceptanceChange {
  readonly field: string;
  readonly before: Value;
  readonly after: Value;
}

interface OptionalAcceptance {
  readonly acceptance?: Acceptance;
}

/** Whether the settlement is accepted as it is, so it does not affect the verdict of a run. */
export function isAccepted({ acceptance }: OptionalAcceptance): boolean {
  return acceptance?.state === 'accepted';
}

/** Whether the settlement is out of balance and not accepted as it is. */
export function raisesAlarm(one: OptionalAcceptance & { readonly verdict: Verdict }): boolean {
  return one.verdict === 'out_of_balance' && !isAccepted(one);
}

interface Acceptable {
  readonly settlement: Pick<Settlement, 'id' | 'currency'>;
  readonly verdict: Verdict;
  readonly scale: number;
  readonly reported: Figures;
  readonly computed: Figures | undefined;
  readonly codes: readonly Code[];
}

/** The acceptance of a settlement; undefined unless it is out of balance and in the register. */
export function acceptanceOf(
  one: Acceptable,
  accepted: AcceptedDifferences | undefined,
): Acceptance | undefined {
  const line = accepted?.bySettlement.get(one.settlement.id.toLowerCase());
  if (!accepted || !line || one.verdict !== 'out_of_balance') return undefined;
  return acceptanceBy(line, compared(line, one), accepted.today);
}

/** The fields that have changed. Both amounts of one have the same scale. */
export function onlyChanged(fields: readonly AcceptanceChange[]): readonly AcceptanceChange[] {
  const plain = (value: Value) => {
    if (typeof value !== 'object') return value;
    return 'minor' in value ? value.minor : value.join(', ');
  };
  return fields.filter(({ before, after }) => plain(before) !== plain(after));
}

/** The acceptance by a line of the register; `fields` may include unchanged ones. */
export function acceptanceBy<Line extends AcceptedLine>(
  line: Line,
  fields: readonly AcceptanceChange[],
  today: string,
): Acceptance<Line> {
  const changes = onlyChanged(fields);
  const unchanged = isExpired(line, today) ? 'expired' : 'accepted';
  return { state: changes.length > 0 ? 'changed' : unchanged, line, changes };
}

/** Whether the last day of an acceptance is over. */
export function isExpired({ until }: AcceptedLine, today: string): boolean {
  return until !== undefined && until < today;
}

/** The codes of all entries, without `outside_range`, which depends on the range of the request. */
export function codesOf(
  one: Readonly<Record<'discrepancies' | 'notices', readonly Entry[]>>,
): readonly Code[] {
  const codes = [...one.discrepancies, ...one.notices].map(({ code }) => code);
  return codes.filter((code) => code !== 'outside_range').sort(byText);
}

/**
 * The discrepancies among codes, in order: what was accepted. Notices do not count, nor do codes that are not
 * known, because another version of recon may find other ones.
 */
export function discrepanciesAmong(codes: readonly string[]): readonly string[] {
  return ignorableChecks.filter((code) => codes.includes(code)).sort(byText);
}

function compared(line: AcceptedDifference, now: Acceptable): readonly AcceptanceChange[] {
  const scale = Math.max(line.scale, now.scale);
  return [
    { field: 'currency', before: line.currency, after: now.settlement.currency },
    ...(['reported', 'computed'] as const).flatMap((side) =>
      figures.map((figure) => ({
        field: `${figure}_${side}`,
        before: figureOf(line[side], figure, line.scale, scale),
        after: figureOf(now[side], figure, now.scale, scale),
      })),
    ),
    {
      field: 'codes',
      before: discrepanciesAmong(line.codes),
      after: discrepanciesAmong(now.codes),
    },
  ];
}

const figures = ['transactions', 'gross', 'fees', 'tax', 'pay_in'] as const;

/** Minor units at the scale `from`, as an amount with the decimal places of `to`. */
function figureOf(
  of: Figures | undefined,
  figure: (typeof figures)[number],
  from: number,
  to: number,
): Value {
  if (figure === 'transactions') return of?.transactions;
  const minor = of?.[figure === 'pay_in' ? 'payIn' : figure];
  return minor === undefined ? undefined : { minor: rescale(minor, from, to), scale: to };
}
