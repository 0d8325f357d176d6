import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Session } from '#contract/accounts.ts';
import type { Device } from '#contract/devices.ts';
import { DAY_MS } from '#contract/durations.ts';
import { PushService } from '#tests/support/push-service.ts';
import { openDb } from '#worker/db/client.ts';
import { finishErasing, leavingData } from '#worker/leaving/index.ts';
import { call, newPerson, newPost, type Person, signIn } from './support/api.ts';
import { FOUND, newClaim, read } from './support/claims.ts';
import { leave, newLeaver } from './support/leaving.ts';
import { connect, settled } from './support/live.ts';
import { PUSH_ORIGIN, put, subscriptionsOf } from './support/push.ts';

/** On a device of theirs, with its subscription. */
async function onDevice(person: Person): Promise<Person> {
  const { access_token: token } = await (await signIn(person.email, person.password)).json<Session>();
  await put(new PushService(PUSH_ORIGIN).subscribe(), { token });
  return { ...person, token };
}

async function devicesOf({ id }: Person): Promise<number | null> {
  const devices = env.DB.prepare('select count(*) as n from devices where user_id = ? and ended_at is null').bind(id);
  return devices.first<number>('n');
}

test('while a closed account waits, nothing of it is left open, and nothing of others is closed', async () => {
  const { leaver, other, platformAdmin, pair, community } = await newLeaver();
  const [gone, stays] = [await onDevice(leaver), await onDevice(other)];
  const bystanders = await newClaim((await newPost(await newPerson(), FOUND)).id, stays);
  const claim = await newClaim((await newPost(gone, FOUND)).id, stays);
  await env.DB.prepare('update users set suspended_at = 1 where id = ?').bind(leaver.id).run();
  const [theirs, admins] = [await connect(stays), await connect(platformAdmin)];
  await settled(theirs);
  const match = theirs.messages.find((message) => message.type === 'matching_post' && message.post_id === pair.mine);
  expect(match).toBeDefined();
  const before = Date.now();
  expect((await leave(gone)).status).toBe(204);
  const erasure = await env.DB.prepare('select erase_at, due_at, failures from erasures where user_id = ?')
    .bind(leaver.id)
    .first<{ erase_at: number; due_at: number; failures: number }>();
  expect(erasure).toEqual({ erase_at: expect.any(Number), due_at: erasure?.erase_at, failures: 0 });
  expect(Math.abs((erasure?.erase_at ?? 0) - before - 30 * DAY_MS)).toBeLessThan(60_000);
  expect([await devicesOf(gone), await subscriptionsOf(gone)]).toEqual([0, []]);
  // Who is connected learns of it at once.
  await Promise.all([settled(theirs), settled(admins)]);
  expect(theirs.messages).toContainEqual(expect.objectContaining({ type: 'claim_closed', claim_id: claim.id }));
  expect(theirs.ended).toContain(match?.id);
  expect(admins.messages).toContainEqual(
    expect.objectContaining({ type: 'community_without_admin', community_id: community.id }),
  );
  expect((await read(claim.id, stays)).status).toBe('closed');
  expect((await read(bystanders.id, stays)).status).toBe(bystanders.status);
  const devices = await (await call('GET', '/api/me/devices', undefined, stays)).json<Device[]>();
  expect(devices.map(({ is_this }) => is_this)).toEqual([true]);
  expect(await subscriptionsOf(stays)).toHaveLength(1);
});

test('a sweep erases twenty accounts, those that have been due the longest', async () => {
  await env.DB.exec(
    `with recursive series (n) as (select 1 union all select n + 1 from series limit 21)
     insert into erasures (user_id, erase_at, due_at) select 'mtu ' || n, 0, 100 - n from series`.replaceAll('\n', ' '),
  );
  await finishErasing(env, openDb(env), [leavingData], 100);
  const { results } = await env.DB.prepare("select user_id from erasures where user_id like 'mtu %'").all();
  expect(results).toEqual([{ user_id: 'mtu 1' }]);
});
