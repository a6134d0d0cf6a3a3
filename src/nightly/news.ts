import type { SettlementRestatement } from '../app/export-result.ts';
import type { News, NewsDetail, NewsSettlement } from '../app/night-result.ts';
import { isDayIn } from '../base/calendar.ts';
import { byText } from '../base/texts.ts';
import type { ExportScope } from '../export/scope.ts';
import type { BankMatch } from '../match/match.ts';
import type { CloseRecord } from '../model/close.ts';
import { type NewsKind, newsKinds } from '../model/night.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { findOnBank } from './bank.ts';
import { type Changes, type CurrentStatus, newsOfStatus } from './comparison.ts';
import { isSameReason, type NightState, type Reason, shortDigest } from './state.ts';

export type BankFindings = Awaited<ReturnType<typeof findOnBank>>;

export interface NightFindings
  extends Pick<Changes, 'restatements' | 'restatedDays' | 'departures' | 'places'> {
  readonly statuses: readonly CurrentStatus[];
  readonly unread: ReadonlyMap<string, { readonly reason: Reason; readonly detail: NewsDetail }>;
  /** Days that could not be read before, or not fully, and were. */
  readonly readAtLast: readonly string[];
  readonly delisted: ReadonlySet<string>;
  /** What was wrong with the files of each day that was damaged and read again. */
  readonly repaired: ReadonlyMap<string, string>;
  readonly lastRunFailed: boolean;
  readonly bank: BankFindings | undefined;
  /** What is above the agreed rates on each day, and a digest of it. */
  readonly overcharged: ReadonlyMap<
    string,
    { readonly entry: Entry<'above_agreed_rate'>; readonly mark: string }
  >;
  readonly closes: readonly CloseRecord[];
  readonly failure: { readonly reason: Reason; readonly message: string } | undefined;
}

interface NewsDraft extends Partial<Pick<News, 'day' | 'settlement' | 'entry'>> {
  readonly kinds: readonly NewsKind[];
  readonly details: readonly NewsDetail[];
  /** What the id is made of, beside the kinds. */
  readonly idSeed: string;
}

/**
 * All that a night has found and was not reported before, the most important first. Each settlement
 * occurs once, and once more for its pay-out on the bank. `scope` is part of each id, so two profiles
 * never share one.
 */
export function newsOf(
  before: NightState,
  now: NightFindings,
  { profile, host, filters }: ExportScope,
): readonly News[] {
  const drafts: readonly NewsDraft[] = [
    ...runNews(before, now),
    ...dayNews(before, now),
    ...settlementNews(before, now).map((draft) => withClose(draft, now.closes)),
    ...(now.bank ? bankNews(now.bank, now.statuses) : []),
  ];
  return drafts
    .map(({ kinds, idSeed, day, settlement, entry, details }) => {
      const [kind = 'failed', ...also] = [...kinds].sort(byWeight);
      const whose = [profile, host, filters, before.tellings];
      const id = shortDigest(JSON.stringify([...whose, kind, also, day, settlement?.id, idSeed]));
      return { id, kind, also, day, settlement, entry, details };
    })
    .sort(
      (one, other) =>
        byWeight(one.kind, other.kind) ||
        byText(one.day ?? '', other.day ?? '') ||
        byText(one.settlement?.id ?? '', other.settlement?.id ?? ''),
    );
}

function byWeight(one: NewsKind, other: NewsKind): number {
  return newsKinds.indexOf(one) - newsKinds.indexOf(other);
}

function runNews(
  before: NightState,
  { failure, lastRunFailed }: NightFindings,
): readonly NewsDraft[] {
  if (!failure) {
    const hadFailed = before.failure !== null || lastRunFailed;
    return hadFailed ? [{ kinds: ['recovered'], details: [], idSeed: '' }] : [];
  }
  if (isSameReason(before.failure, failure.reason)) return [];
  const details = [{ about: 'text' as const, text: failure.message }];
  return [{ kinds: ['failed'], details, idSeed: failure.reason.join(' ') }];
}

function dayNews(before: NightState, now: NightFindings): readonly NewsDraft[] {
  const { restatedDays, unread, readAtLast, delisted, repaired } = now;
  const draft = (kind: NewsKind, day: string, detail?: NewsDetail, idSeed = ''): NewsDraft => ({
    day,
    kinds: [kind],
    details: detail ? [detail] : [],
    idSeed,
  });
  const newlyUnread = [...unread].filter(
    ([day, { reason }]) => !isSameReason(before.unread[day], reason),
  );
  const newlyDelisted = [...delisted].filter(
    (day) => !before.delisted.includes(day) && !unread.has(day),
  );
  return [
    ...newlyUnread.map(([day, { reason, detail }]) =>
      draft('unread_day', day, detail, reason.join(' ')),
    ),
    ...restatedDays.map((day) => draft('restated', day, { about: 'unknown_change' })),
    ...newlyDelisted.map((day) => draft('no_longer_listed', day, { about: 'no_longer_listed' })),
    ...[...repaired].map(([day, found]) =>
      draft('repaired', day, { about: 'damage', found }, found),
    ),
    ...readAtLast.map((day) => draft('read_day', day)),
    ...[...now.overcharged]
      .filter(([day, { mark }]) => before.overcharged[day] !== mark)
      .map(([day, { entry, mark }]) =>
        draft('overcharged', day, { about: 'discrepancy', entry }, mark),
      ),
  ];
}

function settlementNews(before: NightState, now: NightFindings): readonly NewsDraft[] {
  const reported = new Map(before.stands.map((one) => [one.id, one]));
  const current = new Map(now.statuses.map((one) => [one.status.id, one]));
  const departures = new Map(now.departures.map((one) => [one.id, one]));
  const restated = new Map(now.restatements.map((one) => [one.restatement.settlement.id, one]));
  const judged = Object.values(before.judged).flatMap(({ standing }) => standing);
  const headers = new Map(judged.map(({ settlement }) => [settlement.id, settlement]));
  const ids = new Set([reported, current, restated, departures].flatMap((one) => [...one.keys()]));
  return [...ids].flatMap((id): readonly NewsDraft[] => {
    const [was, is, departure] = [reported.get(id), current.get(id), departures.get(id)];
    const restatement = restated.get(id);
    // A settlement that has moved is removed from one day and added to another.
    const change = departure ? undefined : restatement;
    const [place] = (was && now.places.get(id)) ?? [];
    // It was reported as unbalanced, and is in place: if it has no status now, it balances.
    const balancedKind = was && place ? balancedKinds[was.verdict] : undefined;
    const statusKind = is ? newsOfStatus(was, is.status) : balancedKind;
    const kinds: readonly NewsKind[] = [
      ...(statusKind ? [statusKind] : []),
      ...(departure ? [departure.to === 'gone' ? ('gone' as const) : ('moved' as const)] : []),
      ...(change ? ['restated' as const] : []),
    ];
    if (kinds.length === 0) return [];
    const dayOfDeparture = departure?.to === 'gone' ? departure.from : departure?.to;
    const details: readonly NewsDetail[] = [
      ...(is && statusKind ? statusDetails(is) : []),
      ...(departure ? [{ about: 'departure' as const, ...departure }] : []),
      ...(change ? [{ about: 'restatement' as const, restatement: change.restatement }] : []),
    ];
    return [
      {
        day: dayOfDeparture ?? is?.status.day ?? place ?? restatement?.day ?? was?.day,
        settlement: is?.settlement ?? {
          verdict: 'balanced',
          ...(restatement?.restatement.settlement ?? headers.get(id) ?? { id }),
        },
        kinds,
        details,
        // Ids are posted: the names and order of these fields must stay.
        idSeed: JSON.stringify([
          is && {
            id,
            day: is.status.day,
            verdict: is.status.verdict,
            alarm: is.status.alarm,
            mark: is.status.mark,
            isOverdue: is.status.isOverdue,
          },
          departure && { from: departure.from, to: departure.to },
          restatement && { day: restatement.day, of: seedOf(restatement.restatement) },
        ]),
      },
    ];
  });
}

/** What changes a settlement, so that something is posted after its day was closed. */
const changingKinds: ReadonlySet<NewsKind> = new Set(['restated', 'moved', 'gone', 'settled']);

function withClose(draft: NewsDraft, closes: readonly CloseRecord[]): NewsDraft {
  const { day = '', kinds, details } = draft;
  const left = details.flatMap((one) => (one.about === 'departure' ? one.from : []));
  const record = closes.find((one) => [day, ...left].some((of) => isDayIn(one, of)));
  if (!record || !kinds.some((kind) => changingKinds.has(kind))) return draft;
  const closed = [...details, { about: 'closed' as const, record }];
  return { ...draft, kinds: ['closed_changed', ...kinds], details: closed };
}

function seedOf({ settlement, ...change }: SettlementRestatement) {
  return { settlementId: settlement.id, ...change };
}

/** What is new of a settlement that balances now, by its verdict before. */
const balancedKinds = {
  pending: 'settled',
  out_of_balance: 'balanced',
  incomplete: undefined,
} as const;

function statusDetails({ details, acceptance }: CurrentStatus): readonly NewsDetail[] {
  return acceptance ? [{ about: 'acceptance', acceptance }, ...details] : details;
}

function bankNews(
  { issues, resolved, problems }: BankFindings,
  statuses: readonly CurrentStatus[],
): readonly NewsDraft[] {
  const verdicts = new Map(statuses.map(({ status }) => [status.id, status.verdict]));
  /** The settlement of a match; of a batch, the first. */
  const settlementOf = (match: BankMatch): NewsSettlement | undefined => {
    const { settlements, currency, scale, difference } = match;
    const [share] = settlements;
    if (!share) return undefined;
    const { id, date, accountingToken } = share.settlement;
    return {
      id,
      date,
      verdict: verdicts.get(id) ?? 'balanced',
      accountingToken,
      currency,
      difference: difference === undefined ? undefined : { minor: difference, scale, currency },
    };
  };
  const newProblems = problems.filter(({ isReported }) => !isReported);
  const newIssues = issues.filter(({ isReported }) => !isReported);
  return [
    ...newProblems.map(
      ({ reason, fault }): NewsDraft => ({
        kinds: ['statements'],
        details: [{ about: 'statements', problem: fault }],
        idSeed: reason.join(' '),
      }),
    ),
    ...newIssues.map(
      ({ issue: { id, day, kind, mark }, match, acceptance }): NewsDraft => ({
        day,
        settlement: settlementOf(match),
        entry: kind === 'unknown_on_bank' ? id : undefined,
        kinds: [kind],
        details:
          match.settlements.length === 0
            ? [{ about: 'unknown_entry', match }]
            : [
                ...(acceptance ? [{ about: 'acceptance', acceptance } as const] : []),
                { about: 'pay_out', match },
                { about: 'entries', match },
              ],
        idSeed: JSON.stringify({ id, day, kind, mark }),
      }),
    ),
    ...resolved.map(
      ({ issue, match }): NewsDraft => ({
        day: issue.day,
        settlement: settlementOf(match),
        kinds: ['on_bank'],
        details: [{ about: 'entries', match }],
        idSeed: issue.kind,
      }),
    ),
  ];
}
