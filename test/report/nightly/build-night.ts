import type { News, NewsSettlement, ProfileNight } from '../../../src/app/night-result.ts';

/** A night of no profile in which nothing is new. */
export function buildNight(overrides: Partial<ProfileNight> = {}): ProfileNight {
  return {
    profile: undefined,
    folder: '/var/recon',
    names: new Map(),
    verdict: 'balanced',
    days: [],
    publishedTo: '2026-03-31',
    lagDays: 0,
    news: [],
    known: { settlements: 0, absolute: [], from: undefined, to: undefined },
    pending: 0,
    pendingUnread: [],
    overdue: 0,
    accepted: 0,
    knownUnread: [],
    publishable: undefined,
    incompleteDays: [],
    failure: undefined,
    exitCode: 0,
    ...overrides,
  };
}

/** A new difference, EUR -4.99. */
export function buildNews({
  settlement,
  ...overrides
}: Partial<Omit<News, 'settlement'>> & {
  readonly settlement?: Partial<NewsSettlement>;
} = {}): News {
  return {
    id: '5d1c0a4be2f79386',
    kind: 'out_of_balance',
    also: [],
    day: '2026-03-09',
    details: [],
    ...overrides,
    settlement: {
      id: '40487b05-d8e9-53d8-80c1-657d847ec834',
      date: '2026-03-09',
      accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
      currency: 'EUR',
      verdict: 'out_of_balance',
      difference: { minor: -499n, scale: 2, currency: 'EUR' },
      codes: ['gross'],
      ...settlement,
    },
  };
}
