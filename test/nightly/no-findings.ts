import type { NightFindings } from '../../src/nightly/news.ts';

/** A night that has found nothing. */
export const noFindings: NightFindings = {
  statuses: [],
  places: new Map(),
  restatements: [],
  restatedDays: [],
  departures: [],
  unread: new Map(),
  nowRead: [],
  delisted: new Set(),
  repaired: new Map(),
  lastRunFailed: false,
  bank: undefined,
  overcharged: new Map(),
  explained: new Map(),
  patterns: [],
  names: new Map(),
  closes: [],
  failure: undefined,
};
