import { basename, dirname, join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { type FileDraft, readTextFile } from '../base/files.ts';
import { replaceWhole } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';

/**
 * How a register ends, in a hidden file beside it: one that has lost its last batches is noticed, as that
 * from a backup has.
 */
export interface RegisterReceipt {
  readonly batch: number;
  readonly check: string;
}

/**
 * A batch that is being written, in a hidden file beside the register. From the moment at which it is there
 * the batch is booked: whatever is left to do is done by the next run.
 */
export interface BatchIntent extends RegisterReceipt {
  /** The file for the books, then the register. */
  readonly drafts: readonly [FileDraft, FileDraft];
}

/** Hidden files beside a register: how it ends, and what is being written. */
export function besideRegister(path: string, what: 'last' | 'next'): string {
  return join(dirname(path), `.${basename(path)}.${what}`);
}

/** Writes one of them whole. */
export async function writeBeside(
  path: string,
  what: 'last' | 'next',
  state: RegisterReceipt | BatchIntent,
): Promise<void> {
  await replaceWhole(besideRegister(path, what), `${JSON.stringify(state)}\n`);
}

/** Reads one of them; undefined where it is not there. Throws ReconError `damaged`. */
export async function readBeside<Contents>(
  register: string,
  what: 'last' | 'next',
  isRight: (value: unknown) => value is Contents,
): Promise<Contents | undefined> {
  const path = besideRegister(register, what);
  const file = await readTextFile(path);
  if (!file) return undefined;
  const value = parseJson(file.text);
  if (isRight(value)) return value;
  throw new ReconError('damaged', 'This file says how the register ends, and was changed.', {
    where: path,
    hint: 'Restore it from a backup, together with the register.',
  });
}

export function isReceipt(value: unknown): value is RegisterReceipt {
  return (
    isObject(value) && typeof value['batch'] === 'number' && typeof value['check'] === 'string'
  );
}

export function isIntent(value: unknown): value is BatchIntent {
  if (!isReceipt(value) || !('drafts' in value)) return false;
  const { drafts } = value;
  return Array.isArray(drafts) && drafts.length === 2 && drafts.every(isDraft);
}

function isDraft(value: unknown): value is FileDraft {
  return (
    isObject(value) && typeof value['draft'] === 'string' && typeof value['place'] === 'string'
  );
}
