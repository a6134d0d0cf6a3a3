import { hostname } from 'node:os';
import { readTextFile } from '../base/files.ts';
import type { LockOptions } from '../base/folder-lock.ts';
import type { Context } from './context.ts';
import type { Host } from './host.ts';

const unknownStart = 'unknown';

/** Options of a lock. Process numbers are reused, so the start time counts too. */
export async function lockOptions({ host, clock }: Context): Promise<LockOptions> {
  return {
    owner: { host: hostname(), pid: host.pid, startedAt: await startOf(host.pid) },
    isRunning: async (pid, startedAt) => {
      if (!isThere(pid, host)) return false;
      const start = await startOf(pid);
      return start === startedAt || [start, startedAt].includes(unknownStart);
    },
    clock,
  };
}

function isThere(pid: number, host: Host): boolean {
  try {
    return host.kill(pid, 0);
  } catch (error) {
    // It exists, but is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Linux: the boot id, and the start in clock ticks (field 22). */
async function startOf(pid: number): Promise<string> {
  const boot = await textOf('/proc/sys/kernel/random/boot_id');
  const stat = await textOf(`/proc/${pid}/stat`);
  // The second field, the program's name, may contain spaces and brackets.
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return boot === undefined || ticks === undefined ? unknownStart : `${boot.trim()} ${ticks}`;
}

async function textOf(path: string): Promise<string | undefined> {
  return (await readTextFile(path).catch(() => undefined))?.text;
}
