// node count-results.mjs FAILED_STEPS PLAYWRIGHT_JSON VITEST_JSON...: prints every test that failed, with the trace of one in a
// browser, then "N passed, N failed", and fails when anything did.
// Plain JavaScript: it must count even where the packages, and so a newer Node, could not be installed.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [failedSteps, playwrightFile, ...vitestFiles] = process.argv.slice(2);
const vitest = vitestFiles.map(readJson).filter((report) => report !== null);
const playwright = readJson(playwrightFile);
const browser = playwright?.stats;

for (const line of listFailed(vitest.flatMap(({ testResults }) => testResults))) console.log(line);
for (const line of listTraces(playwright?.suites ?? [])) console.log(line);

const passed =
  sum(vitest.map(({ numPassedTests }) => numPassedTests)) + (browser?.expected ?? 0) + (browser?.flaky ?? 0);
const failedTests = sum(vitest.map(({ numFailedTests }) => numFailedTests)) + (browser?.unexpected ?? 0);
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

function listTraces(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap(listSpecTraces),
    ...listTraces(inner),
  ]);
}

/** Those of tests that passed when tried again too: they are the ones that will fail another day. */
function listSpecTraces({ title, tests }) {
  const results = tests.flatMap(({ projectName, results }) => results.map((result) => ({ projectName, ...result })));
  return results.flatMap(({ projectName, attachments }) =>
    attachments
      .filter(({ name }) => name === 'trace')
      .map(({ path }) => `${projectName}: ${title}: npx playwright show-trace ${relative('.', path)}`),
  );
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
