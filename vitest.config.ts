import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What holds for `npm test` and for `npm run crash`. */
export const common = {
  env: { TZ: process.env['TZ'] ?? 'UTC', NO_COLOR: '1' },
  // By itself the runner leaves one core idle: of two, half.
  maxWorkers: availableParallelism(),
  // Real programs are started; a machine may be busy with other things.
  testTimeout: 30_000,
};

/** Rooms whose tests leave nothing behind: a worker loads their modules once, in half the time. */
const sharing = 'test/{app,config,doctor,listen,model,money,render}/**/*.test.ts';

export default defineConfig({
  test: {
    ...common,
    reporters: ['default', ['json', { outputFile: '.vitest-results.json' }]],
    coverage: { include: ['src/**/*.ts'] },
    projects: [
      { extends: true, test: { name: 'shared', include: [sharing], isolate: false } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['test/**/*.test.ts'],
          exclude: ['test/crash/**', sharing],
        },
      },
    ],
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
