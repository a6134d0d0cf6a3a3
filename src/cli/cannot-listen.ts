import { ReconError } from '../base/errors.ts';
import { failureCode } from '../base/file-failures.ts';

/** Why `who` can't listen where it was told to; `reason` is the system's error. */
export function cannotListen(
  who: string,
  { port = 0, host = '127.0.0.1' }: { readonly port?: number; readonly host?: string },
  reason: unknown,
): ReconError {
  const code = failureCode(reason) ?? 'unknown error';
  const [message, where, hint] = whyNot[code] ?? [
    'it is refused',
    '--host',
    'Choose another place.',
  ];
  const place = `port ${port} of ${host}`;
  return new ReconError('usage', `${who} can't listen on ${place}: ${message} (${code}).`, {
    where,
    hint,
    reason,
  });
}

const otherPort = 'Choose another --port, or 0 for any free one.';
const otherHost = 'Leave --host out, or name an address of this machine.';
const whyNot: Readonly<Record<string, readonly [message: string, where: string, hint: string]>> = {
  EADDRINUSE: ['another program listens there', '--port', otherPort],
  EACCES: ['the system does not allow it', '--port', otherPort],
  EADDRNOTAVAIL: ['that is no address of this machine', '--host', otherHost],
  ENOTFOUND: ['there is no such host', '--host', otherHost],
};
