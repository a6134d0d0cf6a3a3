import { expect, test } from 'vitest';
import type { ProfileNight } from '../../../src/app/night-result.ts';
import { listRenderers } from '../../../src/render/index.ts';
import { nightlyViews } from '../../../src/report/nightly/view.ts';
import { buildNews, buildNight } from './build-night.ts';

/** The report on a terminal of 80 columns. */
function shown(...profiles: readonly ProfileNight[]): string {
  const options = { dialect: 'rfc', screen: { width: 80, colour: false } } as const;
  return [...listRenderers.table.report(nightlyViews(profiles), options)].join('');
}

test('all news is shown, however long: no later run repeats it', () => {
  const ids = Array.from(
    { length: 200 },
    (_, index) => `40487b05-d8e9-53d8-80c1-${String(index).padStart(12, '0')}`,
  );
  const text = shown(buildNight({ news: ids.map((id) => buildNews({ settlement: { id } })) }));
  expect(text).toContain('200 new differences.');
  expect(ids.filter((id) => !text.includes(id))).toEqual([]);
});

test('a failure without a day and a settlement is readable', () => {
  const text = 'No connection to https://auth.example.com (ECONNREFUSED).';
  const details = [{ about: 'text', text }] as const;
  const failed = buildNews({ kind: 'failed', details });
  const night = buildNight({ news: [{ ...failed, day: undefined, settlement: undefined }] });
  expect(shown(night)).toContain('https://auth.example.com');
});

test('news is counted by kind, and known differences of all profiles by currency', () => {
  const absolute = [{ minor: 4390n, scale: 2, currency: 'EUR' }];
  const known = { settlements: 2, absolute, from: '2026-03-04', to: '2026-03-05' };
  const news = [buildNews({ kind: 'moved' }), buildNews(), buildNews()];
  const text = shown(
    buildNight({ profile: 'spain', news, known }),
    buildNight({ profile: 'italy', known }),
  );
  expect(text).toContain('2 new differences, 1 moved settlement. 4 known differences,');
  expect(text).toContain('87.80 EUR absolute.');
});

test('accepted or unread differences are never reported as none', () => {
  expect(shown(buildNight())).toContain('Nothing new since the last run. No known differences.');
  expect(shown(buildNight({ accepted: 2 }))).toContain('last run. 2 accepted differences.');
  const failure = { cause: 'network', message: 'No connection.', where: null, hint: null } as const;
  const text = shown(buildNight({ failure }));
  expect(text).toContain('The run failed again: No connection.');
  expect(text).not.toContain('No known differences');
});

test('a folder that another run holds is not a repeated failure', () => {
  const failure = { cause: 'locked', message: 'Another run is at work.', where: null, hint: null };
  const text = shown(buildNight({ failure: { ...failure, cause: 'locked' } }));
  expect(text).toContain('- Another run is at work.');
  expect(text).not.toContain('again');
});
