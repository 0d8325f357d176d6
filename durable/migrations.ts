/** Append-only: an object that exists has run the first of them already. */
export const MIGRATIONS = [
  {
    id: '001_mailbox',
    sql: `
      CREATE TABLE messages (
        id TEXT PRIMARY KEY,
        body TEXT NOT NULL,
        stored_at INTEGER NOT NULL,
        acknowledged_at INTEGER
      );
      CREATE INDEX messages_by_age ON messages (stored_at);
      CREATE TABLE used_tickets (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL);
      CREATE TABLE revocation (token_version INTEGER NOT NULL);
    `,
  },
] as const;

/** Runs what this object has not run yet. */
export function migrate(sql: SqlStorage, migrations: readonly { id: string; sql: string }[] = MIGRATIONS): void {
  sql.exec('CREATE TABLE IF NOT EXISTS schema_migrations (id TEXT PRIMARY KEY)');
  const done = sql.exec<{ id: string }>('SELECT id FROM schema_migrations ORDER BY id').toArray();
  for (const [index, { id }] of done.entries()) {
    if (migrations[index]?.id !== id) throw new Error(`Migration ${id} is gone: the list is append-only`);
  }
  for (const migration of migrations.slice(done.length)) {
    sql.exec(migration.sql);
    sql.exec('INSERT INTO schema_migrations (id) VALUES (?)', migration.id);
  }
}
