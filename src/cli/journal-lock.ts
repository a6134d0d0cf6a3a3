import { join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { createPrivateFile, readTextFile } from '../base/files.ts';
import { removeFile } from '../base/journal-file.ts';
import type { Lock } from '../listen/lock.ts';
import type { Host } from './host.ts';

/** A lock that names its process: a dead one's is taken over. */
export function journalLock(host: Host): Lock {
  return async (folder) => {
    const path = join(folder, 'lock');
    if (!(await createPrivateFile(path, `${host.pid}\n`))) {
      const pid = Number((await readTextFile(path))?.text);
      if (isOther(pid, host)) {
        throw new ReconError('locked', `Process ${pid} is using this journal.`, {
          where: path,
          hint: 'One process writes a journal: stop that one, or name another folder with --journal.',
        });
      }
      await removeFile(path);
      await createPrivateFile(path, `${host.pid}\n`);
    }
    return () => removeFile(path);
  };
}

/** Whether it is there and not this process, whose number may be that of the one before it. */
function isOther(pid: number, host: Host): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === host.pid) return false;
  try {
    return host.kill(pid, 0);
  } catch (error) {
    // It is there, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
