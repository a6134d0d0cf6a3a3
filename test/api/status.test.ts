import { expect, test } from 'vitest';
import { httpRule, wrapperRule } from '../../src/api/envelope.ts';
import type { FailureCause, Policy } from '../../src/base/errors.ts';

type Expected = readonly [policy: Policy, failure: FailureCause];

test.each<[string, ...Expected]>([
  ['429', 'rate_limit', 'service'],
  ['1000', 'retry', 'service'],
  ['1001', 'give_up', 'authentication'],
  ['1002', 'new_credential', 'authentication'],
  ['1010', 'give_up', 'service'],
  ['1020', 'give_up', 'service'],
  ['2001', 'retry', 'service'],
  ['9999', 'give_up', 'service'],
  ['', 'give_up', 'service'],
  [' 0', 'give_up', 'service'],
  ['00', 'give_up', 'service'],
  // Names that every JavaScript object has.
  ['constructor', 'give_up', 'service'],
  ['toString', 'give_up', 'service'],
  ['__proto__', 'give_up', 'service'],
])('wrapper code "%s" is %s, of cause %s', (code, policy, failure) => {
  expect(wrapperRule(code)).toMatchObject({ policy, failure, meaning: expect.any(String) });
});

test.each<[number, ...Expected]>([
  [200, 'retry', 'service'],
  [204, 'retry', 'service'],
  [301, 'give_up', 'service'],
  [302, 'give_up', 'service'],
  [307, 'give_up', 'service'],
  [400, 'give_up', 'service'],
  [401, 'new_credential', 'authentication'],
  [403, 'give_up', 'authentication'],
  [404, 'give_up', 'service'],
  [405, 'give_up', 'service'],
  [408, 'retry', 'service'],
  [413, 'give_up', 'service'],
  [429, 'rate_limit', 'service'],
  [500, 'retry', 'service'],
  [502, 'retry', 'service'],
  [503, 'retry', 'service'],
  [504, 'retry', 'service'],
  [599, 'retry', 'service'],
])('HTTP %i without a wrapper is %s, of cause %s', (status, policy, failure) => {
  expect(httpRule(status)).toMatchObject({ policy, failure });
});

test('a denied access names the scopes that are needed', () => {
  for (const rule of [wrapperRule('1001'), httpRule(403)]) {
    expect(rule.hint).toContain('read:merchant and read:merchant:settlement');
  }
});

test('a refusal that only a newer interface explains names the version that recon follows (doc 9)', () => {
  for (const code of ['1020', '9999']) expect(wrapperRule(code).hint).toContain('version 4.0.3');
});
