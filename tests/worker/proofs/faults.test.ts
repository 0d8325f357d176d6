import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NoticeList } from '#contract/notices.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, type Person, somePost } from '#tests/worker/support/api.ts';
import {
  deliver,
  deliverEmail,
  deliverPush,
  issueCode,
  proveEmail,
  put,
  readMessage,
  SETTLED,
  standInForEmail,
  standInForMeta,
  standInForPush,
  subscriptionsOf,
} from '#tests/worker/support/messages.ts';
import { envWithFailingMailboxes } from '#tests/worker/support/mortal-env.ts';
import {
  comeDue,
  connect,
  emailJob,
  hearJobs,
  lostAndFound,
  newListener,
  newReachable,
  notify,
  ring,
  settled,
  surround,
  takeTicket,
  tellMatch,
  whatsappJob,
} from '#tests/worker/support/notices.ts';
import { sweepIn } from '#tests/worker/support/posts.ts';
import {
  askWith,
  DATABASE_FAULTS,
  expectUnavailable,
  type Fault,
  PHOTO_FAULTS,
} from '#tests/worker/support/storage-faults.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';

const DOWN_SECONDS = 600;
type Outcome = { isAcked: boolean; retryIn: number | null };

/** Retries like the queue until the outage ends. @returns the number of failed tries. */
async function tryWhileDown(attempt: (attempts: number) => Promise<Outcome>): Promise<number> {
  let attempts = 0;
  for (let seconds = 0; seconds < DOWN_SECONDS; ) {
    const { isAcked, retryIn } = await attempt(++attempts);
    expect(isAcked).toBe(false);
    seconds += retryIn ?? 0;
  }
  return attempts;
}

async function forgetPauses(): Promise<void> {
  await env.DB.exec('delete from whatsapp_pauses');
}

const OUTSIDE_FAULTS: Fault[] = [
  {
    part: 'Meta',
    fails: 'Meta is down for ten minutes while a verification code waits to be sent',
    seen: 'no message, and can request a new verification code after five minutes',
    afterwards: 'an expired code is never sent: it becomes a dead letter',
    async tryIt() {
      const meta = standInForMeta();
      const { job } = await issueCode((await newPerson()).phone);
      meta.api.failNext({ html: 503 });
      expect((await deliver(meta.env, job)).isAcked).toBe(false);
      await env.DB.prepare('update reset_codes set issued_at = issued_at - ? where request_id = ?')
        .bind(DOWN_SECONDS * 1000, job.requestId)
        .run();
      expect(await deliver(meta.env, job, { attempts: 2 })).toEqual(SETTLED);
      expect(meta.api.accepted).toEqual([]);
    },
  },
  {
    part: 'Meta',
    fails: 'Meta is down for ten minutes while a notice is due',
    seen: 'the notice in the app, and on WhatsApp once Meta is back',
    afterwards: 'one message',
    async tryIt() {
      await forgetPauses();
      const meta = standInForMeta({ WHATSAPP_APP_SECRET: 'x', WHATSAPP_MATCH_TEMPLATE: 'match_notice' });
      const person = await newReachable();
      const id = await tellMatch(person);
      const bring = (attempts: number) =>
        deliver(meta.env, whatsappJob(person, [id]), { queue: 'patikana-notice-whatsapp', attempts });
      const tries = await tryWhileDown((attempts) => {
        meta.api.failNext({ html: 503 });
        return bring(attempts);
      });
      expect(await bring(tries + 1)).toEqual(SETTLED);
      expect(await bring(tries + 2)).toEqual(SETTLED);
      expect(meta.api.accepted).toHaveLength(1);
      expect(await readMessage(id)).toMatchObject({ status: 'accepted' });
    },
  },
  {
    part: 'push services',
    fails: 'the push services are down for ten minutes',
    seen: 'the notice in the app, and as a push once the services are back',
    afterwards: 'one push, and the subscription is kept',
    async tryIt() {
      const { service, env: bindings } = standInForPush();
      const person = await newPerson();
      const browser = service.subscribe();
      await put(browser, person);
      const noticeId = await notify({ ...person, tokenVersion: 1 }, { your_post_id: '', post_id: 'ya-mwingine' });
      const [subscription] = await subscriptionsOf(person);
      const job = {
        kind: 'push' as const,
        userId: person.id,
        noticeId,
        subscriptionId: subscription?.id ?? '',
        isSilent: false,
      };
      const tries = await tryWhileDown((attempts) => {
        service.answers.push({ status: 503 });
        return deliverPush(bindings, job, { attempts });
      });
      expect(await deliverPush(bindings, job, { attempts: tries + 1 })).toEqual(SETTLED);
      expect(browser.heard.map(({ message }) => message.id)).toEqual([noticeId]);
      expect(await subscriptionsOf(person)).toHaveLength(1);
    },
  },
  {
    part: 'e-mail',
    fails: 'the e-mail service is down for ten minutes',
    seen: 'the notice in the app, and by e-mail once the service is back',
    afterwards: 'one e-mail, and the address is still proven',
    async tryIt() {
      const platform = standInForEmail();
      const person = await newReachable();
      await proveEmail(person);
      const job = emailJob(person, [await tellMatch(person)]);
      const tries = await tryWhileDown((attempts) => {
        platform.failNext(null);
        return deliverEmail(platform.env, job, { attempts });
      });
      expect(await deliverEmail(platform.env, job, { attempts: tries + 1 })).toEqual(SETTLED);
      expect(platform.sent.map(({ to }) => to)).toEqual([person.email]);
    },
  },
];

const REFUSING = {
  async send() {
    throw new Error('Queue is overloaded');
  },
} as unknown as Queue;
const MOVED = 'Durable Object reset because its code was updated.';

/** Returns the ids of the messages that a person's page receives after the page has connected. */
async function heardBy(person: Person): Promise<string[]> {
  const live = await connect(person);
  await settled(live);
  live.socket.close();
  return live.messages.map(({ id }) => id);
}

/**
 * Creates an owner's post and then, while mailboxes fail, a finder's post that matches it. Checks that the finder's
 * post is created. @returns the owner.
 */
async function findWhileFailing(bindings: object): Promise<Person> {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const { lost, found } = lostAndFound();
  expect((await askWith({}, 'POST', '/posts', { person: owner, body: { ...somePost, ...lost } })).status).toBe(201);
  const body = { ...somePost, ...found };
  const answer = await askWith(bindings, 'POST', '/posts', { person: finder, body });
  expect([answer.status, (await answer.json<Post>()).title]).toEqual([201, found.title]);
  return owner;
}

async function expectToldOnce(owner: Person): Promise<void> {
  const { notices } = await (await call('GET', '/api/notices', undefined, owner)).json<NoticeList>();
  expect(notices).toHaveLength(1);
  await sweepIn(1);
  await sweepIn(10);
  expect(await heardBy(owner)).toEqual(notices.map(({ message }) => message.id));
}

/** Durable Objects that were just reset: calls to them fail with the platform's error. */
function movedObjects(): object {
  const moved = async () => {
    throw new Error(MOVED);
  };
  return { USER_CHANNEL: { getByName: () => ({ deliver: moved, retract: moved, fetch: moved, probe: moved }) } };
}

const DELIVERY_FAULTS: Fault[] = [
  {
    part: 'queues',
    fails: 'the queue for verification codes refuses a job',
    seen: 'an error that asks for a retry in 5 s (503)',
    afterwards: 'the previous code still works',
    async tryIt() {
      const { phone } = await newPerson();
      const { code } = await issueCode(phone);
      const asked = { body: { whatsapp_number: phone } };
      const answer = await askWith({ WHATSAPP_QUEUE: REFUSING }, 'POST', '/auth/request-password-reset', asked);
      await expectUnavailable(answer, '5');
      const judged = await call('POST', '/api/auth/verify-code', { whatsapp_number: phone, verification_code: code });
      expect(judged.status).toBe(200);
    },
  },
  {
    part: 'queues',
    fails: 'a queue for notices refuses a job',
    seen: 'the notice on every open page, and on its channel a minute later',
    afterwards: 'it was queued once',
    async tryIt() {
      const person = await newListener({ whatsapp: false, email: false, quiet_from: null, quiet_to: null });
      const id = await notify(person);
      await surround(person, () => ({ queue: () => Promise.reject(new Error('Queue is overloaded')) }));
      await comeDue(person, 'push');
      const jobs = await hearJobs(person);
      await ring(person);
      await comeDue(person, 'whatsapp').catch(() => {});
      expect(jobs.map(({ channel, job }) => [channel, 'noticeId' in job && job.noticeId])).toEqual([['push', id]]);
    },
  },
  {
    part: 'objects',
    fails: 'a mailbox fails before or after storing a notice',
    seen: 'the saved post, and the notice in the list at once',
    afterwards: 'the sweep delivers it, once',
    async tryIt() {
      for (const failing of ['before', 'after'] as const)
        await expectToldOnce(await findWhileFailing(envWithFailingMailboxes((moment) => moment === failing)));
    },
  },
  {
    part: 'objects',
    fails: 'Cloudflare has just moved a Durable Object',
    seen: 'the saved post, and an error when a page connects (503)',
    afterwards: 'what it missed arrives with the next connection, once',
    async tryIt() {
      const owner = await findWhileFailing(movedObjects());
      const headers = {
        Upgrade: 'websocket',
        'Sec-WebSocket-Protocol': `patikana.v1, ticket.${await takeTicket(owner)}`,
      };
      const request = new Request(`https://patikana.test/ws/${owner.id}`, { headers });
      const context = { waitUntil() {}, passThroughOnException() {}, props: {} } as unknown as ExecutionContext;
      await expectUnavailable(await app.fetch(request, { ...env, ...movedObjects() }, context), '2');
      await expectToldOnce(owner);
    },
  },
];

/** Every part that can fail. Add a new part here, with the effects of its failure. */
const FAULTS = [...DATABASE_FAULTS, ...DELIVERY_FAULTS, ...PHOTO_FAULTS, ...OUTSIDE_FAULTS];

beforeEach(() => void captureLogs());
afterEach(() => vi.unstubAllGlobals());

test.each(FAULTS)('if $fails, the user sees $seen', ({ tryIt }) => tryIt(), 60_000);
