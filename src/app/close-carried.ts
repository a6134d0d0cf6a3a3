import { acceptingLine } from '../match/bank-acceptance.ts';
import type { CloseRecord } from '../model/close.ts';
import type { BankReport } from './bank-report.ts';
import { stepOf } from './close-checklist.ts';
import {
  type Blocker,
  type BlockerCode,
  type CarriedPoint,
  type CloseReport,
  type FoundFaults,
  faultsFound,
  forceableCodes,
  undecidedStates,
} from './close-report.ts';

interface CarryingState extends Pick<CloseReport, 'rollForward'> {
  /** The closes before the range. */
  readonly closes: readonly CloseRecord[];
  /** Of all days since the first one. */
  readonly bank: BankReport;
  readonly blockers: readonly Blocker[];
  /** What is found now of the days of the closes; no orders and fees unless a close was forced over some. */
  readonly found: FoundFaults | undefined;
}

/** What is still open of what closes were forced over, each once. */
export function carriedPoints(state: CarryingState): readonly CarriedPoint[] {
  const { closes, blockers, found } = state;
  const now = found ? faultsFound(found) : {};
  const open = new Set(
    forceableCodes.flatMap((code) => (now[code] ?? []).map(({ example }) => keyOf(code, example))),
  );
  const counted = new Set(
    blockers.flatMap(({ code, items }) => items.map(({ id }) => keyOf(code, id))),
  );
  const told = new Set<string>();
  return closes.flatMap((record) =>
    record.forced.flatMap(({ code: kept, items }) => {
      const code = forceableCodes.find((one) => one === kept);
      if (!code) return [];
      return items.flatMap((item): CarriedPoint | [] => {
        const key = keyOf(code, item.id);
        const isOpen = stepOf({ code }) === 'bank' ? isOpenOnBank(item.id, state) : open.has(key);
        if (told.has(key) || !(isOpen || counted.has(key))) return [];
        told.add(key);
        return { ...item, record, code, isCounted: counted.has(key) };
      });
    }),
  );
}

/** An order or a pay-out may be open in another way than it was. */
function keyOf(code: BlockerCode, id: string): string {
  const step = stepOf({ code });
  return `${step === 'orders' || step === 'bank' ? step : code} ${id}`;
}

/** Whether a pay-out is not paid in full, or an entry still unknown, and nobody decided of it. */
function isOpenOnBank(id: string, { bank, rollForward }: CarryingState): boolean {
  const { accepted, matching } = bank;
  const match = matching.matches.find(
    ({ settlements, entries }) =>
      settlements.some(({ settlement }) => settlement.id === id) ||
      entries.some(({ entry }) => entry.id === id),
  );
  // An entry whose statement is not at hand.
  if (!match) {
    const lines = [...(accepted?.receipts.values() ?? [])];
    return !lines.some(({ entryId }) => entryId === id || entryId.startsWith(`${id}#`));
  }
  if (!undecidedStates.some((one) => one === match.state)) return false;
  if (acceptingLine(match, accepted)) return false;
  const payout = rollForward.payouts.find(({ settlementIds }) => settlementIds.includes(id));
  if (!payout) return true;
  const { payIn, received, charges } = payout;
  // Without the entries of then, a decision cannot be compared with them.
  const { onBank, decided } = accepted ?? {};
  const isDecided = [onBank, ...Object.values(decided ?? {})].some((one) =>
    one?.has(id.toLowerCase()),
  );
  return payIn !== received + charges && !(isDecided && match.entries.length === 0);
}
