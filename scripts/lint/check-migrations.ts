import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

const FOLDER = join(PROJECT_ROOT, 'migrations');

/** Changes that break the previous version, which keeps running for a while on the new schema. */
const TAKES_AWAY: Record<string, RegExp> = {
  'drops a table': /\bDROP\s+TABLE\b/gi,
  'drops a column': /\bDROP\s+COLUMN\b/gi,
  'renames a table': /\bRENAME\s+TO\b/gi,
  'renames a column': /\bRENAME\s+(?:COLUMN\b|(?!TO\b|COLUMN\b)\S+\s+TO\b)/gi,
  'deletes rows': /\bDELETE\s+FROM\b/gi,
  'deletes rows with others': /\bON\s+DELETE\s+CASCADE\b/gi,
};

/** Such changes in the existing migrations, with the reason why they were harmless. */
const KNOWN: Record<string, { what: string; reason: string }> = {
  '0006_delivered_notices.sql': {
    what: 'renames a column',
    reason: 'there was no deployed version before it',
  },
};

/** The breaking changes of a migration, ignoring the bodies of triggers, which affect only new rows. */
export function findLosses(sql: string): string[] {
  const statements = sql.replace(/--.*$/gm, '').replace(/CREATE\s+TRIGGER\b.*?\bEND;/gis, '');
  return Object.keys(TAKES_AWAY).filter((what) => statements.search(TAKES_AWAY[what] as RegExp) >= 0);
}

/** Unknown losses, and known ones that no longer exist, one line each. */
export function findMigrationProblems(migrations: { name: string; sql: string }[]): string[] {
  const found = migrations.flatMap(({ name, sql }) => findLosses(sql).map((what) => ({ name, what })));
  const isKnown = ({ name, what }: { name: string; what: string }) => KNOWN[name]?.what === what;
  return [
    ...found
      .filter((loss) => !isKnown(loss))
      .map(({ name, what }) => `migrations/${name} ${what}; migrations only add.`),
    ...Object.keys(KNOWN)
      .filter((known) => !found.some(({ name }) => name === known))
      .map((known) => `scripts/check-migrations.ts: ${known} takes nothing away.`),
  ];
}

export function readMigrations(): { name: string; sql: string }[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => ({ name, sql: readFileSync(join(FOLDER, name), 'utf8') }));
}

if (import.meta.main) {
  const migrations = readMigrations();
  const problems = findMigrationProblems(migrations);
  for (const problem of problems) console.error(problem);
  console.log(`Checked ${migrations.length} migrations: ${problems.length} problems.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
