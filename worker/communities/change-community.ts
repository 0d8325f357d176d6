import { sql } from 'drizzle-orm';
import type { CommunityChange } from '#contract/communities.ts';
import { isAdminOf } from '#worker/conditions/communities.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import { toSearchText } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { newAccessCode, selectCommunityWhere } from './find-community.ts';

/**
 * Changes only the given fields. A community that is not approved yet is renamed at once. An approved community keeps
 * its name until the new name is approved; requesting the approved name again cancels the new name.
 * @returns the changed community.
 */
export async function changeCommunity(db: Db, viewer: Viewer, id: string, change: CommunityChange, now: number) {
  const { description, is_listed } = change;
  const name = change.name ?? null;
  const waits = sql`(${name} is not null and approval_status = 1 and ${name} <> name)`;
  const keeps = sql`(${name} is null)`;
  // `search_text` contains the name as its first line, and then the description (`communitySearchText`).
  const { community } = await publishAs(db, viewer, {
    updateCommunities: db.run(sql`
        update communities set
          name = iif(${keeps} or approval_status = 1, name, ${name}),
          pending_name = iif(${keeps}, pending_name, iif(${waits}, ${name}, null)),
          pending_name_by = iif(${keeps}, pending_name_by, iif(${waits}, ${viewer.userId}, null)),
          pending_name_at = iif(${keeps} or pending_name = ${name}, pending_name_at, iif(${waits}, ${now}, null)),
          description = ${description === undefined ? sql`description` : description},
          is_listed = ${is_listed === undefined ? sql`is_listed` : Number(is_listed)},
          search_text = iif(${keeps} or approval_status = 1,
              substr(search_text, 1, instr(search_text, char(10)) - 1), ${toSearchText([name ?? ''])})
            || char(10) || ${description === undefined ? sql`substr(search_text, instr(search_text, char(10)) + 1)` : toSearchText([description])}
        where id = ${id} and ${isAdminOf(id, viewer.userId)}`),
    community: selectCommunityWhere(db, viewer, sql`c.id = ${id}`),
  });
  return community;
}

/** Replaces the access code; the previous one stops working. @returns the changed community. */
export async function renewAccessCode(db: Db, viewer: Viewer, id: string) {
  const { community } = await publishAs(db, viewer, {
    updateCommunities: db.run(
      sql`update communities set access_code = ${newAccessCode()} where id = ${id} and ${isAdminOf(id, viewer.userId)}`,
    ),
    community: selectCommunityWhere(db, viewer, sql`c.id = ${id}`),
  });
  return community;
}
