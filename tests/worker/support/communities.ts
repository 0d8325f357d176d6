import { env } from 'cloudflare:workers';
import { decodeJwt } from 'jose';
import type { CreatedCommunity } from '#contract/communities.ts';
import { type Caller, call, newPerson, type Person } from './api.ts';

export async function newPlatformAdmin(): Promise<Person> {
  const person = await newPerson();
  await env.DB.prepare('update users set is_platform_admin = 1 where id = ?').bind(person.id).run();
  return person;
}

/**
 * Marks a platform admin's session as confirmed by a passkey. The admin's changes need this confirmation unless
 * ADMIN_STEP_UP is off.
 */
export async function showPasskey({ id, token }: Person): Promise<void> {
  const { sid = '' } = decodeJwt(token);
  await env.DB.prepare('insert into step_ups (session_id, user_id, passkey_id, expires_at) values (?, ?, ?, ?)')
    .bind(sid, id, 'ufunguo', Number.MAX_SAFE_INTEGER)
    .run();
}

export async function newCommunity(creator: Caller, input: Record<string, unknown> = {}) {
  const answer = await call(
    'POST',
    '/api/communities',
    { name: 'Shule ya Msingi Mbezi', description: '', ...input },
    creator,
  );
  if (answer.status !== 201) throw new Error(`Creating a community answered ${answer.status}: ${await answer.text()}`);
  return answer.json<CreatedCommunity>();
}

/** Creates a community that a platform admin approves. Returns the community, its creator and the platform admin. */
export async function newApprovedCommunity(input: Record<string, unknown> = {}) {
  const [creator, platformAdmin] = [await newPerson(), await newPlatformAdmin()];
  const community = await newCommunity(creator, input);
  const answer = await call('POST', `/api/admin/communities/${community.id}/approve`, undefined, platformAdmin);
  if (answer.status !== 200) throw new Error(`Approving answered ${answer.status}: ${await answer.text()}`);
  return { community, creator, platformAdmin };
}

export function join(accessCode: string, person: Caller): Promise<Response> {
  return call('POST', '/api/communities/join', { access_code: accessCode }, person);
}

/** Returns the community's code for posts (`community_code`), which the API shows to members only. */
export async function communityCodeOf(communityId: string, member: Caller): Promise<string> {
  const answer = await call('GET', `/api/communities/${communityId}`, undefined, member);
  const { community_code } = await answer.json<{ community_code: string }>();
  return community_code;
}

/**
 * A person's relation to the test's community. `platformAdmin` is not a member. `ableAdmin` is an admin whose only
 * fellow admin is suspended.
 */
export const STANDINGS = [
  'stranger',
  'removed',
  'requester',
  'platformAdmin',
  'member',
  'admin',
  'lastAdmin',
  'ableAdmin',
  'suspendedAdmin',
] as const;
export type Standing = (typeof STANDINGS)[number];

export type CommunityWorld = { id: string; code: string; accessCode: string; victim: Person; postId: string };
export type People = Record<Standing | 'victim' | 'fellow', Person>;

export async function newPeople(): Promise<People> {
  const names = [...STANDINGS, 'victim', 'fellow'] as const;
  const people = await Promise.all(
    names.map(async (name) => [name, await (name === 'platformAdmin' ? newPlatformAdmin() : newPerson())] as const),
  );
  const byName = Object.fromEntries(people) as People;
  await env.DB.prepare('update users set suspended_at = 1 where id = ?').bind(byName.suspendedAdmin.id).run();
  return byName;
}

type State = { closesAt?: number | null; isListed?: boolean };

/**
 * Inserts an approved community, and makes the people its members, admins, requesters and so on.
 * @param as the role that is tested. It decides who the admins are: `lastAdmin` alone, `ableAdmin` with
 * `suspendedAdmin`, or `admin` with `fellow`.
 */
export async function newWorld(
  people: People,
  as: Standing,
  { closesAt = null, isListed = true }: State = {},
): Promise<CommunityWorld> {
  const id = crypto.randomUUID();
  const code = `${id.slice(0, 8)}`.toUpperCase();
  const accessCode = `${id.slice(0, 8)}ZZ`.toUpperCase();
  const postId = crypto.randomUUID();
  const admins = adminsOf(people, as);
  const [first] = admins;
  const member = (person: Person, role: string) =>
    env.DB.prepare('insert into memberships (community_id, user_id, role, joined_at) values (?, ?, ?, 1)').bind(
      id,
      person.id,
      role,
    );
  await env.DB.batch([
    env.DB.prepare(
      `insert into communities (id, name, description, search_text, community_code, access_code, approval_status,
         creator_id, created_at, is_listed, closes_at) values (?, 'Shule', 'Ya msingi', ?, ?, ?, 1, ?, 1, ?, ?)`,
    ).bind(id, 'shule\nya msingi', code, accessCode, first?.id, Number(isListed), closesAt),
    ...admins.map((person) => member(person, 'admin')),
    ...[people.member, people.victim].map((person) => member(person, 'member')),
    env.DB.prepare('insert into community_removals (community_id, user_id, removed_at) values (?, ?, ?)').bind(
      id,
      people.removed.id,
      Date.now(),
    ),
    env.DB.prepare(
      'insert into join_requests (id, community_id, user_id, message, created_at) values (?, ?, ?, ?, ?)',
    ).bind(crypto.randomUUID(), id, people.requester.id, 'Ni mwanafunzi', Date.now()),
    env.DB.prepare(
      `insert into posts (id, author_id, community_id, title, owner_first_name, owner_last_name, location, phone_number,
         description, posted_by, kind, search_text, created_at)
       values (?, ?, ?, 'Begi', '', '', 'Mbezi', '', '', 'finder', 'bag', 'begi', 1)`,
    ).bind(postId, people.victim.id, id),
  ]);
  return { id, code, accessCode, victim: people.victim, postId };
}

function adminsOf({ admin, fellow, lastAdmin, ableAdmin, suspendedAdmin }: People, as: Standing): Person[] {
  if (as === 'lastAdmin') return [lastAdmin];
  return as === 'ableAdmin' || as === 'suspendedAdmin' ? [ableAdmin, suspendedAdmin] : [admin, fellow];
}

/** Returns the rows of the community, its members, the people removed from it, and its requests to join. */
export async function readWorld(id: string): Promise<unknown> {
  const tables = {
    communities: 'id',
    memberships: 'community_id',
    community_removals: 'community_id',
    join_requests: 'community_id',
  };
  const rows = await env.DB.batch(
    Object.entries(tables).map(([table, column]) =>
      env.DB.prepare(`select * from ${table} where ${column} = ? order by 1, 2`).bind(id),
    ),
  );
  return rows.map(({ results }) => results);
}
