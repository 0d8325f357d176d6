// node count-results.mjs FAILED_STEPS PLAYWRIGHT_JSON VITEST_JSON: prints every failed test, then "N passed, N failed".
// Fails if any test or step failed. This file is plain JavaScript, because it must run even if the packages, which
// include a newer Node, could not be installed.
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
// A step can fail although no test failed, for example because of a type error or a missing report. The count of
// failures must not be 0 then.
const failed = Math.max(failedTests, Number(failedSteps), passed === 0 ? 1 : 0);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Lists the failed tests. A file that could not be loaded has no tests, so its own error is listed. */
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

/** A test that failed at first and passed on a retry (`--retries`) is flaky and counts as failed. */
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
