/**
 * Since the first release, migrations are only added at the end: existing objects have already run the earlier ones.
 */
const MIGRATIONS = [
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
      -- So that a new connection reads only what it must send, not a month of tombstones.
      CREATE INDEX messages_unacknowledged ON messages (stored_at) WHERE acknowledged_at IS NULL;
      CREATE TABLE acknowledgements (message_id TEXT PRIMARY KEY, acknowledged_at INTEGER NOT NULL);
      CREATE TABLE turns (
        message_id TEXT NOT NULL,
        channel TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        is_held INTEGER NOT NULL DEFAULT 0,
        outcome TEXT,
        PRIMARY KEY (message_id, channel)
      );
      CREATE INDEX turns_to_come ON turns (due_at) WHERE outcome IS NULL;
      CREATE TABLE sent (
        channel TEXT NOT NULL,
        day INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (channel, day)
      );
      CREATE TABLE outbox (seq INTEGER PRIMARY KEY, channel TEXT NOT NULL, job TEXT NOT NULL);
      CREATE TABLE used_tickets (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL);
      CREATE TABLE ended_sessions (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL);
      CREATE TABLE erasure (erase_at INTEGER NOT NULL);
    `,
  },
] as const;

type Migration = { id: string; sql: string };

/** Runs the migrations that this object has not run yet, each in a transaction. */
export function migrate(storage: DurableObjectStorage, migrations: readonly Migration[] = MIGRATIONS): void {
  const { sql } = storage;
  sql.exec('CREATE TABLE IF NOT EXISTS schema_migrations (id TEXT PRIMARY KEY)');
  const done = sql.exec<{ id: string }>('SELECT id FROM schema_migrations ORDER BY id').toArray();
  for (const [index, { id }] of done.entries()) {
    if (migrations[index]?.id !== id) throw new Error(`Migration ${id} is gone: the list is append-only`);
  }
  for (const migration of migrations.slice(done.length)) {
    storage.transactionSync(() => {
      sql.exec(migration.sql);
      sql.exec('INSERT INTO schema_migrations (id) VALUES (?)', migration.id);
    });
  }
}
