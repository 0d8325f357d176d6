import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newPerson } from './support/api.ts';
import { newApprovedCommunity, newCommunity } from './support/communities.ts';
import { expectTrips } from './support/count-trips.ts';

test('a read asks the database once, a write at most twice', async () => {
  const { community, creator, platformAdmin } = await newApprovedCommunity();
  const { token, id: personId } = await newPerson();
  const [first, second] = [await newCommunity(creator), await newCommunity(creator)];
  const at = `/api/communities/${community.id}`;
  const reads = [
    '/api/communities',
    '/api/communities/approved',
    at,
    `${at}/stats`,
    `${at}/members`,
    `${at}/qrcode/base64`,
    `${at}/join-requests`,
  ];
  for (const path of reads) await expectTrips(1, 200, 'GET', path, creator);
  for (const path of [
    '/api/admin/communities',
    `/api/admin/communities/${community.id}/members`,
    '/api/admin/feedback',
  ])
    await expectTrips(1, 200, 'GET', path, platformAdmin);
  await expectTrips(1, 404, 'POST', '/api/communities/join', { token, body: { access_code: 'x' } });
  await expectTrips(1, 200, 'POST', '/api/communities/join', { token, body: { access_code: community.access_code } });
  await expectTrips(2, 201, 'POST', '/api/communities', { token, body: { name: 'Mpya' } });
  const member = `${at}/members/${personId}`;
  await expectTrips(1, 200, 'PATCH', at, { ...creator, body: { description: 'Mpya' } });
  await expectTrips(1, 200, 'POST', `${at}/access-code`, creator);
  await expectTrips(1, 200, 'PUT', `${member}/role`, { ...creator, body: { role: 'admin' } });
  await expectTrips(1, 204, 'DELETE', member, creator);
  await expectTrips(1, 202, 'DELETE', at, creator);
  await expectTrips(1, 200, 'POST', `${at}/reopen`, creator);
  const asker = await newPerson();
  for (const [verb, status] of [
    ['', 201],
    [`/${asker.id}/accept`, 204],
  ] as const)
    await expectTrips(1, status, 'POST', `${at}/join-requests${verb}`, { ...(verb ? creator : asker), body: {} });
  const decide = (id: string, verb: string) => `/api/admin/communities/${id}/${verb}`;
  await expectTrips(2, 200, 'POST', decide(first.id, 'approve'), platformAdmin);
  await expectTrips(2, 204, 'POST', decide(second.id, 'reject'), { ...platformAdmin, body: { reason: 'La' } });
});

test('the statistics of a community read its own rows and no others', async () => {
  const { community, creator } = await newApprovedCommunity();
  const { rowsRead } = await expectTrips(1, 200, 'GET', `/api/communities/${community.id}/stats`, creator);
  await env.DB.batch(
    Array.from({ length: 50 }, (_, n) =>
      env.DB.prepare(
        `insert into posts (id, author_id, title, owner_first_name, owner_last_name, location, phone_number, description,
           posted_by, kind, search_text, created_at)
         values (?, ?, 'x', '', '', 'x', '0712345678', '', 'finder', 'other', 'x', 1)`,
      ).bind(`${community.id}-${n}`, creator.id),
    ),
  );
  const after = await expectTrips(1, 200, 'GET', `/api/communities/${community.id}/stats`, creator);
  expect(after.rowsRead).toBe(rowsRead);
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

test('the list of communities to join reads those that are listed and no others', async () => {
  const person = await newPerson();
  const { rowsRead } = await expectTrips(1, 200, 'GET', '/api/communities/approved', person);
  await env.DB.batch(
    Array.from({ length: 50 }, (_, n) =>
      env.DB.prepare(
        `insert into communities (id, name, description, search_text, community_code, access_code, creator_id,
           approval_status, is_listed, created_at) values (?1, ?1, '', 'x', ?1, ?1, ?2, 1, 0, 1)`,
      ).bind(`unlisted-${n}`, person.id),
    ),
  );
  const after = await expectTrips(1, 200, 'GET', '/api/communities/approved', person);
  expect(after.rowsRead).toBe(rowsRead);
});
