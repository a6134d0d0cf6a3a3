import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SettlementRestatement } from '../../src/app/export-result.ts';
import { addDays } from '../../src/base/calendar.ts';
import type { Pattern } from '../../src/explain/pattern.ts';
import type { BankMatch } from '../../src/match/match.ts';
import type { NewsKind } from '../../src/model/night.ts';
import { daysOfPatterns, type NightFindings, newsOf as newsIn } from '../../src/nightly/news.ts';
import { type NightState, noState } from '../../src/nightly/state.ts';
import { uuid } from '../support/build.ts';
import { noFindings } from './no-findings.ts';

type CurrentStatus = NightFindings['statuses'][number];
type ReportedStatus = NightState['reportedStatuses'][number];

const day = '2026-03-05';
const spain = { profile: 'spain', host: 'api.example.com', filters: {} };
const newsOf = (told: NightState, found: NightFindings) => newsIn(told, found, spain);

/** One settlement, out of balance. */
const difference: ReportedStatus = {
  id: uuid(1),
  day,
  verdict: 'out_of_balance',
  alarm: 'difference',
  mark: 'a',
  isOverdue: false,
};
const pending: ReportedStatus = { ...difference, verdict: 'pending', alarm: 'none' };
const accepted: ReportedStatus = { ...difference, alarm: 'none' };

function currentOf(status: ReportedStatus): CurrentStatus {
  const { id, verdict } = status;
  const settlement = { id, verdict, accountingToken: 'token-a', currency: 'EUR' };
  return { status, settlement, details: [], hasUnknownStatus: false, isRead: true };
}

const unreadFor = (...reason: readonly string[]) => ({
  reason,
  detail: { about: 'text' as const, text: reason.join() },
});

const toldOf = (...stands: readonly ReportedStatus[]): NightState => ({
  ...noState,
  reportedStatuses: [...stands],
});
const findings = (found: Partial<NightFindings> = {}): NightFindings => ({
  ...noFindings,
  ...found,
});
const kindsOf = (told: NightState, found: Partial<NightFindings>) =>
  newsOf(told, findings(found)).map(({ kind, also }) => [kind, ...also].join(' + '));
const header = { id: uuid(1), date: day, accountingToken: 'token-a', currency: 'EUR' };
const restated = (change: SettlementRestatement['change'] = 'changed') => ({
  day,
  restatement: {
    settlement: header,
    change,
    fields: [],
    transactions: { added: 1, removed: 0, changed: 0 },
  },
});

describe('a settlement', () => {
  const [changed, expired] = [
    { ...difference, mark: 'b' },
    { ...difference, alarm: 'expired' },
  ] as const;
  const overdue = { ...pending, isOverdue: true };
  const incomplete: ReportedStatus = { ...difference, verdict: 'incomplete', alarm: 'none' };

  test.each<[string, ReportedStatus | undefined, ReportedStatus, NewsKind | undefined]>([
    ['out of balance for the first time', undefined, difference, 'out_of_balance'],
    ['that was pending and is out of balance', pending, difference, 'out_of_balance'],
    ['that was incomplete and is out of balance', incomplete, difference, 'out_of_balance'],
    ['still out of balance', difference, difference, undefined],
    ['with another difference', difference, changed, 'changed'],
    ['now accepted', difference, accepted, undefined],
    ['still accepted', accepted, accepted, undefined],
    ['whose acceptance was taken back', accepted, difference, 'out_of_balance'],
    ['whose acceptance is over', accepted, expired, 'acceptance'],
    ['whose acceptance was over before', expired, expired, undefined],
    ['whose acceptance was over before, and was taken back', expired, difference, undefined],
    ['first told of when its acceptance is over', undefined, expired, 'acceptance'],
    [
      'that has changed since it was accepted',
      accepted,
      { ...changed, alarm: 'changed' },
      'acceptance',
    ],
    ['pending', undefined, pending, undefined],
    ['pending for too long', pending, overdue, 'overdue'],
    ['first told of when overdue', undefined, overdue, 'overdue'],
    ['still overdue', overdue, overdue, undefined],
    ['overdue at last and out of balance', overdue, difference, 'out_of_balance'],
  ])('is news or not: %s', (_, was, is, kind) => {
    const news = newsOf(was ? toldOf(was) : noState, findings({ statuses: [currentOf(is)] }));
    expect(news).toMatchObject(kind ? [{ kind, also: [], day, settlement: { id: is.id } }] : []);
    expect(news).toHaveLength(kind ? 1 : 0);
  });

  test.each<[string, ReportedStatus, NewsKind | undefined]>([
    ['was pending', pending, 'settled'],
    ['was overdue', overdue, 'settled'],
    ['was out of balance', difference, 'balanced'],
    ['was accepted', accepted, 'balanced'],
    ['could not be read whole', incomplete, undefined],
  ])('that balances now and %s is news or not', (_, was, kind) => {
    const places = new Map([[was.id, [day]]]);
    expect(kindsOf(toldOf(was), { places })).toEqual(kind ? [kind] : []);
  });

  test('that is not found does not count as balanced', () => {
    expect(kindsOf(toldOf(difference), {})).toEqual([]);
  });

  test.each<[string, Partial<NightFindings>, string]>([
    ['restated', { restatements: [restated()] }, 'restated'],
    ['gone', { departures: [{ id: uuid(1), from: day, to: 'gone' }] }, 'gone'],
    [
      'on another day, which is no restatement beside it',
      {
        departures: [{ id: uuid(1), from: day, to: '2026-03-06' }],
        restatements: [restated('removed'), { ...restated('added'), day: '2026-03-06' }],
      },
      'moved',
    ],
    [
      'that has changed and is out of balance now',
      { statuses: [currentOf(difference)], restatements: [restated()] },
      'out_of_balance + restated',
    ],
  ])('is reported once with all that is new of it: %s', (_, found, kinds) => {
    expect(kindsOf(noState, found)).toEqual([kinds]);
  });

  test('that moved and settled is reported once, on its new day', () => {
    const found = {
      places: new Map([[uuid(1), ['2026-03-06']]]),
      departures: [{ id: uuid(1), from: day, to: '2026-03-06' }],
    };
    expect(newsOf(toldOf(pending), findings(found))).toMatchObject([
      { kind: 'settled', also: ['moved'], day: '2026-03-06' },
    ]);
  });
});

describe('a day that could not be read', () => {
  const unread = new Map([[day, unreadFor('not_read 1')]]);
  const told = { ...noState, unread: { [day]: ['not_read 1'] } };

  test('is not news again while its reason stays the same', () => {
    expect(kindsOf(noState, { unread })).toEqual(['unread_day']);
    expect(kindsOf(told, { unread })).toEqual([]);
    expect(kindsOf(told, { unread: new Map([[day, unreadFor('another reason')]]) })).toEqual([
      'unread_day',
    ]);
  });

  test('is reported after it was read', () => {
    expect(kindsOf(told, { nowRead: [day] })).toEqual(['read_day']);
  });
});

test('a failed run is news once, and again after another failure or a success', () => {
  const failed = { failure: { reason: ['network'], message: 'No connection.' } };
  expect(kindsOf(noState, failed)).toEqual(['failed']);
  expect(kindsOf({ ...noState, failure: ['network'] }, failed)).toEqual([]);
  expect(kindsOf({ ...noState, failure: ['authentication'] }, failed)).toEqual(['failed']);
  expect(kindsOf({ ...noState, failure: ['network', '2001'] }, failed)).toEqual(['failed']);
});

test('the same news in two accounts has two ids', () => {
  const failed = findings({
    failure: { reason: ['network'], message: 'No connection.' },
    unread: new Map([[day, unreadFor('not_read 1')]]),
  });
  const scopes = [
    spain,
    { ...spain, profile: null },
    { ...spain, host: 'api.example.org' },
    { ...spain, filters: { mid: 'M-1' } },
  ];
  const ids = scopes.flatMap((scope) => newsIn(noState, failed, scope).map(({ id }) => id));
  expect(new Set(ids).size).toBe(2 * scopes.length);
});

describe('the ids of news, by which receivers know repeated posts', () => {
  const change: SettlementRestatement = {
    settlement: header,
    change: 'changed',
    fields: [
      { field: 'gross', before: '1', after: '2' },
      { field: 'fees', before: '3', after: '4' },
    ],
    transactions: { added: 1, removed: 0, changed: 0 },
  };
  const match: BankMatch = {
    state: 'missing_on_bank',
    by: undefined,
    reason: undefined,
    settlements: [],
    entries: [],
    currency: 'EUR',
    scale: 2,
    expected: 1n,
    received: 0n,
    difference: undefined,
    ageDays: 12,
  };
  const issue = { id: uuid(4), day, kind: 'missing_on_bank', mark: 'EUR 1.00 0.00' } as const;
  const unknown = { ...issue, id: 'account 1', kind: 'unknown_on_bank' } as const;
  const fault = { cause: 'usage', message: 'Empty.', where: 'march.xml', hint: null } as const;
  const told = { ...toldOf({ ...pending, id: uuid(2) }), nightsWithNews: 3 };
  const ofTheDay = findings({
    statuses: [currentOf(difference)],
    places: new Map([[uuid(2), ['2026-03-06']]]),
    restatements: [{ day, restatement: change }],
    restatedDays: ['2026-03-07'],
    departures: [
      { id: uuid(2), from: day, to: '2026-03-06' },
      { id: uuid(3), from: day, to: 'gone' },
    ],
    nowRead: ['2026-03-09'],
    delisted: new Set(['2026-03-10']),
    repaired: new Map([['2026-03-11', [{ path: 'manifest.json', code: 'changed' }]]]),
    lastRunFailed: true,
  });
  const ofTheRun = findings({
    failure: { reason: ['network', '2001'], message: 'No connection.' },
    unread: new Map([['2026-03-12', unreadFor('unread', 'not_read 1')]]),
    overcharged: new Map([['2026-03-13', { entry: {} as never, mark: 'b' }]]),
    bank: {
      issues: [issue, unknown].map((one) => ({
        issue: one,
        match,
        isReported: false,
        acceptance: undefined,
      })),
      resolved: [{ issue: { ...issue, id: uuid(5) }, match }],
      problems: [
        {
          reason: ['usage', 'march.xml'],
          detail: { about: 'statements', problem: fault },
          isReported: false,
        },
      ],
      next: { reportedIssues: [], problems: [] },
      onBank: {} as never,
    },
  });
  const scope = { ...spain, filters: { mid: 'M-1', cid: 2, chid: 3 } };
  const idsOf = (found: NightFindings, of = scope) =>
    newsIn(told, found, of).map(({ id, kind, also }) => `${id} ${[kind, ...also].join(' + ')}`);

  test('stay the same', () => {
    expect([...idsOf(ofTheDay), ...idsOf(ofTheRun)]).toEqual([
      'aaabbe6748cbafd4 out_of_balance + restated',
      'd161e0b1e3acbbda gone',
      'acd26c7f19d02899 no_longer_listed',
      '202601fd53e43bb8 repaired',
      '9a9b9646bf8d546a settled + moved',
      '7af249d9bec16261 restated',
      '66b78a9eeae2380c read_day',
      '6d720fd414284217 recovered',
      'abd6b7f66b154f0d failed',
      'ae70f842cf7c524a unread_day',
      'd0d1c49fdf6582b6 statements',
      '270f8b0c8d0a78cd missing_on_bank',
      '4b1204ea7797b00a unknown_on_bank',
      '4cd86171c8bcda8c overcharged',
      '0e6c0bfd1deadf31 on_bank',
    ]);
  });

  test('do not depend on the order of fields', () => {
    expect(idsOf(reversed(ofTheDay), reversed(scope))).toEqual(idsOf(ofTheDay));
    expect(idsOf(reversed(ofTheRun), reversed(scope))).toEqual(idsOf(ofTheRun));
  });
});

/** The same with the fields of all objects in reverse order; changed fields too, which are in no order. */
function reversed<Value>(value: Value): Value;
function reversed(value: unknown): unknown {
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, reversed(one)]));
  if (value instanceof Set || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const all = value.map(reversed);
    return all.every((one) => Object.hasOwn(Object(one), 'field')) ? all.reverse() : all;
  }
  const fields = Object.entries(value).map(([key, one]) => [key, reversed(one)]);
  return Object.fromEntries(fields.reverse());
}

test('news has a new id after each telling, and the same id until then', () => {
  const found = findings({ statuses: [currentOf(difference)] });
  const [once, again] = [newsOf(noState, found), newsOf(noState, found)];
  expect(again).toEqual(once);
  const [later] = newsOf({ ...noState, nightsWithNews: 2 }, found);
  expect(later?.id).not.toBe(once[0]?.id);
});

const someId = fc.integer({ min: 1, max: 6 }).map(uuid);
const someDay = fc.constantFrom('2026-03-05', '2026-03-06', '2026-03-07');
const someText = fc.constantFrom('a', 'b');
const someStatus: fc.Arbitrary<ReportedStatus> = fc
  .record({
    id: someId,
    day: someDay,
    verdict: fc.constantFrom('out_of_balance', 'pending', 'incomplete'),
    alarm: fc.constantFrom('none', 'difference', 'expired', 'changed'),
    mark: someText,
    isOverdue: fc.boolean(),
  })
  .map(({ alarm, isOverdue, ...one }) => ({
    ...one,
    alarm: one.verdict === 'out_of_balance' ? alarm : 'none',
    isOverdue: one.verdict === 'pending' && isOverdue,
  }));
const someStatuses = fc.uniqueArray(someStatus, { selector: ({ id }) => id, maxLength: 6 });
const someReasons = fc.array(fc.tuple(someDay, someText));
const someFailure = fc.option(someText, { nil: undefined });

const someState: fc.Arbitrary<NightState> = fc
  .record({
    reportedStatuses: someStatuses,
    unread: someReasons.map((reasons) =>
      Object.fromEntries(reasons.map(([unread, text]) => [unread, [text]])),
    ),
    failure: someFailure.map((failure) => (failure === undefined ? null : [failure])),
    nightsWithNews: fc.nat(9),
  })
  .map((told) => ({ ...noState, ...told }));

test('an overcharged day is news once, and again if its claim changes', () => {
  const now = { overcharged: new Map([[day, { entry: {} as never, mark: 'a' }]]) };
  const told = (mark: string): NightState => ({ ...noState, overcharged: { [day]: mark } });
  expect(kindsOf(noState, now)).toEqual(['overcharged']);
  expect(kindsOf(told('a'), now)).toEqual([]);
  expect(kindsOf(told('b'), now)).toEqual(['overcharged']);
});

describe('a pattern', () => {
  const base = { measure: 'settlements', of: 'rows' } as const;
  const term = { figure: 'fees', form: 'times', base, amount: 25n } as const;
  const account = { accountingToken: 'token-a', currency: 'EUR', scale: 2 };
  const counts = { settlements: 3, tested: 3, settlementIds: [], wholly: 3 };
  const found = (since: string, rest: Partial<Pattern> = {}) => {
    const pattern: Pattern = { ...account, ...counts, terms: [term], alternatives: [], ...rest };
    return [{ pattern, identity: 'gross-fees-tax', since, day } as const];
  };
  const told: NightState = { ...noState, patterns: daysOfPatterns(found('2026-03-01')) };
  const newsAt = (since: string, rest?: Partial<Pattern>) =>
    kindsOf(told, { patterns: found(since, rest) });

  test('is news once, and again after a month without it', () => {
    expect(kindsOf(noState, { patterns: found('2026-03-01') })).toEqual(['pattern']);
    expect(newsAt(day)).toEqual([]);
    expect(newsAt(addDays(day, 1))).toEqual(['pattern']);
  });

  test('is news again in another account, with another amount, or if it says more', () => {
    expect(newsAt(day, { accountingToken: 'token-b' })).toEqual(['pattern']);
    expect(newsAt(day, { currency: 'USD' })).toEqual(['pattern']);
    expect(newsAt(day, { terms: [{ ...term, amount: 30n }] })).toEqual(['pattern']);
    expect(newsAt(day, { terms: [term, { ...term, figure: 'tax' }] })).toEqual(['pattern']);
  });

  test('is no news if what was said before is said first now', () => {
    const other = { ...term, amount: 30n };
    expect(newsAt(day, { terms: [other], alternatives: [term] })).toEqual([]);
  });
});

const { delisted, repaired, lastRunFailed, bank, overcharged, closes } = noFindings;
const { explained, patterns, names } = noFindings;
const constants = {
  delisted: fc.constant(delisted),
  repaired: fc.constant(repaired),
  lastRunFailed: fc.constant(lastRunFailed),
  bank: fc.constant(bank),
  overcharged: fc.constant(overcharged),
  closes: fc.constant(closes),
  explained: fc.constant(explained),
  patterns: fc.constant(patterns),
  names: fc.constant(names),
};

/** Settlements that do not stand any more are somewhere, or not; what has gone stands nowhere. */
const someFindings: fc.Arbitrary<NightFindings> = fc.record({
  ...constants,
  statuses: someStatuses.map((stands) => stands.map(currentOf)),
  places: fc
    .array(fc.tuple(someId, someDay))
    .map((places) => new Map(places.map(([id, place]) => [id, [place]]))),
  restatements: fc.uniqueArray(
    fc.record({
      day: someDay,
      restatement: someId.map((id) => ({
        ...restated().restatement,
        settlement: { ...header, id },
      })),
    }),
    { selector: ({ restatement }) => restatement.settlement.id },
  ),
  restatedDays: fc.uniqueArray(someDay),
  departures: fc.uniqueArray(
    fc.record({ id: someId, from: someDay, to: fc.oneof(someDay, fc.constant('gone')) }),
    { selector: ({ id }) => id },
  ),
  unread: someReasons.map(
    (reasons) => new Map(reasons.map(([unread, text]) => [unread, unreadFor(text)])),
  ),
  nowRead: fc.uniqueArray(someDay),
  failure: someFailure.map((failure) =>
    failure === undefined ? undefined : { reason: [failure], message: failure },
  ),
});

/** What is written down once the news was told. */
function after(told: NightState, { statuses, unread, failure }: NightFindings): NightState {
  return {
    ...told,
    nightsWithNews: told.nightsWithNews + 1,
    reportedStatuses: statuses.map(({ status }) => status),
    unread: Object.fromEntries(
      [...unread].map(([unreadDay, { reason }]) => [unreadDay, [...reason]]),
    ),
    failure: failure ? [...failure.reason] : null,
  };
}

/** The night after, in which nothing has happened. */
function quiet(found: NightFindings): NightFindings {
  return { ...found, restatements: [], restatedDays: [], departures: [], nowRead: [] };
}

test('reported news is not reported again', () => {
  fc.assert(
    fc.property(someState, someFindings, (told, found) => {
      expect(newsOf(after(told, found), quiet(found))).toEqual([]);
    }),
  );
});

test('news is repeated each night until it is taken, with the same ids and order', () => {
  const shuffled = <Item>(items: Iterable<Item>) => [...items].reverse();
  fc.assert(
    fc.property(someState, someFindings, (told, found) => {
      const again: NightFindings = {
        ...found,
        statuses: shuffled(found.statuses),
        places: new Map(shuffled(found.places)),
        restatements: shuffled(found.restatements),
        restatedDays: shuffled(found.restatedDays),
        departures: shuffled(found.departures),
        unread: new Map(shuffled(found.unread)),
        nowRead: shuffled(found.nowRead),
      };
      const reordered = { ...told, reportedStatuses: shuffled(told.reportedStatuses) };
      expect(newsOf(reordered, again)).toEqual(newsOf(told, found));
    }),
  );
});

test('all that raises an alarm is news once if the state was deleted', () => {
  fc.assert(
    fc.property(someFindings, (found) => {
      const loud = found.statuses.filter(
        ({ status }) => status.alarm !== 'none' || status.isOverdue,
      );
      const subjects = [
        ...loud.map(({ status }) => status.id),
        ...found.unread.keys(),
        ...(found.failure === undefined ? [] : ['run']),
      ];
      const news = newsOf(noState, quiet(found));
      const told = news.map((one) => one.settlement?.id ?? one.day ?? 'run');
      expect(told.sort()).toEqual(subjects.sort());
    }),
  );
});

test('no alarm is lost, no settlement is reported twice, and each piece of news has its own id', () => {
  fc.assert(
    fc.property(someState, someFindings, (told, found) => {
      const news = newsOf(told, found);
      const ids = news.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[\da-f]{16}$/);
      const settlements = news.flatMap(({ settlement }) => settlement?.id ?? []);
      expect(new Set(settlements).size).toBe(settlements.length);
      const isAsLoud = (was: ReportedStatus, { alarm }: ReportedStatus) =>
        was.alarm === alarm || (was.alarm !== 'none' && alarm === 'difference');
      const wasTold = (is: ReportedStatus) =>
        told.reportedStatuses.some(
          (was) => was.id === is.id && isAsLoud(was, is) && was.mark === is.mark,
        );
      const alarms = found.statuses.filter(
        ({ status }) => status.alarm !== 'none' && !wasTold(status),
      );
      for (const { status } of alarms) {
        const [one] = news.filter(({ settlement }) => settlement?.id === status.id);
        expect(['out_of_balance', 'changed', 'acceptance']).toContain(one?.kind);
      }
    }),
  );
});
