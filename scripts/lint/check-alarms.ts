import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain } from '#scripts/command/is-main.ts';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { LOG_EVENTS } from '#worker/errors/log-events.ts';

const DOCUMENT = 'docs/operating.md';

/** Alarms without a row in the table of docs/operating.md, and rows without an alarm: one line each. */
export function findAlarmProblems(document: string): string[] {
  const alarms: readonly string[] = LOG_EVENTS.error;
  const table = document.split(/^## /m).find((section) => section.startsWith('Alarms')) ?? '';
  const rows = [...table.matchAll(/^\| `(\w+)`( ●)? \|/gm)].map(([, event = '']) => event);
  return [
    ...alarms.filter((event) => !rows.includes(event)).map((event) => `${DOCUMENT}: the alarm ${event} has no row.`),
    ...rows.filter((event) => !alarms.includes(event)).map((event) => `${DOCUMENT}: ${event} is no alarm.`),
  ];
}

if (isMain(import.meta)) {
  const problems = findAlarmProblems(readFileSync(join(PROJECT_ROOT, DOCUMENT), 'utf8'));
  for (const problem of problems) console.error(problem);
  console.log(`Checked ${LOG_EVENTS.error.length} alarms: ${problems.length} problems.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
