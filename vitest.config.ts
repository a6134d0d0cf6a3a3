import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/crash/**'],
    env: { TZ: process.env['TZ'] ?? 'UTC', NO_COLOR: '1' },
    reporters: ['default', ['json', { outputFile: '.vitest-results.json' }]],
    // By itself the runner leaves one core idle: of two, half.
    maxWorkers: availableParallelism(),
    // Real programs are started; a machine may be busy with other things.
    testTimeout: 30_000,
    coverage: { include: ['src/**/*.ts'] },
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
