import { createHash } from 'node:crypto';
import { DAY_MS } from '#contract/durations.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import { nameDay } from '#worker/limits/day.ts';
import { ensureErasedList } from './erased.ts';
import { folderOf, MANIFEST, type Manifest, pieceFile } from './manifest.ts';
import {
  beginAgain,
  beginExport,
  finishExport,
  isOfOneSchema,
  listPieces,
  type PieceRow,
  ROWID,
  readRows,
  readSequences,
  recordPiece,
} from './store.ts';
import { EXPORTED, type ExportedTable } from './tables.ts';

type Bucket = Pick<Env, 'BACKUPS'>;

/** Counted from 1970, so weeks begin on Thursday at midnight UTC, which is 3 a.m. in Dar es Salaam. */
const WEEK_MS = 7 * DAY_MS;
const OVERDUE_MS = DAY_MS;

/** How many rows an object contains, and how many objects one sweep writes. */
type Bounds = { rows: number; pieces: number };
const BOUNDS: Bounds = { rows: 500, pieces: 20 };

/**
 * For the sweep: begins an export once a week, and continues it. Every step is repeatable: an object is written before it
 * is recorded, under a name with a hash of its content, and the manifest once all of them are recorded.
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

/** @returns whether every table is complete. */
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
  // Another sweep has finished the export meanwhile, and deleted the records of its pieces.
  const whole = new Set(pieces.filter(({ is_last }) => is_last).map(({ table_name }) => table_name));
  if (EXPORTED.some((name) => !whole.has(name))) return;
  // A migration has been applied meanwhile: the next sweep starts over.
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

/** The UTC day, as the week is in UTC, in the form 2026-11-22; not the day in Tanzania (`worker/limits/day.ts`). */
export function utcDayOf(time: number): string {
  return nameDay(Math.floor(time / DAY_MS));
}
