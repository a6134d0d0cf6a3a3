import { ReconError } from './errors.ts';

/** The system's error code, such as `ENOENT`. */
export function failureCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Whether an error says that there is no such file. */
export function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(failureCode(error) ?? '');
}

/** Whether the system denies access to a file: that is no damage of it. */
export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(failureCode(error) ?? '');
}

const noTextCode = 'ERR_ENCODING_INVALID_ENCODED_DATA';

/** Whether a file could not be read because it is not text. */
export function isNoText(error: unknown): boolean {
  return error instanceof ReconError && failureCode(error.cause) === noTextCode;
}

const noFileCode = 'ERR_NO_FILE';

/** The error for a pipe or a device in the place of a file, like those of the system. */
export function noFile(): Error {
  return Object.assign(new Error('it is a pipe or a device'), { code: noFileCode });
}

/** Whether something else is in the place of a file. */
export function isNoFile(error: unknown): boolean {
  return ['EISDIR', noFileCode].includes(failureCode(error) ?? '');
}

/** Why a file cannot be read, by the code of the system. */
export function unreadableSentence(code = ''): string {
  const why: Record<string, string> = {
    EACCES: 'No permission to read the file.',
    EPERM: 'No permission to read the file.',
    EISDIR: 'Expected a file, found a folder.',
    [noFileCode]: 'Expected a file, found a pipe or a device.',
    [noTextCode]: 'The file is not UTF-8 text.',
  };
  return why[code] ?? `The file cannot be read (${code || 'unknown error'}).`;
}

/** The error for a file that can't be read. */
export function unreadable(path: string, reason: unknown): ReconError {
  if (reason instanceof ReconError) return reason;
  return new ReconError('configuration', unreadableSentence(failureCode(reason)), {
    where: path,
    hint:
      failureCode(reason) === noTextCode
        ? 'Save it as UTF-8 (in Excel: CSV UTF-8), or name another file.'
        : `${isForbidden(reason) ? 'Change its permissions, or name' : 'Name'} a text file that you can read.`,
    reason,
  });
}

export function unwritable(path: string, reason: unknown): ReconError {
  if (reason instanceof ReconError) return reason;
  const code = failureCode(reason) ?? 'unknown error';
  const known = unwritableBecause.find(({ codes }) => codes.includes(code));
  const message = known?.message ?? `The output cannot be written (${code}).`;
  const hint = known?.hint ?? 'Choose another place, or use - for standard output.';
  return new ReconError('output', message, { where: path, hint, reason });
}

/** Returns the result of `work`; names the reason if an output cannot be written. */
export async function orUnwritable<Result>(path: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error) => {
    throw unwritable(path, error);
  });
}

const unwritableBecause = [
  {
    codes: ['ENOENT', 'ENOTDIR'],
    message: 'The folder does not exist.',
    hint: 'Create it, or name another.',
  },
  {
    codes: ['EACCES', 'EPERM', 'EROFS'],
    message: 'No permission to write there.',
    hint: 'Choose another place, or change the permissions: the file and its folder must be writable.',
  },
  {
    codes: ['ENOSPC', 'EDQUOT'],
    message: 'No space left to write the output.',
    hint: 'Free some space, or choose another place.',
  },
  {
    codes: ['EISDIR'],
    message: 'A folder is in the place of the file.',
    hint: 'Name another file, or remove the folder.',
  },
];
