import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type * as fs from 'node:fs/promises';

let turn: () => Promise<unknown> = async () => {};
let hardLinks = true;

/** Every use of a file waits for its turn, until `work` has ended. */
export async function takingTurns(next: () => Promise<unknown>, work: () => Promise<unknown>) {
  turn = next;
  try {
    await work();
  } finally {
    turn = async () => {};
  }
}

/** As on a file system that has no hard links. */
export async function withoutHardLinks(work: () => Promise<unknown>) {
  hardLinks = false;
  try {
    await work();
  } finally {
    hardLinks = true;
  }
}

/** `node:fs/promises`, done at once when its turn has come: only the order of turns decides what happens. */
export function scheduled(real: typeof fs): typeof fs {
  const atTurn = async <Result>(work: () => Result) => {
    await turn();
    return work();
  };
  const handle = (file: number) => ({
    stat: async () => fstatSync(file),
    readFile: () => atTurn(() => readFileSync(file)),
    writeFile: (text: string) => atTurn(() => writeFileSync(file, text)),
    sync: async () => {},
    close: async () => closeSync(file),
  });
  const link: typeof fs.link = (from, to) =>
    atTurn(() => {
      if (!hardLinks) throw Object.assign(new Error('no links'), { code: 'EPERM' });
      linkSync(from, to);
    });
  const scheduledOpen = (path: string, flags: string) =>
    atTurn(() => handle(openSync(path, flags)));
  return {
    ...real,
    link,
    rename: (from, to) => atTurn(() => renameSync(from, to)),
    rm: (path, options) => atTurn(() => rmSync(path, options)),
    open: scheduledOpen as unknown as typeof fs.open,
  };
}
