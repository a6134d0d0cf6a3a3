import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen } from '../base/http/loopback.ts';
import { selfSigned } from '../base/http/self-signed.ts';
import { connectionTo } from '../cli/service.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { start } from '../support/built-program.ts';
import { expectNoSecrets } from '../support/run-recon.ts';

test('the connection to the service has a trusted certificate with an expiry date', async () => {
  const { key, cert } = selfSigned();
  const authority = join(await temporaryFolder(), 'authority.pem');
  await writeFile(authority, cert);
  const server = createServer({ key, cert }, (request, response) => {
    const token = { access_token: 'a-token', expires_in: 3600 };
    const list = { status: { code: '1010' } };
    response.setHeader('content-type', 'application/json');
    // The second connection resumes the session of the first, and then shows no certificate.
    response.setHeader('connection', 'close');
    response.end(JSON.stringify(request.url === '/oauth/token' ? token : list));
  });
  const { port } = new URL(`http://${await listen(server)}`);
  const env = { ...connectionTo(`https://localhost:${port}`), NODE_EXTRA_CA_CERTS: authority };
  const { out, err, ended } = start(['doctor', '--format', 'json'], { env });
  expect(await ended).toBe(4);
  expectNoSecrets({ stdout: out(), stderr: err() }, env);
  const { checks } = JSON.parse(out()) as { readonly checks: readonly { check: string }[] };
  const on = (name: string) => checks.find(({ check }) => check === name);
  const expiresAt = '2049-12-31T23:59:59.000Z';
  expect(on('tls')).toMatchObject({
    level: 'ok',
    facts: { certificates: [{ host: `localhost:${port}`, issuer: 'localhost', expiresAt }] },
  });
  expect(on('token')).toMatchObject({ facts: { seconds: 3600, scopes: null } });
});
