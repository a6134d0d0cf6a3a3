import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // For a machine that is busy with other things: nothing here should take that long.
    testTimeout: 20_000,
    env: { TZ: process.env['TZ'] ?? 'UTC', NO_COLOR: '1' },
    reporters: ['default', ['json', { outputFile: '.vitest-results.json' }]],
    coverage: { include: ['src/**/*.ts'] },
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
