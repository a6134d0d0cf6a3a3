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
    'the system refused it',
    '--host',
    'Choose another --host or --port.',
  ];
  const place = `port ${port} of ${host}`;
  return new ReconError('usage', `${who} cannot listen on ${place}: ${message} (${code}).`, {
    where,
    hint,
    reason,
  });
}

const otherPort = 'Choose another --port, or 0 for any free port.';
const otherHost = 'Remove --host, or name an address of this machine.';
const whyNot: Readonly<Record<string, readonly [message: string, where: string, hint: string]>> = {
  EADDRINUSE: ['the port is in use', '--port', otherPort],
  EACCES: ['permission denied', '--port', otherPort],
  EADDRNOTAVAIL: ['this is not an address of this machine', '--host', otherHost],
  ENOTFOUND: ['host not found', '--host', otherHost],
};
