import { createHash } from 'node:crypto';
import { byText } from '../base/texts.ts';
import type { ExportScope } from '../export/scope.ts';
import type { Acceptance } from '../reconcile/acceptance.ts';
import type { Verdict } from '../reconcile/reconciled.ts';
import { acceptanceText } from '../report/common/acceptance.ts';
import { capitalised } from '../report/common/phrase.ts';
import type { SettlementRestatement } from '../report/export/report.ts';
import { type NewsKind, newsKinds } from '../report/nightly/kinds.ts';
import type { News, NewsSettlement } from '../report/nightly/report.ts';
import {
  damageText,
  movedText,
  noLongerListed,
  restatedText,
  unknownChange,
} from '../report/nightly/words.ts';
import type { BankFindings } from './bank.ts';
import { bankNews } from './bank-news.ts';
import type { NightState, Stand } from './state.ts';

/** How a settlement that is not balanced stands now, with all that there is to say of it. */
export interface StandNow {
  readonly stand: Stand;
  readonly settlement: NewsSettlement;
  /** What was found, and the explanation: sentences. */
  readonly found: readonly string[];
  readonly acceptance: Acceptance | undefined;
  /** Whether it is pending because the document doesn't name its status. */
  readonly hasUnknownStatus: boolean;
}

/** A settlement that is no longer on the day where it was told of. */
interface Departure {
  readonly from: string;
  /** The day that has it now, in place or not; `gone`: the service doesn't list it any more. */
  readonly to: string | 'gone';
}

/** A settlement that is no longer on its day, and not where it should be now. */
export interface LostSettlement {
  readonly id: string;
  readonly from: string;
  /** The day that the service names for its id; `unknown`: none could be read; `missing`: nobody has asked. */
  readonly to: string | 'unknown' | 'missing';
}

/** What a night has found. */
export interface Findings {
  readonly stands: readonly StandNow[];
  /** The days that have the settlements that were told of as not balanced. */
  readonly places: ReadonlyMap<string, string>;
  /** What the service tells otherwise than it was told before: by day. */
  readonly restatements: readonly { readonly day: string; readonly of: SettlementRestatement }[];
  /** Days that it tells otherwise, nobody knows how: what was told is no longer there to compare with. */
  readonly restatedDays: readonly string[];
  readonly departures: ReadonlyMap<string, Departure>;
  /** Days that could not be read, and why. */
  readonly unread: ReadonlyMap<string, string>;
  /** Days that could not be read before, or not whole, and were. */
  readonly readAtLast: readonly string[];
  /** Older days of which the service lists nothing any more. */
  readonly delisted?: ReadonlySet<string>;
  /** Days whose files were damaged, what was wrong with them, and that were read again. */
  readonly repaired?: ReadonlyMap<string, string>;
  /** Whether the last run failed, as far as is known beside what was told. */
  readonly hadFailed?: boolean;
  /** Absent where no statements are read. */
  readonly bank?: BankFindings | undefined;
  /** Why the night failed. */
  readonly failure: string | undefined;
}

/** What is told of one subject before it gets its id. */
export interface NewsDraft extends Partial<Pick<News, 'day' | 'settlement' | 'entry'>> {
  readonly kinds: readonly NewsKind[];
  readonly details: readonly string[];
  /** What the id depends on beside the kinds. */
  readonly mark: string;
}

/** 16 hexadecimal digits: the same for the same subject. */
export function newsId(subject: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex').slice(0, 16);
}

/**
 * All that a night has found and was not told before; the weightiest first. Each settlement occurs once,
 * and once more where its pay-out on the bank is meant.
 * `scope`: whose night it is, since others may hear of the like on the same day.
 */
export function newsOf(
  told: NightState,
  now: Findings,
  { profile, host, filters }: ExportScope,
): readonly News[] {
  const drafts: readonly NewsDraft[] = [
    ...failureNews(told, now),
    ...dayNews(told, now),
    ...settlementNews(told, now),
    ...(now.bank ? bankNews(told, now.bank, verdictsOf(now.stands)) : []),
  ];
  return drafts
    .map(({ kinds, mark, day, settlement, entry, details }) => {
      const [kind = 'failed', ...also] = [...kinds].sort(
        (one, other) => newsKinds.indexOf(one) - newsKinds.indexOf(other),
      );
      const whose = [profile, host, filters, told.tellings];
      const id = newsId([...whose, kind, also, day, settlement?.id, mark]);
      return { id, kind, also, day, settlement, entry, details };
    })
    .sort(
      (one, other) =>
        newsKinds.indexOf(one.kind) - newsKinds.indexOf(other.kind) ||
        byText(one.day ?? '', other.day ?? '') ||
        byText(one.settlement?.id ?? '', other.settlement?.id ?? ''),
    );
}

/**
 * Whether a failure has the same reason as one before. What the service says of it beside its code may
 * be another text each time, with a time or a number of its own.
 */
export function isSameReason(one: string | null | undefined, other: string): boolean {
  return typeof one === 'string' && gistOf(one) === gistOf(other);
}

function gistOf(reason: string): string {
  return reason.replace(/(\(code [^\s,)]+).*/s, '$1');
}

function failureNews(
  told: NightState,
  { failure, hadFailed = false }: Findings,
): readonly NewsDraft[] {
  if (failure === undefined && (told.failure !== null || hadFailed)) {
    return [{ kinds: ['recovered'], details: [], mark: '' }];
  }
  if (failure === undefined || isSameReason(told.failure, failure)) return [];
  return [{ kinds: ['failed'], details: [failure], mark: gistOf(failure) }];
}

function dayNews(
  told: NightState,
  { restatedDays, unread, readAtLast, delisted = new Set(), repaired = new Map() }: Findings,
): readonly NewsDraft[] {
  const draft = (kind: NewsKind, day: string, details: readonly string[], mark = '') => ({
    day,
    kinds: [kind],
    details,
    mark,
  });
  const isKnown = (day: string) => told.delisted.includes(day) || unread.has(day);
  const unlisted = [...delisted].filter((day) => !isKnown(day));
  return [
    ...[...unread]
      .filter(([day, reason]) => !isSameReason(told.unread[day], reason))
      .map(([day, reason]) => draft('unread_day', day, [reason], gistOf(reason))),
    ...restatedDays.map((day) => draft('restated', day, [unknownChange])),
    ...unlisted.map((day) => draft('no_longer_listed', day, [noLongerListed])),
    ...[...repaired].map(([day, what]) => draft('repaired', day, [damageText(what)], what)),
    ...readAtLast.map((day) => draft('read_day', day, [])),
  ];
}

function settlementNews(told: NightState, now: Findings): readonly NewsDraft[] {
  const before = new Map(told.stands.map((stand) => [stand.id, stand]));
  const after = new Map(now.stands.map((one) => [one.stand.id, one]));
  const restated = new Map(now.restatements.map(({ day, of }) => [of.settlementId, { day, of }]));
  const ids = new Set([...before, ...after, ...restated, ...now.departures].map(([id]) => id));
  return [...ids].flatMap((id): readonly NewsDraft[] => {
    const [was, is, change] = [before.get(id), after.get(id), restated.get(id)];
    const departure = now.departures.get(id);
    const verdict = verdictNews(was, is, now.places.has(id));
    const kinds: readonly NewsKind[] = [
      ...(verdict ? [verdict] : []),
      ...(departure ? [departure.to === 'gone' ? ('gone' as const) : ('moved' as const)] : []),
      ...(change && !departure ? ['restated' as const] : []),
    ];
    const arrived = departure?.to === 'gone' ? departure.from : departure?.to;
    const day = arrived ?? is?.stand.day ?? now.places.get(id) ?? change?.day ?? was?.day;
    const details = [
      ...(is && verdict ? detailsOf(is) : []),
      ...(departure ? [movedText(departure)] : []),
      ...(change && !departure ? [restatedText(change.of)] : []),
    ];
    const mark = JSON.stringify([is?.stand, departure, change]);
    const settlement = is?.settlement ?? { id, verdict: 'balanced' as const };
    return kinds.length === 0 ? [] : [{ day, settlement, kinds, details, mark }];
  });
}

function verdictsOf(stands: readonly StandNow[]): ReadonlyMap<string, Verdict> {
  return new Map(stands.map(({ stand }) => [stand.id, stand.verdict]));
}

/** What is new in how a settlement stands. `isThere`: some day in place has it. */
function verdictNews(
  was: Stand | undefined,
  now: StandNow | undefined,
  isThere: boolean,
): NewsKind | undefined {
  const is = now?.stand;
  const had = was && was.alarm !== 'none';
  if (is && is.alarm !== 'none') {
    // Where it was alarming before, it is no news that nobody accepts it any more.
    const isKnown = had && (was.alarm === is.alarm || is.alarm === 'difference');
    if (isKnown && was.mark === is.mark) return undefined;
    if (is.alarm !== 'difference') return 'acceptance';
    return had ? 'changed' : 'out_of_balance';
  }
  if (is) return is.isOverdue && !was?.isOverdue ? 'overdue' : undefined;
  if (!was || !isThere) return undefined;
  return was.verdict === 'pending'
    ? 'settled'
    : was.verdict === 'incomplete'
      ? undefined
      : 'balanced';
}

function detailsOf({ found, acceptance }: StandNow): readonly string[] {
  const accepted = acceptance ? [`${capitalised(acceptanceText(acceptance))}.`] : [];
  return [...accepted, ...found];
}
