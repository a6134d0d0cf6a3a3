import { dirname, resolve } from 'node:path';
import type { WhenReported } from '../reconcile/when-reported.ts';
import type { AcceptedRegister } from '../register/accepted-register.ts';
import type { Asked } from './asked.ts';
import type { Context } from './context.ts';
import type { Messages } from './messages.ts';

/** What hears of lines that count for nothing. */
interface Heard {
  readonly messages: Pick<Messages, 'say' | 'warn'>;
}

/**
 * Where the register of accepted differences is; undefined where none is set. A relative path in a
 * profile starts at the folder of the configuration file: cron starts elsewhere than a person.
 */
export function registerPath(
  { settings }: Pick<Asked, 'settings'>,
  { flags }: Pick<Context, 'flags'>,
): string | undefined {
  const { accepted } = settings.preferences;
  if (accepted === '') return undefined;
  return flags.accepted ?? resolve(dirname(settings.file.path), accepted);
}

/** Reads a register, and says which of its lines count for nothing, and why. */
export async function readRegister(path: string, { messages }: Heard): Promise<AcceptedRegister> {
  const { understandRegister } = await import('../register/accepted-register.ts');
  const { readKeptCsv } = await import('../register/kept-csv.ts');
  const csv = await readKeptCsv(path);
  if (csv.columns.length === 0) messages.say(`Nothing is accepted: ${path} is missing or empty.`);
  const register = understandRegister(csv);
  for (const { line, message } of register.faults) messages.warn(`${path}:${line}: ${message}`);
  return register;
}

/** What counts in a report that is made today; reads what people have accepted, if a register is set. */
export async function whenReported(
  asked: Pick<Asked, 'settings' | 'today'>,
  context: Heard & Pick<Context, 'flags'>,
): Promise<WhenReported> {
  const today = asked.today();
  const ageing = { today, pendingDays: asked.settings.preferences.pending_days };
  const path = registerPath(asked, context);
  if (path === undefined) return { ageing };
  const { lines } = await readRegister(path, context);
  const bySettlement = new Map(lines.map((line) => [line.settlementId.toLowerCase(), line]));
  return { ageing, accepted: { bySettlement, today } };
}
