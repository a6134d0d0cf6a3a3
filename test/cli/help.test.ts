import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import type { AnyCommand } from '../../src/cli/context.ts';
import { topics } from '../../src/cli/topics.ts';
import { runRecon } from '../support/run-recon.ts';

/** The words of each command that is shown, with those below it. */
function pathsOf(specs: readonly AnyCommand[], above: readonly string[] = []): string[] {
  return specs
    .filter(({ hidden }) => !hidden)
    .flatMap((spec) => {
      const words = [...above, spec.name];
      const below = 'subcommands' in spec ? pathsOf(spec.subcommands, words) : [];
      return [words.join(' '), ...below];
    });
}

const paths = ['', ...pathsOf(commands), 'help'];
const pages = [...paths.map((path) => `${path} --help`.trim()), '', 'help'];
const topicWords = topics.map(({ name }) => `help ${name}`);

/** As a terminal of 80 columns shows it. */
async function printed(command: string): Promise<string> {
  const words = command.split(' ').filter((word) => word !== '');
  const { exitCode, stdout, stderr } = await runRecon(words, { columns: 80 });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

const flagsIn = (text: string) => new Set(text.match(/^ +(-\w, )?--[a-z-]+/gm));

describe('help', () => {
  it.each([...pages, ...topicWords])(
    'fits a screen of 40 lines and 80 columns: %s',
    async (page) => {
      const lines = (await printed(page)).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it.each(paths)('is the same with --help and with recon help: %s', async (path) => {
    expect(await printed(`help ${path}`)).toBe(await printed(`${path} --help`));
  });

  it.each(paths)(
    'with --all lists every flag, and does not mention a shorter help: %s',
    async (path) => {
      const [short, all] = [await printed(`help ${path}`), await printed(`help ${path} --all`)];
      expect(all).not.toContain('All flags:');
      expect(all.split('\n').filter((line) => line.length > 80)).toEqual([]);
      for (const flag of flagsIn(short)) expect([...flagsIn(all)]).toContain(flag);
      const hasMore = flagsIn(all).size > flagsIn(short).size;
      expect(short.includes(`\nAll flags: recon help ${path} --all\n`)).toBe(hasMore);
    },
  );

  it('shows the usual flags, and with --all the others', async () => {
    const short = await printed('settlements --help');
    for (const flag of ['--from', '--month', '--format', '--json', '-o, --output', '-q, --quiet']) {
      expect(short).toContain(`  ${flag}`);
    }
    for (const flag of ['--tolerance', '--concurrency', '--fault', '--no-color', '--mid']) {
      expect(short).not.toContain(flag);
      expect(await printed('help settlements --all')).toContain(`  ${flag}`);
    }
  });

  it('explains exit codes and the environment once, as topics that recon names', async () => {
    for (const path of paths) {
      const all = await printed(`help ${path} --all`);
      expect(all).not.toMatch(/Exit codes:|RECON_/);
    }
    for (const { name } of topics) expect(await printed('')).toContain(`  ${name}  `);
    expect(await printed('help environment')).toContain('RECON_LISTEN_PATH');
    expect(await printed('help dates')).toContain('-2m');
  });

  it('of a group is available at each of its levels', async () => {
    const help = await printed('config show --help');
    expect(await printed('config help show')).toBe(help);
    expect(await printed('config')).toBe(await printed('config --help'));
  });
});

describe('the version', () => {
  it.each(['--version', '-V', 'version', 'settlements --version'])(
    'is printed by recon %s',
    async (word) => {
      expect(await printed(word)).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
    },
  );
});
