import { type SQL, sql } from 'drizzle-orm';
import { CLAIM_ROLES, type Claim, type ClaimListQuery } from '#contract/claims.ts';
import { isDue } from '#worker/conditions/claims.ts';
import { areNotApart } from '#worker/conditions/people.ts';
import { arePaused } from '#worker/conditions/posts.ts';
import { type Db, type Handle, writeAs } from '#worker/db/client.ts';
import { idsOf, parseTimeCursor, queryFirst, queryRows, type TimeKey } from '#worker/db/statements.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, continueAfterAnswer } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';
import { finishDeclines } from './close-claims.ts';
import { type ClaimRow, claimRow, presentClaim, roleOf, updatedAt } from './present-claim.ts';

/** Presents the claim for the viewer. @throws AppError claim_not_found unless the viewer is one of the parties. */
export function answerClaim(c: AppContext, viewer: Viewer, row: ClaimRow | undefined): Claim {
  const role = row && roleOf(row, viewer);
  if (!row || !role) throw new AppError('claim_not_found');
  return presentClaim(row, role, { codeKey: c.var.config.keys.code, now: Date.now() });
}

/**
 * Reads a claim. A decline that can no longer be undone becomes final, and the claimant is notified after the response.
 * @throws AppError claim_not_found unless the viewer is one of the parties.
 */
export async function readOwnClaim(c: AppContext, viewer: Viewer, claimId: string): Promise<Claim> {
  const { row, noticeIds } = await findClaim(c.var.db, viewer, claimId, Date.now());
  continueAfterAnswer(c, deliverNotices(c.env, c.var.db, noticeIds));
  return answerClaim(c, viewer, row);
}

/** Statement: claims `k` with all their columns and steps. @param rest the conditions, the order and the limit. */
function selectClaims(db: Handle, rest: SQL) {
  return queryRows(db, claimRow)`${WHOLE_CLAIMS} ${rest}`;
}

/** Statement: one claim with all its columns and steps. */
export function selectClaim(db: Handle, claimId: string) {
  return queryFirst(db, claimRow)`${WHOLE_CLAIMS} where k.id = ${claimId}`;
}

const WHOLE_CLAIMS = sql`
    select k.id, k.post_id, k.post_title, k.post_kind, k.finder_id, k.claimant_id, f.username as finder_name,
      c.username as claimant_name, k.question, k.private_marks, k.answer, k.state, k.accepted_at, k.handed_over_at,
      k.phone_number as claimant_number, p.phone_number as finder_number, k.code_locked_until,
      not (${areNotApart(sql`k.finder_id`, sql`k.claimant_id`)}) as are_apart,
      coalesce(${arePaused('p')}, 0) as is_post_hidden,
      (select json_group_array(json_object('step', s.step, 'by', s."by", 'text', s.text,
        'is_about_money', s.is_about_money, 'finder_at', s.finder_at, 'claimant_at', s.claimant_at))
        from (select * from claim_steps where claim_id = k.id order by seq) s) as steps,
      k.created_at, k.finder_updated_at, k.claimant_updated_at
    from claims k left join users f on f.id = k.finder_id left join users c on c.id = k.claimant_id
    left join posts p on p.id = k.post_id`;

/**
 * Reads a claim. Before that, makes its decline final if the decline can no longer be undone.
 * @returns the claim, and the ids of notices to deliver.
 */
export async function findClaim(db: Db, viewer: Viewer, claimId: string, now: number) {
  const { declines, row } = await writeAs(db.repeatable, viewer, {
    declines: finishDeclines(db, sql`k.id = ${claimId} and ${isDue(now)}`, now),
    row: selectClaim(db, claimId),
  });
  return { row, noticeIds: idsOf(declines.notified) };
}

/**
 * Where a page of claims ended: the time and id of its last claim. `known` is the time and id of the newest change that
 * the reader has seen. The ids are needed because many claims can change at the same time.
 */
type Place = TimeKey & { known: TimeKey };

/**
 * Reads a page of the viewer's claims as finder or claimant, last changed first. A claim that changes after a page was
 * read moves to the front of the list, where the reader would miss it. So the next page begins with such claims.
 * @returns the page, and the ids of the notices to deliver about declines that have become final.
 */
export async function listClaims(db: Db, viewer: Viewer, { cursor, limit }: ClaimListQuery, now: number) {
  const place = readPlace(cursor);
  const { userId } = viewer;
  const own = sql`iif(k.finder_id = ${userId}, k.finder_updated_at, k.claimant_updated_at)`;
  const { declines, changed, rest } = await writeAs(db.repeatable, viewer, {
    declines: finishDeclines(db, sql`${userId} in (k.finder_id, k.claimant_id) and ${isDue(now)}`, now),
    changed: selectClaims(
      db,
      sql`where k.id in (${place ? changedSince(userId, place, limit) : NONE}) order by ${own}, k.id`,
    ),
    rest: selectClaims(db, sql`where k.id in (${listAfter(userId, place, limit + 1)}) order by ${own} desc, k.id desc`),
  });
  const room = limit - changed.length;
  const last = rest.slice(0, room).at(-1);
  const end = last ? keyOf(last, viewer) : place;
  const newest = changed.at(-1);
  const known = room === 0 && newest ? keyOf(newest, viewer) : { time: now, id: '' };
  const isMore = rest.length > room || room === 0;
  return {
    rows: [...changed.toReversed(), ...rest.slice(0, room)],
    nextCursor: isMore && end ? `${end.time}.${end.id}_${known.time}_${known.id}` : null,
    noticeIds: idsOf(declines.notified),
  };
}

const NONE = sql`select null where false`;

/** A union of the viewer's claims as finder and as claimant, so that each part reads a page from its own index. */
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
