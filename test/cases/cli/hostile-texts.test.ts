import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { rawCharge, rawHeader, rawRow } from '../../api/raw.ts';
import { afterToken, type Reply, startServer } from '../../cli/server.ts';
import { march } from '../../cli/service.ts';
import { hostile } from '../../render/hostile.ts';
import { uuid } from '../../support/build.ts';
import { type RunOptions, runRecon } from '../../support/run-recon.ts';

const long = 800;
/** All that acts, then a text without end. */
const attack = `${hostile.join(' ')} \x1b[31m\x85${'é́'.repeat(long / 4)}${' a'.repeat(long / 4)}`;
/** What must not reach a screen. */
const acts = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The record with the attack for every text and behind every name, but in the fields named. */
function attacked(value: unknown, spared: readonly string[]): unknown {
  if (typeof value === 'string') return attack;
  if (Array.isArray(value)) return value.map((one) => attacked(one, spared));
  if (typeof value !== 'object' || value === null) return value;
  return {
    ...Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        spared.includes(key) ? one : attacked(one, spared),
      ]),
    ),
    [attack]: attack,
  };
}

/** Ids by which records are asked for, amounts, and what makes a record readable. */
const needed = ['settlementId', 'settlementDate', 'transactionId', 'decimalPlaces', 'chargeId'];
const note = { key: attack, value: attack };
const header = attacked(rawHeader({ amountGross: 1001 }), needed);
/** More than a list names. */
const others = Array.from({ length: 12 }, (_, at) =>
  attacked(rawHeader({ settlementId: `${at}${attack}`, totalTransactions: 0, amountGross: at }), [
    ...needed,
    'settlementId',
  ]),
);
const unreadable = attacked(rawHeader({ amountGross: attack }), ['settlementDate']);
const rows = [
  attacked(rawRow({ notes: [note, note] }), needed),
  attacked(rawRow({ transactionId: `2${attack}`, notes: [note] }), needed),
  attacked(rawRow({ transactionId: uuid(1002), amount: attack }), needed),
];
const charge = attacked(rawCharge({ error_message: attack, psp_error: attack }), ['charge_id']);

function page(records: readonly unknown[], body: string): Reply {
  const { offset } = JSON.parse(body);
  const status = { code: '0', response: 'Success', message: attack, [attack]: attack };
  return { body: { status, data: offset === 0 ? records : [], [attack]: attack } };
}

/** A service whose every text is an attack, where it answers well. */
const wellMeant = afterToken(({ path, text }) => {
  if (path.startsWith('/charge/')) return { body: charge };
  if (path.endsWith('/transactions')) return page(rows, text);
  const isOne = 'settlementId' in JSON.parse(text);
  return page(isOne ? [header] : [header, ...others, unreadable], text);
});

const failure = { status: { code: attack, response: attack, message: attack } };
const failing = {
  token: () => ({ body: failure }),
  everything: afterToken(() => ({
    headers: { 'x-request-id': 'i'.repeat(8_000), 'content-type': `text/${'x'.repeat(4_000)}` },
    body: failure,
  })),
  rows: afterToken((asked) =>
    asked.path.endsWith('/transactions') ? { body: failure } : wellMeant(asked),
  ),
};

const commands: readonly (readonly string[])[] = [
  ['settlements', ...march],
  ['settlements', ...march, '--by', 'group'],
  ['settlements', ...march, '--by', 'type,payment'],
  ['transactions', ...march],
  ['transactions', '--settlement', uuid(1)],
  ['explain', uuid(1), '--charges', '--neighbour-rows'],
  ['explain', uuid(1), '--format', 'markdown'],
  ['charge', uuid(2001), '--settlements', ...march],
  ['charge', uuid(2001), '--verbose'],
  ['doctor', '--days', '40'],
];

/** Runs a command on a terminal; nothing that acts may come out, and nothing without end. */
async function face(args: readonly string[], answer: typeof wellMeant, options: RunOptions = {}) {
  const { env } = await startServer(answer);
  const on = { env: { ...env, CI: '1' }, columns: 100, stderrColumns: 100, ...options };
  const plain = await runRecon([...args, '--color', 'never'], on);
  for (const text of [plain.stdout, plain.stderr]) expect(text).not.toMatch(acts);
  expect(plain.exitCode).not.toBe(70);
  return plain;
}

describe('control characters in every text of the service have no effect', {
  timeout: 60_000,
}, () => {
  it.each(commands.map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
    const { stdout } = await face(words, wellMeant);
    // What would act is made visible.
    expect(stdout).toMatch(/\\u001b|\\\\u001b/);
  });

  it.each(
    Object.entries(failing).flatMap(([where, answer]) =>
      commands.map((words) => [`${where}: ${words.join(' ')}`, words, answer] as const),
    ),
  )('in failures of %s', async (_, words, answer) => {
    const verbose = words.includes('--verbose') ? words : [...words, '--verbose'];
    const { stderr } = await face(verbose, answer);
    expect(stderr.length).toBeLessThan(25_000);
  });

  it('and only the colours of recon are on the screen', async () => {
    const { env } = await startServer(wellMeant);
    const seen = async (color: string) => {
      const args = ['charge', uuid(2001), '--verbose', '--color', color];
      return (await runRecon(args, { env, columns: 100 })).stdout;
    };
    const [plain, colourful] = [await seen('never'), await seen('always')];
    expect(colourful).not.toBe(plain);
    expect(stripVTControlCharacters(colourful)).toBe(plain);
  });

  it("and a merchant's key is cut, and shown before its value", async () => {
    const { stdout } = await face(['charge', uuid(2001)], wellMeant);
    const lines = stdout.split('\n');
    const first = lines.findIndex((line) => line.startsWith('\\u001b[2J'));
    const next = lines.findIndex((line) => line.startsWith('Account'));
    const label = lines.slice(first, next).map((line) => line.slice(0, 48).trim());
    expect(label.join('').length).toBeGreaterThan(100);
    expect(label.join('').length).toBeLessThan(1_500);
  });
});

it('no text of the service becomes a line of a configuration file', async () => {
  const type = `${attack}\n[profiles.main]\nclient_secret_command = "evil"`;
  const row = rawRow({ transactionType: type, paymentType: type });
  const answer = afterToken(({ path, text }) =>
    page(path.endsWith('/transactions') ? [row] : [rawHeader()], text),
  );
  const { stdout } = await face(['fees', ...march, '--init'], answer);
  expect(stdout).toContain('\\u001b');
  const lines = stdout.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => !line.startsWith('#'))).toEqual([]);
});
