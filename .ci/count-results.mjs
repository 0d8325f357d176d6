// node count-results.mjs FAILED_STEPS VITEST_JSON PLAYWRIGHT_JSON: prints "N passed, N failed", and fails when anything did.
// Plain JavaScript: it must count even where the packages, and so a newer Node, could not be installed.
import { readFileSync } from 'node:fs';

const [failedSteps, vitestFile, playwrightFile] = process.argv.slice(2);
const vitest = readJson(vitestFile);
const browser = readJson(playwrightFile)?.stats;

const passed = (vitest?.numPassedTests ?? 0) + (browser?.expected ?? 0) + (browser?.flaky ?? 0);
const failedTests = (vitest?.numFailedTests ?? 0) + (browser?.unexpected ?? 0);
// A step that failed without a failed test (a type error, a lost report) must not count as none.
const failed = Math.max(failedTests, Number(failedSteps), passed === 0 ? 1 : 0);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
