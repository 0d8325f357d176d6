import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { applyMigrations } from '#scripts/database/apply-migrations.ts';
import { type LocalDatabase, whileLocked } from '#scripts/database/local-database.ts';
import type { Target } from './target.ts';

/** The statement behind `wrangler d1 export` for a local database: rows without the schema, in D1's own format. */
const EXPORT = 'PRAGMA miniflare_d1_export(?,?,?);';
const [WITHOUT_SCHEMA, WITH_DATA] = [1, 0];

export function localTarget(db: LocalDatabase): Target {
  return {
    async query<Row>(sql: string) {
      return (await whileLocked(() => db.prepare(sql).all<Row>())).results;
    },
    async exportRows(tables, file) {
      const statement = db.prepare(EXPORT).bind(WITHOUT_SCHEMA, WITH_DATA, ...tables);
      const [lines = []] = await whileLocked(() => statement.raw<string[]>());
      writeFileSync(file, lines.join('\n'), { mode: 0o600 });
    },
    async runFile(file) {
      const { unstable_splitSqlQuery: splitSql } = await import('wrangler');
      const statements = splitSql(readFileSync(file, 'utf8'));
      await whileLocked(() => db.batch(statements.map((statement) => db.prepare(statement))));
    },
    migrate: () => applyMigrations(db, join(PROJECT_ROOT, 'migrations')),
  };
}
