import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

// Lives through `--days N` days in each of `--seeds N` worlds, from seed `--from` on.
const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    seeds: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
  },
});
process.env.YEAR_DAYS = values.days;
process.env.YEAR_SEEDS = values.seeds;
process.env.YEAR_FROM = values.from;
const vitest = await startVitest('test', ['test/crash/year.test.ts'], {
  config: 'test/crash/vitest.config.ts',
  reporters: ['dot'],
  watch: false,
});
await vitest.close();
