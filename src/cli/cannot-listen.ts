import { ReconError } from '../base/errors.ts';
import { failureCode } from '../base/file-failures.ts';

const otherPort = 'Choose another --port, or 0 for any free port.';
const otherHost = 'Remove --host, or name an address of this machine.';
const reasons: Readonly<Record<string, readonly [what: string, where: string, hint: string]>> = {
  EADDRINUSE: ['the port is in use', '--port', otherPort],
  EACCES: ['permission denied', '--port', otherPort],
  EADDRNOTAVAIL: ['this is not an address of this machine', '--host', otherHost],
  ENOTFOUND: ['host not found', '--host', otherHost],
};
const refused = ['the system refused it', '--host', 'Choose another --host or --port.'] as const;

/** Why `who` can't listen where it was told to; `reason` is the system's error. */
export function cannotListen(
  who: string,
  { port = 0, host = '127.0.0.1' }: { readonly port?: number; readonly host?: string },
  reason: unknown,
): ReconError {
  const code = failureCode(reason) ?? 'unknown error';
  const [what, where, hint] = reasons[code] ?? refused;
  const message = `${who} cannot listen on port ${port} of ${host}: ${what} (${code}).`;
  return new ReconError('usage', message, { where, hint, reason });
}
