import { countSettlements } from '../app/export-result.ts';
import type { News, NightDay, ProfileNight } from '../app/night-result.ts';
import { daysOf, spanOf } from '../base/calendar.ts';
import { faultOf, type ReconError } from '../base/errors.ts';
import { byText } from '../base/texts.ts';
import type { DateRange } from '../model/source.ts';
import { absoluteSums } from '../money/money.ts';
import type { Archive } from './archive.ts';
import type { NightFindings } from './news.ts';
import { isSameReason, type NightState, shortDigest } from './state.ts';

/** The report of a night, without how it ended. */
type NightSummary = Omit<ProfileNight, 'profile' | 'exitCode' | 'failure'> & {
  readonly settlements: number;
  /** Settlements of all days that are pending because the document does not name their status. */
  readonly unknownStatuses: number;
  /** Settlements of the days that were read with decimal places that their currency does not have. */
  readonly unusualScales: number;
};

interface NightParts {
  readonly path: string;
  readonly names: ProfileNight['names'];
  readonly range: DateRange;
  readonly archive: Archive;
  readonly before: NightState;
  readonly stateKeptAs: string | undefined;
  readonly found: NightFindings;
  readonly news: readonly News[];
  readonly results: ReadonlyMap<string, NightDay>;
}

/** Sums up the days that were read, and how all days in the folder stand. */
export function summarise(parts: NightParts): NightSummary {
  const { path, names, range, archive, before, stateKeptAs, found, news } = parts;
  const { statuses, unread } = found;
  const alarming = statuses.filter(({ status }) => status.alarm !== 'none');
  const newIds = new Set(news.map(({ settlement }) => settlement?.id));
  const known = alarming.filter(({ status }) => !newIds.has(status.id));
  const pending = statuses.filter(({ status }) => status.verdict === 'pending');
  const unbalanced = statuses.filter(({ status }) => status.verdict === 'out_of_balance');
  const wanted = [...daysOf(range)];
  const lacking = wanted.filter((day) => !archive.days.has(day));
  const withoutGap = lacking[0] ? wanted.slice(0, wanted.indexOf(lacking[0])) : wanted;
  const knownUnread = [...unread]
    .flatMap(([day, { reason }]) => (isSameReason(before.unread[day], reason) ? [day] : []))
    .sort(byText);
  const days = [...parts.results.values()].sort((one, other) => byText(one.day, other.day));
  const exported = days.map((one) => one.exported);
  return {
    folder: path,
    names,
    verdict: verdictOf(found, alarming.length, pending.length),
    days,
    publishedTo: withoutGap.at(-1),
    lagDays: lacking.length,
    news,
    known: {
      settlements: known.length,
      absolute: absoluteSums(known.flatMap(({ settlement }) => settlement.difference ?? [])),
      from: undefined,
      to: undefined,
      ...spanOf(known.map(({ status }) => status.day)),
    },
    pending: pending.length,
    overdue: pending.filter(({ status }) => status.isOverdue).length,
    accepted: unbalanced.length - alarming.length,
    knownUnread,
    publishable: knownUnread.find((day) => !archive.days.has(day)),
    incompleteDays: archive.daysIn('incomplete'),
    stateKeptAs,
    settlements: countSettlements(exported),
    bank: found.bank?.onBank,
    unknownStatuses: pending.filter(({ hasUnknownStatus }) => hasUnknownStatus).length,
    unusualScales: exported.reduce((sum, { unusualScales }) => sum + unusualScales, 0),
  };
}

function verdictOf({ unread, failure, bank }: NightFindings, alarming: number, pending: number) {
  const isRead = unread.size === 0 && bank?.onBank.isRead !== false;
  if (!isRead || failure !== undefined) return 'incomplete';
  if (alarming > 0) return 'out_of_balance';
  return pending > 0 ? 'pending' : 'balanced';
}

/**
 * A night that could not begin, on a day YYYY-MM-DD. No state can be written, so it is news each day;
 * but if another run holds the folder, that run reports what is new.
 */
export function nightNotBegun(
  error: ReconError,
  of: Pick<ProfileNight, 'profile' | 'folder' | 'exitCode'>,
  today: string,
): ProfileNight {
  const { message, failure } = error;
  const failed: News = {
    id: shortDigest(JSON.stringify([of.profile, message, today])),
    kind: 'failed',
    also: [],
    day: undefined,
    settlement: undefined,
    details: [{ about: 'text', text: message }],
  };
  return {
    ...of,
    names: new Map(),
    verdict: 'incomplete',
    days: [],
    publishedTo: undefined,
    lagDays: undefined,
    news: failure === 'locked' ? [] : [failed],
    known: { settlements: 0, absolute: [], from: undefined, to: undefined },
    pending: 0,
    overdue: 0,
    accepted: 0,
    knownUnread: [],
    publishable: undefined,
    incompleteDays: [],
    failure: faultOf(error),
  };
}
