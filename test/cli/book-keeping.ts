import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleMappings, type JournalFormat } from '../../src/books/example-mapping.ts';
import type { Fixture } from '../../src/sandbox/fixture.ts';
import { type RunResult, runRecon } from '../support/run-recon.ts';
import { purchases, scenarioOf } from './service.ts';
import { Shop, settlementOn } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

export type Listed = Fixture['settlements'][number];

/** A settlement of a day in March 2026. */
export function settlement(day: number, rest: Partial<Listed> = {}): Listed {
  const date = `2026-03-${String(day).padStart(2, '0')}`;
  return { date, header: { settlementId: settlementOn(day) }, rows: purchases(3), ...rest };
}

export const pending = { status: 'pending_settlement' };

/** Books that are kept of a service whose data change: each run writes a file with its number. */
export interface BookKeeping {
  readonly register: string;
  /** A configuration file with a profile `other` for the same service. */
  readonly config: string;
  /** The files that were written, in their order. */
  readonly files: readonly string[];
  /** What the service lists from now on. */
  becomes(settlements: readonly Listed[]): Promise<unknown>;
  /** Books March 2026. */
  book(...args: readonly string[]): Promise<RunResult>;
  run(...args: readonly string[]): Promise<RunResult>;
  /** The text of a file, from 1. */
  text(number: number): string;
}

export async function keepBooks(
  format: JournalFormat,
  settlements: readonly Listed[],
): Promise<BookKeeping> {
  const folder = await temporaryFolder();
  const shop = await Shop.open(scenarioOf(settlements));
  const register = join(folder, 'booked.csv');
  const config = join(folder, 'config.toml');
  writeFileSync(config, '[profiles.other]\n');
  const files: string[] = [];
  const env = { ...shop.env, RECON_BOOKS: JSON.stringify(exampleMappings[format]) };
  const run = (...args: readonly string[]) => runRecon(args, { env });
  const book = async (...args: readonly string[]) => {
    const output = join(folder, `${files.length + 1}.journal`);
    const isNew = files.length === 0 ? ['--new-register'] : [];
    const result = await run(
      ...['journal', '--month', '2026-03', '--fail-on', 'none'],
      ...(args.includes('--for') ? [] : ['--for', format]),
      ...['--booked', register, '--output', output, ...isNew, ...args],
    );
    if (result.stderr.includes('Batch ')) files.push(output);
    return result;
  };
  return {
    ...{ register, config, files, book, run },
    becomes: (others) => shop.becomes(scenarioOf(others)),
    text: (number) => readFileSync(files[number - 1] ?? '', 'utf8'),
  };
}
