import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Findings, newsOf as newsIn, type StandNow } from '../../src/nightly/news.ts';
import { type NightState, noState, type Stand } from '../../src/nightly/state.ts';
import type { SettlementRestatement } from '../../src/report/export/report.ts';
import type { NewsKind } from '../../src/report/nightly/kinds.ts';
import { uuid } from '../support/build.ts';

const day = '2026-03-05';
const spain = { profile: 'spain', host: 'api.example.com', filters: {} };
const newsOf = (told: NightState, found: Findings) => newsIn(told, found, spain);
const nothing: Findings = {
  stands: [],
  places: new Map(),
  restatements: [],
  restatedDays: [],
  departures: new Map(),
  unread: new Map(),
  readAtLast: [],
  failure: undefined,
};

/** One settlement, out of balance. */
const difference: Stand = {
  id: uuid(1),
  day,
  verdict: 'out_of_balance',
  alarm: 'difference',
  mark: 'a',
  isOverdue: false,
};
const pending: Stand = { ...difference, verdict: 'pending', alarm: 'none' };
const accepted: Stand = { ...difference, alarm: 'none' };

function standNow(stand: Stand): StandNow {
  const { id, verdict } = stand;
  const settlement = { id, verdict, accountingToken: 'token-a', currency: 'EUR' };
  return { stand, settlement, found: [], acceptance: undefined, hasUnknownStatus: false };
}

const toldOf = (...stands: readonly Stand[]): NightState => ({ ...noState, stands: [...stands] });
const findings = (found: Partial<Findings> = {}): Findings => ({ ...nothing, ...found });
const kindsOf = (told: NightState, found: Partial<Findings>) =>
  newsOf(told, findings(found)).map(({ kind, also }) => [kind, ...also].join(' + '));
const restated = (change: SettlementRestatement['change'] = 'changed') => ({
  day,
  of: {
    settlementId: uuid(1),
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
  const incomplete: Stand = { ...difference, verdict: 'incomplete', alarm: 'none' };

  test.each<[string, Stand | undefined, Stand, NewsKind | undefined]>([
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
  ])('%s', (_, was, is, kind) => {
    const news = newsOf(was ? toldOf(was) : noState, findings({ stands: [standNow(is)] }));
    expect(news).toMatchObject(kind ? [{ kind, also: [], day, settlement: { id: is.id } }] : []);
    expect(news).toHaveLength(kind ? 1 : 0);
  });

  test.each<[string, Stand, NewsKind | undefined]>([
    ['was pending', pending, 'settled'],
    ['was overdue', overdue, 'settled'],
    ['was out of balance', difference, 'balanced'],
    ['was accepted', accepted, 'balanced'],
    ['could not be read whole', incomplete, undefined],
  ])('that balances now and %s', (_, was, kind) => {
    const places = new Map([[was.id, day]]);
    expect(kindsOf(toldOf(was), { places })).toEqual(kind ? [kind] : []);
  });

  test('that is nowhere to be found does not count as balanced', () => {
    expect(kindsOf(toldOf(difference), {})).toEqual([]);
  });

  test.each<[string, Partial<Findings>, string]>([
    ['restated', { restatements: [restated()] }, 'restated'],
    ['gone', { departures: new Map([[uuid(1), { from: day, to: 'gone' }]]) }, 'gone'],
    [
      'on another day, which is no restatement beside it',
      {
        departures: new Map([[uuid(1), { from: day, to: '2026-03-06' }]]),
        restatements: [restated('removed'), { ...restated('added'), day: '2026-03-06' }],
      },
      'moved',
    ],
    [
      'that has changed and is out of balance now',
      { stands: [standNow(difference)], restatements: [restated()] },
      'out_of_balance + restated',
    ],
  ])('%s is told once, with all that is new of it', (_, found, kinds) => {
    expect(kindsOf(noState, found)).toEqual([kinds]);
  });

  test('that has moved and settled is told of once, on its new day', () => {
    const found = {
      places: new Map([[uuid(1), '2026-03-06']]),
      departures: new Map([[uuid(1), { from: day, to: '2026-03-06' }]]),
    };
    expect(newsOf(toldOf(pending), findings(found))).toMatchObject([
      { kind: 'settled', also: ['moved'], day: '2026-03-06' },
    ]);
  });
});

describe('a day that could not be read', () => {
  const unread = new Map([[day, 'not_read: HTTP 500']]);

  test('is known while the reason stays, and new with another', () => {
    const told = { ...noState, unread: Object.fromEntries(unread) };
    expect(kindsOf(noState, { unread })).toEqual(['unread_day']);
    expect(kindsOf(told, { unread })).toEqual([]);
    expect(kindsOf(told, { unread: new Map([[day, 'another reason']]) })).toEqual(['unread_day']);
  });

  test('is told of when it has been read', () => {
    const told = { ...noState, unread: Object.fromEntries(unread) };
    expect(kindsOf(told, { readAtLast: [day] })).toEqual(['read_day']);
  });
});

test('a failed run is news once, and again after one that did not fail', () => {
  const failed = { failure: 'No connection.' };
  expect(kindsOf(noState, failed)).toEqual(['failed']);
  expect(kindsOf({ ...noState, failure: 'No connection.' }, failed)).toEqual([]);
  expect(kindsOf({ ...noState, failure: 'Token rejected.' }, failed)).toEqual(['failed']);
});

test('what reads alike in two accounts has two ids', () => {
  const failed = findings({ failure: 'No connection.', unread: new Map([[day, 'HTTP 500']]) });
  const scopes = [
    spain,
    { ...spain, profile: null },
    { ...spain, host: 'api.example.org' },
    { ...spain, filters: { mid: 'M-1' } },
  ];
  const ids = scopes.flatMap((scope) => newsIn(noState, failed, scope).map(({ id }) => id));
  expect(new Set(ids).size).toBe(2 * scopes.length);
});

test('what reads alike years apart has another id, what was not taken keeps its own', () => {
  const found = findings({ stands: [standNow(difference)] });
  const [once, again] = [newsOf(noState, found), newsOf(noState, found)];
  expect(again).toEqual(once);
  const [later] = newsOf({ ...noState, tellings: 2 }, found);
  expect(later?.id).not.toBe(once[0]?.id);
});

const someId = fc.integer({ min: 1, max: 6 }).map(uuid);
const someDay = fc.constantFrom('2026-03-05', '2026-03-06', '2026-03-07');
const someText = fc.constantFrom('a', 'b');
const someStand: fc.Arbitrary<Stand> = fc
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
const someStands = fc.uniqueArray(someStand, { selector: ({ id }) => id, maxLength: 6 });
const someReasons = fc.array(fc.tuple(someDay, someText));
const someFailure = fc.option(someText, { nil: undefined });

const someState: fc.Arbitrary<NightState> = fc
  .record({
    stands: someStands,
    unread: someReasons.map((reasons) => Object.fromEntries(reasons)),
    failure: someFailure.map((failure) => failure ?? null),
    tellings: fc.nat(9),
  })
  .map((told) => ({ ...noState, ...told }));

/** Settlements that do not stand any more are somewhere, or not; what has gone stands nowhere. */
const someFindings: fc.Arbitrary<Findings> = fc.record({
  stands: someStands.map((stands) => stands.map(standNow)),
  places: fc.array(fc.tuple(someId, someDay)).map((places) => new Map(places)),
  restatements: fc.uniqueArray(
    fc.record({
      day: someDay,
      of: someId.map((settlementId) => ({ ...restated().of, settlementId })),
    }),
    { selector: ({ of }) => of.settlementId },
  ),
  restatedDays: fc.uniqueArray(someDay),
  departures: fc
    .array(
      fc.tuple(someId, fc.record({ from: someDay, to: fc.oneof(someDay, fc.constant('gone')) })),
    )
    .map((departures) => new Map(departures)),
  unread: someReasons.map((reasons) => new Map(reasons)),
  readAtLast: fc.uniqueArray(someDay),
  failure: someFailure,
});

/** What is written down once the news was told. */
function after(told: NightState, { stands, unread, failure }: Findings): NightState {
  return {
    ...told,
    tellings: told.tellings + 1,
    stands: stands.map(({ stand }) => stand),
    unread: Object.fromEntries(unread),
    failure: failure ?? null,
  };
}

/** The night after, in which nothing has happened. */
function quiet(found: Findings): Findings {
  return { ...found, restatements: [], restatedDays: [], departures: new Map(), readAtLast: [] };
}

test('what was told is not told again', () => {
  fc.assert(
    fc.property(someState, someFindings, (told, found) => {
      expect(newsOf(after(told, found), quiet(found))).toEqual([]);
    }),
  );
});

test('until it was told, each night tells it again, with the same ids and in the same order', () => {
  const shuffled = <Item>(items: Iterable<Item>) => [...items].reverse();
  fc.assert(
    fc.property(someState, someFindings, (told, found) => {
      const again: Findings = {
        ...found,
        stands: shuffled(found.stands),
        places: new Map(shuffled(found.places)),
        restatements: shuffled(found.restatements),
        restatedDays: shuffled(found.restatedDays),
        departures: new Map(shuffled(found.departures)),
        unread: new Map(shuffled(found.unread)),
        readAtLast: shuffled(found.readAtLast),
      };
      const reordered = { ...told, stands: shuffled(told.stands) };
      expect(newsOf(reordered, again)).toEqual(newsOf(told, found));
    }),
  );
});

test('where the state was deleted, all that raises an alarm is new once', () => {
  fc.assert(
    fc.property(someFindings, (found) => {
      const loud = found.stands.filter(({ stand }) => stand.alarm !== 'none' || stand.isOverdue);
      const subjects = [
        ...loud.map(({ stand }) => stand.id),
        ...found.unread.keys(),
        ...(found.failure === undefined ? [] : ['run']),
      ];
      const news = newsOf(noState, quiet(found));
      const told = news.map((one) => one.settlement?.id ?? one.day ?? 'run');
      expect(told.sort()).toEqual(subjects.sort());
    }),
  );
});

test('no alarm is lost, no settlement is told of twice, and each piece of news has an id of its own', () => {
  fc.assert(
    fc.property(someState, someFindings, (told, found) => {
      const news = newsOf(told, found);
      const ids = news.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[\da-f]{16}$/);
      const settlements = news.flatMap(({ settlement }) => settlement?.id ?? []);
      expect(new Set(settlements).size).toBe(settlements.length);
      const isAsLoud = (was: Stand, { alarm }: Stand) =>
        was.alarm === alarm || (was.alarm !== 'none' && alarm === 'difference');
      const wasTold = (is: Stand) =>
        told.stands.some((was) => was.id === is.id && isAsLoud(was, is) && was.mark === is.mark);
      const alarms = found.stands.filter(({ stand }) => stand.alarm !== 'none' && !wasTold(stand));
      for (const { stand } of alarms) {
        const [one] = news.filter(({ settlement }) => settlement?.id === stand.id);
        expect(['out_of_balance', 'changed', 'acceptance']).toContain(one?.kind);
      }
    }),
  );
});
