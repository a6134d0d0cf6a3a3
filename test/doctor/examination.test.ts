import { expect, test } from 'vitest';
import type { Examination } from '../../src/doctor/examination.ts';
import { type CheckName, doctorReport } from '../../src/doctor/report.ts';
import type { Exchange, Peer } from '../../src/model/probe.ts';
import { evidence, exchange, origin } from './sightings.ts';

const unanswered = { status: undefined, date: undefined, failure: 'No answer in time.' };
const reached: Peer = { reached: true, untrusted: false };
const missed: Peer = { reached: false, untrusted: false };
const untrusted: Peer = { reached: false, untrusted: true };
const proxy = { variable: 'HTTPS_PROXY', origin: 'http://proxy.example:3128' };

const reportOn = (found: Examination) => doctorReport(found, { file: undefined, settings: [] });

interface Case {
  readonly name: string;
  readonly check: CheckName;
  readonly asked?: NonNullable<Examination['stop']>['check'];
  readonly last?: Partial<Exchange>;
  /** The host, and the proxy. */
  readonly peers?: readonly Peer[];
}

test.each<Case>([
  { name: 'a silent server', check: 'address', last: unanswered, peers: [reached] },
  { name: 'nobody there', check: 'address', last: unanswered, peers: [missed] },
  { name: 'a certificate', check: 'tls', last: unanswered, peers: [untrusted] },
  { name: 'a dead proxy', check: 'proxy', last: unanswered, peers: [missed, missed] },
  { name: 'a proxy that refuses', check: 'proxy', last: unanswered, peers: [missed, reached] },
  { name: 'one behind a proxy', check: 'tls', last: unanswered, peers: [untrusted, reached] },
  { name: 'silence there', check: 'address', last: unanswered, peers: [reached, reached] },
  { name: 'a redirect', check: 'address', last: { status: 302 } },
  { name: 'an unknown path', check: 'address', last: { status: 404 } },
  { name: 'a charge that fails', check: 'charges', asked: 'charges', last: { status: 404 } },
  { name: 'a refused token', check: 'token', asked: 'token', last: { status: 401 } },
  { name: 'a page that fails', check: 'settlement_pages', asked: 'settlement_pages' },
  { name: 'rows that fail', check: 'transaction_pages', asked: 'transaction_pages' },
])('$name fails the check $check', ({ check, asked = 'settlements', last, peers = [] }) => {
  const fault = { cause: 'service', message: 'It fails.', where: null, hint: null } as const;
  const origins = [origin, proxy.origin];
  const seen = new Map(peers.map((peer, index) => [origins[index] ?? '', peer]));
  const { checks, cause } = reportOn(
    evidence(
      { exchanges: [exchange(last)], peers: seen },
      { stop: { check: asked, fault }, setup: { proxy } },
    ),
  );
  expect(checks.filter(({ level }) => level === 'failure')).toMatchObject([{ check }]);
  expect(cause).toBe('service');
});

test.each([
  ['settlement_pages', 'authentication'],
  ['charges', 'service'],
] as const)('the first failure gives the cause: %s and records', (check, cause) => {
  const fault = { cause: 'authentication', message: '', where: null, hint: null } as const;
  const unreadable = {
    record: 'one',
    field: 'gross',
    found: '""',
    expected: 'minor_units',
  } as const;
  const page = { keys: ['one'], items: [], unreadable: [unreadable] };
  const answers = { first: page, settlementPages: [page], stop: { check, fault } };
  const report = reportOn(evidence({ exchanges: [exchange()] }, answers));
  const failed = report.checks.filter(({ level }) => level === 'failure');
  expect(failed.map((one) => one.check).sort()).toEqual([check, 'records'].sort());
  expect(report.cause).toBe(cause);
});

test('an examination without requests has no failure', () => {
  expect(reportOn(evidence()).cause).toBeUndefined();
});
