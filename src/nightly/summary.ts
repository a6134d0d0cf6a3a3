import { daysOf, spanOf } from '../base/calendar.ts';
import { byText } from '../base/texts.ts';
import type { DateRange } from '../model/source.ts';
import { absoluteSums } from '../money/money.ts';
import type { Verdict } from '../reconcile/reconciled.ts';
import type { News, ProfileNight } from '../report/nightly/report.ts';
import type { Archive } from './archive.ts';
import { type Findings, isSameReason } from './news.ts';
import type { NightDay } from './reading.ts';
import type { NightState } from './state.ts';

/** What a night comes to, all but how it ends. */
export type NightSummary = Omit<ProfileNight, 'profile' | 'exitCode' | 'failure'> & {
  /** Settlements of the days that were read. */
  readonly settlements: number;
  /** Settlements that are pending because the document doesn't name their status, of all days. */
  readonly unknownStatuses: number;
  /** Settlements of the days that were read with decimal places that their currency doesn't have. */
  readonly unusualScales: number;
};

interface NightParts {
  readonly path: string;
  /** The days that belong into the folder. */
  readonly reach: DateRange;
  readonly archive: Archive;
  /** What was told before. */
  readonly state: NightState;
  readonly found: Findings;
  readonly news: readonly News[];
  readonly read: ReadonlyMap<string, NightDay>;
}

/** Sums a night up: the days that were read, and how all days in the folder stand. */
export function summarise(parts: NightParts): NightSummary {
  const { path, reach, archive, state, found, news } = parts;
  const { stands, unread } = found;
  const alarming = stands.filter(({ stand }) => stand.alarm !== 'none');
  const isNew = new Set(news.map(({ settlement }) => settlement?.id));
  const known = alarming.filter(({ stand }) => !isNew.has(stand.id));
  const of = (verdict: Verdict) => stands.filter(({ stand }) => stand.verdict === verdict);
  const pending = of('pending');
  const wanted = [...daysOf(reach)];
  const lacking = wanted.filter((day) => !archive.days.has(day));
  const firsts = lacking[0] === undefined ? wanted : wanted.slice(0, wanted.indexOf(lacking[0]));
  const knownUnread = [...unread]
    .flatMap(([day, reason]) => (isSameReason(state.unread[day], reason) ? [day] : []))
    .sort(byText);
  const read = [...parts.read.values()].sort((a, b) => byText(a.planned.day, b.planned.day));
  return {
    folder: path,
    verdict: verdictOf(found, alarming.length, pending.length),
    days: read.map(({ planned, exported }) => ({ ...planned, exported })),
    publishedTo: firsts.at(-1),
    lagDays: lacking.length,
    news,
    known: {
      settlements: known.length,
      absolute: absoluteSums(known.flatMap(({ settlement }) => settlement.difference ?? [])),
      ...{ from: undefined, to: undefined, ...spanOf(known.map(({ stand }) => stand.day)) },
    },
    pending: pending.length,
    overdue: pending.filter(({ stand }) => stand.isOverdue).length,
    accepted: of('out_of_balance').length - alarming.length,
    knownUnread,
    publishable: knownUnread.find((day) => !archive.days.has(day)),
    incompleteDays: archive.daysThatAre('incomplete'),
    settlements: read
      .flatMap(({ exported }) => Object.values(exported.settlements))
      .reduce((sum, count) => sum + count, 0),
    bank: found.bank?.onBank,
    unknownStatuses: pending.filter(({ hasUnknownStatus }) => hasUnknownStatus).length,
    unusualScales: read.reduce((sum, { exported }) => sum + exported.unusualScales, 0),
  };
}

function verdictOf(
  { unread, failure, bank }: Findings,
  alarming: number,
  pending: number,
): Verdict {
  const isRead = unread.size === 0 && bank?.onBank.isRead !== false;
  if (!isRead || failure !== undefined) return 'incomplete';
  if (alarming > 0) return 'out_of_balance';
  return pending > 0 ? 'pending' : 'balanced';
}
