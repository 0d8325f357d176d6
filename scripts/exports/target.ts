import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type LocalDatabase, whileLocked, withLocalDatabase } from '#scripts/database/local-database.ts';
import { DEFAULT_STATE_FOLDER, prepareStateFolder, resolveStateFolder } from '#scripts/database/state-folder.ts';
import { queryRemoteDatabase, runWrangler } from '#scripts/wrangler/run-wrangler.ts';

/** A database to restore: the deployed one or a local one. */
export type Target = {
  query<Row>(sql: string): Promise<Row[]>;
  /** Runs the statements of the file in one transaction. */
  runFile(file: string): Promise<void>;
};

/** The options of commands that work on either kind of database. */
export const TARGET_OPTIONS = {
  remote: { type: 'boolean', default: false },
  'persist-to': { type: 'string', default: DEFAULT_STATE_FOLDER },
} as const;

type Choice = { remote: boolean; 'persist-to': string };

export function withTarget<Result>(choice: Choice, use: (target: Target) => Promise<Result>): Promise<Result> {
  if (choice.remote) return use(REMOTE_TARGET);
  const stateFolder = resolveStateFolder(choice['persist-to']);
  prepareStateFolder(stateFolder);
  return withLocalDatabase(stateFolder, (db) => use(localTarget(db)));
}

const REMOTE_TARGET: Target = {
  query: queryRemoteDatabase,
  runFile: (file) => runWrangler(['d1', 'execute', 'DB', '--remote', '--yes', '--file', file]),
};

export function localTarget(db: LocalDatabase): Target {
  return {
    async query<Row>(sql: string) {
      return (await whileLocked(() => db.prepare(sql).all<Row>())).results;
    },
    async runFile(file) {
      const { unstable_splitSqlQuery: splitSql } = await import('wrangler');
      const statements = splitSql(readFileSync(file, 'utf8'));
      await whileLocked(() => db.batch(statements.map((statement) => db.prepare(statement))));
    },
  };
}

/** Resolves a path from the folder where the person started npm, which may not be the project's. */
export function resolveFile(named: string): string {
  return resolve(process.env.INIT_CWD ?? '', named);
}
