import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CreatedCommunity } from '#contract/communities.ts';
import { MINUTE_MS } from '#contract/durations.ts';
import type { QueueJob } from '#contract/jobs.ts';
import { newPerson, ORIGIN, type Person } from '#tests/worker/support/api.ts';
import { newCommunity, newPlatformAdmin, showPasskey } from '#tests/worker/support/communities.ts';
import { deliver, standInForMeta } from '#tests/worker/support/messages.ts';
import { mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { newReachable } from '#tests/worker/support/notices.ts';
import { savePost } from '#tests/worker/support/posts.ts';
import { captureLogs, DEATH_STEP } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import { toDecisionJob, toDecisionMessage } from '#worker/communities/decide-on-community.ts';
import type { Env } from '#worker/env.ts';
import { sweep } from '#worker/sweep.ts';

let meta: ReturnType<typeof standInForMeta>;
let queued: QueueJob[];
let bindings: Env;

beforeEach(() => {
  captureLogs();
  meta = standInForMeta({ WHATSAPP_DECISION_TEMPLATE: 'community_decision' });
  queued = [];
  bindings = {
    ...meta.env,
    WHATSAPP_QUEUE: { send: async (job: QueueJob) => void queued.push(job) },
  } as unknown as Env;
});
afterEach(() => vi.unstubAllGlobals());

async function decide(worker: Env, { id }: CreatedCommunity, admin: Person, decision: 'approve' | 'reject') {
  const ctx = createExecutionContext();
  const request = new Request(`${ORIGIN}/api/admin/communities/${id}/${decision}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ reason: 'Haijulikani' }),
  });
  const answer = await app.fetch(request, worker, ctx);
  // After the simulated crash, the remaining background work fails.
  await waitOnExecutionContext(ctx).catch(() => undefined);
  return answer;
}

/** Delivers the queued jobs to the consumer. @returns the messages that Meta has received for the person. */
async function sendQueued({ phone }: Person) {
  for (const job of queued.splice(0)) if (job.kind === 'community_decision') await deliver(bindings, job);
  return meta.api.accepted.filter(({ to }) => to === phone).map(({ body }) => body);
}

async function countKept({ id }: Person): Promise<unknown> {
  return env.DB.prepare('select count(*) as kept from whatsapp_outbox where recipient_id = ?').bind(id).first('kept');
}

async function isPending({ id }: CreatedCommunity): Promise<boolean> {
  const row = await env.DB.prepare('select approval_status from communities where id = ?')
    .bind(id)
    .first('approval_status');
  return row === 0;
}

test.each([
  ['approve', 'approved'],
  ['reject', 'rejected'],
] as const)(
  'if the Worker dies during an admin’s decision to %s a community, the creator gets one message for a stored decision, else none',
  async (decision, outcome) => {
    const admin = await newPlatformAdmin();
    await showPasskey(admin);
    let deaths = 0;
    for (let dieAt = 0; dieAt <= deaths; dieAt += DEATH_STEP) {
      const creator = await newReachable('en');
      const community = await newCommunity(creator, { name: 'Chuo' });
      const mortal = mortalEnv(dieAt, bindings);
      await decide(mortal.env, community, admin, decision);
      if (mortal.isDead()) deaths += DEATH_STEP;
      await sweep(bindings, Date.now() + MINUTE_MS);
      const isDecided = !(await isPending(community));
      expect(await sendQueued(creator), `died at ${dieAt}`).toEqual(isDecided ? [['Chuo', outcome]] : []);
      await sweep(bindings, Date.now() + 60 * MINUTE_MS);
      expect(await sendQueued(creator), `died at ${dieAt}`).toHaveLength(isDecided ? 1 : 0);
      expect(await countKept(creator), `died at ${dieAt}`).toBe(0);
    }
    // The Worker may die before and after each call. Among these calls are the read of the community, the write of the
    // decision, the delivery of the notice, and the queueing of the WhatsApp message.
    expect(deaths).toBeGreaterThanOrEqual(14);
  },
);

test('if the queue refuses a WhatsApp message about a decision on a community, the message is retried at growing intervals for one day', async () => {
  const [creator, admin] = [await newReachable('en'), await newPlatformAdmin()];
  await showPasskey(admin);
  const community = await newCommunity(creator, { name: 'Chuo' });
  const send = vi.fn(() => Promise.reject(new Error('Too Many Requests')));
  const broken = { ...bindings, WHATSAPP_QUEUE: { send } } as unknown as Env;
  const countSends = () => send.mock.calls.filter(([job]: unknown[]) => (job as QueueJob).kind !== 'heartbeat').length;
  expect((await decide(broken, community, admin, 'approve')).status).toBe(200);
  expect([countSends(), await countKept(creator)]).toEqual([1, 1]);
  const tries: number[] = [];
  const start = Date.now();
  for (const minutes of [1, 1.5, 2.1, 3, 4.2, 5]) {
    await sweep(broken, start + minutes * MINUTE_MS);
    tries.push(countSends());
  }
  expect(tries).toEqual([2, 2, 3, 3, 4, 4]);
  await sweep(bindings, start + 25 * 60 * MINUTE_MS);
  await sweep(bindings, start + 48 * 60 * MINUTE_MS);
  expect([await countKept(creator), (await sendQueued(creator)).length]).toEqual([0, 1]);

  const second = await newCommunity(creator, { name: 'Shule' });
  await decide(broken, second, admin, 'reject');
  await sweep(broken, Date.now() + 25 * 60 * MINUTE_MS);
  expect(await countKept(creator)).toBe(0);
});

test('without a WhatsApp template for decisions on communities, no WhatsApp message about such a decision is stored', async () => {
  const [creator, admin] = [await newReachable('en'), await newPlatformAdmin()];
  await showPasskey(admin);
  const community = await newCommunity(creator);
  await decide({ ...bindings, WHATSAPP_DECISION_TEMPLATE: '' } as Env, community, admin, 'approve');
  expect([await countKept(creator), await sendQueued(creator)]).toEqual([0, []]);
});

test('an admin’s decision on a community is not sent by WhatsApp to a creator whose open post says that their phone is lost', async () => {
  const [creator, admin] = [await newReachable('en'), await newPlatformAdmin()];
  await showPasskey(admin);
  await savePost(creator, { posted_by: 'owner', title: 'Nimepoteza simu yangu ya Samsung' });
  await decide(bindings, await newCommunity(creator), admin, 'approve');
  expect(queued.map(({ kind }) => kind)).toContain('community_decision');
  expect(await sendQueued(creator)).toEqual([]);
});

test('an admin’s decision on a community is not sent by WhatsApp to an unproven phone number', async () => {
  const [creator, admin] = [await newPerson(), await newPlatformAdmin()];
  await showPasskey(admin);
  await decide(bindings, await newCommunity(creator), admin, 'approve');
  expect(await sendQueued(creator)).toEqual([]);
});

test('after a creator sends STOP, decisions on their communities are not sent by WhatsApp until they switch WhatsApp on again', async () => {
  const [creator, admin] = [await newReachable('en'), await newPlatformAdmin()];
  await showPasskey(admin);
  await env.DB.batch([
    env.DB.prepare("insert into whatsapp_words (user_id, message_id, is_on, sent_at) values (?, 'wamid', 0, 1)").bind(
      creator.id,
    ),
    env.DB.prepare('update notice_settings set whatsapp = 0 where user_id = ?').bind(creator.id),
  ]);
  await decide(bindings, await newCommunity(creator), admin, 'approve');
  expect(await sendQueued(creator)).toEqual([]);
  await env.DB.prepare('update notice_settings set whatsapp = 1 where user_id = ?').bind(creator.id).run();
  await decide(bindings, await newCommunity(creator), admin, 'reject');
  expect(await sendQueued(creator)).toHaveLength(1);
});

test.each([
  ['Chuo  cha\u200b\nＭｂｅｙａ', 'Chuo cha Mbeya'],
  ['Piga 0712 345 678 upate zawadi', 'Piga ••• upate zawadi'],
  ['Lipa namba 512345', 'Lipa namba •••'],
  ['Zawadi: https://bit.ly/x1', 'Zawadi: •••'],
  ['Andika wa.me au zawadi@gmail.com', 'Andika wa me au •••'],
  ['Shule ya Msingi Mbezi, Darasa la 7', 'Shule ya Msingi Mbezi, Darasa la 7'],
])('a WhatsApp message shows the community name %j as %j', (name, sent) => {
  const community = {
    id: 'c',
    name,
    approval_status: 0,
    pending_name: null,
    asker_id: 'u',
    asker_language: 'sw',
  } as const;
  const message = toDecisionMessage(community, null, { id: 'm', now: 0 });
  expect(toDecisionJob(community, message).communityName).toBe(sent);
});
