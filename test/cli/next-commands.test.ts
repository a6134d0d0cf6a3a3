import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { camtStatement } from '../../src/sandbox/bank.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';
import { csvOfLines } from './decisions.ts';
import { readRecords } from './read-report.ts';
import { profileOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

/** Reports that propose commands: of one settlement in the sandbox, of a range with a profile, and of the close in both. */
const inSandbox = [['explain', 'b13e5c60-40c1-58ed-90d5-7eaf905f8d4f'], ['close']];
const withProfile = [['settlements', '--bank'], ['bank'], ['close']];

/** The commands that a screen proposes, one a line, as they are printed. */
function commandsOn(screen: string): readonly string[] {
  // A long remark goes on in the next line.
  const whole = screen.replace(/(?<=^ *> .*(?:\n {4}\S.*)*)\n {4}(?=\S)/gm, ' ');
  const lines = whole.split('\n').filter((line) => /^ *> /.test(line));
  return lines
    .flatMap((line) => line.split(/(?=\brecon [a-z])/).slice(1))
    .map((text) => text.replace(/, fill it in.*| # .*|\.?$/, '').trim());
}

/** The words of a command as a shell has them, with what a person types in the place of a capital word. */
function wordsOf(command: string): readonly string[] {
  const [, ...words] = command.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  const typed: Readonly<Record<string, string>> = { NAME: 'Ada', WHY: 'known' };
  return words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2')).map((w) => typed[w] ?? w);
}

/** Decides all that can be accepted, as a person would in a spreadsheet. */
async function fillIn(list: string): Promise<void> {
  const lines = readRecords(await readFile(list, 'utf8')).map((line) =>
    line['kind'] === 'pay_in' ? { ...line, decision: 'accept', reason: 'known' } : line,
  );
  await writeFile(list, csvOfLines(lines));
}

/** Runs each command of a screen in the order of the screen; all end as a report does, not as a mistake. */
async function runAll(
  screens: typeof inSandbox,
  source: readonly string[],
  run: (words: readonly string[]) => ReturnType<typeof runRecon>,
) {
  const ran: string[] = [];
  for (const words of screens) {
    const { stdout } = await run([...words, ...(words[0] === 'explain' ? [] : source)]);
    for (const command of commandsOn(stdout)) {
      if (ran.includes(command)) continue;
      ran.push(command);
      const { exitCode, stderr } = await run(wordsOf(command));
      expect([command, [0, 1].includes(exitCode), exitCode === 1 ? '' : stderr]).toEqual([
        command,
        true,
        expect.not.stringMatching(/^error/m),
      ]);
    }
  }
  return ran;
}

function deskIn(folder: string) {
  const list = join(folder, 'decisions.csv');
  return async (words: readonly string[], env: Readonly<Record<string, string>>) => {
    const here = words.map((word) => {
      if (/\.(xlsx|html)$/.test(word)) return join(folder, word);
      return word === 'decisions.csv' ? list : word;
    });
    if (words.includes('accept') && words.includes('--from')) await fillIn(list);
    const isReview = words[0] === 'review';
    return runRecon(isReview ? [...here, '--decisions', list] : here, {
      env: { ...env, CI: '1', NO_COLOR: '1' },
      columns: 1_000,
      ...(isReview && { answers: ['q'] }),
    });
  };
}

test('each command that a report proposes in the sandbox works as printed', {
  timeout: 90_000,
}, async () => {
  const folder = await temporaryFolder();
  const run = deskIn(folder);
  // Without them, the sandbox would begin its registers in the folder of the tests.
  const registers = (words: readonly string[]) => {
    const keepers: Readonly<Record<string, readonly string[]>> = {
      accept: ['accepted'],
      review: ['accepted', 'closes'],
      close: ['accepted', 'closes'],
    };
    const lacking = (keepers[words[0] ?? ''] ?? []).filter((one) => !words.includes(`--${one}`));
    return lacking.flatMap((one) => [`--${one}`, join(folder, `${one}.csv`)]);
  };
  const ran = await runAll(inSandbox, ['--sandbox'], (words) =>
    run(
      [
        ...words,
        ...registers(words),
        // Ids alone are no source.
        ...(words.includes('--sandbox') ? [] : ['--sandbox']),
      ],
      {},
    ),
  );
  expect(ran.map((command) => command.split(' ')[1])).toEqual(
    expect.arrayContaining(['explain', 'orders', 'fees', 'bank', 'accept', 'review', 'close']),
  );
});

test('each command that a report proposes with a profile works as printed', {
  timeout: 90_000,
}, async () => {
  const { sandbox } = await startService('month');
  const home = await temporaryFolder();
  const folder = join(home, '.config', 'recon');
  await mkdir(join(folder, 'my statements'), { recursive: true });
  const statement = camtStatement(await loadScenario('month'));
  await writeFile(join(folder, 'my statements', statement.name), statement.text);
  const settings = [
    'accepted = "accepted.csv"',
    'closes = "closes.csv"',
    'pending_days = 30',
    'books_from = { day = "2026-03-01" }',
  ];
  const profile = profileOf('shop', sandbox.baseUrl, settings.join('\n'));
  const other = profileOf('other', 'http://127.0.0.1:9');
  await writeFile(join(folder, 'config.toml'), `${profile}${other}`, { mode: 0o600 });
  const run = deskIn(folder);
  const range = ['--month', '2026-03', '--profile', 'shop'];
  const statements = join(folder, 'my statements');
  const ran = await runAll(withProfile, range, (words) => {
    const isFirst = words.includes('--month');
    const own =
      isFirst && words[0] === 'settlements'
        ? words.flatMap((word) => (word === '--bank' ? [word, statements] : [word]))
        : isFirst
          ? [...words, statements]
          : words[0] === 'explain' && !words.includes('--profile')
            ? [...words, '--profile', 'shop']
            : words;
    return run(own, { HOME: home });
  });
  expect(ran.filter((command) => command.includes("'"))).not.toEqual([]);
  const closes = readRecords(await readFile(join(folder, 'closes.csv'), 'utf8'));
  expect(closes.map((one) => one['by']).filter(Boolean)).toContain('Ada');
});
