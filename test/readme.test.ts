import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodeMeanings } from '../src/cli/exit-codes.ts';
import { temporaryFolder } from './cli/temporary.ts';
import { runRecon } from './support/run-recon.ts';

const readme = await readFile('README.md', 'utf8');

/** A block that begins with `$ recon …`, and what the README says it prints. */
const transcripts = /```console\n\$ recon (.*)\n[\s\S]*?```/g;

test('each transcript is what the program prints on a terminal of 80 columns', async () => {
  // The folder of the export that the README makes, and reads again.
  const march = join(await temporaryFolder(), 'march');
  let actual = readme;
  for (const [block, command = ''] of readme.matchAll(transcripts)) {
    const args = command.split(' ').map((word) => (word === 'march' ? march : word));
    const { stdout } = await runRecon(args, { columns: 80, env: { NO_COLOR: '1' } });
    const said = stdout.replaceAll(march, 'march').trimEnd();
    const printed = `\`\`\`console\n$ recon ${command}\n${said}\n\`\`\``;
    actual = actual.replace(block, () => printed);
  }
  // `npx vitest run test/readme.test.ts --update` writes them anew.
  await expect(actual).toMatchFileSnapshot('../README.md');
}, 60_000);

test('each exit code is listed with its meaning', () => {
  for (const [code] of exitCodeMeanings) expect(readme).toContain(`\n| ${code} | `);
});

test('each flag that is named exists', async () => {
  const commands = [
    'settlements',
    'explain',
    'transactions',
    'export',
    'charge',
    'listen',
    'doctor',
    'sandbox',
    'config',
    'config init',
    'completion',
  ];
  const helps = await Promise.all(
    commands.map(async (command) => (await runRecon([...command.split(' '), '--help'])).stdout),
  );
  const known = new Set(helps.join().match(/--[a-z-]+/g));
  for (const others of ['--global', '--update', '--version']) known.add(others);
  const named = new Set(readme.match(/--[a-z-]+[a-z]/g));
  expect([...named].filter((flag) => !known.has(flag))).toEqual([]);
});
