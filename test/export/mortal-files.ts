import { readdirSync, rmSync } from 'node:fs';
import type * as fs from 'node:fs/promises';
import { join } from 'node:path';

/** The process is dead: whatever it would still do with files doesn't happen. */
class Killed extends Error {}

let actionsLeft = Number.POSITIVE_INFINITY;
let isFull = false;
let made = 0;

/** Runs `work` as a process that is killed at its `actions`-th change of a file. Whether it was. */
export async function killedAfter(actions: number, work: () => Promise<unknown>): Promise<boolean> {
  actionsLeft = actions;
  try {
    await work();
    return false;
  } catch (error) {
    if (actionsLeft >= 0) throw error;
    return true;
  } finally {
    actionsLeft = Number.POSITIVE_INFINITY;
  }
}

/** Runs `work` on a disk that is full from its `actions`-th change of a file on. */
export async function fullAfter(actions: number, work: () => Promise<unknown>): Promise<void> {
  actionsLeft = actions;
  isFull = true;
  try {
    await work();
  } finally {
    actionsLeft = Number.POSITIVE_INFINITY;
    isFull = false;
  }
}

/** How many changes of files there were in all. */
export function actionsMade(): number {
  return made;
}

/** Kills the process that runs. */
export function kill(): void {
  actionsLeft = -1;
}

/** Whether the process that runs has been killed. */
export function isKilled(): boolean {
  return actionsLeft < 0 && !isFull;
}

/** `node:fs/promises` of a process that can be killed; a file or folder may be left half done. */
export function mortal(real: typeof fs): typeof fs {
  const act = async <Result>(whole: () => Promise<Result>, half?: () => unknown) => {
    if (actionsLeft === 0 && !isFull) await half?.();
    actionsLeft -= 1;
    made += 1;
    if (actionsLeft < 0 && !isFull) throw new Killed();
    return whole();
  };
  const fill = async <Result>(whole: () => Promise<Result>, half?: () => unknown) => {
    if (actionsLeft === 0 && isFull) await half?.();
    if (actionsLeft <= 0 && isFull) {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    }
    return act(whole, half);
  };
  const handle = (file: fs.FileHandle) =>
    new Proxy(file, {
      get(target, name) {
        if (name === 'sync') return () => act(async () => {});
        if (name === 'writeFile') {
          return (data: string | Uint8Array) =>
            fill(
              () => target.writeFile(data),
              () => target.writeFile(data.slice(0, data.length / 2)),
            );
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return {
    ...real,
    mkdir: ((path: string, options) => fill(() => real.mkdir(path, options))) as typeof fs.mkdir,
    rename: (from, to) => act(() => real.rename(from, to)),
    link: (from, to) => fill(() => real.link(from, to)),
    rmdir: (path) => act(() => real.rmdir(path)),
    rm: (path, options) =>
      act(
        () => real.rm(path, options),
        () => removeFirst(String(path)),
      ),
    open: async (path, flags, mode) => {
      if (actionsLeft < 0 && !isFull) throw new Killed();
      const open = () => real.open(path, flags, mode);
      return handle(await ((flags ?? 'r') === 'r' ? open() : fill(open)));
    },
  };
}

function removeFirst(folder: string): void {
  try {
    const [first] = readdirSync(folder).sort();
    if (first) rmSync(join(folder, first), { recursive: true });
  } catch {
    // It is no folder: a file goes in one piece.
  }
}
