import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonWithDigest } from '../../src/export/layout.ts';
import { runRecon } from '../support/run-recon.ts';
import { off, pending, settlement, since, startNights } from './nights.ts';
import { purchases, scenarioOf, startService } from './service.ts';
import { settlementOn } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

// Files that a newer version of recon has written, with the digests that it would write.

type Json = Readonly<Record<string, unknown>>;

/** Changes the fields of a file with a digest. */
async function rewrite(path: string, change: (fields: Json) => object): Promise<void> {
  const { sha256: _, ...fields } = JSON.parse(await readFile(path, 'utf8')) as Json;
  await writeFile(path, jsonWithDigest(change(fields)));
}

/** An object, and all objects in it, with two more keys. */
function widened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(widened);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, one]) => [key, widened(one)]);
  return { a_new_key: 1, ...Object.fromEntries(fields), another: { key: 'of a newer version' } };
}

test('a register of accepted differences may have notices and columns of a newer version', async () => {
  const off = (gross: number) => ({ off: { amountGross: gross, amountPayIn: gross } });
  const listed = [3, 4].map((day) => ({
    ...{ date: `2026-03-0${day}`, header: { settlementId: settlementOn(day) } },
    ...{ rows: purchases(5), ...off(day * 100) },
  }));
  const { env } = await startService(scenarioOf(listed));
  const register = join(await temporaryFolder(), 'accepted.csv');
  const run = (...args: readonly string[]) => runRecon([...args, '--accepted', register], { env });
  const accept = (day: number, reason: string) =>
    run('accept', settlementOn(day), '--difference', `${day}.00`, '--reason', reason);
  const report = async () => (await run('settlements', '--month', '2026-03', '--json')).stdout;
  await accept(3, 'first');
  await accept(4, 'second');
  const before = await report();
  const [header = '', ...lines] = (await readFile(register, 'utf8')).trim().split('\r\n');
  const wider = lines.map((line, at) => {
    return `seen by ${at},${line.replace(',gross,', ',a_new_notice | gross | scale,')},x${at}`;
  });
  expect(wider.join()).toContain('a_new_notice | gross');
  await writeFile(register, [`seen,${header},vat`, ...wider, ''].join('\r\n'));
  expect(await report()).toBe(before);

  const linesNow = async () => (await readFile(register, 'utf8')).split('\r\n');
  await accept(4, 'third');
  expect(await linesNow()).toMatchObject([
    `seen,${header},vat`,
    wider[0],
    expect.stringMatching(/^seen by 1,.*,third,.*,x1$/),
    '',
  ]);
  await accept(3, 'fourth');
  expect((await linesNow())[1]).toMatch(/^seen by 0,.*,fourth,.*,x0$/);
  expect((await linesNow())[2]).toMatch(/^seen by 1,.*,third,.*,x1$/);
});

test('a nightly.json may have notices and keys of a newer version', async () => {
  const { out, night, becomes } = await startNights([
    settlement(2, off),
    settlement(3, { off: { amountGross: 7, amountPayIn: 7 } }),
    settlement(4, pending),
  ]);
  const path = join(out, 'nightly.json');
  expect((await night(5, ...since)).kinds).toEqual(['out_of_balance 02', 'out_of_balance 03']);
  const newer = async () => {
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(/"codes": \[\s*"/);
    const codes = '"codes": ["a_new_notice", "scale", ';
    await writeFile(path, text.replaceAll(/"codes": \[(?!\])/g, codes));
    await rewrite(path, ({ schema, ...fields }) => {
      const { days, fingerprints, overcharged, unread, damaged, patterns, ...more } = fields;
      const { unbalancedByDay, ...others } = more;
      const byDay = { days, fingerprints, overcharged, unread, damaged, patterns };
      const judged = Object.entries(unbalancedByDay as Json).map(([day, one]) => [
        day,
        widened(one),
      ]);
      return {
        schema,
        ...Object(widened(others)),
        ...byDay,
        unbalancedByDay: Object.fromEntries(judged),
      };
    });
  };
  for (const day of [5, 6]) {
    await newer();
    const { kinds, report } = await night(day);
    expect(kinds).toEqual([]);
    expect(report.profiles[0]).not.toHaveProperty('stateDamaged');
    expect(report.profiles[0]?.known.settlements).toBe(2);
  }
  await newer();
  await becomes([settlement(2, off), settlement(3), settlement(4, pending)]);
  expect((await night(6)).kinds).toEqual(['balanced 03']);
});

test('a nightly.json of a newer form is refused by its name, and stays as it is', async () => {
  const { out, run, night } = await startNights([settlement(2, off)]);
  await night(3, ...since);
  const path = join(out, 'nightly.json');
  await rewrite(path, (fields) => ({ ...fields, schema: 2 }));
  const text = await readFile(path, 'utf8');
  const { exitCode, stderr } = await run(4, []);
  expect(exitCode).toBe(2);
  expect(stderr.replace(/\s+/g, ' ')).toContain('A newer version of recon wrote this file.');
  expect(stderr).toContain('nightly.json');
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('the manifest of a day may have keys of a newer version', async () => {
  const out = join(await temporaryFolder(), 'out');
  // The manifest of the first day is compared with its JSON Schema, which knows no other keys.
  const days = ['2026-03-10', '2026-03-11'];
  const run = (...args: readonly string[]) => runRecon(args);
  const range = ['--from', '2026-03-09', '--to', '2026-03-11'];
  const exported = () => run('export', ...range, '--out', out, '--sandbox');
  const read = () => run('settlements', '--from-export', out, '--json');
  await exported();
  const [settlements, verified] = [await read(), await run('export', '--verify', '--out', out)];
  for (const day of days) {
    await rewrite(join(out, day, 'manifest.json'), ({ settings, counts, ...fields }) => ({
      ...{ a_new_key: true, ...fields, another: { key: [1] } },
      settings: { ...Object(settings), a_new_setting: 'x' },
      counts: { ...Object(counts), refunds: 2 },
    }));
  }
  const text = await readFile(join(out, days[1] ?? '', 'manifest.json'), 'utf8');
  expect(await read()).toEqual(settlements);
  expect(await run('export', '--verify', '--out', out)).toEqual(verified);
  const states = (await exported()).stdout.match(/2026-03-\d\d,\w+/g);
  expect(states).toEqual(['2026-03-09', ...days].map((day) => `${day},unchanged`));
  expect(await readFile(join(out, days[1] ?? '', 'manifest.json'), 'utf8')).toBe(text);
});

test('the manifest of a newer form is refused by its name', async () => {
  const out = join(await temporaryFolder(), 'out');
  await runRecon(['export', '--on', '2026-03-09', '--out', out, '--sandbox']);
  await rewrite(join(out, '2026-03-09', 'manifest.json'), (fields) => ({ ...fields, schema: 2 }));
  const { exitCode, stderr } = await runRecon(['settlements', '--from-export', out]);
  expect(exitCode).toBe(4);
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    'The manifest has schema 2; this version of recon reads 1.',
  );
});
