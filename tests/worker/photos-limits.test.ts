import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { LogEntry } from '#contract/moderation.ts';
import type { Switches } from '#contract/operating.ts';
import { app } from '#worker/app.ts';
import { readConfig } from '#worker/env.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import { call, newPerson, newPost, ORIGIN, type Person, read } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { newPlatformAdmin } from './support/communities.ts';
import { newPhoto, picture, sendPhoto } from './support/photos.ts';

afterEach(() => vi.restoreAllMocks());

const REFUSED = [429, 'too_many_requests'];
const OFF = [503, 'switched_off'];
const ALL_ON: Switches = { registration: true, photos: true, claims: true, whatsapp_notices: true };

const outcomeOf = async (answer: Response) =>
  answer.ok ? [answer.status] : [answer.status, (await answer.json<{ code: string }>()).code];

async function prove({ id }: Person): Promise<void> {
  await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(id).run();
}

test('an unproven person adds four photos a day, and a proven one more', async () => {
  const author = await newPerson();
  const [first, second] = [await newPost(author), await newPost(author)];
  for (let index = 0; index < 4; index++) await newPhoto(first.id, author);
  const refused = await sendPhoto(second.id, author, picture('grey.jpg'));
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(23 * 60 * 60);
  expect(await outcomeOf(refused)).toEqual(REFUSED);
  await prove(author);
  await newPhoto(second.id, author);
});

test('unproven people of one address, /56 or /48 have a ceiling together, proven ones there do not', async () => {
  const sendFrom = async (address: string, isProven = false) => {
    const author = await newPerson();
    if (isProven) await prove(author);
    const { id } = await newPost(author);
    const caller = { ...author, headers: { 'CF-Connecting-IP': address } };
    return outcomeOf(await sendPhoto(id, caller, picture('grey.jpg')));
  };
  expect(await sendFrom('2001:db8:70:100::1')).toEqual([201]);
  const [of64, of56, of48] = allowancesOf(readConfig(env), 'photo_try_address', '2001:db8:70:100::1');
  const fill = (allowance: typeof of56) =>
    env.DB.prepare('update rate_counters set count = ? where subject = ?')
      .bind((allowance?.max ?? 0) - 1, allowance?.key)
      .run();
  await fill(of64);
  expect(await sendFrom('2001:db8:70:100::2')).toEqual([201]);
  expect(await sendFrom('2001:db8:70:100::3')).toEqual(REFUSED);
  expect(await sendFrom('2001:db8:70:100::4', true)).toEqual([201]);
  await fill(of56);
  expect(await sendFrom('2001:db8:70:101::1')).toEqual([201]);
  expect(await sendFrom('2001:db8:70:102::1')).toEqual(REFUSED);
  await fill(of48);
  expect(await sendFrom('2001:db8:70:200::1')).toEqual([201]);
  expect(await sendFrom('2001:db8:70:300::1')).toEqual(REFUSED);
  expect(await sendFrom('2001:db8:71:300::1')).toEqual([201]);
});

/** Uploads where a day has so many transformations. @returns the outcome, and how many there were. */
async function upload(postId: string, { token }: Person, transformations: number, bytes = picture('grey.jpg')) {
  let done = 0;
  const images = {
    info: (stream: ReadableStream<Uint8Array>) => env.IMAGES.info(stream),
    input: (stream: ReadableStream<Uint8Array>) => {
      done++;
      return env.IMAGES.input(stream);
    },
  };
  const request = new Request(`${ORIGIN}/api/posts/${postId}/photos`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${token}` },
    body: bytes,
  });
  const bindings = { ...env, IMAGES: images, PHOTO_TRANSFORMATIONS_A_DAY: String(transformations) } as never;
  const context = createExecutionContext();
  const answer = await app.fetch(request, bindings, context);
  await waitOnExecutionContext(context);
  return { outcome: await outcomeOf(answer), done };
}

type Uploader = { postId: string; author: Person };

/** A day without work so far, and four people with a post each. */
async function startDay(): Promise<{ admin: Person; uploaders: Uploader[] }> {
  await env.DB.exec("delete from rate_counters where subject like 'photo_work%'");
  const admin = await newPlatformAdmin();
  await call('PUT', '/api/admin/switches', ALL_ON, admin);
  const newUploader = async () => {
    const author = await newPerson();
    await prove(author);
    return { author, postId: (await newPost(author)).id };
  };
  return { admin, uploaders: await Promise.all([1, 2, 3, 4].map(newUploader)) };
}

function ofFour<Item>([first, second, third, fourth]: Item[]): [Item, Item, Item, Item] {
  if (!first || !second || !third || !fourth) throw new Error('There are not four');
  return [first, second, third, fourth];
}

test("a day's work of the image service switches photos off before more is done, with an alarm, until an admin switches them on", async () => {
  const logs = captureLogs();
  const { admin, uploaders } = await startDay();
  const [first, second, third, last] = ofFour(uploaders);
  let spent = 0;
  for (const { postId, author } of [first, second]) {
    const { outcome, done } = await upload(postId, author, 20);
    expect(outcome).toEqual([201]);
    spent += done;
  }
  expect((await upload(third.postId, third.author, spent + 8)).outcome).toEqual([201]);
  expect(await upload(last.postId, last.author, spent + 8)).toEqual({ outcome: OFF, done: 0 });
  expect(logs.error.mock.calls.map(([line]) => line.event)).toEqual(['photos_switched_off']);
  expect(await outcomeOf(await sendPhoto(last.postId, last.author, picture('grey.jpg')))).toEqual(OFF);
  expect(await read<Switches>('/api/admin/switches', admin)).toEqual({ ...ALL_ON, photos: false });
  const [entry] = await read<LogEntry[]>('/api/admin/log?limit=1', admin);
  expect(entry).toMatchObject({ actor_id: null, action: 'switch_off', target_type: 'switch', target_id: 'photos' });
  await call('PUT', '/api/admin/switches', ALL_ON, admin);
  expect((await upload(last.postId, last.author, 20)).outcome).toEqual([201]);
  expect(logs.error).toHaveBeenCalledTimes(1);
});

test('uploads that come at once do no more work than the day allows', async () => {
  captureLogs();
  const { admin, uploaders } = await startDay();
  const uploads = await Promise.all(
    uploaders.flatMap(({ postId, author }) => [1, 2, 3, 4].map(() => upload(postId, author, 20))),
  );
  expect(uploads.reduce((sum, { done }) => sum + done, 0)).toBeLessThanOrEqual(20);
  expect(uploads.filter(({ outcome }) => outcome[0] !== 201).length).toBeGreaterThan(10);
  await call('PUT', '/api/admin/switches', ALL_ON, admin);
});

test('work that is only reserved refuses an upload for a moment, and leaves photos on', async () => {
  const logs = captureLogs();
  const { admin, uploaders } = await startDay();
  const [{ postId, author }] = ofFour(uploaders);
  expect((await upload(postId, author, 80)).outcome).toEqual([201]);
  await env.DB.exec(
    "update rate_counters set count = 73 where subject like 'photo_work:%' and count < 8 and length(subject) < 20",
  );
  expect(await upload(postId, author, 80)).toEqual({ outcome: [503, 'unavailable'], done: 0 });
  expect(await read<Switches>('/api/admin/switches', admin)).toEqual(ALL_ON);
  expect(logs.error).not.toHaveBeenCalled();
});

test("one person uses at most a quarter of a day's work", async () => {
  captureLogs();
  const { admin, uploaders } = await startDay();
  const [{ postId, author }, other] = ofFour(uploaders);
  const second = await newPost(author);
  const outcomes: unknown[] = [];
  let spent = 0;
  for (const id of [postId, postId, postId, second.id, second.id]) {
    const { outcome, done } = await upload(id, author, 64);
    spent += done;
    outcomes.push(outcome);
  }
  expect(outcomes.at(0)).toEqual([201]);
  expect(outcomes.at(-1)).toEqual(REFUSED);
  expect(spent).toBeLessThanOrEqual(16);
  expect((await upload(other.postId, other.author, 64)).outcome).toEqual([201]);
  expect(await read<Switches>('/api/admin/switches', admin)).toEqual(ALL_ON);
});

test('a picture that becomes no photo costs the day no more than what was done for it', async () => {
  captureLogs();
  const [{ postId, author }] = ofFour((await startDay()).uploaders);
  for (let index = 0; index < 6; index++) {
    const { outcome, done } = await upload(postId, author, 20, picture('grey.jpg').slice(0, 90));
    expect([...outcome, done]).toEqual([422, 'photo_broken', 0]);
  }
  expect((await upload(postId, author, 20)).outcome).toEqual([201]);
});
