import { env } from 'cloudflare:workers';
import { decodeJwt } from 'jose';
import type { CreatedCommunity } from '#contract/communities.ts';
import { type Caller, call, newPerson, type Person } from './api.ts';

export async function newPlatformAdmin(): Promise<Person> {
  const person = await newPerson();
  await env.DB.prepare('update users set is_platform_admin = 1 where id = ?').bind(person.id).run();
  return person;
}

/** The admin's session has shown a passkey, as what admins change needs it under every transport but the local one. */
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

/** A community that an admin has approved, with its creator. */
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

/** The public code, which only a member can read. */
export async function communityCodeOf(communityId: string, member: Caller): Promise<string> {
  const answer = await call('GET', `/api/communities/${communityId}`, undefined, member);
  const { community_code } = await answer.json<{ community_code: string }>();
  return community_code;
}
