import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { flag, queryRows, type RowOf } from '#worker/db/rows.ts';
import { databaseExports } from '#worker/db/schema.ts';
import type { ExportedTable } from './tables.ts';

const exportRow = () =>
  z.object({
    day: z.string(),
    begun_at: z.number(),
    migration: z.string(),
    finished_at: z.nullable(z.number()),
    migration_now: z.string(),
  });
type ExportRow = RowOf<typeof exportRow>;

const pieceRow = () =>
  z.object({
    table_name: z.string(),
    piece: z.number(),
    row_count: z.number(),
    last_rowid: z.number(),
    sha256: z.string(),
    is_last: flag(),
  });
export type PieceRow = RowOf<typeof pieceRow>;

const LATEST_MIGRATION = sql`(select name from d1_migrations order by id desc limit 1)`;

/** Begins an export unless one has begun since then. @returns the newest, with the database's latest migration. */
export async function beginExport(db: Db, { day, since, now }: { day: string; since: number; now: number }) {
  const [, [newest]] = await db.repeatable.batch([
    db.run(sql`
      insert into exports (day, begun_at, migration) select ${day}, ${now}, ${LATEST_MIGRATION}
      where not exists (select 1 from exports where begun_at >= ${since}) on conflict do nothing`),
    selectNewest(db),
  ]);
  return newest;
}

function selectNewest(db: Db) {
  return queryRows(db, exportRow)`
    select day, begun_at, migration, finished_at, ${LATEST_MIGRATION} as migration_now
    from exports order by begun_at desc limit 1`;
}

/** Whether the schema has not changed since the export began. */
export async function isOfOneSchema(db: Db, day: string): Promise<boolean> {
  const [newest] = await selectNewest(db);
  return newest?.day === day && newest.migration === newest.migration_now;
}

/** Discards what was read before a migration. */
export async function beginAgain(db: Db, { day, migration_now }: ExportRow): Promise<void> {
  await db.repeatable.batch([
    db.run(sql`delete from export_pieces where day = ${day}`),
    db.run(sql`update exports set migration = ${migration_now} where day = ${day}`),
  ]);
}

/** The pieces written so far, in order for each table. */
export function listPieces(db: Db, day: string): Promise<PieceRow[]> {
  return queryRows(db, pieceRow)`
    select table_name, piece, row_count, last_rowid, sha256, is_last from export_pieces
    where day = ${day} order by table_name, piece`;
}

const tableRow = () => z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** The column name for a row's rowid. */
export const ROWID = 'rowid_of_row';

/** The next rows of a table, in the order of their rowids. */
export function readRows(db: Db, table: ExportedTable, after: number, limit: number) {
  return queryRows(db, tableRow)`
    select rowid as ${sql.identifier(ROWID)}, * from ${sql.identifier(table)}
    where rowid > ${after} order by rowid limit ${limit}`;
}

const takenRow = () => z.object({ piece: z.number() });

/** @returns whether it was new: of two concurrent sweeps only one continues, and none once the export is finished. */
export async function recordPiece(db: Db, day: string, piece: PieceRow): Promise<boolean> {
  const [taken] = await queryRows(db, takenRow)`
    insert into export_pieces (day, table_name, piece, row_count, last_rowid, sha256, is_last)
    select ${day}, ${piece.table_name}, ${piece.piece}, ${piece.row_count}, ${piece.last_rowid}, ${piece.sha256}, ${piece.is_last}
    where exists (select 1 from exports where day = ${day} and finished_at is null)
    on conflict do nothing returning piece`;
  return taken !== undefined;
}

const sequenceRow = () => z.object({ name: z.string(), seq: z.number() });

/** The highest autoincrement value that each table ever used. */
export async function readSequences(db: Db): Promise<Record<string, number>> {
  const rows = await queryRows(db, sequenceRow)`select name, seq from sqlite_sequence`;
  return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
}

export async function finishExport(db: Db, day: string, now: number): Promise<void> {
  await db.repeatable.batch([
    db.run(sql`update exports set finished_at = ${now} where day = ${day}`),
    db.run(sql`delete from export_pieces where day = ${day}`),
  ]);
}

/** Statements: delete the records of old exports. */
export function clearExpired(db: Db, now: number) {
  return [deleteSome(db, databaseExports, sql`begun_at < ${now - KEPT_MS.export}`)];
}
