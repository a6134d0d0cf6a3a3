import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { ReconError } from './errors.ts';
import { readTextFile } from './files.ts';
import { createWhole, removeWhole, replaceWhole } from './folders.ts';
import { isObject, parseJson } from './json.ts';

/** The name of a lock's file in its folder. */
export const lockName = '.lock';

/** The process that takes a lock. */
interface LockOwner {
  /** The name of this machine. */
  readonly host: string;
  readonly pid: number;
  /** When the process started, in any form that stays the same for one process. */
  readonly startedAt: string;
}

/** Whether a process of this machine has this id and started then. */
type IsRunning = (pid: number, startedAt: string) => boolean | Promise<boolean>;

export interface LockOptions {
  readonly owner: LockOwner;
  readonly isRunning: IsRunning;
  readonly clock: Clock;
}

/** The contents of a lock file, and of a claim. */
interface Holder extends LockOwner {
  readonly id: string;
  /** When it was taken, in ISO 8601. */
  readonly since: string;
}

/** Whether a name in the folder is that of a claim on the lock. */
export function isClaim(name: string): boolean {
  return /^\.lock\.[0-9a-f]{32}$/.test(name);
}

/** The claim on a lock whose holder, of this id, is dead. */
function claimName(id: string): string {
  return `${lockName}.${id}`;
}

/** Others may come and go while the lock is being taken; each attempt that fails means that one did. */
const attempts = 100;

/**
 * Takes the lock of a folder; what it returns releases it. ReconError `locked` where another has it.
 *
 * A lock whose owner is dead is taken over by whoever first creates the *claim* that bears its id.
 * A claimant that dies too leaves a claim with its own id, which is claimed in turn. So two can never
 * take over from one owner, and a lock is replaced only while it is sure to be the one judged dead:
 * renaming it away to look at it would let a third one in for a moment.
 */
export async function takeLock(folder: string, options: LockOptions): Promise<() => Promise<void>> {
  const { owner, isRunning, clock } = options;
  const lock = join(folder, lockName);
  const id = randomBytes(16).toString('hex');
  const { host, pid, startedAt } = owner;
  const since = new Date(clock.now()).toISOString();
  const text = `${JSON.stringify({ host, pid, startedAt, id, since } satisfies Holder)}\n`;

  const release = async () => {
    const holder = await readHolder(lock).catch(() => undefined);
    if (holder?.id === id) await removeWhole(lock);
  };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (await createWhole(lock, text)) return release;
    const holders = await readSuccession(folder);
    const [first] = holders;
    const last = holders.at(-1);
    if (!first || !last) continue;
    if (last.host !== host || (await isRunning(last.pid, last.startedAt))) throw held(lock, last);

    const claim = join(folder, claimName(last.id));
    if (!(await createWhole(claim, text))) continue;
    // Ids never come back: if the lock is still the one that was read, no claim was tidied away since.
    if ((await readHolder(lock))?.id === first.id) {
      await replaceWhole(lock, text);
      for (const one of holders) await removeWhole(join(folder, claimName(one.id)));
      return release;
    }
    await removeWhole(claim);
  }
  throw new ReconError('locked', 'Too many runs are trying to use this folder.', {
    where: lock,
    hint: 'Try again later.',
  });
}

/** The holder that the lock names, the claimant of its place if it is dead, and so on. */
async function readSuccession(folder: string): Promise<readonly Holder[]> {
  const holders: Holder[] = [];
  let holder = await readHolder(join(folder, lockName));
  while (holder) {
    holders.push(holder);
    holder = await readHolder(join(folder, claimName(holder.id)));
  }
  return holders;
}

/** Undefined where there is no such file; ReconError `locked` for one that can't be understood. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const file = await readTextFile(path);
    if (!file) return undefined;
    const holder = parseJson(file.text);
    if (isHolder(holder)) return holder;
    throw new SyntaxError('no lock');
  } catch (reason) {
    const message = 'This folder is locked, but its lock file cannot be read.';
    throw new ReconError('locked', message, { where: path, hint: removal, reason });
  }
}

function isHolder(value: unknown): value is Holder {
  if (!isObject(value)) return false;
  const { host, pid, startedAt, id, since } = value;
  const isText = [host, startedAt, id, since].every((one) => typeof one === 'string');
  return isText && typeof pid === 'number' && isClaim(claimName(String(id)));
}

function held(path: string, { host, pid, since }: Holder): ReconError {
  const message = `Another run has been using this folder since ${since}: process ${pid} on ${host}.`;
  return new ReconError('locked', message, { where: path, hint: removal });
}

const removal =
  'Wait for that run to end. If it no longer exists, for example because its machine is gone, remove this file.';
