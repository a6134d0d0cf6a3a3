import { EventEmitter } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, watch, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { writeLake } from './write-lake.ts';

let place = '';
let lake = '';
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'recon-spark-'));
  lake = await writeLake(join(place, 'lake $HOME'), { '2026-03-01': {} });
});
afterAll(() => rm(place, { recursive: true }));

interface Asked extends Pick<RunOptions, 'onStart'> {
  readonly args?: readonly string[];
}

/** Runs an audit with a program in the place of spark-sql: lines of a shell script. */
async function auditBy(script: string, { args = [], onStart }: Asked = {}) {
  const home = await mkdtemp(join(place, 'spark-'));
  await mkdir(join(home, 'bin'));
  const program = join(home, 'bin', 'spark-sql');
  await writeFile(program, `#!/bin/sh\nhome=${home}\n${script}\n`);
  await chmod(program, 0o755);
  const env = { SPARK_HOME: home, PATH: '/usr/bin:/bin', RECON_CLIENT_SECRET: 'not for Spark' };
  const run = await runRecon(['audit', lake, '--engine', 'spark', '--json', ...args], {
    env,
    ...(onStart && { onStart }),
  });
  return { ...run, home };
}

describe('spark-sql', () => {
  it('is started once, with the master, and gets no credentials', async () => {
    const { exitCode, home } = await auditBy(
      'echo "$@" >> $home/args; cp audit.sql $home; env > $home/env; pwd > $home/folder',
      { args: ['--master', 'spark://127.0.0.1:7077'] },
    );
    expect(exitCode).toBe(0);
    const args = await readFile(join(home, 'args'), 'utf8');
    expect(args.trim().split('\n')).toHaveLength(1);
    expect(args).toMatch(/^--master spark:\/\/127\.0\.0\.1:7077 .*timeZone=UTC/);
    expect(await readFile(join(home, 'env'), 'utf8')).not.toContain('not for Spark');
    const folder = (await readFile(join(home, 'folder'), 'utf8')).trim();
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    const sql = await readFile(join(home, 'audit.sql'), 'utf8');
    expect(sql.match(/to_json/g)?.length).toBeGreaterThan(10);
    expect(sql).toContain("lake $HOME/lake/days'");
  });

  it('answers in lines of JSON, with exact numbers and any text, among other lines', async () => {
    const id = 'a\tb\r\n"c\\ \u2028 \0number 1';
    const total = {
      ...{ profile: '', accounting_token: id, accounting_name: '', currency: 'EUR' },
      ...{ decimal_places: 2, balanced: 1, out_of_balance: 0, pending: 0, incomplete: 0 },
      transactions: 1,
    };
    const row = JSON.stringify({ query: 1, row: total }).replace(
      '}}',
      ',"gross_reported_minor":12345678901234567890123456789012345678,"gross_computed_minor":null}}',
    );
    await writeFile(join(place, 'answer'), `spark> hello\n{"row": 1}\n${row}\nTime taken: 1 s\n`);
    const { stdout } = await auditBy(`cat ${place}/answer`);
    expect(JSON.parse(stdout).totals).toMatchObject([
      {
        accountingToken: id,
        reported: { gross: { minor: '12345678901234567890123456789012345678' } },
        computed: { gross: null },
      },
    ]);
  });

  it('that prints something else into a row is an error: no row is lost', async () => {
    const run = await auditBy(`echo 'agent{"query":0,"row":{"days":1}}'`);
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr).error.message).toContain('cannot be read');
  });

  it.each([
    [
      '[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///x.parquet. SQLSTATE: KD001',
      ...[4, 'The tables cannot be read: [FAILED_READ_FILE', 'the same path'],
    ],
    ['ERROR: All masters are unresponsive! Giving up.', 4, 'No connection', 'spark://nobody:1'],
    ['Exception in thread "main" SparkException: No luck', 2, 'Spark failed: Exc', '--master'],
    ['JAVA_HOME is not set', 2, 'Spark failed: JAVA_HOME is not set.', 'terminal'],
  ])('that fails with %s', async (said, code, message, more) => {
    const script = `echo '${said}' >&2; printf '\\tat a.b.C(D.java:1)\\n\\t... 21 more\\n' >&2; exit 1`;
    const run = await auditBy(script, { args: ['--master', 'spark://nobody:1'] });
    expect(run.exitCode).toBe(code);
    const { error } = JSON.parse(run.stderr);
    expect(error.message).toContain(message);
    expect(`${error.where} ${error.hint}`).toContain(more);
    expect(error.message).not.toContain('D.java');
  });

  it('that waits for a cluster without room says so once', async () => {
    const line = 'WARN TaskSchedulerImpl: Initial job has not accepted any resources; check';
    const { stderr } = await auditBy(`for i in 1 2 3; do echo '${line}' >&2; done`);
    expect(stderr).toBe(
      'The cluster has no worker with free cores and memory. Spark waits for one.\n',
    );
  });

  it('ends with the run when that is interrupted', async () => {
    const started = new AbortController();
    let signals = new EventEmitter();
    const seen = (async () => {
      for await (const { filename } of watch(place, { signal: started.signal })) {
        if (filename === 'started') signals.emit('SIGINT');
      }
    })().catch(() => {});
    const { exitCode, home } = await auditBy(
      `echo $$ > $home/pid; touch ${place}/started; exec sleep 60`,
      { onStart: (given) => (signals = given) },
    );
    started.abort();
    await seen;
    expect(exitCode).toBe(130);
    const pid = Number(await readFile(join(home, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('is named if it is not installed', async () => {
    const env = { SPARK_HOME: '/nowhere', PATH: '' };
    const run = await runRecon(['audit', lake, '--engine', 'spark'], { env });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('/nowhere/bin/spark-sql');
    const onPath = await runRecon(['audit', lake, '--engine', 'spark'], { env: { PATH: place } });
    expect(onPath.stderr).toContain('spark-sql not found.');
  });
});

it.each([
  [['--engine', 'spark', '--memory', '1GB'], 'for DuckDB'],
  [['--master', 'local[2]'], 'for Spark'],
  [['--engine', 'spark', '--print-sql', 'spark'], '--print-sql'],
])('%s is refused', async (args, message) => {
  const run = await runRecon(['audit', lake, ...args]);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(message);
});
