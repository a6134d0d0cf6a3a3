import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Mounts something; `false` where that may not be done here. It is unmounted when the test ends. */
function mount(folder: string, ...args: readonly string[]): boolean {
  try {
    execFileSync('mount', [...args, folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
  });
  return true;
}

/** Makes a folder read-only until the test ends, for root too. `false` where that can't be done. */
export function mountReadOnly(folder: string): boolean {
  if (!mount(folder, '--bind', folder)) return false;
  execFileSync('mount', ['-o', 'remount,bind,ro', folder], { stdio: 'ignore' });
  return true;
}

/** A disk that can be as small as a test wants. */
export interface SmallDisk {
  /** Leaves room for so many pages (`size`) or files and folders (`inodes`) beside what is there. */
  leave(limit: 'size' | 'inodes', room: number): void;
  /** Leaves as much room as anybody wants. */
  free(): void;
}

const plenty = { size: 64 * 1024 ** 2, inodes: 100_000 };
const pageSize = 4096;

/** Mounts a disk until the test ends; undefined where that can't be done. */
export function mountSmallDisk(folder: string): SmallDisk | undefined {
  mkdirSync(folder);
  if (!mount(folder, '-t', 'tmpfs', 'tmpfs')) return undefined;
  const resize = ({ size, inodes }: typeof plenty) => {
    const options = `remount,size=${size},nr_inodes=${inodes}`;
    execFileSync('mount', ['-o', options, folder], { stdio: 'ignore' });
  };
  resize(plenty);
  return {
    leave: (limit, room) => {
      const { blocks, bfree, bsize, files, ffree } = statfsSync(folder);
      const used = { size: (blocks - bfree) * bsize, inodes: files - ffree };
      const left = limit === 'size' ? room * pageSize : room;
      resize({ ...plenty, [limit]: used[limit] + left });
    },
    free: () => resize(plenty),
  };
}
