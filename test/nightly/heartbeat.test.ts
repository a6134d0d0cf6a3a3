import { expect, test } from 'vitest';
import { failureAddress } from '../../src/nightly/heartbeat.ts';

const failure = { exitCode: 4, cause: 'network' };

test.each([
  ['https://a.example/ping/ID', '/fail', 'https://a.example/ping/ID/fail'],
  ['https://a.example/ping/ID/', '/{code}', 'https://a.example/ping/ID/4'],
  [
    'https://a.example/push/ID?status=up&msg=OK',
    '?status=down&msg={cause}',
    'https://a.example/push/ID?status=down&msg=network',
  ],
  ['https://a.example/ID?key=k', '/fail?code={code}', 'https://a.example/ID/fail?key=k&code=4'],
])('%s with %s', (address, form, expected) => {
  expect(failureAddress(address, form, failure)).toBe(expected);
});
