// Asks the npm registry for known vulnerabilities of the shipped packages. If the registry does not answer, prints NOT
// CHECKED and does not fail.
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
const answer = parse(stdout);
if (!answer?.metadata?.vulnerabilities) {
  console.log('No registry answers about advisories: NOT CHECKED.');
} else {
  const { high, critical } = answer.metadata.vulnerabilities;
  const bad = Object.values(answer.vulnerabilities).filter(({ severity }) => /high|critical/.test(severity));
  for (const { name, severity, range } of bad) console.error(`${name} ${range}: ${severity}`);
  console.log(`Advisories: ${critical} critical, ${high} high.`);
  process.exitCode = bad.length > 0 ? 1 : 0;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
