import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { runRecon } from '../support/run-recon.ts';
import { profileOf, purchases, scenarioOf } from './service.ts';
import { Shop, settlementOn } from './shop.ts';
import { type Booked, writeStatement } from './statement.ts';
import { temporaryFolder } from './temporary.ts';

const dayOf = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;

/** A settlement of 29.10 EUR. */
function settlement(day: number, name = 'web') {
  return {
    date: dayOf(day),
    header: { settlementId: settlementOn(day, name), paymentEndToEndIds: [`PAYOUT-${day}`] },
    rows: purchases(3),
  };
}

/** Nights over a folder of statements. */
async function startNights(days: readonly number[]) {
  const shop = await Shop.open(scenarioOf(days.map((day) => settlement(day))));
  const folder = await temporaryFolder();
  const [out, statements, register] = ['out', 'statements', 'accepted.csv'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await mkdir(statements);
  const run = (day: number, ...words: readonly string[]) =>
    runRecon(['nightly', '--out', out, '--since', dayOf(1), ...words], {
      clock: new FakeClock(Date.UTC(2026, 2, day, 6)),
      env: { ...shop.env, RECON_STATEMENTS: statements, RECON_ACCEPTED: register },
    });
  return {
    ...{ shop, out, statements, register, run },
    bank: (name: string, covers: readonly [number, number], ...booked: readonly Booked[]) =>
      writeStatement(join(statements, name), covers, booked),
    /** The same after 29.10 EUR were booked. */
    bankLater: (name: string, covers: readonly [number, number], ...booked: readonly Booked[]) =>
      writeStatement(join(statements, name), covers, booked, 2910),
    /** The night in the morning of a day: what is new, with the day that it is about. */
    night: async (day: number, ...words: readonly string[]) => {
      const { exitCode, stdout } = await run(day, '--format', 'json', ...words);
      const { news, profiles } = JSON.parse(stdout) as {
        news: { kind: string; day: string | null; received: unknown; details: string[] }[];
        profiles: { bank?: Record<string, unknown> }[];
      };
      return {
        exitCode,
        kinds: news.map(({ kind, day }) => `${kind} ${day?.slice(8) ?? ''}`.trim()),
        received: news.map(({ received }) => received),
        details: news.flatMap(({ details }) => details).join('\n'),
        bank: profiles[0]?.bank,
      };
    },
  };
}

const missing = ['--fail-on', 'missing-on-bank'];

describe('a night with bank statements', () => {
  test('reports a pay-out as missing after its due days, once, and as received when it is there', async () => {
    const { bank, bankLater, night, run } = await startNights([2, 3]);
    await bank('1.xml', [1, 4], [3, 'PAYOUT-2', 2910]);
    expect(await night(5, ...missing)).toMatchObject({ exitCode: 0, kinds: [] });
    await bankLater('2.xml', [5, 27]);
    const first = await night(28, ...missing);
    expect(first).toMatchObject({ exitCode: 1, kinds: ['missing_on_bank 03'] });
    expect(first.bank).toMatchObject({ matched: 1, missing: 1, from: dayOf(1), to: dayOf(27) });
    expect(await night(29, ...missing)).toMatchObject({ exitCode: 1, kinds: [] });
    const quiet = await run(29, '--fail-on', 'new');
    expect(quiet.exitCode).toBe(0);
    expect(quiet.stdout).toContain('No known differences. 1 known finding on the bank statements.');
    await bankLater('3.xml', [28, 29], [28, 'PAYOUT-3', 2910]);
    expect(await night(30, ...missing)).toMatchObject({ exitCode: 0, kinds: ['on_bank 03'] });
    expect((await night(31)).kinds).toEqual([]);
  });

  test('reports a pay-out as received even if the statement that it was missing from was removed', async () => {
    const { bank, night, statements } = await startNights([2]);
    await bank('march.xml', [1, 27]);
    expect((await night(28)).kinds).toEqual(['missing_on_bank 02']);
    await rm(join(statements, 'march.xml'));
    await bank('late.xml', [28, 29]);
    expect((await night(30)).kinds).toEqual([]);
    await bank('late.xml', [28, 30], [30, 'PAYOUT-2', 2910]);
    expect((await night(31)).kinds).toEqual(['on_bank 02']);
  });

  test('forgets an unknown entry after its statement was removed, and keeps a missing pay-out', async () => {
    const { bank, night, out, statements } = await startNights([2]);
    await bank('march.xml', [1, 27], [18, 'A BOOK SHOP', 3123]);
    expect((await night(28)).kinds).toEqual(['missing_on_bank 02', 'unknown_on_bank 18']);
    const kept = async () => {
      const state = JSON.parse(await readFile(join(out, 'nightly.json'), 'utf8'));
      const issues = Object.values(state.profiles ?? { only: state }).flatMap(
        (one) => (one as { bank: { reportedIssues: { kind: string }[] } }).bank.reportedIssues,
      );
      return new Set(issues.map(({ kind }) => kind));
    };
    expect(await kept()).toEqual(new Set(['missing_on_bank', 'unknown_on_bank']));
    await rm(join(statements, 'march.xml'));
    await bank('late.xml', [28, 29]);
    await night(30);
    expect(await kept()).toEqual(new Set(['missing_on_bank']));
  });

  test('reports a difference until it is accepted, and again if it changes', async () => {
    const { bank, night, register, shop, statements } = await startNights([2]);
    await bank('march.xml', [1, 10], [3, 'PAYOUT-2', 2760]);
    const first = await night(11, '--fail-on', 'difference');
    expect(first).toMatchObject({ exitCode: 1, kinds: ['bank_difference 02'] });
    expect(first.details).toContain('Expected 29.10 EUR, received 27.60 EUR.');
    const accepting = ['accept', settlementOn(2), '--bank', statements, '--difference', '-1.50'];
    const { exitCode } = await runRecon([...accepting, '--reason', 'fee', '--accepted', register], {
      env: shop.env,
    });
    expect(exitCode).toBe(0);
    const quiet = await night(12, '--fail-on', 'difference');
    expect(quiet).toMatchObject({ exitCode: 0, kinds: [], bank: { accepted: 1, differences: 0 } });
    await bank('march.xml', [1, 10], [3, 'PAYOUT-2', 2759]);
    const loud = await night(13);
    expect(loud.kinds).toEqual(['bank_difference 02']);
    expect(loud.details).toContain('but received changed from 27.60 to 27.59.');
  });

  test('does not report a charge that the bank states, and reports a resolved difference', async () => {
    const { bank, night } = await startNights([2]);
    await bank('march.xml', [1, 10], [3, 'PAYOUT-2', 2760, 150]);
    const first = await night(11, '--fail-on', '+difference,+new');
    expect(first).toMatchObject({ exitCode: 0, kinds: [], bank: { matched: 1, differences: 0 } });
    await bank('march.xml', [1, 10], [3, 'PAYOUT-2', 2760, 140]);
    expect((await night(12)).kinds).toEqual(['bank_difference 02']);
    await bank('march.xml', [1, 10], [3, 'PAYOUT-2', 2760, 150]);
    const told = await night(13, '--fail-on', 'difference');
    expect(told).toMatchObject({ exitCode: 0, kinds: ['on_bank 02'] });
    expect((await night(14)).kinds).toEqual([]);
  });

  test('reports an unknown entry only after the days are read whose pay-out it may be', async () => {
    const { bank, night } = await startNights([2, 18]);
    await bank(
      'march.xml',
      [1, 27],
      [3, 'PAYOUT-2', 2910],
      [17, 'PAYOUT-18', 2910],
      [18, 'X', 500],
    );
    expect((await night(18)).kinds).toEqual([]);
    const { kinds, received } = await night(28);
    expect(kinds).toEqual(['unknown_on_bank 18']);
    expect(received).toEqual([{ currency: 'EUR', decimalPlaces: 2, amount: '5.00', minor: '500' }]);
    expect((await night(29)).kinds).toEqual([]);
  });

  test('does not report an unknown entry as soon as its pay-out is listed', async () => {
    const { bank, night, shop } = await startNights([2]);
    await bank('march.xml', [1, 27], [3, 'PAYOUT-2', 2910], [24, 'PAYOUT-23', 2910]);
    expect((await night(28)).kinds).toEqual(['unknown_on_bank 24']);
    await shop.becomes(scenarioOf([settlement(2), settlement(23)]));
    const after = await night(29);
    expect(after.kinds.filter((kind) => kind !== 'restated 23')).toEqual([]);
    expect(after.bank).toMatchObject({ matched: 2, unknown: 0 });
  });

  test('does not report an entry that belongs to another profile', async () => {
    const { bank, out, shop, statements } = await startNights([2]);
    const other = await Shop.open(scenarioOf([settlement(3, 'other')]));
    await bank('march.xml', [1, 10], [3, 'PAYOUT-2', 2910], [4, 'PAYOUT-3', 2910]);
    const config = join(out, '..', 'config.toml');
    const urls = [shop, other].map(({ env }) => env['RECON_BASE_URL'] ?? '');
    const text = ['spain', 'italy'].map((name, index) =>
      profileOf(name, urls[index] ?? '', `statements = "${statements}"`),
    );
    await writeFile(config, text.join('\n'), { mode: 0o600 });
    const { stdout } = await runRecon(
      ['nightly', '--out', out, '--all-profiles', '--config', config, '--since', '2026-02-01'],
      { clock: new FakeClock(Date.UTC(2026, 2, 28)), env: {} },
    );
    expect(stdout).toContain('Nothing new since the last run.');
    expect(stdout.match(/1 matched/g)).toHaveLength(2);
    expect(stdout).not.toContain('unknown');
  });
});

describe('bank statements that cannot be read', () => {
  test('do not stop a night: they are reported once, and it ends with 4 until they can be read', async () => {
    const { out, bank, night, run } = await startNights([2]);
    expect(await night(5)).toMatchObject({ exitCode: 4, kinds: ['statements'] });
    expect(await night(6)).toMatchObject({ exitCode: 4, kinds: [] });
    const { stdout } = await run(6);
    expect(stdout).toContain('Bank statements, as before: ');
    expect(stdout).toContain('Published up to  2026-03-05');
    await bank('march.xml', [1, 6], [3, 'PAYOUT-2', 2910]);
    expect(await night(7)).toMatchObject({ exitCode: 0, kinds: [], bank: { matched: 1 } });
    expect(JSON.parse(await readFile(join(out, 'status.json'), 'utf8'))).toMatchObject({
      profiles: [{ bank: { coveredTo: dayOf(6), missing: 0, differences: 0, unknown: 0 } }],
    });
  });

  test('may have an entry without a date, and odd value dates, which are not news', async () => {
    const { bank, statements, night } = await startNights([2]);
    await bank('1.xml', [1, 27], [3, 'PAYOUT-2', 2910]);
    const path = join(statements, '1.xml');
    const whole = await readFile(path, 'utf8');
    await writeFile(path, whole.replace(/<BookgDt>.*?<\/BookgDt>/, ''));
    const first = await night(28, ...missing);
    expect(first).toMatchObject({ exitCode: 4, kinds: ['statements'] });
    expect(first.details).toContain('an entry of 29.10 EUR has neither');
    expect(await night(29, ...missing)).toMatchObject({ exitCode: 4, kinds: [] });
    await writeFile(path, whole.replace('</BookgDt>', '$&<ValDt><Dt>2026-02-30</Dt></ValDt>'));
    expect(await night(30, ...missing)).toMatchObject({ exitCode: 0, kinds: [] });
  });

  test('are needed for --fail-on missing-on-bank', async () => {
    const { shop, out } = await startNights([2]);
    const { exitCode, stderr } = await runRecon(
      ['nightly', '--out', out, '--since', dayOf(1), '--fail-on', '+missing-on-bank'],
      { env: shop.env },
    );
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('--fail-on missing-on-bank needs --bank.'),
    ]);
  });
});
