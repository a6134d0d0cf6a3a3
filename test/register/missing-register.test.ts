import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ReconError } from '../../src/base/errors.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { bookNext } from './book-next.ts';

test('a register that is gone is refused, and what its hint says is what happens', async () => {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  const register = at('booked.csv');
  await bookNext(register, at('1'), { isNew: true });
  const before = await readFile(register, 'utf8');
  await rm(register);
  const refused = await bookNext(register, at('2')).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ReconError);
  const { hint = '' } = refused as ReconError;
  const [, hidden = ''] =
    /remove (\S+) and start again with --new-register: (.*)$/.exec(hint) ?? [];
  expect(hint).toContain('Restore the file from a backup.');
  expect(hint).toMatch(/everything is then booked again\.$/);
  await rm(hidden);
  const { next } = await bookNext(register, at('2'), { isNew: true });
  expect(next?.batch.number).toBe(1);
  expect(await readFile(register, 'utf8')).toBe(before);
});
