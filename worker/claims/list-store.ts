import { type SQL, sql } from 'drizzle-orm';
import { CLAIM_ROLES, type ClaimListQuery } from '#contract/claims.ts';
import { type Db, writeAs } from '#worker/db/client.ts';
import { idsOf } from '#worker/db/rows.ts';
import { parseTimeCursor, type TimeKey } from '#worker/db/time-page.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { finishDeclines, isDue } from './news-store.ts';
import { type ClaimRow, updatedAt } from './present-claim.ts';
import { selectClaims } from './read-store.ts';

/** Where a page ended, and the change up to which its reader has seen all: many claims can change at one time. */
type Place = TimeKey & { known: TimeKey };

/**
 * A page of the viewer's claims, on either side, last changed first. A claim that changes while somebody is paging moves
 * to the front, where they would miss it, so the next page begins with such claims.
 * @returns the page, and the ids of notices to deliver, as due declines take effect.
 */
export async function listClaims(db: Db, viewer: Viewer, { cursor, limit }: ClaimListQuery, now: number) {
  const place = readPlace(cursor);
  const { userId } = viewer;
  const own = sql`iif(k.finder_id = ${userId}, k.finder_updated_at, k.claimant_updated_at)`;
  const [told, , , changed, rest] = await writeAs(db.repeatable, viewer, [
    ...finishDeclines(db, sql`${userId} in (k.finder_id, k.claimant_id) and ${isDue(now)}`, now),
    selectClaims(db, sql`where k.id in (${place ? changedSince(userId, place, limit) : NONE}) order by ${own}, k.id`),
    selectClaims(db, sql`where k.id in (${listAfter(userId, place, limit + 1)}) order by ${own} desc, k.id desc`),
  ]);
  const room = limit - changed.length;
  const last = rest.slice(0, room).at(-1);
  const end = last ? keyOf(last, viewer) : place;
  const newest = changed.at(-1);
  const known = room === 0 && newest ? keyOf(newest, viewer) : { time: now, id: '' };
  const isMore = rest.length > room || room === 0;
  return {
    rows: [...changed.toReversed(), ...rest.slice(0, room)],
    nextCursor: isMore && end ? `${end.time}.${end.id}_${known.time}_${known.id}` : null,
    noticeIds: idsOf(told),
  };
}

const NONE = sql`select null where false`;

/** A union of the two sides, so that each reads a page from its own index. */
function onEachSide(userId: string, select: (time: SQL) => SQL): SQL {
  const sides = CLAIM_ROLES.map(
    (role) => sql`select * from (
      select k.id, ${timeOf(role)} as time from claims k where ${sql.raw(`k.${role}_id`)} = ${userId} and ${select(timeOf(role))})`,
  );
  return sql.join(sides, sql` union all `);
}

function timeOf(role: (typeof CLAIM_ROLES)[number]): SQL {
  return sql.raw(`k.${role}_updated_at`);
}

function listAfter(userId: string, place: Place | null, limit: number): SQL {
  const isAfter = (time: SQL) => (place ? sql`(${time}, k.id) < (${place.time}, ${place.id})` : sql`true`);
  const sides = onEachSide(userId, (time) => sql`${isAfter(time)} order by ${time} desc, k.id desc limit ${limit}`);
  return sql`select id from (${sides}) order by time desc, id desc limit ${limit}`;
}

function changedSince(userId: string, { time: end, id, known }: Place, limit: number): SQL {
  const sides = onEachSide(
    userId,
    (time) => sql`(${time}, k.id) > (${known.time}, ${known.id}) and (${time}, k.id) > (${end}, ${id})
      order by ${time}, k.id limit ${limit}`,
  );
  return sql`select id from (${sides}) order by time, id limit ${limit}`;
}

function keyOf(row: ClaimRow, viewer: Viewer): TimeKey {
  return { time: updatedAt(row, viewer), id: row.id };
}

function readPlace(cursor: string | undefined): Place | null {
  const place = parseTimeCursor(cursor);
  if (!place) return null;
  const [id = '', knownTime = Number.MAX_SAFE_INTEGER, knownId = ''] = place.id.split('_');
  return { time: place.time, id, known: { time: Number(knownTime), id: knownId } };
}
