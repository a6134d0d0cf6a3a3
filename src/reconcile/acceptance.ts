import { byText } from '../base/texts.ts';
import type {
  AcceptedBankDifference,
  AcceptedDifference,
  AcceptedFigures,
  AcceptedLine,
} from '../model/accepted-difference.ts';
import type { Settlement } from '../model/settlement.ts';
import { formatMinor, rescale } from '../money/money.ts';
import type { Code } from './entry.ts';
import type { Figures, ReconciledSettlement } from './reconciled.ts';

/** What people have accepted, as it counts on a day. */
export interface AcceptedDifferences {
  /** By settlement id in lower case. */
  readonly bySettlement: ReadonlyMap<string, AcceptedDifference>;
  /** Differences on the bank, by settlement id in lower case. */
  readonly onBank: ReadonlyMap<string, AcceptedBankDifference>;
  /** YYYY-MM-DD. */
  readonly today: string;
}

/**
 * An accepted difference beside the settlement as it is now:
 * - `accepted`: nothing has changed, and it raises no alarm
 * - `expired`: it was accepted until a day that is over
 * - `changed`: another figure, or something else was found than was accepted
 */
export interface Acceptance<Line extends AcceptedLine = AcceptedDifference> {
  readonly state: 'accepted' | 'expired' | 'changed';
  readonly line: Line;
  /** What has changed since, as texts; nothing unless `state` is `changed`. */
  readonly changes: readonly AcceptanceChange[];
}

/** A figure, the currency or the codes, before and now; a figure that is not computed is empty. */
export interface AcceptanceChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** Whether people have accepted the settlement exactly as it is, so that it moves no verdict of a run. */
export function isAccepted({ acceptance }: ReconciledSettlement): boolean {
  return acceptance?.state === 'accepted';
}

/** Whether the settlement is out of balance, and nobody has accepted it as it is. */
export function raisesAlarm(one: ReconciledSettlement): boolean {
  return one.verdict === 'out_of_balance' && !isAccepted(one);
}

/** What of a settlement is compared with what was accepted of it. */
export interface Acceptable
  extends Pick<ReconciledSettlement, 'verdict' | 'scale' | 'reported' | 'computed'> {
  readonly settlement: Pick<Settlement, 'id' | 'currency'>;
  readonly codes: readonly Code[];
}

/**
 * What people have accepted of a settlement, if anything. Only one that is out of balance is
 * compared: nothing can be said of an incomplete one, and the others raise no alarm.
 */
export function acceptanceOf(
  one: Acceptable,
  accepted: AcceptedDifferences | undefined,
): Acceptance | undefined {
  const line = accepted?.bySettlement.get(one.settlement.id.toLowerCase());
  if (!accepted || !line || one.verdict !== 'out_of_balance') return undefined;
  return acceptanceBy(line, compared(line, one), accepted.today);
}

/** How a line counts on a day, by all that is compared with it: what is as before is no change. */
export function acceptanceBy<Line extends AcceptedLine>(
  line: Line,
  fields: readonly AcceptanceChange[],
  today: string,
): Acceptance<Line> {
  const changes = fields.filter(({ before, after }) => before !== after);
  const isOver = isExpired(line, today);
  const state = changes.length > 0 ? 'changed' : isOver ? 'expired' : 'accepted';
  return { state, line, changes };
}

/** The settlement with what people have accepted of it, if anything. */
export function withAcceptance(
  one: ReconciledSettlement,
  accepted: AcceptedDifferences | undefined,
): ReconciledSettlement {
  const acceptance = accepted && acceptanceOf({ ...one, codes: codesOf(one) }, accepted);
  return acceptance ? { ...one, acceptance } : one;
}

/** Whether the last day for which something is accepted is over. */
export function isExpired({ until }: AcceptedLine, today: string): boolean {
  return until !== undefined && until < today;
}

/**
 * The codes of all that was found in a settlement, ignored or not. Whether its date lies outside the
 * range is left out: that depends on what was asked for.
 */
export function codesOf({ discrepancies, notices }: ReconciledSettlement): readonly Code[] {
  const codes = [...discrepancies, ...notices].map(({ code }) => code);
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

/** The figures that are compared, as columns name them. */
const figures = ['transactions', 'gross', 'fees', 'tax', 'pay_in'] as const;

/** The same text for the same figure: amounts are brought to one scale. */
function figureText(
  of: Figures | AcceptedFigures | undefined,
  figure: (typeof figures)[number],
  from: number,
  to: number,
): string {
  if (figure === 'transactions') return String(of?.transactions ?? '');
  const minor = of?.[figure === 'pay_in' ? 'payIn' : figure];
  return minor === undefined ? '' : formatMinor(rescale(minor, from, to), to);
}

function listText(codes: readonly string[]): string {
  return [...codes].sort(byText).join(', ');
}
