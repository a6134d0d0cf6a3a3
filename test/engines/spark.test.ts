import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figures } from '../audit/figures.ts';
import { runRecon } from '../support/run-recon.ts';
import { type Cluster, hasSpark, startCluster } from './cluster.ts';
import { type History, writeHistory } from './history.ts';

/** So long may a cluster take on a busy machine. */
const patience = 600_000;

describe.skipIf(!hasSpark)('a Spark cluster', { timeout: patience }, () => {
  let place = '';
  let cluster: Cluster;
  let history: History;
  let answer = '';
  let same = '';
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'recon-engines-'));
    cluster = await startCluster(place);
    history = await writeHistory(place);
    const types = ['--refund-types', 'refund', '--purchase-types', 'purchase'];
    const args = ['audit', ...history.lakes, ...types, '--json'];
    same = (await runRecon(args)).stdout;
    const { env, master } = cluster;
    const run = await runRecon([...args, '--engine', 'spark', '--master', master], { env });
    expect(run.stderr).toBe('');
    answer = run.stdout;
  }, patience);
  afterAll(async () => {
    await cluster?.stop();
    await rm(place, { recursive: true });
  }, patience);

  it('gives the same answer as DuckDB, byte for byte', () => {
    expect(JSON.parse(answer)).toEqual(JSON.parse(same));
    expect(answer).toBe(same);
  });

  it('gives the totals of recon settlements --from-export', async () => {
    const { totals } = JSON.parse(answer) as { totals: readonly { profile: string }[] };
    for (const [name, folder] of history.exports) {
      const { stdout } = await runRecon(['settlements', '--from-export', folder, '--json']);
      const { groups } = JSON.parse(stdout) as { groups: readonly object[] };
      const own = totals.filter(({ profile }) => profile === name);
      expect(own.map(figures)).toEqual(groups.map(figures));
    }
  });

  it('has every kind of finding', () => {
    const { findings } = JSON.parse(answer) as { findings: readonly { code: string }[] };
    expect(findings.map(({ code }) => code)).toEqual([
      'missing_day',
      'incomplete_day',
      'sums',
      'verdicts',
      'day_counts',
      'repeated_transaction',
      'repeated_settlement',
      'over_refunded',
      'refund_without_purchase',
      'changed_after_settled',
      'never_settled',
      'silent_account',
      'repeated_day',
    ]);
  });

  it('runs on both of its workers', async () => {
    for (const folder of cluster.workers) expect(await readdir(folder)).not.toEqual([]);
  });
});
