import { expect, test } from 'vitest';
import { ReconError } from '../../src/base/errors.ts';
import { nightNotBegun } from '../../src/nightly/night.ts';

const [today, tomorrow] = ['2026-03-05', '2026-03-06'];
const wrong = new ReconError('configuration', 'Not set: client_id.');
const of = (profile: string | undefined) => ({ profile, folder: 'out', exitCode: 2 });

/** The ids of what is new. */
const idsOf = (error: ReconError, profile: string | undefined, day: string) =>
  nightNotBegun(error, of(profile), day).news.map(({ id }) => id);

test('a night that could not begin is news each day, with one id per day', () => {
  const night = nightNotBegun(wrong, of('spain'), today);
  expect(night).toMatchObject({
    ...{ profile: 'spain', verdict: 'incomplete', exitCode: 2 },
    news: [{ kind: 'failed', details: [{ about: 'text', text: 'Not set: client_id.' }] }],
    failure: { cause: 'configuration' },
  });
  const [id] = idsOf(wrong, 'spain', today);
  expect(id).toMatch(/^[\da-f]{16}$/);
  expect(idsOf(wrong, 'spain', today)).toEqual([id]);
  const others = [
    ...idsOf(wrong, 'spain', tomorrow),
    ...idsOf(wrong, 'italy', today),
    ...idsOf(wrong, undefined, today),
    ...idsOf(new ReconError('configuration', 'Not set: audience.'), 'spain', today),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
});

test('a night that found the folder locked has no news: the other run reports it', () => {
  const held = new ReconError('locked', 'Another run is writing there.');
  expect(nightNotBegun(held, of('spain'), today).news).toEqual([]);
});
