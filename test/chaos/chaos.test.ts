import { afterAll, expect, test } from 'vitest';
import { Random } from '../support/random.ts';
import { tryOutExplain } from './explain.ts';
import { tryOutExport } from './export.ts';
import { tryOutSettlements } from './settlements.ts';
import { tryOutTransactions } from './transactions.ts';
import { Trial } from './trial.ts';

const commands = [tryOutSettlements, tryOutTransactions, tryOutExplain, tryOutExport];
// `npm run crash` and `npm run chaos` ask for more.
const count = Number(process.env['CHAOS_SEEDS'] ?? 3);
const from = Number(process.env['CHAOS_FROM'] ?? 1);
const seeds = Array.from({ length: count }, (_, n) => from + n);
const ended = new Map<string, number>();

test.each(seeds)(
  'no combination of misbehaviours gives a wrong report: seed %i',
  { timeout: 60_000 },
  async (seed) => {
    const random = new Random(seed);
    const command = random.pick(commands);
    const trial = await Trial.of(random);
    try {
      const { exitCode } = await command(trial);
      const how = `${command.name} ${exitCode}`;
      ended.set(how, (ended.get(how) ?? 0) + 1);
    } catch (error) {
      if (error instanceof Error) error.message += `\n${trial.about}`;
      throw error;
    }
  },
);

test.runIf(count >= 40)('most runs give a report in spite of misbehaviour, and some do not', () => {
  const of = (...exitCodes: readonly number[]) =>
    [...ended]
      .filter(([how]) => exitCodes.includes(Number(how.split(' ')[1])))
      .reduce((sum, [, runs]) => sum + runs, 0);
  expect(of(0, 1)).toBeGreaterThan(of(3, 4));
  expect(of(3, 4)).toBeGreaterThan(0);
});

afterAll(() => {
  if (process.env['CHAOS_SEEDS'] !== undefined)
    console.table(Object.fromEntries([...ended].sort()));
});
