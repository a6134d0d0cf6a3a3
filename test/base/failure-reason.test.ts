import { expect, test } from 'vitest';
import { keptReason, ReconError, RequestFailure } from '../../src/base/errors.ts';
import { longestReason, reasonText } from '../../src/base/failure-reason.ts';
import { Secrets } from '../../src/base/secrets.ts';

test('secrets are hidden in the sentence and in the facts that an archive keeps', () => {
  const facts = { code: '2001', number: 'no', response: 'Fail', message: 'token s3cr3t-s3cr3t' };
  const failure = new RequestFailure('retry', 'service', { code: 'database_not_read', facts });
  const secrets = new Secrets(['s3cr3t-s3cr3t']);
  failure.replaceTexts((text) => secrets.quote(text));
  expect(JSON.stringify(keptReason(failure))).not.toContain('s3cr3t');
  expect(failure.message).toBe(
    'The service could not read its database (code 2001, Fail, token [redacted]).',
  );
  expect(reasonText(keptReason(failure))).toBe(failure.message);
});

test.each([
  ['of a newer version', 'out_of_tokens'],
  ['with the name of a property of all objects', 'constructor'],
])('a code %s is named with its facts', (_, code) => {
  expect(reasonText({ code, facts: { limit: '7' } })).toBe(`It failed: ${code}, 7.`);
});

test('a long text of the service is cut in the sentence', () => {
  const message = 'x'.repeat(10_000);
  const text = reasonText({ code: 'rate_limit', facts: { code: '429', message } });
  expect(text.length).toBe(longestReason + 1);
});

test('a failure without a code is kept in its own words', () => {
  const failure = new ReconError('service', 'No answer.');
  expect(reasonText(keptReason(failure))).toBe('No answer.');
});
