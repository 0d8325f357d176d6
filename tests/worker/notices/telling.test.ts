import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OutgoingJob } from '#contract/jobs.ts';
import { call } from '#tests/worker/support/api.ts';
import {
  alarmOf,
  at,
  brief,
  change,
  channelOf,
  comeDue,
  connect,
  hearJobs,
  newListener,
  notify,
  ring,
  setClock,
  settled,
  someMessage,
  subscribe,
  surround,
} from '#tests/worker/support/notices.ts';
import { savePost } from '#tests/worker/support/posts.ts';

beforeEach(() => setClock('12:00'));
afterEach(() => vi.useRealTimers());

test('a notice that no open page acknowledges is sent by push, then by WhatsApp, then by e-mail, once on each channel', async () => {
  const person = await newListener();
  const jobs = await hearJobs(person);
  const id = await notify(person);
  for (const channel of ['push', 'whatsapp', 'email'] as const) await comeDue(person, channel);
  await comeDue(person, 'push', 'whatsapp', 'email');
  await channelOf(person).deliver([]);
  expect(brief(jobs)).toEqual([`push ${id}`, `whatsapp ${id}`, `email ${id}`]);
  expect(jobs.map(({ job }) => job)).toEqual([
    { kind: 'push', userId: person.id, noticeId: id, subscriptionId: `browser-of-${person.id}`, isSilent: false },
    { kind: 'match_notice', messageId: id, userId: person.id, noticeIds: [id], waiting: 1, language: 'en' },
    { kind: 'notice', messageId: id, userId: person.id, noticeIds: [id], waiting: 1, language: 'en' },
  ]);
});

test('a mailbox sets its alarm for the next time at which a notice may go out on a channel', async () => {
  const person = await newListener();
  await hearJobs(person);
  const now = Date.now();
  await surround(person, () => ({
    rules: () => ({ afterMs: { push: 15_000, whatsapp: 600_000, email: 1_800_000 }, messagesADay: 3 }),
  }));
  await notify(person);
  const alarms = [await alarmOf(person)];
  for (const seconds of [15, 600, 1800]) {
    vi.setSystemTime(now + seconds * 1000);
    await ring(person);
    alarms.push(await alarmOf(person));
  }
  const [first, second, third, last] = alarms.map((alarm) => (Number(alarm) - now) / 1000);
  expect([first, second, third]).toEqual([15, 600, 1800]);
  expect(last).toBeGreaterThan(29 * 24 * 60 * 60);
});

test('a push is queued as a separate job for each of the person’s browsers', async () => {
  const person = await newListener();
  await subscribe(person, `laptop-of-${person.id}`);
  const jobs = await hearJobs(person);
  await notify(person);
  await comeDue(person, 'push');
  const browsers = jobs.map(({ job }) => ('subscriptionId' in job ? job.subscriptionId : null));
  expect(browsers.sort()).toEqual([`browser-of-${person.id}`, `laptop-of-${person.id}`]);
});

test.each<[how: string, end: (person: Awaited<ReturnType<typeof newListener>>, id: string) => Promise<unknown>]>([
  [
    'acknowledged',
    async (person, id) => {
      const live = await connect(person);
      live.acknowledge(id);
      await settled(live);
    },
  ],
  ['read', (person, id) => call('POST', '/api/notices/read', { ids: [id] }, person)],
  [
    'marked as read without a call to the mailbox',
    (_, id) => env.DB.exec(`update notices set read_at = 1 where id = '${id}'`),
  ],
  ['withdrawn', (person, id) => channelOf(person).retract([id])],
])('a notice that is %s after its push was sent is not sent by WhatsApp or e-mail', async (_how, end) => {
  const person = await newListener();
  const jobs = await hearJobs(person);
  const id = await notify(person);
  await comeDue(person, 'push');
  await end(person, id);
  await comeDue(person, 'whatsapp', 'email');
  expect(brief(jobs)).toEqual([`push ${id}`]);
});

test('a notice withdrawn while the mailbox reads the person’s channels from the database is not sent', async () => {
  const person = await newListener();
  const jobs = await hearJobs(person);
  const id = await notify(person);
  await surround(person, ({ readReach }) => ({
    async readReach(...asked) {
      const reach = await readReach(...asked);
      await runInDurableObject(channelOf(person), (object) => object.retract([id]));
      return reach;
    },
  }));
  await comeDue(person, 'push', 'whatsapp', 'email');
  expect(jobs).toEqual([]);
});

test('while the mailbox queries the database about due notices, a new notice waits for the next query', async () => {
  const person = await newListener();
  const jobs = await hearJobs(person);
  const first = await notify(person);
  let second = '';
  await surround(person, ({ readReach }) => ({
    async readReach(...asked) {
      const reach = await readReach(...asked);
      if (second === '') second = await notify(person);
      await runInDurableObject(channelOf(person), (_object, { storage }) =>
        storage.sql.exec("UPDATE turns SET due_at = ? WHERE message_id = ? AND channel = 'push'", Date.now(), second),
      );
      return reach;
    },
  }));
  await comeDue(person, 'push');
  expect(brief(jobs)).toEqual([`push ${first}`]);
  await comeDue(person, 'push');
  expect(brief(jobs)).toEqual([`push ${first}`, `push ${second}`]);
});

test('a mailbox asks the database about at most a hundred due notices in one query', async () => {
  const person = await newListener();
  const messages = Array.from({ length: 101 }, () => someMessage());
  await channelOf(person).deliver(messages);
  const asked: number[] = [];
  await surround(person, () => ({
    async readReach(_userId, noticeIds) {
      asked.push(noticeIds.length);
      return null;
    },
  }));
  await comeDue(person, 'push');
  expect(await alarmOf(person)).toBe(Date.now());
  await ring(person);
  expect(asked).toEqual([100, 1]);
});

test('a notice skips channels that the person does not have or does not want', async () => {
  const person = await newListener({ push: false });
  await env.DB.prepare('update phone_numbers set proven_at = null where user_id = ?').bind(person.id).run();
  const jobs = await hearJobs(person);
  const first = await notify(person);
  await comeDue(person, 'push', 'whatsapp', 'email');
  await env.DB.prepare('update users set email_proven_at = null where id = ?').bind(person.id).run();
  await notify(person);
  await comeDue(person, 'push', 'whatsapp', 'email');
  expect(brief(jobs)).toEqual([`email ${first}`]);
});

test('by default a person gets notices by push and e-mail, with quiet hours from 21:00 to 06:00', async () => {
  const person = await newListener();
  await env.DB.prepare('delete from notice_settings where user_id = ?').bind(person.id).run();
  const jobs = await hearJobs(person);
  const id = await notify(person);
  await comeDue(person, 'push', 'whatsapp', 'email');
  setClock('20:59');
  const evening = await notify(person);
  await comeDue(person, 'push');
  setClock('21:00');
  await comeDue(person, 'email');
  expect(brief(jobs)).toEqual([`push ${id}`, `email ${id}`, `push ${evening}`]);
  expect(await alarmOf(person)).toBe(at('06:00', 16));
});

test('a notice that is not about a match or a claim is sent by push, and not by WhatsApp or e-mail', async () => {
  const person = await newListener();
  const jobs = await hearJobs(person);
  const id = await notify(person, {}, 'password_changed');
  await comeDue(person, 'push', 'whatsapp', 'email');
  expect(brief(jobs)).toEqual([`push ${id}`]);
});

test('a person gets at most three notices a day by WhatsApp and three by e-mail; further notices skip the channel', async () => {
  const person = await newListener();
  const jobs = await hearJobs(person);
  const today = [];
  for (let count = 0; count < 5; count++) today.push(await notify(person));
  await comeDue(person, 'whatsapp', 'email');
  setClock('12:00', 16);
  const tomorrow = await notify(person);
  await comeDue(person, 'whatsapp', 'email');
  for (const channel of ['whatsapp', 'email'])
    expect(brief(jobs).filter((job) => job.startsWith(channel))).toEqual(
      [...today.slice(0, 3), tomorrow].map((id) => `${channel} ${id}`),
    );
  const days = await runInDurableObject(channelOf(person), (_object, { storage }) =>
    storage.sql.exec('SELECT DISTINCT day FROM sent').toArray(),
  );
  expect(days).toHaveLength(1);
});

test('during quiet hours only silent pushes are sent; afterwards one WhatsApp message and one e-mail cover all waiting notices', async () => {
  const person = await newListener();
  setClock('23:30');
  const jobs = await hearJobs(person);
  const first = await notify(person);
  await comeDue(person, 'push', 'whatsapp', 'email');
  await evictDurableObject(channelOf(person));
  await hearJobs(person, jobs);
  setClock('00:30', 16);
  const second = await notify(person);
  await comeDue(person, 'push', 'whatsapp', 'email');
  expect(brief(jobs.splice(0))).toEqual([`push ${first} silently`, `push ${second} silently`]);
  expect(await alarmOf(person)).toBe(at('06:00', 16));
  await evictDurableObject(channelOf(person));
  await hearJobs(person, jobs);
  setClock('06:00', 16);
  await ring(person);
  expect(brief(jobs)).toEqual([`whatsapp ${first}+${second} of 2`, `email ${first}+${second} of 2`]);
  expect(jobs.map(({ job }) => 'messageId' in job && job.messageId)).toEqual([first, first]);
});

test('a notice that the person reads during quiet hours is not sent by e-mail when the quiet hours end', async () => {
  const person = await newListener({ whatsapp: false });
  setClock('23:30');
  const jobs = await hearJobs(person);
  const [read, left] = [await notify(person), await notify(person)];
  await comeDue(person, 'email');
  await call('POST', '/api/notices/read', { ids: [read] }, person);
  setClock('06:00', 16);
  await ring(person);
  expect(brief(jobs)).toEqual([`email ${left}`]);
});

test('a message delayed by quiet hours counts towards the limit of the day on which it is sent', async () => {
  const person = await newListener({ whatsapp: false });
  setClock('23:30');
  const jobs = await hearJobs(person);
  const ids = [];
  for (let count = 0; count < 12; count++) ids.push(await notify(person));
  await comeDue(person, 'email');
  setClock('06:00', 16);
  const morning = [await notify(person), await notify(person), await notify(person)];
  await comeDue(person, 'email');
  expect(brief(jobs)).toEqual([
    `email ${ids.slice(0, 10).join('+')} of 12`,
    ...morning.slice(0, 2).map((id) => `email ${id}`),
  ]);
});

test('if a person switches off quiet hours and WhatsApp, waiting notices are sent immediately, and only by e-mail', async () => {
  const person = await newListener();
  setClock('23:30');
  const jobs = await hearJobs(person);
  const ids = [await notify(person), await notify(person)];
  await comeDue(person, 'whatsapp', 'email');
  expect(jobs).toEqual([]);
  await change(person, { quiet_from: null, quiet_to: null, whatsapp: false });
  await expect.poll(() => alarmOf(person)).toBe(Date.now());
  await ring(person);
  expect(brief(jobs)).toEqual([`email ${ids.join('+')} of 2`]);
});

/** Saves a post about a thing that the person has lost. The post's phone number is not the account's number. */
async function lose(person: { id: string }, title: string, onBehalf = 0) {
  const id = await savePost(person, { posted_by: 'owner', title });
  await env.DB.prepare('update posts set on_behalf = ? where id = ?').bind(onBehalf, id).run();
  return id;
}

test.each(['Nimepoteza simu ya Tecno nyeusi', 'Lost my SIM card', 'Laini yangu ya simu imepotea'])(
  'a person who has lost their own phone (open post “%s”) gets e-mails instead of WhatsApp messages, even about other posts',
  async (title) => {
    const person = await newListener();
    const jobs = await hearJobs(person);
    setClock('23:30');
    const bag = await lose(person, 'Nimepoteza begi jeusi');
    for (const your_post_id of [await lose(person, title), bag]) {
      const id = await notify(person, { your_post_id });
      await comeDue(person, 'push');
      await comeDue(person, 'whatsapp');
      expect(brief(jobs.splice(0))).toEqual([`push ${id} silently`, `email ${id}`]);
    }
  },
);

test('a notice goes out by push and WhatsApp if the recipient lost a bag or another person’s phone, or has their own phone back', async () => {
  const person = await newListener();
  const jobs = await hearJobs(person);
  const posts = [await lose(person, 'Simu ya mama yangu imepotea', 1), await lose(person, 'Nimepoteza pochi nyeusi')];
  const back = await lose(person, 'Nimepoteza simu ya Tecno');
  await env.DB.prepare('update posts set is_found = 1 where id = ?').bind(back).run();
  for (const your_post_id of [...posts, back]) {
    const id = await notify(person, { your_post_id });
    await comeDue(person, 'push');
    expect(brief(jobs.splice(0))).toEqual([`push ${id}`]);
  }
  await comeDue(person, 'whatsapp');
  expect(jobs.length).toBe(3);
});

class Killed extends Error {}

test.each([0, 1, 2, 3])(
  'a notice is sent on every channel even if the mailbox crashes while sending the notice (crash point %i)',
  async (point) => {
    const person = await newListener();
    const jobs: OutgoingJob[] = [];
    const id = await notify(person);
    let passed = 0;
    const pass = async <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
      if (passed++ === point) throw new Killed();
      const answer = await act();
      if (passed++ === point) throw new Killed();
      return answer;
    };
    await surround(person, ({ readReach }) => ({
      readReach: (...asked) => pass(() => readReach(...asked)),
      queue: (some) => pass(async () => void jobs.push(...some)),
    }));
    await comeDue(person, 'push', 'whatsapp', 'email');
    expect(await alarmOf(person)).toBe(Date.now() + 60_000);
    await evictDurableObject(channelOf(person));
    await hearJobs(person, jobs);
    vi.setSystemTime(Date.now() + 60_000);
    await ring(person);
    await comeDue(person, 'push', 'whatsapp', 'email');
    expect([...new Set(brief(jobs))]).toEqual([`push ${id}`, `whatsapp ${id}`, `email ${id}`]);
    // The jobs are sent a second time only if the queue had accepted them without confirming it.
    expect(jobs.length).toBe(point === 3 ? 6 : 3);
  },
);

test('a stored notice without due times, from an earlier version of the app, is not sent on any channel', async () => {
  const person = await newListener();
  const jobs = await hearJobs(person);
  await notify(person);
  await runInDurableObject(channelOf(person), (_object, { storage }) => storage.sql.exec('DELETE FROM turns'));
  await ring(person);
  expect(jobs).toEqual([]);
});

test('the mailbox of a deleted account sends no notices and sets no alarm to try again', async () => {
  const person = await newListener();
  const jobs = await hearJobs(person);
  await notify(person);
  await surround(person, () => ({ readReach: async () => null }));
  await comeDue(person, 'push', 'whatsapp', 'email');
  expect(jobs).toEqual([]);
  expect(await alarmOf(person)).toBeGreaterThan(at('12:00', 31));
});

test('the times at which a notice is due on its channels are deleted with the notice', async () => {
  const person = await newListener();
  await notify(person);
  setClock('12:00', 31);
  vi.setSystemTime(Date.now() + 31 * 24 * 60 * 60 * 1000);
  await ring(person);
  const left = await runInDurableObject(channelOf(person), (_object, { storage }) =>
    storage.sql.exec('SELECT * FROM turns').toArray(),
  );
  expect(left).toEqual([]);
});

test('a person’s open pages receive the ids of notices that were read on another device', async () => {
  const person = await newListener();
  const live = await connect(person);
  const id = await notify(person);
  await settled(live);
  await call('POST', '/api/notices/read', { ids: [id] }, person);
  await expect.poll(() => live.ended).toEqual([id]);
});
