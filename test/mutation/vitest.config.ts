import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests over many cases or many rows: each takes as long as all the others together. */
const slow = ['explain/answers.test.ts', 'explain/explain.test.ts', 'reconcile/groups.test.ts'];

/** Most mutants are killed by a quick test: then the slow ones aren't needed. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const delay = ({ moduleId }: TestSpecification) =>
      slow.findIndex((name) => moduleId.endsWith(`/test/${name}`));
    return files.toSorted((a, b) => delay(a) - delay(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

/** The tests that a change to money, to the checks or to the books must not get past. */
export default defineConfig({
  test: {
    include: ['test/{bank,books,explain,lake,match,money,nightly,reconcile,register}/**/*.test.ts'],

    env: { TZ: 'UTC' },
    // Instrumented, and beside others, a test takes several times as long.
    testTimeout: 60_000,
    // The code under test is loaded once for each mutant, and not for each file of tests.
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
  define: { RECON_VERSION: '"0.0.0-test"' },
});
