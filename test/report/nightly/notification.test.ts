import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { News, ProfileNight } from '../../../src/app/night-result.ts';
import { newsKinds } from '../../../src/model/night.ts';
import { notification } from '../../../src/report/nightly/notification.ts';
import { uuid } from '../../support/build.ts';
import { buildNews, buildNight } from './build-night.ts';

interface Told {
  readonly text: string;
  readonly verdict: string;
  readonly profiles: readonly Record<string, unknown>[];
  readonly news: readonly Record<string, unknown>[];
  readonly more: number;
}

/** What the other side reads. */
function told(...nights: readonly ProfileNight[]): Told {
  return JSON.parse(JSON.stringify(notification(nights)));
}

const linesOf = (...nights: readonly ProfileNight[]) => told(...nights).text.split('\n');
const eur = (minor: bigint) => ({ minor, scale: 2, currency: 'EUR' });
const known = {
  settlements: 3,
  absolute: [eur(8780n)],
  from: '2026-02-02',
  to: '2026-03-08',
};
const failure = {
  cause: 'network',
  message: 'No connection to https://api.example.com (ECONNREFUSED).',
  where: 'POST https://api.example.com/v1/merchant/settlement',
  hint: 'Ask Jane.',
} as const;

const [second, third] = [
  '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  '16fd2706-8baf-433b-82eb-8c7fada847da',
];

/** The night in docs/notification.md. */
const night = buildNight({
  profile: 'spain',
  verdict: 'out_of_balance',
  exitCode: 1,
  news: [
    buildNews({
      id: '9b1f60d2c47a35e8',
      kind: 'overdue',
      day: '2026-03-02',
      settlement: {
        id: third,
        date: '2026-03-02',
        verdict: 'pending',
        difference: undefined,
        codes: [],
      },
    }),
    buildNews(),
    buildNews({
      id: 'c0de5a71f3b28946',
      settlement: { id: second, difference: eur(500n), codes: ['fees', 'reported_by_service'] },
    }),
  ],
  names: new Map([['3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601', 'Madrid']]),
  known,
  pending: 4,
  overdue: 1,
});

test('the example in the documentation is the notification that is sent', async () => {
  const page = await readFile('docs/notification.md', 'utf8');
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  expect(JSON.parse(example)).toEqual(told(night));
});

test('the text begins with the conclusion, then has one line per piece of news, the worst first', () => {
  expect(linesOf(night)).toEqual([
    'Nightly settlements of spain: 2 new differences, -4.99 EUR and +5.00 EUR; 1 overdue settlement. 3 known differences, 87.80 EUR absolute. 4 pending (1 overdue).',
    '• Out of balance: 2026-03-09, 40487b05-d8e9-53d8-80c1-657d847ec834, -4.99 EUR',
    `• Out of balance: 2026-03-09, ${second}, +5.00 EUR`,
    `• Overdue: 2026-03-02, ${third}`,
  ]);
});

test('a night without news has known differences and days that are not published', () => {
  expect(linesOf(buildNight({ known, lagDays: 2, exitCode: 1 }))).toEqual([
    'Nightly settlements: nothing new. 3 known differences, 87.80 EUR absolute. 2 days not published.',
  ]);
  expect(linesOf(buildNight())).toEqual(['Nightly settlements: nothing new.']);
});

test('several profiles have separate lines and one conclusion', () => {
  const failed: News = {
    id: '0123456789abcdef',
    kind: 'failed',
    also: [],
    day: undefined,
    settlement: undefined,
    details: [{ about: 'text', text: failure.message }],
  };
  const france = buildNight({
    profile: 'france',
    verdict: 'incomplete',
    exitCode: 4,
    failure,
    news: [failed],
    known,
  });
  expect(linesOf(night, france)).toEqual([
    'Nightly settlements of 2 profiles: 1 failed run; 2 new differences, -4.99 EUR and +5.00 EUR; 1 overdue settlement. 6 known differences, 175.60 EUR absolute. 4 pending (1 overdue).',
    '• france: Run failed: the connection to the service failed',
    expect.stringMatching(/^• spain: Out of balance: .* -4\.99 EUR$/),
    expect.stringMatching(/^• spain: Out of balance: .* \+5\.00 EUR$/),
    expect.stringMatching(/^• spain: Overdue: /),
  ]);
  expect(told(night, france)).toMatchObject({
    verdict: 'incomplete',
    profiles: [
      { profile: 'spain', exitCode: 1, failure: null, news: { out_of_balance: 2, overdue: 1 } },
      { profile: 'france', exitCode: 4, failure: 'network', news: { failed: 1 } },
    ],
    news: [
      { profile: 'france', kind: 'failed', also: [], day: null, settlement: null },
      {},
      {},
      {},
    ],
  });
});

test('a run that fails again is mentioned', () => {
  expect(linesOf(buildNight({ failure, exitCode: 4 }))).toEqual([
    'Nightly settlements: nothing new. 1 run failed again for a known reason.',
  ]);
});

test('amounts are never added over currencies, and sums are exact', () => {
  const money = [
    ...[eur(-1n), eur(2n), eur(-900_719_925_474_099_301n)],
    { minor: -5n, scale: 0, currency: 'JPY' },
    { minor: 1n, scale: 3, currency: 'EUR' },
  ];
  const news = money.map((difference, at) =>
    buildNews({ settlement: { id: uuid(at), currency: difference.currency, difference } }),
  );
  expect(linesOf(buildNight({ news }))[0]).toBe(
    'Nightly settlements: 5 new differences, 9,007,199,254,740,993.041 EUR and 5 JPY absolute.',
  );
});

describe('text of the service is left out', () => {
  const hostile = [
    '<!channel>',
    '<https://evil.example|click>',
    '*bold* @here',
    'PMT-4711',
    '40487b05-d8e9-53d8-80c1-657d847ec834<!here>',
    '\u202Egnp',
    '',
  ];

  test.each(hostile)('in an id: %j', (id) => {
    const all = told(buildNight({ news: [buildNews({ settlement: { id } })] }));
    expect(all.news).toMatchObject([{ settlement: { id: null }, day: '2026-03-09' }]);
    expect(all.text.split('\n')[1]).toBe('• Out of balance: 2026-03-09, -4.99 EUR');
  });

  test.each([...hostile, 'eur', 'EURO', 'EU', 'ÉUR'])('in a currency: %j', (currency) => {
    const difference = { minor: -499n, scale: 2, currency };
    const news = [buildNews({ settlement: { currency, difference } })];
    const amounts = { settlements: 1, absolute: [difference, eur(1n)] };
    const all = told(buildNight({ news, known: { ...known, ...amounts } }));
    expect(all.news).toMatchObject([
      { settlement: { currency: null, difference: { amount: '-4.99' } } },
    ]);
    expect(all.profiles[0]?.['known']).toMatchObject({
      absolute: [{ currency: null }, { currency: 'EUR' }],
    });
    expect(all.text).toBe(
      'Nightly settlements: 1 new difference. 1 known difference, 0.01 EUR absolute.\n' +
        '• Out of balance: 2026-03-09, 40487b05-d8e9-53d8-80c1-657d847ec834',
    );
  });

  test('in details, tokens and the message of a failure', () => {
    const details = [{ about: 'text', text: 'gross: SECRET-REFERENCE' }] as const;
    const news = [buildNews({ details, settlement: { accountingToken: 'SECRET-TOKEN' } })];
    const text = JSON.stringify(told(buildNight({ news, failure, folder: '/SECRET' })));
    expect(text).not.toMatch(/SECRET|api\.example\.com|Jane/);
  });
});

test('the name of a profile cannot mention anyone or begin another line', () => {
  const name = '<!channel> & Söhne\n• spain: balanced';
  const nights = [buildNight({ profile: name, news: [buildNews()] }), night];
  const [, line] = linesOf(...nights);
  expect(line).toMatch(/^• &lt;!channel&gt; &amp; Söhne • spain: balanced: Out of balance: /);
  expect(told(...nights).text).not.toMatch(/[<>]/);
  expect(told(...nights).profiles[0]).toMatchObject({ profile: name });
});

test('every kind of news has words', () => {
  const news = newsKinds.flatMap((kind) => [buildNews({ kind }), buildNews({ kind })]);
  const { text, news: listed } = told(buildNight({ news: news.toReversed() }));
  expect(listed.map(({ kind }) => kind)).toEqual(news.map(({ kind }) => kind));
  expect(text.split('\n')[0]?.match(/\b2 /g)).toHaveLength(newsKinds.length);
});

test('other news of a settlement is on the same line', () => {
  const all = told(buildNight({ news: [buildNews({ also: ['restated'] })] }));
  expect(all.news).toMatchObject([{ kind: 'out_of_balance', also: ['restated'] }]);
  expect(all.text).toContain('• Out of balance, Changed by the service: 2026-03-09, ');
});

describe('a long list of news', () => {
  const news = Array.from({ length: 1_000 }, (_, at) =>
    buildNews({ kind: at === 999 ? 'unread_day' : 'restated', settlement: { id: uuid(at) } }),
  );
  const name = 'x'.repeat(10_000);

  test('is counted in full, with 100 pieces in the list and 18 in the text', () => {
    const all = told(buildNight({ news }));
    expect(all).toMatchObject({
      more: 900,
      profiles: [{ news: { restated: 999, unread_day: 1 } }],
    });
    expect(all.news).toHaveLength(100);
    expect(all.news[0]).toMatchObject({ kind: 'unread_day', settlement: { id: uuid(999) } });
    const lines = all.text.split('\n');
    expect(lines).toHaveLength(20);
    expect(lines[0]).toContain('1 day not read; 999 changes');
    expect(lines[19]).toBe('982 more items in the report of recon nightly.');
  });

  test.each([19, 20])('with %i pieces still fits 20 lines', (count) => {
    const lines = linesOf(buildNight({ news: news.slice(0, count) }));
    expect(lines).toHaveLength(20);
    expect(lines.some((line) => line.includes('more items'))).toBe(count > 19);
  });

  test('stays short with any names and currencies', () => {
    const absolute = Array.from({ length: 5_000 }, (_, at) => ({ ...eur(1n), currency: `C${at}` }));
    const many = { ...known, absolute };
    const all = told(buildNight({ profile: name, news, known: many }), night);
    expect(all.text.length).toBeLessThan(5_000);
    expect(JSON.stringify(all.profiles).length).toBeLessThan(25_000);
  });
});
