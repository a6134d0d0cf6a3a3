import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { csvOfLines, decisionsOfMarch, type Line } from '../../cli/decisions.ts';
import { readRecords } from '../../cli/read-report.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { runRecon } from '../../support/run-recon.ts';

let march: readonly Line[];

beforeAll(async () => {
  march = await decisionsOfMarch();
});

const yes = { decision: 'accept', reason: 'known since March' };
const decided = (more: Line = {}): readonly Line[] =>
  march.map((line) => ({ ...line, ...yes, ...more }));

/** A list of decisions with its register, over the sandbox's March. */
async function startClose(contents: string | Buffer = csvOfLines(decided())) {
  const folder = await temporaryFolder();
  const [file, register] = [join(folder, 'decisions.csv'), join(folder, 'accepted.csv')];
  await writeFile(file, contents);
  const run = (...words: readonly string[]) =>
    runRecon([...words, '--sandbox', '--accepted', register]);
  return {
    ...{ file, register, run },
    text: () => readFile(register, 'utf8'),
    accept: (...more: readonly string[]) => run('accept', '--from', file, ...more),
  };
}

const statusesOf = (csv: string) => readRecords(csv).map(({ status }) => status);

describe('a list of decisions after a close', () => {
  it('changes nothing that the close depends on, and adds what is new', async () => {
    const [fresh = {}, ...others] = decided();
    const close = await startClose(csvOfLines(others));
    await close.accept();
    const config = `${close.register}.toml`;
    await writeFile(config, '[profiles.shop]\ncloses = "closes.csv"\n', { mode: 0o600 });
    const closes = ['--config', config, '--profile', 'shop'];
    const recording = ['--record', '--by', 'Anna', '--force', '--note', 'known', '--new-register'];
    expect((await close.run('close', ...recording, ...closes)).exitCode).toBe(0);
    const before = await close.text();
    const [changed = {}, ...kept] = others;
    await writeFile(close.file, csvOfLines([fresh, { ...changed, reason: 'other' }, ...kept]));
    const some = await close.accept('--partial', ...closes);
    expect(statusesOf(some.stdout)).toEqual([
      ...['accepted', 'closed'],
      ...kept.map(() => 'already_accepted'),
    ]);
    expect((await close.text()).startsWith(before.trimEnd())).toBe(true);
    const single = await close.run(
      ...['accept', changed['settlement_id'] ?? '', '--reason', 'other', '--replace'],
      ...['--difference', changed['difference_seen'] ?? '', ...closes],
    );
    expect([single.exitCode, single.stderr]).toEqual([
      2,
      expect.stringContaining('is closed, with the earlier acceptance of this difference.'),
    ]);
  });
});
