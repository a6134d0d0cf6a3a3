import { byText } from '../base/texts.ts';
import type {
  AcceptedBankDifference,
  AcceptedDifference,
  AcceptedLine,
  AcceptedReceipt,
  UnknownReceipt,
} from '../model/accepted-difference.ts';
import type { Settlement } from '../model/settlement.ts';
import { formatMinor, rescale } from '../money/money.ts';
import type { Figures } from './computed.ts';
import type { Code, Entry } from './entry.ts';
import type { Verdict } from './verdict.ts';

/** The register of accepted differences on a day. */
export interface AcceptedDifferences {
  /** By settlement id in lower case. */
  readonly bySettlement: ReadonlyMap<string, AcceptedDifference>;
  /** Differences on the bank, by settlement id in lower case. */
  readonly onBank: ReadonlyMap<string, AcceptedBankDifference>;
  /** Bank entries that no pay-out explains, by `receiptKey`. */
  readonly receipts: ReadonlyMap<string, AcceptedReceipt>;
  readonly today: string;
}

/** Account and id of an entry that no pay-out explains. */
export function receiptKey({ bankAccount, entryId }: UnknownReceipt): string {
  return `${bankAccount} ${entryId}`;
}

/**
 * An accepted difference compared with the present one:
 * - `accepted`: nothing has changed, so no alarm
 * - `expired`: accepted until a day that is over
 * - `changed`: figures, currency or codes have changed
 */
export interface Acceptance<Line extends AcceptedLine = AcceptedDifference> {
  readonly state: 'accepted' | 'expired' | 'changed';
  readonly line: Line;
  /** Empty unless `state` is `changed`. */
  readonly changes: readonly AcceptanceChange[];
}

/** A figure, the currency or the codes, as accepted and now. Empty text: not computed. */
export interface AcceptanceChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
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

/** The acceptance by a line of the register; `fields` may include unchanged ones. */
export function acceptanceBy<Line extends AcceptedLine>(
  line: Line,
  fields: readonly AcceptanceChange[],
  today: string,
): Acceptance<Line> {
  const changes = fields.filter(({ before, after }) => before !== after);
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

function compared(line: AcceptedDifference, now: Acceptable): readonly AcceptanceChange[] {
  const scale = Math.max(line.scale, now.scale);
  return [
    { field: 'currency', before: line.currency, after: now.settlement.currency },
    ...(['reported', 'computed'] as const).flatMap((side) =>
      figures.map((figure) => ({
        field: `${figure}_${side}`,
        before: figureText(line[side], figure, line.scale, scale),
        after: figureText(now[side], figure, now.scale, scale),
      })),
    ),
    { field: 'codes', before: listText(line.codes), after: listText(now.codes) },
  ];
}

const figures = ['transactions', 'gross', 'fees', 'tax', 'pay_in'] as const;

/** Minor units at the scale `from`, as text with the decimal places of `to`. */
function figureText(
  of: Figures | undefined,
  figure: (typeof figures)[number],
  from: number,
  to: number,
): string {
  if (figure === 'transactions') return String(of?.transactions ?? '');
  const minor = of?.[figure === 'pay_in' ? 'payIn' : figure];
  return minor === undefined ? '' : formatMinor(rescale(minor, from, to), to);
}

const listText = (codes: readonly string[]): string => [...codes].sort(byText).join(', ');
