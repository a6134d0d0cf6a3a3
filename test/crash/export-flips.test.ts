import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layout } from '../../src/export/layout.ts';
import { verifyExport } from '../../src/export/verify-export.ts';
import { filesIn, isFoundByVerify, withFlipped } from '../cli/exports.ts';
import { Shop, shopAt } from '../cli/shop.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { Random } from '../support/random.ts';
import { runRecon } from '../support/run-recon.ts';

/** `all` flips each bit there is, which takes about half an hour on a machine at rest. */
const isExhaustive = process.env['RECON_TEST_FLIPS'] === 'all';
const timeout = isExhaustive ? 3_600_000 : 120_000;

/** A day that the service has told otherwise since: with its changes, and the version before. */
async function restatedDay(): Promise<string> {
  const out = join(await temporaryFolder(), 'out');
  const shop = await Shop.open(shopAt(0));
  const args = ['export', '--on', '2026-03-05', '--out', out, '--quiet'];
  expect(await runRecon(args, { env: shop.env })).toMatchObject({ exitCode: 0 });
  await shop.becomes(shopAt(1));
  expect(await runRecon(args, { env: shop.env })).toMatchObject({ exitCode: 0 });
  return out;
}

/** Some bits of a file: of each line of JSON, and of gzip its whole header. */
function bitsOf(path: string, bytes: Buffer, random: Random): readonly number[] {
  const all = [...bytes.keys()];
  if (isExhaustive) return all.flatMap((at) => [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => 8 * at + bit));
  const starts = all.filter((at) => at === 0 || bytes[at - 1] === 10);
  const places = path.endsWith('.json')
    ? starts.map((start, line) => random.int(start, (starts[line + 1] ?? bytes.length) - 1))
    : [
        ...(path.endsWith('.gz') ? all.slice(0, 10) : []),
        ...random.sample(all, 12),
        all.length - 1,
      ];
  // With the highest bit of its first byte, JSON is no UTF-8 any more.
  return [7, ...places.map((at) => 8 * at + random.int(0, 7))];
}

/** Flips bits of the files, one at a time; `judge` must notice each. Returns how many there were. */
async function flipEach(
  folder: string,
  paths: readonly string[],
  judge: (path: string) => Promise<boolean>,
): Promise<number> {
  const random = new Random(5);
  const unnoticed: string[] = [];
  let flips = 0;
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    for (const bit of bitsOf(path, bytes, random)) {
      writeFileSync(join(folder, path), withFlipped(bytes, bit));
      flips += 1;
      if (!(await judge(path))) unnoticed.push(`${path}: bit ${bit & 7} of byte ${bit >> 3}`);
    }
    writeFileSync(join(folder, path), bytes);
  }
  expect(unnoticed).toEqual([]);
  return flips;
}

test('--verify names the file in which one bit was changed', { timeout }, async () => {
  const out = await restatedDay();
  const paths = filesIn(out);
  expect(paths).toHaveLength(14);
  const flips = await flipEach(out, paths, (path) => isFoundByVerify(out, path));
  if (isExhaustive) console.info(`${flips} bits`);
  expect(flips).toBeGreaterThan(300);
  expect((await verifyExport(out)).problems).toEqual([]);
});

test('--from-export refuses the file in which one bit was changed', { timeout }, async () => {
  const out = await restatedDay();
  // What it doesn't read it can't tell.
  const paths = filesIn(out).filter((path) => !path.startsWith(layout.superseded));
  const flips = await flipEach(out, paths, async (path) => {
    const { exitCode, stdout, stderr } = await runRecon(['settlements', '--from-export', out]);
    return exitCode === 4 && stdout === '' && stderr.includes(join(out, path));
  });
  if (isExhaustive) console.info(`${flips} bits`);
  expect(flips).toBeGreaterThan(150);
  expect((await runRecon(['settlements', '--from-export', out])).exitCode).toBe(0);
});
