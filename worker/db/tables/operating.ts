import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Switch } from '#contract/admin.ts';
import { users } from './people.ts';

/** Weekly exports of the database to the bucket of backups (worker/exports). */
export const databaseExports = sqliteTable('exports', {
  /** The day on which the export began, such as "2026-11-22". It is part of the names of the export's objects. */
  day: text('day').primaryKey(),
  begunAt: integer('begun_at').notNull(),
  /** The database's latest migration when the rows were read. */
  migration: text('migration').notNull(),
  /** When the export's manifest was written; null until then. */
  finishedAt: integer('finished_at'),
});

/**
 * The objects that an unfinished export has written so far. These rows are deleted when the export's manifest is
 * written.
 */
export const exportPieces = sqliteTable(
  'export_pieces',
  {
    day: text('day').notNull(),
    tableName: text('table_name').notNull(),
    /** The number of the piece within its table, counted from 0. */
    piece: integer('piece').notNull(),
    rowCount: integer('row_count').notNull(),
    /** The last row of this piece. The next piece begins after it. */
    lastRowid: integer('last_rowid').notNull(),
    /** The hash of the piece's object in the bucket, in hex. */
    sha256: text('sha256').notNull(),
    /** Whether this is the table's last piece. */
    isLast: integer('is_last', { mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.tableName, table.piece] })],
);

/**
 * Erased accounts that are not yet in the list in the backups' bucket. scripts/restore.ts reads that list, so that it
 * does not bring the accounts back from a backup (worker/exports/erased.ts).
 */
export const erasedPeople = sqliteTable('erased_people', {
  /** The SHA-256 of the account's id, in hex. */
  digest: text('digest').primaryKey(),
  erasedAt: integer('erased_at').notNull(),
});

/**
 * Keyed digests of the phone numbers and e-mail addresses of suspended accounts that were deleted. Until `endsAt`,
 * nobody can register with such a number or address.
 */
export const barredKeys = sqliteTable(
  'barred_keys',
  { key: text('key').primaryKey(), endsAt: integer('ends_at').notNull() },
  (table) => [index('barred_keys_by_end').on(table.endsAt)],
);

/**
 * Always empty. A batch with a revoked token tries to insert a row here: the check constraint fails and the batch is
 * rolled back (`writeAs`).
 */
export const tokenChecks = sqliteTable('token_checks', { isValid: integer('is_valid').notNull() }, () => [
  check('token_is_valid', sql`is_valid`),
]);

/** Always empty, like `token_checks`: a check rolls back the batch of a person who may not publish (`publishAs`). */
export const standingChecks = sqliteTable(
  'standing_checks',
  {
    isSuspended: integer('is_suspended', { mode: 'boolean' }).notNull(),
    lacksNumber: integer('lacks_number', { mode: 'boolean' }).notNull(),
    lacksRole: integer('lacks_role', { mode: 'boolean' }).notNull().default(false),
  },
  () => [
    check('is_not_suspended', sql`not is_suspended`),
    check('has_number', sql`not lacks_number`),
    check('has_role', sql`not lacks_role`),
  ],
);

/**
 * When the WhatsApp queue last delivered a heartbeat, a message that only shows that the queue works. A migration
 * inserted the only row.
 */
export const heartbeats = sqliteTable('heartbeats', {
  name: text('name').primaryKey(),
  beatAt: integer('beat_at').notNull(),
});

/**
 * The features that are switched off. A platform admin switches features off. At the daily limit on image
 * transformations, the Worker switches photos off automatically (worker/photos/breaker.ts).
 */
export const switchedOff = sqliteTable('switched_off', {
  name: text('name').$type<Switch>().primaryKey(),
  since: integer('since').notNull(),
});

/** The counts of the rate limits, one row for each counter. `subject` is the counter's key (limits/allowance.ts). */
export const rateCounters = sqliteTable(
  'rate_counters',
  {
    subject: text('subject').primaryKey(),
    count: integer('count').notNull(),
    windowEndsAt: integer('window_ends_at').notNull(),
  },
  (table) => [index('rate_counters_by_end').on(table.windowEndsAt)],
);

export const feedback = sqliteTable(
  'feedback',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    email: text('email').notNull(),
    message: text('message').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When an admin marked the feedback as done; null while it is open. */
    doneAt: integer('done_at'),
  },
  (table) => [
    index('feedback_by_age').on(table.createdAt),
    index('feedback_open').on(table.seq).where(sql`done_at is null`),
  ],
);

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    key: text('key').notNull(),
    /** The id of the row that the request created, for example a post, a claim or a report. */
    postId: text('post_id').notNull(),
    /** The digest of the request's body. A repeated key with another body is refused. */
    bodyDigest: text('body_digest').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), index('idempotency_keys_by_age').on(table.createdAt)],
);
