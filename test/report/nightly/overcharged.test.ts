import { expect, test } from 'vitest';
import type { News } from '../../../src/app/night-result.ts';
import type { Money } from '../../../src/money/money.ts';
import type { Entry } from '../../../src/reconcile/entry.ts';
import { nightlyViews } from '../../../src/report/nightly/view.ts';
import { newsSentence } from '../../../src/report/nightly/words.ts';
import { buildNews, buildNight } from './build-night.ts';

const euros = (minor: bigint): Money => ({ minor, scale: 2, currency: 'EUR' });

function overcharged(day: string, ...claim: readonly Money[]): News {
  const entry: Entry<'above_agreed_rate'> = {
    code: 'above_agreed_rate',
    weight: 'notice',
    count: 38,
    facts: { claim, rates: ['sales'], examples: ['id-1', 'id-2'] },
  };
  const news = buildNews({ kind: 'overcharged', day, details: [{ about: 'discrepancy', entry }] });
  return { ...news, settlement: undefined };
}

const night = buildNight({
  profile: 'shop',
  folder: '/var/re con',
  news: [
    overcharged('2026-03-05', euros(1200n), { minor: 30n, scale: 0, currency: 'JPY' }),
    overcharged('2026-03-02', euros(34n)),
  ],
});

const linesOf = (title: string) =>
  nightlyViews([night])
    .view()
    .flatMap((block) => ('title' in block && block.title === title ? [JSON.stringify(block)] : []))
    .join();

test('the first lines say what was overcharged, per currency', () => {
  expect(newsSentence([night])).toContain(
    '2 days with fees above the agreed rates (12.34 EUR and 30 JPY).',
  );
});

test('a day of fees above the agreed rates is told without the ids of transactions', () => {
  const said = linesOf('New since the last run');
  expect(said).toContain('2026-03-02: Overcharged: 38 transactions, 0.34 EUR with tax (sales)');
  expect(said).not.toContain('id-1');
});

test('the command that shows the fees is proposed for all days', () => {
  expect(linesOf('Next')).toContain(
    "recon fees --from 2026-03-02 --to 2026-03-05 --from-export '/var/re con' --profile shop",
  );
});

test('the command that explains the first alarm is proposed', () => {
  const view = nightlyViews([buildNight({ news: [buildNews()] })]).view();
  expect(JSON.stringify(view)).toContain(
    'recon explain 40487b05-d8e9-53d8-80c1-657d847ec834 --from-export /var/recon',
  );
});

test('a pending settlement that was not fully read is named', () => {
  const pendingUnread = [{ id: '40487b05-d8e9-53d8-80c1-657d847ec834', day: '2026-03-05' }];
  const view = nightlyViews([buildNight({ pending: 2, pendingUnread })]).view();
  expect(JSON.stringify(view)).toContain(
    'read again each night: 40487b05-d8e9-53d8-80c1-657d847ec834 (2026-03-05).',
  );
});
