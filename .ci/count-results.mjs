// node count-results.mjs FAILED_STEPS PLAYWRIGHT_JSON VITEST_JSON...: prints every test that failed, then "N passed, N failed",
// and fails when anything did.
// Plain JavaScript: it must count even where the packages, and so a newer Node, could not be installed.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [failedSteps, playwrightFile, ...vitestFiles] = process.argv.slice(2);
const vitest = vitestFiles.map(readJson).filter((report) => report !== null);
const playwright = readJson(playwrightFile);
const browser = playwright?.stats;

for (const line of listFailed(vitest.flatMap(({ testResults }) => testResults))) console.log(line);
for (const line of listFailedInBrowser(playwright?.suites ?? [])) console.log(line);

const inBrowser = (browser?.expected ?? 0) + (browser?.flaky ?? 0);
const passed = sum(vitest.map(({ numPassedTests }) => numPassedTests)) + inBrowser;
const failedTests = sum(vitest.map(({ numFailedTests }) => numFailedTests)) + (browser?.unexpected ?? 0);
if (browser?.flaky) console.log(`${browser.flaky} browser tests passed only when tried again`);
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
    ...specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `tests/e2e/${file}:${line}: ${title}`),
    ...listFailedInBrowser(inner),
  ]);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
