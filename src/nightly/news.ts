import type { ExportProblem, SettlementRestatement } from '../app/export-result.ts';
import type { News, NewsDetail, NewsSettlement } from '../app/night-result.ts';
import { isDayIn } from '../base/calendar.ts';
import { byText, inOrderOf } from '../base/texts.ts';
import type { Explained } from '../explain/explained.ts';
import type { ExportScope } from '../export/scope.ts';
import type { BankMatch } from '../match/match.ts';
import type { CloseRecord } from '../model/close.ts';
import { type NewsKind, newsKinds } from '../model/night.ts';
import type { Names } from '../model/settlement.ts';
import { discrepanciesAmong } from '../reconcile/acceptance.ts';
import type { Code, Entry } from '../reconcile/entry.ts';
import type { findOnBank } from './bank.ts';
import { type Changes, type Comparison, newsOfStatus } from './comparison.ts';
import type { PatternOfDays } from './explanations.ts';
import { isSameReason, type NightState, type Reason, shortDigest } from './state.ts';

export interface NightFindings
  extends Pick<Changes, 'restatements' | 'restatedDays' | 'departures' | 'places'> {
  readonly statuses: Awaited<ReturnType<Comparison['statuses']>>['statuses'];
  readonly unread: ReadonlyMap<string, { readonly reason: Reason; readonly detail: NewsDetail }>;
  /** Days that could not be fully read before, and were read now. */
  readonly nowRead: readonly string[];
  readonly delisted: ReadonlySet<string>;
  /** What was wrong with the files of each day that was damaged and read again. */
  readonly repaired: ReadonlyMap<string, readonly ExportProblem[]>;
  readonly lastRunFailed: boolean;
  readonly bank: Awaited<ReturnType<typeof findOnBank>> | undefined;
  /** What is above the agreed rates on each day, and a digest of it. */
  readonly overcharged: ReadonlyMap<
    string,
    { readonly entry: Entry<'above_agreed_rate'>; readonly mark: string }
  >;
  readonly explained: ReadonlyMap<string, Explained>;
  readonly patterns: readonly PatternOfDays[];
  /** By their accounting tokens. */
  readonly names: Names;
  readonly closes: readonly CloseRecord[];
  readonly failure: { readonly reason: Reason; readonly message: string } | undefined;
}

type ReportedStatus = NightState['reportedStatuses'][number];

interface NewsDraft extends Partial<Pick<News, 'day' | 'settlement' | 'entry' | 'received'>> {
  readonly kinds: readonly NewsKind[];
  readonly details: readonly NewsDetail[];
  /** What the id is made of, beside the kinds, the day and the settlement. */
  readonly idTexts: readonly string[];
}

/**
 * What a night found that was not reported before, the most important first. Each settlement
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
    ...patternNews(before, now),
    ...settlementNews(before, now),
    ...(now.bank ? bankNews(now.bank, now.statuses) : []),
  ];
  return drafts
    .map(({ kinds, idTexts, day, settlement, entry, received, details }) => {
      const [kind = 'failed', ...also] = [...kinds].sort(byWeight);
      // Ids are posted, so they are made of lists: the order of an object's fields must not change them.
      const whose = [profile, host, filters.mid, filters.cid, filters.chid, before.nightsWithNews];
      const what = [kind, also, day, settlement?.id, idTexts];
      const id = shortDigest(JSON.stringify([...whose, ...what]));
      return { id, kind, also, day, settlement, entry, received, details };
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

function draftOf(
  kind: NewsKind,
  day: string | undefined,
  detail?: NewsDetail,
  ...idTexts: readonly string[]
): NewsDraft {
  return { kinds: [kind], day, details: detail ? [detail] : [], idTexts };
}

function runNews(
  before: NightState,
  { failure, lastRunFailed }: NightFindings,
): readonly NewsDraft[] {
  if (!failure) {
    const hadFailed = before.failure !== null || lastRunFailed;
    return hadFailed ? [draftOf('recovered', undefined)] : [];
  }
  if (isSameReason(before.failure, failure.reason)) return [];
  const { reason, message: text } = failure;
  return [draftOf('failed', undefined, { about: 'text', text }, ...reason)];
}

function dayNews(before: NightState, now: NightFindings): readonly NewsDraft[] {
  const drafts = now.restatedDays.map((day) =>
    draftOf('restated', day, { about: 'unknown_change' }),
  );
  for (const [day, { reason, detail }] of now.unread) {
    if (isSameReason(before.unread[day], reason)) continue;
    drafts.push(draftOf('unread_day', day, detail, ...reason));
  }
  for (const day of now.delisted) {
    if (before.delisted.includes(day) || now.unread.has(day)) continue;
    drafts.push(draftOf('no_longer_listed', day, { about: 'no_longer_listed' }));
  }
  for (const [day, found] of now.repaired) {
    const idTexts = found.flatMap(({ path, code }) => [path, code]);
    drafts.push(draftOf('repaired', day, { about: 'damage', found }, ...idTexts));
  }
  for (const [day, { entry, mark }] of now.overcharged) {
    if (before.overcharged[day] === mark) continue;
    drafts.push(draftOf('overcharged', day, { about: 'discrepancy', entry }, mark));
  }
  return [...drafts, ...now.nowRead.map((day) => draftOf('read_day', day))];
}

/** Says once what holds in all settlements. After a month without it, it is news again. */
function patternNews(before: NightState, { patterns, names }: NightFindings): readonly NewsDraft[] {
  const isKnown = ({ since, ...one }: PatternOfDays) =>
    marksOf(one).every((marks) => marks.some((mark) => (before.patterns[mark] ?? '') >= since));
  return patterns
    .filter((one) => !isKnown(one))
    .map(({ pattern, identity, day, ...one }) => {
      const detail = { about: 'pattern', pattern, names, identity } as const;
      return draftOf('pattern', day, detail, ...marksOf({ pattern, ...one }).flat());
    });
}

/** A digest of each term of a pattern; of the first, also those that say the same. */
function marksOf({ pattern }: Pick<PatternOfDays, 'pattern'>): readonly (readonly string[])[] {
  const { accountingToken, currency, scale, terms, alternatives } = pattern;
  return terms.map((first, place) =>
    [first, ...(place === 0 ? alternatives : [])].map((term) => {
      const { figure, form, base, amount, rounding } = term;
      const { measure, of, trait, value } = base;
      const said = [figure, form, measure, of, trait, value, `${amount}`, rounding];
      return shortDigest(JSON.stringify([accountingToken, currency, scale, ...said]));
    }),
  );
}

/** The last day of each pattern, as the state has them. */
export function daysOfPatterns(patterns: readonly PatternOfDays[]): NightState['patterns'] {
  return Object.fromEntries(
    patterns.flatMap((one) =>
      marksOf(one)
        .flat()
        .map((mark) => [mark, one.day]),
    ),
  );
}

/** The discrepancies that a pattern can explain. */
const ofSums: ReadonlySet<string> = new Set<Code>([
  'gross',
  'fees',
  'tax',
  'count',
  'identity',
  'reported_by_service',
]);

/** Whether what holds in all settlements is all that is wrong with one. */
function isByPatterns({ codes = [] }: NewsSettlement, explained: Explained | undefined): boolean {
  const { best } = explained ?? {};
  return (
    best?.codes.every((code) => code === 'pattern') === true &&
    discrepanciesAmong(codes).every((code) => ofSums.has(code))
  );
}

/** The days of settlements that are newly out of balance. */
export function daysToExplain(
  before: NightState,
  statuses: NightFindings['statuses'],
): ReadonlySet<string> {
  const reported = new Map(before.reportedStatuses.map((one) => [one.id, one]));
  const isNew = ({ status }: (typeof statuses)[number]) =>
    status.verdict === 'out_of_balance' && newsOfStatus(reported.get(status.id), status);
  return new Set(statuses.filter(isNew).map(({ status }) => status.day));
}

/** The news of a settlement that balances now, by its verdict before. */
const balancedKinds = {
  pending: 'settled',
  out_of_balance: 'balanced',
  incomplete: undefined,
} as const;

/** Changes of a settlement that lead to postings if its day is closed. */
const changingKinds: ReadonlySet<NewsKind> = new Set(['restated', 'moved', 'gone', 'settled']);

function settlementNews(before: NightState, now: NightFindings): readonly NewsDraft[] {
  const reported = new Map(before.reportedStatuses.map((one) => [one.id, one]));
  const current = new Map(now.statuses.map((one) => [one.status.id, one]));
  const departures = new Map(now.departures.map((one) => [one.id, one]));
  const restated = new Map(now.restatements.map((one) => [one.restatement.settlement.id, one]));
  const unbalanced = Object.values(before.unbalancedByDay).flatMap((one) => one.settlements);
  const headers = new Map(unbalanced.map(({ settlement }) => [settlement.id, settlement]));
  const ids = new Set([reported, current, restated, departures].flatMap((one) => [...one.keys()]));
  return [...ids].flatMap((id): readonly NewsDraft[] => {
    const [was, is, departure] = [reported.get(id), current.get(id), departures.get(id)];
    const { day: restatedDay, restatement } = restated.get(id) ?? {};
    const [place] = (was && now.places.get(id)) ?? [];
    // It was reported as unbalanced, and is in place: if it has no status now, it balances.
    const balancedKind = was && place ? balancedKinds[was.verdict] : undefined;
    const statusKind = is ? newsOfStatus(was, is.status) : balancedKind;
    const kinds: NewsKind[] = [];
    const details: NewsDetail[] = [];
    const explained = now.explained.get(id);
    const isSaid = statusKind === 'out_of_balance' && is && isByPatterns(is.settlement, explained);
    if (statusKind && !isSaid) {
      kinds.push(statusKind);
      details.push(...(is?.details ?? []));
      const { currency = '' } = is?.settlement ?? {};
      if (is && explained) details.push({ about: 'explanation', explained, currency });
    }
    if (departure) {
      kinds.push(departure.to === 'gone' ? 'gone' : 'moved');
      details.push({ about: 'departure', ...departure });
    } else if (restatement) {
      // A settlement that has moved is removed from one day and added to another.
      kinds.push('restated');
      details.push({ about: 'restatement', restatement });
    }
    if (kinds.length === 0) return [];
    const { from, to } = departure ?? {};
    const day =
      (to === 'gone' ? from : to) ?? is?.status.day ?? place ?? restatedDay ?? was?.day ?? '';
    const record = now.closes.find((one) => isDayIn(one, day) || isDayIn(one, from ?? ''));
    if (record && kinds.some((kind) => changingKinds.has(kind))) {
      kinds.push('closed_changed');
      details.push({ about: 'closed', record });
    }
    const header = restatement?.settlement ?? headers.get(id) ?? { id };
    return [
      {
        day,
        settlement: is?.settlement ?? { verdict: 'balanced', ...header },
        kinds,
        details,
        idTexts: [
          ...(is ? textsOfStatus(is.status) : []),
          ...(departure ? ['departure', departure.from, departure.to] : []),
          ...(restatement ? ['restatement', restatedDay ?? '', ...textsOf(restatement)] : []),
        ],
      },
    ];
  });
}

function textsOfStatus({ day, verdict, alarm, mark, isOverdue }: ReportedStatus) {
  return ['status', day, verdict, alarm, mark, String(isOverdue)];
}

function textsOf({ change, fields, transactions }: SettlementRestatement): readonly string[] {
  const { added, removed, changed } = transactions;
  const changes = [...fields].sort(inOrderOf(({ field }) => [field]));
  const texts = changes.flatMap(({ field, before, after }) => [field, before, after]);
  return [change, ...[added, removed, changed].map(String), ...texts];
}

function bankNews(
  { issues, resolved, problems }: NonNullable<NightFindings['bank']>,
  statuses: NightFindings['statuses'],
): readonly NewsDraft[] {
  const verdicts = new Map(statuses.map(({ status }) => [status.id, status.verdict]));
  const drafts: NewsDraft[] = [];
  for (const { reason, detail, isReported } of problems) {
    if (!isReported) drafts.push(draftOf('statements', undefined, detail, ...reason));
  }
  for (const { issue, match, acceptance, isReported } of issues) {
    if (isReported) continue;
    const { id, day, kind, mark } = issue;
    const settlement = settlementOf(match, verdicts);
    const details: NewsDetail[] = acceptance ? [{ about: 'acceptance', acceptance }] : [];
    details.push({ about: 'pay_out', match }, { about: 'entries', match });
    const isUnknown = kind === 'unknown_on_bank';
    const { received: minor, scale, currency } = match;
    drafts.push({
      day,
      settlement,
      entry: isUnknown ? id : undefined,
      received: isUnknown ? { minor, scale, currency } : undefined,
      kinds: [kind],
      details: settlement ? details : [{ about: 'unknown_entry', match }],
      idTexts: [id, mark],
    });
  }
  for (const { issue, match } of resolved) {
    const draft = draftOf('on_bank', issue.day, { about: 'entries', match }, issue.kind);
    drafts.push({ ...draft, settlement: settlementOf(match, verdicts) });
  }
  return drafts;
}

/** The settlement of a match. Of a batch, the first one. */
function settlementOf(
  { settlements, currency, scale, difference: minor }: BankMatch,
  verdicts: ReadonlyMap<string, NewsSettlement['verdict']>,
): NewsSettlement | undefined {
  const [share] = settlements;
  if (!share) return undefined;
  const { id, date, accountingToken } = share.settlement;
  const verdict = verdicts.get(id) ?? 'balanced';
  const difference = minor === undefined ? undefined : { minor, scale, currency };
  return { id, date, verdict, accountingToken, currency, difference };
}
