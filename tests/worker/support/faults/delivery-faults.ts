import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { NoticeList } from '#contract/notices.ts';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, type Person, somePost } from '#tests/worker/support/api.ts';
import { connect, lostAndFound, settled, takeTicket } from '#tests/worker/support/live.ts';
import { envWithFailingMailboxes } from '#tests/worker/support/mortal-env.ts';
import { sweepIn } from '#tests/worker/support/saved-posts.ts';
import { comeDue, hearJobs, newListener, notify, ring, surround } from '#tests/worker/support/telling.ts';
import { issueCode } from '#tests/worker/support/whatsapp.ts';
import { app } from '#worker/app.ts';
import { askWith, expectUnavailable } from './database-faults.ts';
import type { Fault } from './fault.ts';

const REFUSING = {
  async send() {
    throw new Error('Queue is overloaded');
  },
} as unknown as Queue;
const MOVED = 'Durable Object reset because its code was updated.';

/** What a person's page hears once it connects. */
async function heardBy(person: Person): Promise<string[]> {
  const live = await connect(person);
  await settled(live);
  live.socket.close();
  return live.messages.map(({ id }) => id);
}

/** Somebody posts what another has lost, while mailboxes fail. @returns the owner, when the post is there all the same. */
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

/** Objects that were just moved: what is asked of them fails, as the platform has it. */
function movedObjects(): object {
  const moved = async () => {
    throw new Error(MOVED);
  };
  return { USER_CHANNEL: { getByName: () => ({ deliver: moved, retract: moved, fetch: moved, probe: moved }) } };
}

export const DELIVERY_FAULTS: Fault[] = [
  {
    part: 'queues',
    fails: 'the queue for codes refuses a job',
    seen: 'an error, to be retried in 5 s (503)',
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
    seen: 'the notice on every open page; through the channel a minute later',
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
    fails: 'a mailbox throws, before or after storing',
    seen: 'the post is saved; the notice is in the list at once',
    afterwards: 'the sweep delivers it, once',
    async tryIt() {
      for (const failing of ['before', 'after'] as const)
        await expectToldOnce(await findWhileFailing(envWithFailingMailboxes((moment) => moment === failing)));
    },
  },
  {
    part: 'objects',
    fails: 'an object was just moved',
    seen: 'the post is saved; a page that connects is told to retry in 2 s (503)',
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
