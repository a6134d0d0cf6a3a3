import { expect, it } from 'vitest';
import { connectProxy, deadProxy, proxyThatSays } from '../base/http/connect-proxy.ts';
import { connectionTo, march, startService } from '../cli/service.ts';
import { start } from '../support/built-program.ts';
import { runRecon } from '../support/run-recon.ts';

const run = (env: Readonly<Record<string, string>>) => runRecon(['settlements', ...march], { env });

it('requests go through the proxy of the environment, except for hosts that it exempts', async () => {
  const { env, sandbox } = await startService('balanced');
  const { url, targets } = await connectProxy();
  expect((await run({ ...env, http_proxy: url })).exitCode).toBe(0);
  expect(new Set(targets)).toEqual(new Set([new URL(sandbox.baseUrl).host]));
  const past = { ...env, http_proxy: await deadProxy(), no_proxy: '127.0.0.1' };
  expect((await run(past)).exitCode).toBe(0);
});

it('the built program can use proxies', async () => {
  const { env, sandbox } = await startService('balanced');
  const { url, targets } = await connectProxy();
  const { ended } = start(['settlements', ...march], { env: { ...env, http_proxy: url } });
  expect(await ended).toBe(0);
  expect(new Set(targets)).toEqual(new Set([new URL(sandbox.baseUrl).host]));
});

const answer = (status: string) => () => proxyThatSays(`HTTP/1.1 ${status}\r\n\r\n`);

it.each([
  {
    about: 'dead',
    start: deadProxy,
    says: ['No connection to the proxy <proxy> (ECONNREFUSED)', 'NO_PROXY'],
  },
  {
    about: 'of a name that nobody knows',
    start: async () => 'http://proxy.invalid:3128',
    says: ['the proxy <proxy> (E', 'NO_PROXY'],
  },
  {
    about: 'that hangs up',
    start: () => proxyThatSays(''),
    says: ['Connection closed by the proxy <proxy>', 'NO_PROXY'],
  },
  {
    about: 'that is none',
    start: () => proxyThatSays('220 mail server ready\r\n'),
    says: ['No valid HTTP answer from the proxy <proxy>', 'NO_PROXY'],
  },
  {
    about: 'that wants a password',
    start: answer('407 Proxy Authentication Required'),
    says: [
      'The proxy <proxy> requires a valid user and password',
      'http://USER:PASSWORD@HOST:PORT',
    ],
  },
  {
    about: 'that forbids the host',
    start: answer('403 Forbidden'),
    says: ['The proxy <proxy> did not connect to https://service.example (HTTP 403)', 'allow'],
  },
  {
    about: 'that cannot reach the host',
    start: answer('502 Bad Gateway'),
    says: ['The proxy <proxy> did not connect to https://service.example (HTTP 502)', 'base_url'],
  },
])('a proxy $about is named with its variable, without its password', async (expected) => {
  const proxy = await expected.start();
  const HTTPS_PROXY = proxy.replace('//', '//someone:hidden@');
  const env = { ...connectionTo('https://service.example'), HTTPS_PROXY };
  const { exitCode, stdout, stderr } = await run(env);
  expect([exitCode, stdout]).toEqual([4, '']);
  for (const text of ['HTTPS_PROXY', ...expected.says]) {
    expect(stderr).toContain(text.replace('<proxy>', proxy));
  }
  expect(stderr).not.toMatch(/hidden|someone/);
});
