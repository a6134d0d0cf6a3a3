import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

// Tries out `--seeds N` random combinations of misbehaviours, from seed `--from` on.
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
  },
});
process.env.CHAOS_SEEDS = values.seeds;
process.env.CHAOS_FROM = values.from;
const vitest = await startVitest('test', ['test/chaos'], { watch: false, reporters: ['dot'] });
await vitest.close();
