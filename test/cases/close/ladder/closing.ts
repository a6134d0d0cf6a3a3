import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Merchant, type Month, months } from './months.ts';
import { Desk, type Opened } from './open.ts';
import { type CloseJson, jsonOf } from './said.ts';
import { type Truth, truthOf } from './truth.ts';

/** A month on the evening on which it is closed, before that is recorded. */
export interface Closing {
  readonly where: string;
  readonly month: Month;
  readonly evening: string;
  readonly shop: Opened;
  readonly truth: Truth;
  readonly exitCode: number;
  readonly json: CloseJson;
  /** At 80 columns. */
  readonly screen: string;
  /** What was said before the month was booked, and the file that then booked it. */
  readonly unbooked?: { readonly json: CloseJson; readonly file: string };
}

interface Booking {
  /** Settings of the books. */
  readonly books?: readonly string[];
  /** Whether each month is booked before it is closed. */
  readonly booksFirst?: boolean;
}

/** Closes both months, one after the other, and records each when it has been looked at. */
export async function* closeTwice(
  merchant: Merchant,
  settings: readonly string[] = [],
  { books = [], booksFirst = false }: Booking = {},
): AsyncGenerator<Closing> {
  const desk = await Desk.open(merchant, settings, books);
  for (const [at, month] of months.entries()) {
    const evening = merchant.evenings[at] ?? '';
    const shop = await desk.at(evening);
    const close = ['close', '--month', month.name];
    const closeJson = async () => jsonOf<CloseJson>(await shop.run([...close, '--format', 'json']));
    const output = join(shop.folder, `${month.name}-entries.csv`);
    const unbooked = booksFirst ? await closeJson() : undefined;
    if (booksFirst) {
      const range = ['--from', months[0].from, '--to', month.to];
      const flags = ['--for', 'csv', '--bank', '--output', output, '--fail-on', 'none'];
      const booked = await shop.run(['journal', ...range, ...flags]);
      expect(booked.exitCode, booked.stderr).toBe(0);
    }
    const run = await shop.run([...close, '--format', 'json']);
    const screen = await shop.run(close, { columns: 80, env: { NO_COLOR: '1' } });
    yield {
      ...{ month, evening, shop, exitCode: run.exitCode },
      where: `seed ${merchant.seed}, ${month.name} on ${evening}`,
      truth: truthOf(merchant, month, evening, months[at - 1]),
      json: jsonOf<CloseJson>(run),
      screen: screen.stdout,
      ...(unbooked && { unbooked: { json: unbooked, file: await readFile(output, 'utf8') } }),
    };
    const force = merchant.isQuiet ? [] : ['--force', '--note', 'known'];
    const recorded = await shop.run([...close, '--record', '--by', 'Ada', ...force]);
    expect(recorded.exitCode, recorded.stderr).toBe(0);
  }
}
