import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { app } from '#worker/app.ts';
import { newPerson, ORIGIN, type Person } from './support/api.ts';
import { newApprovedCommunity, newCommunity } from './support/communities.ts';

/** Calls the app with a database that counts how often it is asked. */
async function countTrips(method: string, path: string, person: Person, body?: unknown) {
  let trips = 0;
  const count = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(of, name) {
        const value = Reflect.get(of, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (['batch', 'all', 'run', 'first', 'raw', 'exec'].includes(String(name))) trips++;
          // A statement goes into a batch as it is; alone it is asked through its own methods.
          if (name === 'batch')
            args[0] = (args[0] as object[]).map((statement) => originals.get(statement) ?? statement);
          const result = Reflect.apply(value, of, args) as unknown;
          if (!['withSession', 'prepare', 'bind'].includes(String(name))) return result;
          const wrapped = count(result as object);
          originals.set(wrapped, result as object);
          return wrapped;
        };
      },
    });
  const originals = new WeakMap<object, object>();
  const answer = await app.request(
    `${ORIGIN}${path}`,
    {
      method,
      headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    { ...env, DB: count(env.DB) },
    { waitUntil() {}, passThroughOnException() {}, props: {} } as unknown as ExecutionContext,
  );
  await answer.text();
  return { status: answer.status, trips };
}

test('a read asks the database once, a write at most twice', async () => {
  const { community, creator, platformAdmin } = await newApprovedCommunity();
  const person = await newPerson();
  const [first, second] = [await newCommunity(creator), await newCommunity(creator)];
  const at = `/api/communities/${community.id}`;
  for (const path of [
    '/api/communities',
    '/api/communities/approved',
    at,
    `${at}/stats`,
    `${at}/members`,
    `${at}/qrcode/base64`,
  ])
    expect(await countTrips('GET', path, creator), path).toEqual({ status: 200, trips: 1 });
  for (const path of ['/api/admin/communities', '/api/admin/feedback'])
    expect(await countTrips('GET', path, platformAdmin), path).toEqual({ status: 200, trips: 1 });
  const join = { access_code: community.access_code };
  expect(await countTrips('POST', '/api/communities/join', person, join)).toEqual({ status: 200, trips: 2 });
  expect(await countTrips('POST', '/api/communities/join', person, { access_code: 'x' })).toEqual({
    status: 404,
    trips: 1,
  });
  expect(await countTrips('POST', '/api/communities', person, { name: 'Mpya' })).toEqual({ status: 201, trips: 2 });
  const decide = (id: string, verb: string) => `/api/admin/communities/${id}/${verb}`;
  expect(await countTrips('POST', decide(first.id, 'approve'), platformAdmin)).toMatchObject({ status: 200 });
  expect(await countTrips('POST', decide(second.id, 'reject'), platformAdmin, { reason: 'La' })).toMatchObject({
    status: 204,
  });
});

test('statistics and lists are served by indexes', async () => {
  const plans = {
    'select count(*) from posts where community_id = ?': 'INDEX posts_by_community',
    'select * from memberships m where m.community_id = ? order by m.joined_at, m.user_id':
      'INDEX memberships_by_joining',
    'select * from communities where approval_status = ? order by created_at desc, id desc':
      'INDEX communities_by_status',
    'select * from memberships where user_id = ?': 'INDEX memberships_by_user',
    'select * from communities where access_code = ?': 'INDEX communities_access_code_unique',
  };
  for (const [query, index] of Object.entries(plans)) {
    const { results } = await env.DB.prepare(`explain query plan ${query}`).bind('x').all<{ detail: string }>();
    const plan = results.map((step) => step.detail).join('; ');
    expect(plan).toContain(index);
    expect(plan).not.toContain('TEMP B-TREE');
  }
});
