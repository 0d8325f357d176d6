// node count-results.mjs FAILED_STEPS PLAYWRIGHT_JSON VITEST_JSON: prints every test that failed, then "N passed, N failed",
// and fails when anything did.
// Plain JavaScript: it must count even where the packages, and so a newer Node, could not be installed.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [failedSteps, playwrightFile, vitestFile] = process.argv.slice(2);
const vitest = readJson(vitestFile);
const playwright = readJson(playwrightFile);
const browser = playwright?.stats;

for (const line of listFailed(vitest?.testResults ?? [])) console.log(line);
for (const line of listFailedInBrowser(playwright?.suites ?? [])) console.log(line);

const passed = (vitest?.numPassedTests ?? 0) + (browser?.expected ?? 0);
const failedTests = (vitest?.numFailedTests ?? 0) + (browser?.unexpected ?? 0) + (browser?.flaky ?? 0);
// A step that failed without a failed test (a type error, a lost report) must not count as none.
const failed = Math.max(failedTests, Number(failedSteps), passed === 0 ? 1 : 0);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** A file that could not be loaded has no tests, and a message. */
function listFailed(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [`${relative('.', name)}: ${message}`];
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${relative('.', name)}: ${fullName}\n  ${failureMessages[0]?.split('\n', 2).join('\n  ')}`,
    );
  });
}

function listFailedInBrowser(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.filter(hasFailed).map(({ file, line, title }) => `tests/e2e/${file}:${line}: ${title}`),
    ...listFailedInBrowser(inner),
  ]);
}

/** A flaky test failed at first and passed when retried (`--retries`): it counts as failed. */
function hasFailed({ tests }) {
  return tests.some(({ status }) => status === 'unexpected' || status === 'flaky');
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
