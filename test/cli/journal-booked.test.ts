import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { keepBooks, pending, settlement } from './book-keeping.ts';
import { purchases } from './service.ts';
import { settlementOn } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

const three = [settlement(2), settlement(3), settlement(4, pending)];

describe('recon journal --booked', () => {
  test('books what is new as a numbered batch, and nothing twice', async () => {
    const books = await keepBooks('hledger', three);
    const first = await books.book();
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toContain('Batch 1: 2 entries.');
    const again = await books.book();
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('Nothing new to book. Nothing was written.');
    expect(books.files).toHaveLength(1);
    await books.becomes([...three, settlement(5)]);
    expect((await books.book()).stderr).toContain('Batch 2: 1 entry.');
    expect(books.text(2)).toMatch(/^2026-03-05 /m);
    expect(books.text(2)).not.toMatch(/^2026-03-0[234] /m);
  });

  test('reverses what was restated or has settled, and books it again', async () => {
    const books = await keepBooks('hledger', three);
    await books.book('--include-pending');
    await books.becomes([settlement(2, { rows: purchases(4) }), settlement(3), settlement(4)]);
    const { stderr } = await books.book('--include-pending');
    expect(stderr).toContain('Batch 2: 4 entries (2 reversals).');
    expect(books.text(2).match(/; reverses: /g)).toHaveLength(2);
  });

  test('prints a batch again, byte for byte, without the service or its settings', async () => {
    const books = await keepBooks('datev', three);
    await books.book();
    await books.becomes([settlement(2, { rows: purchases(4) })]);
    await books.book('--reverse-missing');
    for (const number of [1, 2]) {
      const again = ['--booked', books.register, '--batch', `${number}`];
      const { stdout } = await books.run('journal', ...again);
      expect(stdout).toBe(books.text(number));
    }
    const other = await books.run('journal', '--booked', books.register, '--batch', '3');
    expect(other).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Use a number from 1 to 2.'),
    });
  });

  test('names what is booked and no longer listed, and reverses it on request only', async () => {
    const books = await keepBooks('hledger', three);
    await books.book();
    await books.becomes([settlement(3)]);
    const warned = await books.book();
    expect(warned.exitCode).toBe(1);
    expect(warned.stderr).toContain(
      `Booked, but no longer listed as settled: 1 settlement: ${settlementOn(2)} (2026-03-02). Nothing was reversed.`,
    );
    expect(books.files).toHaveLength(1);
    const reversed = await books.book('--reverse-missing');
    expect(reversed).toMatchObject({ exitCode: 0 });
    expect(reversed.stderr).toContain('Batch 2: 1 entry (1 reversal).');
    expect((await books.book()).stderr).toContain('Nothing new');
  });

  test('books nothing twice by day, by transaction or with other accounts', async () => {
    const books = await keepBooks('hledger', three);
    await books.book();
    for (const args of [['--per', 'day'], ['--detail']]) {
      const { stderr } = await books.book(...args);
      expect(stderr).toContain('Nothing new to book.');
    }
    expect(books.files).toHaveLength(1);
  });

  test('leaves what the bank received if only some settlements are read', async () => {
    const folder = await temporaryFolder();
    const run = (name: string, ...args: readonly string[]) =>
      runRecon([
        ...['journal', '--sandbox', '--for', 'csv', '--fail-on', 'none', '--bank'],
        ...['--booked', join(folder, 'booked.csv'), '--output', join(folder, name), ...args],
      ]);
    expect((await run('1.csv', '--new-register')).stderr).toContain('Batch 1: 74 entries.');
    for (const some of [
      ['--cid', '7'],
      ['--from', '2026-03-25', '--to', '2026-03-31'],
    ]) {
      expect((await run('2.csv', ...some)).stderr).toContain('Nothing new to book.');
    }
  });

  test('a register belongs to one journal of one service', async () => {
    const books = await keepBooks('hledger', three);
    await books.book();
    const { exitCode, stderr } = await books.book('--for', 'ledger');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('the format was hledger, now ledger');
    const other = await books.book('--profile', 'other', '--config', books.config);
    expect(other.stderr).toContain('the profile was not set, now other');
    const renamed = ['--profile', 'other', '--config', books.config, '--rebind'];
    expect(await books.book(...renamed)).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['', ['--booked', 'b.csv'], 'A register of booked entries needs --output'],
    ['', ['--new-register', '--output', 'x'], '--new-register needs --booked'],
    ['', ['--batch', '1'], '--batch needs --booked'],
    ['', ['--reverse-missing', '--output', 'x'], '--reverse-missing needs --booked'],
  ])('%snothing is written for %j', async (_, args, says) => {
    const books = await keepBooks('hledger', three);
    const month = args.includes('--batch') ? [] : ['--month', '2026-03', '--for', 'hledger'];
    const { exitCode, stderr } = await books.run('journal', ...month, ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
    expect(existsSync('x')).toBe(false);
  });

  test('a journal beside a register asks for it, or books everything if told so', async () => {
    const books = await keepBooks('hledger', three);
    await books.book();
    const output = join(dirname(books.register), 'all.journal');
    const all = ['journal', '--month', '2026-03', '--for', 'hledger', '--output', output];
    const asked = await books.run(...all);
    expect(asked.exitCode).toBe(2);
    expect(asked.stderr).toContain(`add --booked ${books.register}`);
    expect(existsSync(output)).toBe(false);
    expect(await books.run(...all, '--booked', 'none')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(output, 'utf8')).toMatch(/^2026-03-02 /m);
  });

  test('a register that was edited is refused', async () => {
    const books = await keepBooks('hledger', three);
    await books.book();
    const text = readFileSync(books.register, 'utf8');
    writeFileSync(books.register, text.replace('29.10', '29.11'));
    const { exitCode, stderr } = await books.book();
    expect(exitCode).toBe(4);
    expect(stderr).toContain('was changed');
    expect(stderr).toMatch(/booked\.csv:\d+/);
  });
});
