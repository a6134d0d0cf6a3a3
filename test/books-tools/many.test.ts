import { expect, it } from 'vitest';
import { exampleMappings } from '../../src/books/example-mapping.ts';
import { batchFile } from '../../src/books/journal-file.ts';
import { planBatch } from '../../src/books/plan-batch.ts';
import type { AccountMapping, Purpose } from '../../src/model/account-mapping.ts';
import { newRegister, registerText } from '../../src/register/booked-register.ts';
import { journalText } from '../../src/render/journal.ts';
import { march as range } from '../books/book-run.ts';
import { booked } from '../books/build-entry.ts';
import { settlementOn } from '../cli/shop.ts';
import { tools } from './tools.ts';

const plain = { reversesMissing: false, strays: new Set<string>() };

it.each(tools)(
  '$name reads 5,000 settlements, and a second run finds all of them booked',
  async ({ format, isThere, check }) => {
    const mapping: AccountMapping = exampleMappings[format];
    const accounts = (purpose: Purpose) => mapping[purpose] ?? '';
    const entries = Array.from({ length: 5_000 }, (_, index) =>
      booked(settlementOn(index), BigInt(index + 1), {
        date: `2026-03-${String((index % 31) + 1).padStart(2, '0')}`,
        accounts,
      }),
    );
    const ids = new Set(entries.flatMap(({ settlementIds }) => settlementIds));
    const bank = { entries: new Set<string>(), settlements: new Set<string>() };
    const run = { entries, range, isWhole: true, settled: ids, listed: ids, bank };
    const plan = planBatch([], run, 1, plain);
    const batch = { number: 1, bookedOn: '2026-04-01', about: '{}', entries: plan.entries };
    const register = registerText(newRegister, [batch]);
    const file = batchFile(batch, { comments: [], range, mapping }, []);
    const journal = [...journalText(format, file)].join('');
    expect(planBatch(plan.entries, run, 2, plain).entries).toEqual([]);
    if (isThere) expect(await check(journal)).toBe('');
    // A line of each posting and one of each entry: the register does not grow faster than the books.
    const lines = register.text.split('\n').length;
    const postings = entries.reduce((sum, { postings }) => sum + postings.length, 0);
    expect(lines).toBeLessThan(entries.length + postings + 10);
  },
);
