import { sql } from 'drizzle-orm';
import type { CommunityInput, CreatedCommunity } from '#contract/communities.ts';
import type { Language } from '#contract/language.ts';
import { type Db, publishAs } from '#worker/db/client.ts';
import type { AppContext } from '#worker/http/context.ts';
import { newId } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, allowanceOf, assertWithin, countOne, isWithin } from '#worker/limits/allowance.ts';
import { newAccessCode, newCommunityCode } from './find-community.ts';
import { communitySearchText } from './present-community.ts';

type NewCommunity = {
  input: CommunityInput;
  /** The creator's language. */
  language: Language;
  allowance: Allowance;
  now: number;
};

/** Creates a community with its creator as admin. @throws AppError too_many_requests. */
export async function createCommunity(c: AppContext, viewer: Viewer, input: CommunityInput): Promise<CreatedCommunity> {
  const { config, db, language } = c.var;
  const now = Date.now();
  const allowance = allowanceOf(config, 'community', viewer.userId);
  const { created, counted } = await insertCommunity(db, viewer, { input, language, allowance, now });
  assertWithin(allowance, counted, now);
  return created;
}

/**
 * Counts the attempt and, within the limit, creates the community with its creator as admin.
 * @returns the community, and the number of attempts so far. If this number exceeds the limit, nothing was created,
 * and the caller must refuse the request.
 */
async function insertCommunity(db: Db, viewer: Viewer, community: NewCommunity) {
  const { input, allowance, now } = community;
  const created: CreatedCommunity = { id: newId(), name: input.name, access_code: newAccessCode(), approval_status: 0 };
  const { counted } = await publishAs(db, viewer, {
    counted: countOne(db, allowance, now),
    insertCommunities: db.run(sql`
      insert into communities (id, name, description, search_text, community_code, access_code, creator_id,
        creator_language, created_at)
      select ${created.id}, ${input.name}, ${input.description}, ${communitySearchText(input)}, ${newCommunityCode()},
        ${created.access_code}, ${viewer.userId}, ${community.language}, ${now} where ${isWithin(allowance, now)}`),
    insertMemberships: db.run(sql`
      insert into memberships (community_id, user_id, role, joined_at)
      select c.id, ${viewer.userId}, 'admin', ${now} from communities c where c.id = ${created.id}`),
  });
  return { created, counted };
}
