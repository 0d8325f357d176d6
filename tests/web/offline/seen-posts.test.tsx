import '#tests/web/support/setup.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { aWaitingPhoto } from '#tests/web/support/photos.ts';
import { forgetPerson } from '#web/accounts/settings/own-api.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { expireSession, signInAs, signOut } from '#web/api/session.ts';
import { forgetPhotos, keepPhotos, readPhotos } from '#web/offline/photo-queue.ts';
import { keepSeenPosts, restoreSeenPosts } from '#web/offline/seen-posts.ts';
import { readFilter } from '#web/posts/list/post-filter.ts';

const ASHA = { token: 'T', userId: 'asha' };
const JUMA = { token: 'J', userId: 'juma' };
const FILTER = readFilter(new URLSearchParams());

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => vi.useRealTimers());

function open() {
  const client = new QueryClient();
  restoreSeenPosts(client);
  const stop = keepSeenPosts(client);
  onTestFinished(stop);
  return { client, stop };
}

const wait = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms);
const postKey = (id: string) => queryKeys.posts.one(null, id);

test('a seen post is readable by the same user after a reload, and refetched', async () => {
  const { client } = open();
  client.setQueryData(postKey('one'), { title: 'Funguo' });
  await wait(999);
  expect(open().client.getQueryData(postKey('one'))).toBeUndefined();
  await wait(1);
  const restored = open().client;
  expect(restored.getQueryData(postKey('one'))).toEqual({ title: 'Funguo' });
  expect(restored.getQueryState(postKey('one'))).toMatchObject({ status: 'success', isInvalidated: true });
});

test('a post that could not be refetched stays stored', async () => {
  const { client } = open();
  client.setQueryData(postKey('one'), { title: 'Funguo' });
  const failing = { queryKey: postKey('one'), queryFn: () => Promise.reject(new Error('No')), retry: false };
  await client.fetchQuery(failing).catch(() => undefined);
  await wait();
  expect(open().client.getQueryState(postKey('one'))).toMatchObject({ status: 'success', data: { title: 'Funguo' } });
});

test('a refetch without a response writes nothing', async () => {
  const { client } = open();
  client.setQueryData(postKey('one'), { title: 'Funguo' });
  await wait();
  const written = vi.spyOn(Storage.prototype, 'setItem');
  onTestFinished(() => written.mockRestore());
  const failing = { queryKey: postKey('one'), queryFn: () => Promise.reject(new Error('No')), retry: false };
  await client.fetchQuery(failing).catch(() => undefined);
  await wait();
  expect(written).not.toHaveBeenCalled();
  await client.fetchQuery({ ...failing, queryFn: () => ({ title: 'Funguo' }) });
  await wait();
  expect(written).toHaveBeenCalledOnce();
});

test('only posts with data are stored', async () => {
  const { client } = open();
  client.setQueryData(queryKeys.me, { id: 'asha' });
  await wait();
  expect(localStorage).toHaveLength(0);
  client.setQueryData(postKey('one'), { title: 'Funguo' });
  const failing = { queryKey: postKey('gone'), queryFn: () => Promise.reject(new Error('No')), retry: false };
  await client.fetchQuery(failing).catch(() => undefined);
  await wait();
  const keys = open()
    .client.getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey);
  expect(keys).toEqual([postKey('one')]);
});

test('posts embedded in the page are stored, and restored ones are not written again', async () => {
  const client = new QueryClient();
  client.setQueryData(postKey('one'), { title: 'Funguo' });
  onTestFinished(keepSeenPosts(client));
  await wait();
  expect(open().client.getQueryData(postKey('one'))).toEqual({ title: 'Funguo' });
  await wait();
  const written = vi.spyOn(Storage.prototype, 'setItem');
  onTestFinished(() => written.mockRestore());
  open();
  await wait();
  expect(written).not.toHaveBeenCalled();
});

test('the first two pages of a long list and the thirty latest queries are stored', async () => {
  const { client } = open();
  const list = queryKeys.posts.list(null, FILTER);
  for (let count = 0; count < 32; count++) {
    vi.setSystemTime(Date.now() + 1_000);
    if (count === 20) client.setQueryData(list, { pages: ['a', 'b', 'c'], pageParams: ['', '1', '2'] });
    else client.setQueryData(postKey(String(count)), { count });
  }
  await wait();
  const restored = open().client;
  expect(restored.getQueryCache().getAll()).toHaveLength(30);
  expect(restored.getQueryData(list)).toEqual({ pages: ['a', 'b'], pageParams: ['', '1'] });
  for (const [id, isKept] of [
    ['0', false],
    ['1', false],
    ['2', true],
    ['31', true],
  ] as const)
    expect(restored.getQueryData(postKey(id)) !== undefined).toBe(isKept);
});

test('one person’s seen posts are deleted with their session, and the visitor’s at the sign-in', async () => {
  const { client } = open();
  client.setQueryData(postKey('seen-as-visitor'), {});
  await wait();
  localStorage.setItem('postDraft:asha:new', '{}');
  signInAs(ASHA);
  expect({ ...localStorage }).not.toHaveProperty('seenPosts:visitor');
  client.setQueryData(queryKeys.posts.own('asha'), { title: 'Pochi' });
  await wait();
  expect({ ...localStorage }).toHaveProperty('seenPosts:asha');
  await expireSession('T');
  expect(Object.keys(localStorage).filter((key) => key.startsWith('seenPosts:'))).toEqual([]);
  expect(localStorage.getItem('postDraft:asha:new')).toBe('{}');
});

test('a pending write for one person does not happen for the next', async () => {
  signInAs(ASHA);
  const { client } = open();
  client.setQueryData(queryKeys.posts.own('asha'), { title: 'Pochi' });
  await wait(500);
  signInAs(JUMA);
  await wait(5_000);
  expect(JSON.stringify({ ...localStorage })).not.toContain('Pochi');
  client.setQueryData(queryKeys.posts.own('juma'), { title: 'Kofia' });
  await wait();
  expect(localStorage.getItem('seenPosts:juma')).toContain('Kofia');
});

test('a person’s stored posts are restored as soon as they sign in', async () => {
  signInAs(ASHA);
  const before = open();
  before.client.setQueryData(queryKeys.posts.own('asha'), { title: 'Pochi' });
  await wait();
  before.stop();
  const kept = localStorage.getItem('seenPosts:asha') ?? '';
  signOut();
  const { client } = open();
  expect(client.getQueryData(queryKeys.posts.own('asha'))).toBeUndefined();
  localStorage.setItem('seenPosts:asha', kept);
  signInAs(ASHA);
  expect(client.getQueryData(queryKeys.posts.own('asha'))).toEqual({ title: 'Pochi' });
});

test('a page that was left stores nothing more', async () => {
  const { client, stop } = open();
  client.setQueryData(postKey('one'), {});
  stop();
  await wait();
  client.setQueryData(postKey('two'), {});
  await wait();
  expect(localStorage).toHaveLength(0);
});

test('unreadable stored posts are ignored', () => {
  localStorage.setItem('seenPosts:visitor', '{"queries": [');
  expect(open().client.getQueryCache().getAll()).toEqual([]);
});

test('a deleted account’s data is removed from the phone, and other people’s data stays', async () => {
  vi.useRealTimers();
  onTestFinished(() => forgetPhotos(() => true));
  for (const key of ['seenPosts:asha', 'outbox:asha', 'postDraft:asha:new', 'seenPosts:juma', 'i18nextLng'])
    localStorage.setItem(key, '[]');
  const [sent, drafted] = [
    aWaitingPhoto({ userId: 'asha' }),
    aWaitingPhoto({ userId: null, place: 'postDraft:asha:new' }),
  ];
  const other = aWaitingPhoto({ userId: 'juma', place: 'post:the-post' });
  await keepPhotos([sent, drafted, other]);
  forgetPerson('asha');
  await vi.waitFor(async () => expect((await readPhotos()).map(({ id }) => id)).toEqual([other.id]));
  expect(Object.keys(localStorage).sort()).toEqual(['i18nextLng', 'photosHere', 'seenPosts:juma']);
});
