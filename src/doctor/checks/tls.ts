import type { Check } from '../check.ts';
import type { Evidence } from '../evidence.ts';

/** Time enough to ask the service for a new one. */
const daysBefore = 21;
const dayMs = 86_400_000;

/** The certificates are trusted, and will be for a while. */
export function judgeTls({ setup, sightings, now }: Evidence): Check<'tls'> | undefined {
  const certificates = [...sightings.peers].flatMap(([origin, { certificate }]) =>
    certificate === undefined
      ? []
      : [
          {
            host: new URL(origin).host,
            issuer: certificate.issuer,
            expiresAt: new Date(certificate.expiresAt).toISOString(),
            daysLeft: Math.floor((certificate.expiresAt - now) / dayMs),
            protocol: certificate.protocol,
          },
        ],
  );
  if (certificates.length === 0 && setup.baseUrl.startsWith('https:')) return undefined;
  const endsSoon = certificates.some(({ daysLeft }) => daysLeft < daysBefore);
  return { check: 'tls', level: endsSoon ? 'warning' : 'ok', facts: { certificates } };
}
