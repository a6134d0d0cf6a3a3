import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands as listed } from '../../src/cli/commands/index.ts';
import { writeLake } from '../audit/write-lake.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { type Started, start, until } from '../support/built-program.ts';
import { closedPipe, runRecon } from '../support/run-recon.ts';

interface Case {
  /** What it is run with, in a folder of its own, against a service. */
  readonly args: (folder: string, service: readonly string[]) => readonly string[];
  readonly exitCode?: number;
  /** What it says on standard error though it is told to be quiet. */
  readonly says?: RegExp;
  /** It runs until it is stopped: from then on it is at work. */
  readonly ready?: RegExp;
  /**
   * It asks no service: whether its output is read makes no difference to what goes on. What just
   * prints a text does so in this process: `--help` shows for all what only a process of its own does.
   */
  readonly alone?: 'works' | 'prints';
}

const settlement = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';
const chargeId = 'aae23bb3-e31d-552c-a25c-c11d9fed8f69';
const wide = ['--sandbox', '--concurrency', '64', '--fault', 'slow=5'];
const asked = [...wide, '--quiet'];
/** Twenty requests that wait beside each other, to be sent again. */
const crowd = [...asked, '--fault', 'wrapper-1000=first:20@rows'];
/** One settlement, which does not balance. */
const one = ['--sandbox', '--scenario', 'fee-off-by-one', '--quiet'];

let lake = '';
beforeAll(async () => {
  lake = await writeLake(await mkdtemp(join(tmpdir(), 'recon-lake-')), { '2026-03-01': {} });
});
afterAll(() => rm(lake, { recursive: true }));

/** Every command, by its words. */
const commands: Readonly<Record<string, Case>> = {
  settlements: { args: (_, service) => [...service, '--format', 'json'], exitCode: 1 },
  transactions: { args: (_, service) => service },
  explain: { args: () => [settlement, ...asked, '--neighbour-rows', '--charges'], exitCode: 1 },
  export: {
    args: (folder) => [
      ...wide,
      '--scenario',
      'balanced',
      '--out',
      join(folder, 'out'),
      '--format',
      'json',
    ],
  },
  nightly: { args: (folder) => [...one, '--out', join(folder, 'out')], alone: 'works' },
  'accept --list': {
    args: (folder) => ['--quiet', '--sandbox', '--accepted', join(folder, 'accepted.csv')],
    alone: 'prints',
  },
  bank: {
    args: (_, service) => service,
    exitCode: 1,
    says: /^(NOT RECONCILED\. 35 of 36 .*\n(.*\n)*)?$/,
  },
  orders: {
    args: (_, service) => service,
    exitCode: 1,
    says: /^(NOT RECONCILED\. .*\n(.*\n)*)?$/,
  },
  fees: {
    args: (_, service) => service,
    says: /^((AS AGREED|NOT CHECKED).*\n(.*\n)*)?$/,
  },
  audit: { args: () => [lake, '--quiet'], alone: 'works' },
  lake: { args: (folder) => [lake, '--out', join(folder, 'months'), '--quiet'], alone: 'works' },
  journal: {
    args: () => [...asked, '--for', 'hledger'],
    exitCode: 1,
    says: /^(40 settlements: .*\n(.*\n)*In transit .*\n)?$/,
  },
  close: {
    args: (_, service) => service,
    exitCode: 1,
    says: /^(NOT READY: \d+ TO DECIDE\. .*\n(.*\n)*)?$/,
  },
  charge: { args: () => [chargeId, ...asked] },
  doctor: { args: () => asked },
  listen: {
    args: (folder) => ['--sandbox', '--port', '0', '--journal', join(folder, 'journal')],
    says: /^Listening at .*\n(Stopped\. .*\n)?$/,
    ready: /Listening/,
  },
  sandbox: {
    args: () => [],
    says: /^(Scenario .*\n.*Press Ctrl-C to stop\.\n)?$/,
    ready: /Ctrl-C/,
  },
  'sandbox --list': { args: () => [], alone: 'prints' },
  'config path': { args: () => [], alone: 'prints' },
  'config show': { args: () => ['--quiet'], alone: 'prints' },
  'config init': {
    args: (folder) => ['--quiet', '--config', join(folder, 'config.toml')],
    alone: 'prints',
  },
  'completion bash': { args: () => [], alone: 'prints' },
  complete: { args: () => ['--', 'settlements', '--'], alone: 'prints' },
  '--help': { args: () => [], alone: 'works' },
  'help settlements': { args: () => [], alone: 'prints' },
  'help exit-codes': { args: () => [], alone: 'prints' },
  'config help': { args: () => [], alone: 'prints' },
  version: { args: () => [], alone: 'prints' },
  '--version': { args: () => [], alone: 'prints' },
};

const nothing = /^$/;
/** Code that is run before the program. */
function before(code: string) {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** Node's warnings as they come, which the program would swallow. */
const warnings = before('process.emitWarning = (warning) => console.error(warning)');

async function begin(words: string, { args }: Case, service: readonly string[]): Promise<Started> {
  const folder = await temporaryFolder();
  return start([...words.split(' '), ...args(folder, service)], { env: warnings });
}

describe.each(Object.entries(commands))('recon %s', (words, command) => {
  const { exitCode = 0, says = nothing, ready, alone } = command;

  if (!alone) {
    it('writes only its own messages to standard error', async () => {
      const started = await begin(words, command, crowd);
      if (ready) {
        await until(started.err, ready, started);
        started.child.kill('SIGINT');
      }
      expect(await started.ended).toBe(exitCode);
      expect(started.err()).toMatch(says);
    });
  }

  it('ends with 0 and without messages if nobody reads its output', async () => {
    if (alone === 'prints') {
      const args = [...words.split(' '), ...command.args(await temporaryFolder(), one)];
      const { exitCode, stderr } = await runRecon(args, { onOutput: closedPipe });
      expect([exitCode, stderr]).toEqual([0, '']);
      return;
    }
    const started = await begin(words, command, one);
    started.child.stdout?.destroy();
    if (words === 'listen') {
      await until(started.err, /Listening/, started);
      const [, url = ''] = /at (http:\S+)\./.exec(started.err()) ?? [];
      const body = JSON.stringify({ type: 'something', charge_id: chargeId });
      await fetch(url, { method: 'POST', body });
    }
    expect(await started.ended).toBe(0);
    expect(started.err()).toMatch(says);
  });
});

it('the table above has every command', () => {
  const names = listed.flatMap((command) =>
    'subcommands' in command
      ? command.subcommands.map((below) => `${command.name} ${below.name}`)
      : [command.name],
  );
  // recon review needs a terminal, and has none here: test/cli/review.test.ts holds what it says.
  const others = names.filter((name) => name !== 'review');
  for (const name of [...others, 'help']) {
    expect(
      Object.keys(commands).some((words) => `${words} `.startsWith(`${name} `)),
      name,
    ).toBe(true);
  }
});

it.each([
  ['settlements', 1],
  ['transactions', 0],
  ['--help', 0],
] as const)(
  'a standard error that nobody reads changes nothing: recon %s',
  async (words, exitCode) => {
    const started = start([words, ...(words === '--help' ? [] : one.slice(0, -1))]);
    started.child.stderr?.destroy();
    expect(await started.ended).toBe(exitCode);
    expect(started.out()).not.toBe('');
  },
);

it('of the warnings of Node, only those about a choice of the user are shown', async () => {
  const started = start(['settlements', '--on', '2026-03-05', '--timeout', '1s', '--quiet'], {
    env: {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      RECON_BASE_URL: 'https://127.0.0.1:1',
      RECON_AUTH_URL: 'https://127.0.0.1:1',
      RECON_CLIENT_ID: 'client',
      RECON_CLIENT_SECRET: 'secret',
      RECON_AUDIENCE: 'audience',
      // As soon as the program listens.
      ...before(
        "process.on('newListener', (name) => { if (name === 'warning') setImmediate(() => process.emitWarning('old', 'DeprecationWarning')); })",
      ),
    },
  });
  expect(await started.ended).toBe(4);
  expect(started.err()).toMatch(/^warning: Setting the NODE_TLS_REJECT_UNAUTHORIZED .*\nerror: /);
  expect(started.err()).not.toContain('old');
});
