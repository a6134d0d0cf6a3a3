import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runRecon } from '../../support/run-recon.ts';

let home: string;
let config: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'recon-completion-'));
  config = join(home, 'config.toml');
  await writeFile(
    config,
    '[profiles.spain]\n[profiles.sweden]\n[profiles."x y"]\n[profiles.italy]\n',
  );
});
afterAll(() => rm(home, { recursive: true }));

describe('recon completion', () => {
  const hasShell = (shell: string) => !spawnSync(shell, ['-c', 'exit 0']).error;
  const scriptFor = async (shell: string) => (await runRecon(['completion', shell])).stdout;

  test.skipIf(!hasShell('bash'))('completes words in bash', async () => {
    await buildRecon(home);
    const replies = (...words: readonly string[]) => {
      const call = `COMP_WORDS=(recon "$@"); COMP_CWORD=$#; _recon recon; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const env = { ...process.env, PATH: `${home}:${process.env['PATH']}`, RECON_CONFIG: config };
      const answer = execFileSync('bash', ['-c', `${script}${call}`, 'bash', ...words], { env });
      return String(answer).trimEnd().split('\n');
    };
    const script = await scriptFor('bash');
    expect(replies('set')).toEqual(['settlements']);
    expect(replies('settlements', '--format', '')).toEqual([
      'table',
      'csv',
      'json',
      'ndjson',
      'xlsx',
      'html',
    ]);
    expect(replies('settlements', '--profile', 's')).toEqual(['spain', 'sweden']);
    expect(replies('sandbox', '--scenario', 'ref')).toEqual(['refund']);
    expect(replies('settlements', '--output', '')).toEqual(['']);
  });
});

/** Builds the program into a folder, as a command `recon`. */
async function buildRecon(folder: string): Promise<void> {
  await build({
    entryPoints: ['src/cli/main.ts'],
    outdir: join(folder, 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['@duckdb/node-api'],
    define: { RECON_VERSION: '"0.0.0-test"' },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const main = JSON.stringify(join(folder, 'dist/main.mjs'));
  const program = `#!${process.execPath}\nimport(${main}).then(async ({ main }) => { process.exitCode = await main(process); });\n`;
  await writeFile(join(folder, 'recon'), program, { mode: 0o755 });
}
