import { env } from 'cloudflare:workers';
import type { Post } from '#contract/posts.ts';
import { newPerson, type Person } from '#tests/worker/support/api.ts';
import { insertClaim } from '#tests/worker/support/claims.ts';
import { lostAndFound } from '#tests/worker/support/live.ts';
import { askApp } from '#tests/worker/support/visibility-world.ts';

/** The ids for a path's parameters, by the word before them: `posts` of `/posts/:id`. */
export type Ids = Record<string, string[]>;

export type Scene = {
  callers: Record<'asha' | 'juma' | 'suspended' | 'leaver' | 'admin', Person>;
  accessCode: string;
  communityCode: string;
  ids: Ids;
};

/** People with objects of every kind, and others who are suspended, about to leave, or platform admins. */
export async function makeScene(): Promise<Scene> {
  const circle = await makeCircle();
  const [suspended, leaver, admin, colleague] = await Promise.all([newPerson(), newPerson(), newPerson(), newPerson()]);
  const feedback = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare('update users set suspended_at = 1 where id = ?').bind(suspended.id),
    env.DB.prepare('update users set is_platform_admin = 1 where id in (?, ?)').bind(admin.id, colleague.id),
    env.DB.prepare(
      "insert into feedback (id, email, message, created_at) values (?, 'a@example.com', 'Asante', 1)",
    ).bind(feedback),
    env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(circle.people[0].id),
  ]);
  // People whom the admin suspends are not needed later.
  const ids = { ...circle.ids, users: [suspended.id, leaver.id], admins: [colleague.id], feedback: [feedback] };
  return { ...circle, ids, callers: { asha: circle.people[0], juma: circle.people[1], suspended, leaver, admin } };
}

/** Two people with private data: everything that they have is inside their own community. */
export async function makeBystanders(): Promise<{ people: readonly Person[]; ids: Ids }> {
  const { people, ids } = await makeCircle();
  const inside = ids.communities?.[0] ?? '';
  const places = people.map(() => '?').join(', ');
  await env.DB.prepare(`update posts set community_id = ? where author_id in (${places})`)
    .bind(inside, ...people.map(({ id }) => id))
    .run();
  // Anybody may ask to join a listed community, which notifies its admins.
  await env.DB.prepare('update communities set is_listed = 0 where id = ?').bind(inside).run();
  return { people, ids };
}

async function makeCircle() {
  const people = [await newPerson(), await newPerson()] as const;
  const [asha, juma] = people;
  const post = async ({ token }: Person, body: object) =>
    (
      await askApp('POST', '/api/posts', { token, body: { location: 'Mbezi', phone_number: '0712345678', ...body } })
    ).json<Post>();
  const { lost, found } = lostAndFound();
  const [mine, theirs] = [await post(asha, lost), await post(juma, found)];
  const goat = await post(asha, { title: 'Mbuzi mweupe ameonekana', posted_by: 'finder' });
  const body = { name: 'Shule ya Mbezi', description: '' };
  const community = await (await askApp('POST', '/api/communities', { token: juma.token, body })).json<{
    id: string;
    access_code: string;
  }>();
  await env.DB.prepare('update communities set approval_status = 1 where id = ?').bind(community.id).run();
  await askApp('POST', '/api/communities/join', { token: asha.token, body: { access_code: community.access_code } });
  const claims = [
    await insertClaim({ postId: goat.id, finder: asha, claimant: juma }),
    await insertClaim({ postId: theirs.id, finder: juma, claimant: asha }, 'accepted'),
  ];
  await insertOwned(asha);
  const places = people.map(() => '?').join(', ');
  const listed = async (statement: string) => {
    const { results } = await env.DB.prepare(`${statement} in (${places})`)
      .bind(...people.map(({ id }) => id))
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  };
  const ids: Ids = {
    posts: [mine.id, theirs.id, goat.id],
    claims,
    communities: [community.id],
    users: people.map(({ id }) => id),
    devices: await listed('select id from devices where user_id'),
    passkeys: await listed('select id from passkeys where user_id'),
    blocks: await listed('select id from blocks where blocker_id'),
    notices: await listed('select id from notices where recipient_id'),
    matches: await listed(
      'select p.id from match_pairs p join posts s on s.id in (p.lost_post_id, p.found_post_id) where s.author_id',
    ),
  };
  const communityCode =
    (await env.DB.prepare('select community_code from communities where id = ?')
      .bind(community.id)
      .first<string>('community_code')) ?? '';
  return { people, ids, accessCode: community.access_code, communityCode };
}

/** A device, a passkey, and a blocked person. */
async function insertOwned({ id }: Person): Promise<void> {
  const blocked = await newPerson();
  const insert = (statement: string, ...values: unknown[]) => env.DB.prepare(statement).bind(...values);
  await env.DB.batch([
    insert(
      "insert into devices (id, user_id, name, created_at, last_seen_at) values (?, ?, 'Chrome, Android', 1, ?)",
      crypto.randomUUID(),
      id,
      Date.now(),
    ),
    insert(
      "insert into passkeys (id, user_id, public_key, counter, transports, created_at) values (?, ?, 'x', 0, '[]', 1)",
      crypto.randomUUID(),
      id,
    ),
    insert(
      "insert into blocks (blocker_id, blocked_id, id, name, created_at) values (?, ?, ?, 'Simu', 1)",
      id,
      blocked.id,
      crypto.randomUUID(),
    ),
  ]);
}

/** Every table with personal data, with the column that says whose a row is. */
export const OWNER_COLUMNS: Readonly<Record<string, string>> = {
  blocks: 'blocker_id',
  claim_reports: 'reporter_id',
  claims: 'claimant_id',
  communities: 'creator_id',
  community_rejections: 'user_id',
  community_removals: 'user_id',
  devices: 'user_id',
  email_links: 'user_id',
  email_messages: 'recipient_id',
  erasures: 'user_id',
  feedback: 'email',
  given_numbers: 'reader_id',
  idempotency_keys: 'user_id',
  join_requests: 'user_id',
  match_answers: 'user_id',
  memberships: 'user_id',
  moderation_log: 'actor_id',
  notice_settings: 'user_id',
  notices: 'recipient_id',
  number_codes: 'number',
  number_proofs: 'number',
  passkey_challenges: 'user_id',
  passkeys: 'user_id',
  phone_numbers: 'user_id',
  photos: 'author_id',
  post_reports: 'reporter_id',
  posts: 'author_id',
  push_subscriptions: 'user_id',
  reset_codes: 'user_id',
  step_ups: 'user_id',
  users: 'id',
  whatsapp_messages: 'recipient_id',
  whatsapp_outbox: 'recipient_id',
  whatsapp_recipients: 'number',
  whatsapp_words: 'user_id',
};

/** Returns every row of every table that belongs to one of these people. */
export async function rowsOf(people: readonly { id: string }[]): Promise<Record<string, unknown[]>> {
  const tables = Object.entries(OWNER_COLUMNS);
  const places = people.map(() => '?').join(', ');
  const answers = await env.DB.batch<Record<string, unknown>>(
    tables.map(([table, column]) =>
      env.DB.prepare(`select * from ${table} where ${column} in (${places}) order by 1, 2`).bind(
        ...people.map(({ id }) => id),
      ),
    ),
  );
  return Object.fromEntries(
    tables.flatMap(([table], index) => {
      const rows = answers[index]?.results ?? [];
      return rows.length > 0 ? [[table, rows]] : [];
    }),
  );
}
