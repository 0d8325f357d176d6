import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { forgetPerson } from '#web/lib/forget-person.ts';
import { readFilter } from '#web/lib/post-filter.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { keepSeenPosts, restoreSeenPosts } from '#web/lib/seen-posts.ts';
import { expireSession, signInAs, signOut } from '#web/lib/session.ts';
import { forgetPhotos, keepPhotos, readPhotos } from '#web/lib/waiting-photos.ts';
import { aWaitingPhoto } from './support/photos.ts';
import './support/setup.ts';

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

test('a post that was seen can be read by the same reader after a reload, and is asked for again', async () => {
  const { client } = open();
  client.setQueryData(postKey('one'), { title: 'Funguo' });
  await wait(999);
  expect(open().client.getQueryData(postKey('one'))).toBeUndefined();
  await wait(1);
  const restored = open().client;
  expect(restored.getQueryData(postKey('one'))).toEqual({ title: 'Funguo' });
  expect(restored.getQueryState(postKey('one'))).toMatchObject({ status: 'success', isInvalidated: true });
});

test('a post that could not be asked for again since is kept as it was seen', async () => {
  const { client } = open();
  client.setQueryData(postKey('one'), { title: 'Funguo' });
  const failing = { queryKey: postKey('one'), queryFn: () => Promise.reject(new Error('No')), retry: false };
  await client.fetchQuery(failing).catch(() => undefined);
  await wait();
  expect(open().client.getQueryState(postKey('one'))).toMatchObject({ status: 'success', data: { title: 'Funguo' } });
});

test('what is only asked for again, and not answered, is not written again', async () => {
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

test('only posts are kept, and only what there is of them', async () => {
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

test('what came with the page is kept, and what was kept before is not written again', async () => {
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

test('of a long list the first two pages are kept, and of many posts the thirty that were seen last', async () => {
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

test('what one person has seen is gone from the phone with their session, and the visitor’s with a sign-in', async () => {
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

test('what was about to be kept of one person is not kept for the next', async () => {
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

test('what has been kept for somebody is there as soon as they are signed in', async () => {
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

test('a page that is left keeps nothing more', async () => {
  const { client, stop } = open();
  client.setQueryData(postKey('one'), {});
  stop();
  await wait();
  client.setQueryData(postKey('two'), {});
  await wait();
  expect(localStorage).toHaveLength(0);
});

test('what is kept and cannot be read is as if there were nothing', () => {
  localStorage.setItem('seenPosts:visitor', '{"queries": [');
  expect(open().client.getQueryCache().getAll()).toEqual([]);
});

test('of a person whose account is gone nothing stays on the phone, and of others everything', async () => {
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
