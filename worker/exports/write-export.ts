import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DAY_MS } from '#contract/durations.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { queryFirst, queryRows, type RowOf, rowOf } from '#worker/db/statements.ts';
import { databaseExports, exportPieces } from '#worker/db/tables/operating.ts';
import type { Env } from '#worker/env.ts';
import { errorName, log } from '#worker/errors/log.ts';
import { nameDay } from '#worker/limits/limits.ts';
import { ensureErasedList } from './erased.ts';
import { EXPORTS_PREFIX, folderOf, MANIFEST, type Manifest, pieceFile } from './manifest.ts';
import { EXPORTED, type ExportedTable } from './tables.ts';

type Bucket = Pick<Env, 'BACKUPS'>;

/**
 * Weeks are counted from 1 January 1970, a Thursday, so each week begins on Thursday at midnight UTC, which is 3 a.m.
 * in Dar es Salaam.
 */
const WEEK_MS = 7 * DAY_MS;
const OVERDUE_MS = DAY_MS;
/**
 * How long an export is stored: long enough for at least twelve weekly exports. The page /privacy promises this period.
 */
export const EXPORT_KEPT_MS = 89 * DAY_MS;

/** How many rows a piece contains, and how many pieces one run of the scheduled sweep writes. */
type Bounds = { rows: number; pieces: number };
const BOUNDS: Bounds = { rows: 500, pieces: 20 };

/**
 * Begins an export once a week, and continues it whenever the scheduled sweep runs. Every step can be repeated: a piece
 * is written to the bucket, under a name with a hash of its content, before the database records it. The manifest is
 * written last.
 */
export async function writeExport(env: Bucket, db: Db, now: number, bounds = BOUNDS): Promise<void> {
  const since = Math.floor(now / WEEK_MS) * WEEK_MS;
  const newest = await beginExport(db, { day: utcDayOf(now), since, now });
  if (!newest || newest.finished_at !== null) return;
  const { day, begun_at, migration, migration_now } = newest;
  if (now - begun_at > OVERDUE_MS) log.error('export_overdue');
  try {
    if (migration !== migration_now) await beginAgain(db, newest);
    if (await writePieces(env, db, day, bounds)) await close(env, db, { day, begun_at, migration: migration_now }, now);
  } catch (error) {
    log.error('export_failed', { name: errorName(error) });
  }
}

/** Writes the next pieces of the export. @returns true if it finds every table complete. */
async function writePieces(env: Bucket, db: Db, day: string, { rows, pieces }: Bounds): Promise<boolean> {
  const last = new Map((await listPieces(db, day)).map((piece) => [piece.table_name, piece]));
  for (let count = 0; count < pieces; count++) {
    const table = EXPORTED.find((name) => !last.get(name)?.is_last);
    if (!table) return true;
    const piece = await writePiece(env, db, { day, table, before: last.get(table), rows });
    if (!(await recordPiece(db, day, piece))) return false;
    last.set(table, piece);
  }
  return false;
}

type Place = { day: string; table: ExportedTable; before: PieceRow | undefined; rows: number };

async function writePiece({ BACKUPS }: Bucket, db: Db, { day, table, before, rows }: Place): Promise<PieceRow> {
  const read = await readRows(db, table, before?.last_rowid ?? 0, rows);
  const lines = read.map(({ [ROWID]: _, ...row }) => `${JSON.stringify(row)}\n`).join('');
  const sha256 = createHash('sha256').update(lines).digest('hex');
  const piece = before === undefined ? 0 : before.piece + 1;
  await BACKUPS.put(folderOf(day) + pieceFile(table, piece, sha256), lines, { sha256 });
  return {
    table_name: table,
    piece,
    row_count: read.length,
    last_rowid: Number(read.at(-1)?.[ROWID] ?? 0),
    sha256,
    is_last: read.length < rows ? 1 : 0,
  };
}

async function close(
  env: Bucket,
  db: Db,
  { day, begun_at, migration }: Pick<Manifest, 'day' | 'begun_at' | 'migration'>,
  now: number,
): Promise<void> {
  const [pieces, sequences] = await Promise.all([listPieces(db, day), readSequences(db)]);
  // If a table lacks its last piece, an overlapping run of the scheduled sweep has finished the export and deleted the
  // records of all pieces.
  const whole = new Set(pieces.filter(({ is_last }) => is_last).map(({ table_name }) => table_name));
  if (EXPORTED.some((name) => !whole.has(name))) return;
  // If a migration was applied since the export began, the next run of the scheduled sweep begins the export again.
  if (!(await isOfOneSchema(db, day))) return;
  const manifest: Manifest = { day, begun_at, migration, tables: EXPORTED.map(toTable), sequences };
  await ensureErasedList(env);
  await env.BACKUPS.put(folderOf(day) + MANIFEST, JSON.stringify(manifest));
  await finishExport(db, day, now);

  function toTable(name: ExportedTable): Manifest['tables'][number] {
    const own = pieces.filter((piece) => piece.table_name === name);
    return {
      name,
      rows: own.reduce((sum, { row_count }) => sum + row_count, 0),
      pieces: own.map(({ piece, row_count, sha256 }) => ({
        file: pieceFile(name, piece, sha256),
        rows: row_count,
        sha256,
      })),
    };
  }
}

/** Returns the UTC day of a time, such as 2026-11-22. Exports use UTC weeks, so this is not the day in Tanzania. */
export function utcDayOf(time: number): string {
  return nameDay(Math.floor(time / DAY_MS));
}

const OBJECTS_AT_ONCE = 500;

/**
 * Deletes old exports; the scheduled sweep calls this. Lists the bucket's files, because a database that was rebuilt
 * from an export has no record of these files.
 */
export async function deleteOldExports({ BACKUPS }: Pick<Env, 'BACKUPS'>, _db: Db, now: number): Promise<void> {
  const { objects } = await BACKUPS.list({ prefix: EXPORTS_PREFIX, limit: OBJECTS_AT_ONCE });
  const oldest = folderOf(utcDayOf(now - EXPORT_KEPT_MS));
  const old = objects.map(({ key }) => key).filter((key) => key < oldest);
  if (old.length > 0) await BACKUPS.delete(old);
}

const exportRow = () =>
  z.object({
    day: z.string(),
    begun_at: z.number(),
    migration: z.string(),
    finished_at: z.nullable(z.number()),
    migration_now: z.string(),
  });
type ExportRow = RowOf<typeof exportRow>;

const pieceRow = rowOf(exportPieces, 'table_name', 'piece', 'row_count', 'last_rowid', 'sha256', 'is_last');
type PieceRow = RowOf<typeof pieceRow>;

const LATEST_MIGRATION = sql`(select name from d1_migrations order by id desc limit 1)`;

/** Begins an export unless one began at `since` or later. @returns the newest export, and the latest migration. */
async function beginExport(db: Db, { day, since, now }: { day: string; since: number; now: number }) {
  const { newest } = await batch(db.repeatable, {
    insertExports: db.run(sql`
      insert into exports (day, begun_at, migration) select ${day}, ${now}, ${LATEST_MIGRATION}
      where not exists (select 1 from exports where begun_at >= ${since}) on conflict do nothing`),
    newest: selectNewest(db),
  });
  return newest;
}

function selectNewest(db: Db) {
  return queryFirst(db, exportRow)`
    select day, begun_at, migration, finished_at, ${LATEST_MIGRATION} as migration_now
    from exports order by begun_at desc limit 1`;
}

/** Whether the schema is unchanged since the export began. */
async function isOfOneSchema(db: Db, day: string): Promise<boolean> {
  const newest = await selectNewest(db);
  return newest?.day === day && newest.migration === newest.migration_now;
}

/** Begins the export again after a migration: deletes the records of the pieces written before the migration. */
async function beginAgain(db: Db, { day, migration_now }: ExportRow): Promise<void> {
  await batch(db.repeatable, {
    deleteExportPieces: db.delete(exportPieces).where(eq(exportPieces.day, day)),
    updateExports: db.update(databaseExports).set({ migration: migration_now }).where(eq(databaseExports.day, day)),
  });
}

/** Lists the pieces written so far, sorted by table and, within a table, by number. */
function listPieces(db: Db, day: string): Promise<PieceRow[]> {
  return queryRows(db, pieceRow)`
    select table_name, piece, row_count, last_rowid, sha256, is_last from export_pieces
    where day = ${day} order by table_name, piece`;
}

const tableRow = () => z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

const ROWID = 'rowid_of_row';

/** Reads the next rows of a table, in the order of their rowids. */
function readRows(db: Db, table: ExportedTable, after: number, limit: number) {
  return queryRows(db, tableRow)`
    select rowid as ${sql.identifier(ROWID)}, * from ${sql.identifier(table)}
    where rowid > ${after} order by rowid limit ${limit}`;
}

/**
 * Records a piece.
 * @returns whether the piece was new: if two runs of the scheduled sweep overlap, only one continues.
 */
async function recordPiece(db: Db, day: string, piece: PieceRow): Promise<boolean> {
  const taken = await queryFirst(db, rowOf(exportPieces, 'piece'))`
    insert into export_pieces (day, table_name, piece, row_count, last_rowid, sha256, is_last)
    select ${day}, ${piece.table_name}, ${piece.piece}, ${piece.row_count}, ${piece.last_rowid}, ${piece.sha256}, ${piece.is_last}
    where exists (select 1 from exports where day = ${day} and finished_at is null)
    on conflict do nothing returning piece`;
  return taken !== undefined;
}

const sequenceRow = () => z.object({ name: z.string(), seq: z.number() });

/** Reads the highest autoincrement value that each table has ever used. */
async function readSequences(db: Db): Promise<Record<string, number>> {
  const rows = await queryRows(db, sequenceRow)`select name, seq from sqlite_sequence`;
  return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
}

async function finishExport(db: Db, day: string, now: number): Promise<void> {
  await batch(db.repeatable, {
    updateExports: db.update(databaseExports).set({ finishedAt: now }).where(eq(databaseExports.day, day)),
    deleteExportPieces: db.delete(exportPieces).where(eq(exportPieces.day, day)),
  });
}
