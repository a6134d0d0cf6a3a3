import { statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Files in memory, where the system has room for them: exports flush every file to the disk. */
function temporaryFiles(inMemory = '/dev/shm'): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > 2 ** 31 ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** What holds for all commands that run tests. */
export const common = {
  env: { TZ: process.env['TZ'] ?? 'UTC', NO_COLOR: '1', TMPDIR: temporaryFiles() },
  // By itself the runner leaves one core idle: of two, half.
  maxWorkers: availableParallelism(),
  // What has not changed since the last time is not compiled again: files are known by their contents.
  experimental: { fsModuleCache: true },
  // Real programs are started; a machine may be busy with other things.
  testTimeout: 30_000,
  hookTimeout: 30_000,
};

/** Once before all tests. */
export const buildsProgram = 'test/support/build-program.ts';

/** Each has the file system replaced beneath a module, which others must not meet. */
const mocking = ['test/base/folder-lock.test.ts', 'test/export/plan.test.ts'];

export default defineConfig({
  test: {
    ...common,
    reporters: ['default', ['json', { outputFile: '.vitest-results.json' }]],
    coverage: { include: ['src/**/*.ts'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          globalSetup: 'test/support/compile-kernels.ts',
          include: ['test/**/*.test.ts'],
          // Each of these folders but `built` has a command of its own.
          exclude: ['test/{books-tools,built,cases,crash,engines,readers}/**', ...mocking],
          // Tests leave nothing behind: a worker loads the modules once, for all its files.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'mocking', include: mocking } },
      // The program is built only if one of these runs.
      {
        extends: true,
        test: { name: 'built', globalSetup: buildsProgram, include: ['test/built/*.test.ts'] },
      },
    ],
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
