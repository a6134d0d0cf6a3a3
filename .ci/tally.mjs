// Prints `N passed, N failed` from the reports of all commands that run tests, added up. A check
// that failed before the tests, and a test file that failed without a failed test (an import error),
// count as failures.
import { readdirSync, readFileSync } from 'node:fs';

const status = Number(process.argv[2]);
let passed = 0;
let failed = 0;
for (const path of readdirSync('.').filter((name) => /^\.vitest-.*results\.json$/.test(name))) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const file of report.testResults) {
    const ownFailures = file.assertionResults.some((test) => test.status === 'failed');
    if (file.status === 'failed' && !ownFailures) failed += 1;
  }
}
if (status !== 0 && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
