import type { Examination, Setup } from '../../src/doctor/examination.ts';
import type { Exchange, Sightings } from '../../src/model/probe.ts';

export const origin = 'https://api.example.com';
/** Sunday, 5 April 2026, noon UTC. */
export const now = Date.UTC(2026, 3, 5, 12);

/** An answer that came at once, but for what is given. */
export function exchange(given: Partial<Exchange> = {}): Exchange {
  return {
    origin,
    path: '/v1/merchant/settlement',
    startedAt: now,
    ms: 0,
    attempt: 1,
    status: 200,
    date: now,
    failure: undefined,
    ...given,
  };
}

/** What a check is made from, with nothing in it but what is given. */
export function evidence(
  sightings: Partial<Sightings> = {},
  given: Partial<Omit<Examination, 'sightings' | 'setup'>> & {
    readonly setup?: Partial<Setup>;
  } = {},
): Examination {
  return {
    query: { range: { from: '2026-03-30', to: '2026-04-05' }, filters: {} },
    settlements: [],
    settlementPages: [],
    rowPages: [],
    stop: undefined,
    requests: 0,
    emptyDays: undefined,
    looksBack: true,
    now,
    ...given,
    setup: {
      sandbox: undefined,
      profile: undefined,
      file: '/config.toml',
      baseUrl: origin,
      proxy: undefined,
      schemes: { settlements: 'v2', charges: 'v2' },
      names: new Map(),
      identity: 'gross-fees-tax',
      tolerance: 0n,
      expectedScales: new Map(),
      ignored: [],
      rules: {},
      ...given.setup,
    },
    sightings: {
      exchanges: [],
      peers: new Map(),
      grant: undefined,
      unknownFields: [],
      oddAnswers: [],
      ...sightings,
    },
  };
}
