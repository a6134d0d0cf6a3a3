import type {
  AcceptedBankDifference,
  AcceptedDifference,
  AcceptedReceipt,
} from '../model/accepted-difference.ts';
import { receiptKey } from '../reconcile/acceptance.ts';
import type { Asked } from './asked.ts';
import type { Flags } from './flags.ts';
import type { Messages } from './messages.ts';

interface Heard {
  readonly messages: Pick<Messages, 'say' | 'warn'>;
  readonly flags: Pick<Flags, 'accepted'>;
}

/** Reads a register and warns of lines that are invalid. */
export async function readRegister(path: string, { messages, flags }: Heard) {
  const { parseRegister } = await import('../register/accepted-register.ts');
  const { readKeptCsv } = await import('../register/kept-csv.ts');
  const csv = await readKeptCsv(path);
  // Normal before the first acceptance: said only if `--accepted` is given.
  if (flags.accepted !== undefined && csv.columns.length === 0)
    messages.say(`Nothing is accepted: ${path} is missing or empty.`);
  const register = parseRegister(csv);
  for (const { line, message } of register.faults) messages.warn(`${path}:${line}: ${message}`);
  return register;
}

/** What counts in a report made today: ageing, and the accepted differences if a register is set. */
export async function whenReported(asked: Pick<Asked, 'settings' | 'today'>, heard: Heard) {
  const today = asked.today();
  const { pending_days: pendingDays, accepted } = asked.settings.preferences;
  const ageing = { today, pendingDays };
  if (accepted === undefined) return { ageing };
  const { lines } = await readRegister(accepted, heard);
  const bySettlement = new Map<string, AcceptedDifference>();
  const onBank = new Map<string, AcceptedBankDifference>();
  const receipts = new Map<string, AcceptedReceipt>();
  for (const line of lines) {
    if ('entryId' in line) receipts.set(receiptKey(line), line);
    else if ('received' in line) onBank.set(line.settlementId.toLowerCase(), line);
    else bySettlement.set(line.settlementId.toLowerCase(), line);
  }
  return { ageing, accepted: { bySettlement, onBank, receipts, today } };
}
