import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { ReconError } from './errors.ts';
import { readTextFile } from './files.ts';
import { createWhole, removeLeftovers, removeWhole, replaceWhole } from './folders.ts';
import { isObject, parseJson } from './json.ts';

export const lockName = '.lock';

interface LockOwner {
  readonly host: string;
  readonly pid: number;
  /** When the process started, in any fixed form. */
  readonly startedAt: string;
}

type IsRunning = (pid: number, startedAt: string) => boolean | Promise<boolean>;

export interface LockOptions {
  readonly owner: LockOwner;
  readonly isRunning: IsRunning;
  readonly clock: Clock;
}

interface Holder extends LockOwner {
  readonly id: string;
  readonly since: string;
}

/** Whether a file name is that of a claim on the lock. */
export function isClaim(name: string): boolean {
  return /^\.lock\.[0-9a-f]{32}$/.test(name);
}

const claimName = (id: string): string => `${lockName}.${id}`;

/** Each failed attempt means that another run took or released the lock meanwhile. */
const attempts = 100;

/**
 * Takes the lock of a folder, and returns its release. Throws ReconError `locked` if another run has it.
 *
 * The first run that creates the *claim* with the id of a dead owner takes over its lock. A claim has an id
 * too, so the claim of a dead run can be claimed in turn. Two runs can never take over from one owner, and
 * only the lock that was found dead is replaced. If it were renamed first, a third run could take the lock.
 */
export async function takeLock(folder: string, options: LockOptions): Promise<() => Promise<void>> {
  const release = await acquire(folder, options);
  await removeLeftovers(join(folder, lockName));
  return release;
}

async function acquire(folder: string, options: LockOptions): Promise<() => Promise<void>> {
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
    // Ids are never reused: if the lock is unchanged, no claim was removed meanwhile.
    if ((await readHolder(lock))?.id === first.id) {
      await replaceWhole(lock, text);
      for (const one of holders) await removeWhole(join(folder, claimName(one.id)));
      return release;
    }
    await removeWhole(claim);
  }
  const message = 'Too many runs are trying to use this folder.';
  const hint = 'Try again later.';
  throw new ReconError('locked', message, { where: lock, hint });
}

async function readSuccession(folder: string): Promise<readonly Holder[]> {
  const holders: Holder[] = [];
  let holder = await readHolder(join(folder, lockName));
  while (holder) {
    holders.push(holder);
    holder = await readHolder(join(folder, claimName(holder.id)));
  }
  return holders;
}

/** Undefined if there is no such file; throws ReconError `locked` if it is not understood. */
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
