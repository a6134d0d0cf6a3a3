import { describe, expect, test } from 'vitest';
import { serviceChecks } from '../../../src/doctor/checks/service.ts';
import { evidence, now, origin } from '../sightings.ts';

const dayMs = 86_400_000;

/** A host whose certificate expires so many days from now. */
function peers(days: number) {
  const certificate = { issuer: 'Authority', expiresAt: now + days * dayMs };
  return new Map([[origin, { reached: true, untrusted: false, certificate }]]);
}

describe('a certificate', () => {
  test.each([
    [90, 'ok'],
    [21, 'ok'],
    [20.9, 'warning'],
    [0.5, 'warning'],
  ])('that has %d days left: %s', (days, level) => {
    expect(serviceChecks.tls(evidence({ peers: peers(days) }))).toMatchObject({
      level,
      facts: { certificates: [{ host: 'api.example.com', daysLeft: Math.floor(days) }] },
    });
  });

  test('is not checked before a connection', () => {
    expect(serviceChecks.tls(evidence())).toBeUndefined();
  });

  test('is not needed on this machine', () => {
    const setup = { baseUrl: 'http://127.0.0.1:8080' };
    expect(serviceChecks.tls(evidence({}, { setup }))).toMatchObject({
      level: 'ok',
      found: 'Not used: plain HTTP on this machine.',
    });
  });
});
