import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { exitCodeMeanings, topics } from '../src/cli/topics.ts';
import { hypotheses, rowHypotheses } from '../src/explain/hypotheses/index.ts';
import { weights } from '../src/reconcile/entry.ts';
import { runRecon } from './support/run-recon.ts';

const reference = 'docs/reference.md';
const inDocs = (await readdir('docs')).filter((name) => name.endsWith('.md'));
const unit = 'docs/systemd/recon-nightly.service';
const names = ['README.md', ...inDocs.map((name) => `docs/${name}`), unit];
const pages = new Map(
  await Promise.all(names.map(async (name) => [name, await readFile(name, 'utf8')] as const)),
);
const written = names.filter((name) => name !== reference);
const readmes = (await readdir('src', { recursive: true }))
  .filter((file) => basename(file) === 'README.md')
  .map((file) => join('src', file));
const textOf = (name: string) => pages.get(name) ?? '';

/** As on a terminal of 80 columns. */
async function printedBy(words: readonly string[]): Promise<string> {
  return (await runRecon(words, { columns: 80, env: { NO_COLOR: '1' } })).stdout.trimEnd();
}

/** The help of each command and of its subcommands, by name. */
const helps = new Map<string, string>();

const listOfCommands = /^(?:Commands|Every day|Month end|For engineers|Set-up):\n(?: .*\n)*/gm;

async function readHelp(words: readonly string[]): Promise<void> {
  const help = await printedBy(['help', ...words, '--all']);
  helps.set(words.join(' '), help);
  const lists = `${help}\n`.matchAll(listOfCommands);
  for (const [, name = ''] of [...lists].join().matchAll(/^ {2}(\w+)/gm)) {
    if (name !== 'help') await readHelp([...words, name]);
  }
}

/** A block that begins with `$ recon …`, and what the page says it prints. */
const transcript = /```console\n\$ recon (.*)\n[\s\S]*?```/g;

/** What follows these flags lies in a folder of the page's own. */
const placeFlags = ['--out', '--from-export', '--accepted'];

/** A page with what its transcripts really print; they run in order, since one may read what another wrote. */
async function withTranscripts(page: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recon-docs-'));
  let text = page;
  try {
    for (const [block, command = ''] of page.matchAll(transcript)) {
      const words = command.split(' ');
      const placed = words.map((word, at) =>
        placeFlags.includes(words[at - 1] ?? '') ? join(folder, word) : word,
      );
      const printed = (await printedBy(placed)).replaceAll(join(folder, '/'), '');
      text = text.replace(block, () => `\`\`\`console\n$ recon ${command}\n${printed}\n\`\`\``);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return text;
}

const actual = new Map<string, string>();

beforeAll(async () => {
  await Promise.all([
    readHelp([]),
    ...written.map(async (name) => actual.set(name, await withTranscripts(textOf(name)))),
  ]);
}, 60_000);

// `npx vitest run test/docs.test.ts --update` writes transcripts and reference anew.
test.each(written)('%s: each transcript is what the program prints', async (name) => {
  await expect(actual.get(name)).toMatchFileSnapshot(`../${name}`);
});

test('the reference has the help of each command, with all flags, and of each topic', async () => {
  const section = (title: string, help: string) =>
    `## ${title.trimEnd()}\n\n\`\`\`text\n${help}\n\`\`\`\n`;
  const sections = [
    ...[...helps].map(([name, help]) => section(`recon ${name}`, help)),
    ...topics.map(({ name, text }) => section(`recon help ${name}`, text.trimEnd())),
  ];
  const intro =
    'The help of every command, with all its flags: `recon help COMMAND --all`. `recon sandbox --list` lists the test data and the faults.';
  const text = `# Reference\n\n${intro}\n\n${sections.join('\n')}`;
  await expect(text).toMatchFileSnapshot(`../${reference}`);
});

test.each(written)('%s: each flag exists and belongs to its command', (name) => {
  const text = textOf(name);
  const flagsIn = (part: string): readonly string[] => part.match(/--[a-z-]*[a-z]/g) ?? [];
  const unknown: string[] = [];
  for (const [, command = '', rest = ''] of text.matchAll(
    /\brecon ((?:config )?[a-z]+)\b([^\n`|#]*)/g,
  )) {
    const known = flagsIn(helps.get(command) ?? '');
    for (const flag of flagsIn(rest)) if (!known.includes(flag)) unknown.push(`${command} ${flag}`);
  }
  const known = flagsIn([...helps.values()].join());
  for (const [, flag = ''] of text.matchAll(/`(--[a-z-]*[a-z])/g)) {
    if (!known.includes(flag)) unknown.push(flag);
  }
  expect(unknown).toEqual([]);
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each(written)('%s: each link has a target', async (name) => {
  for (const [, link = ''] of textOf(name).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(link)) continue;
    const [path = '', anchor] = link.split('#');
    const text = await readFile(path === '' ? name : join(dirname(name), path), 'utf8');
    if (anchor !== undefined) expect(anchorsOf(text), link).toContain(anchor);
  }
});

test('the README has at most 200 lines and explains each exit code', () => {
  const readme = textOf('README.md');
  expect(readme.split('\n').length - 1).toBeLessThanOrEqual(200);
  for (const [code] of exitCodeMeanings) expect(readme).toContain(`\n| ${code} | `);
});

test('the docs explain each check and each cause', () => {
  const causes = [...hypotheses, ...rowHypotheses].map(({ code }) => code);
  const explained = (name: string, codes: readonly string[]) =>
    expect(codes.filter((code) => !textOf(name).includes(`\`${code}\``))).toEqual([]);
  explained('docs/verdicts.md', Object.keys(weights));
  explained('docs/explain.md', [...causes, 'only_the_service']);
});

test('the PostgreSQL tables have the columns of the exported files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recon-docs-'));
  try {
    await printedBy(['export', '--sandbox', '--on', '2026-03-10', '--out', folder]);
    const sql = await readFile('docs/postgresql/tables.sql', 'utf8');
    for (const table of ['settlements', 'transactions', 'groups', 'discrepancies']) {
      const file = await readFile(join(folder, '2026-03-10', `${table}.csv`), 'utf8');
      const [, body = ''] = new RegExp(`create table ${table} \\(([\\s\\S]*?)\\);`).exec(sql) ?? [];
      const columns = body.split(',').map((column) => column.trim().split(' ')[0]);
      expect(columns).toEqual(['day', ...(file.split('\r\n')[0] ?? '').split(',')]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Names of files and folders in a text. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, path = '']) => path);
}

test.each(readmes)('the files that %s names exist', async (readme) => {
  const room = dirname(readme);
  const text = await readFile(readme, 'utf8');
  const paths = pathsIn(text);
  // A tree of parts: `night ─ one night`, or `news, bank-news ─ what is new`.
  const parts = [...text.matchAll(/^ *([a-z][a-z, -]*) ─ /gm)].flatMap(([, names = '']) =>
    names.split(', ').map((name) => `${name.trim()}.ts`),
  );
  const isThere = (path: string) => [join(room, path), join('src', path), path].some(existsSync);
  expect([...paths, ...parts].filter((path) => !isThere(path))).toEqual([]);
});

test.each(['docs/development.md', 'test/README.md'])(
  'the files that %s names exist',
  async (page) => {
    const [src, tests] = await Promise.all(
      ['src', 'test'].map(async (top) => {
        const below = await readdir(top, { recursive: true });
        return below.map((path) => join(top, path));
      }),
    );
    const missing = (await readFile(page, 'utf8')).split('\n').flatMap((line) => {
      // `run.ts` is below a folder, or beside a file, that the same line names.
      const named = [...line.matchAll(/\bsrc\/[\w./-]+/g)].map(([path]) => path);
      const folders = [
        'test/',
        ...named.map((path) => (path.endsWith('.ts') ? dirname(path) : path)),
      ];
      const known = [...(src ?? []), ...(tests ?? [])].filter((path) =>
        folders.some((folder) => path.startsWith(folder)),
      );
      const isThere = (name: string) =>
        existsSync(name) ||
        known.some((path) => `${path}/`.endsWith(`/${name.replace(/\/?$/, '/')}`));
      return pathsIn(line).filter((name) => !isThere(name));
    });
    expect(missing).toEqual([]);
  },
);
