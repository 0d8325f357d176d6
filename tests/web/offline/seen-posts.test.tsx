import { QueryClient } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SCHOOL, WAITING_SCHOOL } from '#tests/web/support/communities.ts';
import { matchMessage } from '#tests/web/support/notices.tsx';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { aWaitingPhoto } from '#tests/web/support/photos.ts';
import { aPost, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { forgetPerson } from '#web/accounts/settings/own-api.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { expireSession, signInAs, signOut } from '#web/api/session.ts';
import { TakeOver } from '#web/app/take-over.tsx';
import { forgetPhotos, keepPhotos, readPhotos } from '#web/offline/photo-queue.ts';
import { keepSeenPosts, restoreSeenPosts } from '#web/offline/seen-posts.ts';
import { readFilter } from '#web/posts/list/post-filter.ts';

describe('posts stored for offline reading', () => {
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

  test('a post that the user has seen can be read after a reload, and is refetched', async () => {
    const { client } = open();
    client.setQueryData(postKey('one'), { title: 'Funguo' });
    await wait(999);
    expect(open().client.getQueryData(postKey('one'))).toBeUndefined();
    await wait(1);
    const restored = open().client;
    expect(restored.getQueryData(postKey('one'))).toEqual({ title: 'Funguo' });
    expect(restored.getQueryState(postKey('one'))).toMatchObject({ status: 'success', isInvalidated: true });
  });

  test('a stored post remains stored if its refetch fails', async () => {
    const { client } = open();
    client.setQueryData(postKey('one'), { title: 'Funguo' });
    const failing = { queryKey: postKey('one'), queryFn: () => Promise.reject(new Error('No')), retry: false };
    await client.fetchQuery(failing).catch(() => undefined);
    await wait();
    expect(open().client.getQueryState(postKey('one'))).toMatchObject({ status: 'success', data: { title: 'Funguo' } });
  });

  test('a refetch that gets no response writes nothing to the storage', async () => {
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

  test('only loaded posts are stored: no other data, and no post that failed to load', async () => {
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

  test('posts embedded in the page are stored; posts read from the storage are not written again', async () => {
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

  test('the thirty latest entries (posts and lists together) are stored, and of a long list only the first two pages', async () => {
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

  test('a person’s stored posts are deleted when the session ends, and a visitor’s stored posts at the sign-in', async () => {
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

  test('if another person signs in before the posts are stored, the first person’s posts are never stored', async () => {
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

  test('signing in restores the posts that the phone has stored for this person', async () => {
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

  test('after the page has closed, nothing more is stored', async () => {
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

  test('deleting an account removes its data from the phone, and other people’s data stays', async () => {
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
});

describe('a failed request', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const OURS = { ...SCHOOL, name: 'Shule ya Mbezi' };
  const WAITING = { ...WAITING_SCHOOL, name: OURS.name };
  const MEMBER = { user_id: 'u', username: 'Rehema', role: 'other', joined_at: OURS.created_at };
  const STATS = { total_members: 4_321, total_posts: 0, found_items: 0, lost_items: 0, resolved_posts: 0 };
  const NOTICE = { message: matchMessage, noticed_at: OURS.created_at, read_at: OURS.created_at, is_open: true };
  const FEEDBACK = { id: '1', email: 'a@b.tz', message: 'Asante', created_at: OURS.created_at, done_at: null };

  type Json = Record<string, unknown> | unknown[];
  const ANSWERS: Record<string, Json> = {
    '/api/me': { id: 'a-user', username: 'Asha', is_platform_admin: true },
    '/api/posts': [{ Post: aPost({ title: 'Funguo' }) }],
    '/api/posts/by-owner': [{ Post: aPost({ title: 'Funguo' }) }],
    '/api/posts/P1': aPost({ id: 'P1', title: 'Funguo' }),
    '/api/matches/counts': {},
    '/api/communities': [OURS],
    '/api/communities/school': OURS,
    '/api/communities/school/stats': STATS,
    '/api/communities/school/members': [MEMBER],
    '/api/communities/school/join-requests': [],
    '/api/notices': { unread_count: 0, notices: [NOTICE] },
    '/api/admin/communities': [WAITING],
    '/api/admin/feedback': [FEEDBACK],
  };

  /** Makes requests to `path` fail, and answers all others. @returns a function that makes `path` work again. */
  function lose(path: string): () => void {
    const answer = (lost: string | null) =>
      http.get('*/api/*', ({ request }) => {
        const { pathname } = new URL(request.url);
        if (pathname === lost) return HttpResponse.error();
        return pathname in ANSWERS ? HttpResponse.json(ANSWERS[pathname]) : new HttpResponse(null, { status: 404 });
      });
    server.use(answer(path));
    return () => server.use(answer(null));
  }

  const LISTS: [name: string, address: string, path: string, sentence: string, content: string][] = [
    [
      'posts',
      '/view-posts',
      '/api/posts',
      'Error loading posts: There was no answer. Check your connection.',
      'Funguo',
    ],
    [
      'my posts',
      '/my-posts',
      '/api/posts/by-owner',
      'Error loading posts: There was no answer. Check your connection.',
      'Funguo',
    ],
    ['a post', '/posts/P1', '/api/posts/P1', 'There was no answer. Check your connection.', 'Funguo'],
    ['communities', '/communities', '/api/communities', 'Failed to fetch communities', OURS.name],
    ['a community', '/community-details/school', '/api/communities/school', 'Failed to fetch communities', OURS.name],
    [
      'the dashboard',
      '/community-details/school',
      '/api/communities/school/stats',
      'The statistics could not be loaded.',
      '4,321',
    ],
    [
      'members',
      '/community-details/school?tab=members',
      '/api/communities/school/members',
      'The members could not be loaded.',
      'Rehema',
    ],
    ['notices', '/notices', '/api/notices', 'Your notices could not be loaded.', 'Found a NIDA card'],
    ['the administration', '/admin', '/api/me', 'This page could not be shown', WAITING.name],
    [
      'communities to decide',
      '/admin',
      '/api/admin/communities',
      'This could not be done. Please try again.',
      WAITING.name,
    ],
    ['feedback', '/admin?tab=feedback', '/api/admin/feedback', 'This could not be done. Please try again.', 'Asante'],
  ];

  test.each(LISTS)(
    'for %s without a network shows one message, and the content loads when the network returns',
    async (_name, address, path, sentence, content) => {
      const findNetwork = loseNetwork();
      act(() => void window.dispatchEvent(new Event('offline')));
      const bringBack = lose(path);
      await renderScreen(address, { isSignedIn: true });
      await screen.findAllByText(sentence, { exact: false }, { timeout: 10_000 });
      // The alert of a list of posts is a toast, which disappears after three seconds.
      const isToasted = sentence.startsWith('Error loading posts');
      if (!isToasted) expect(screen.getByRole('alert')).toHaveTextContent(sentence);
      expect(screen.queryAllByRole('alert').length).toBeLessThanOrEqual(1);
      bringBack();
      findNetwork();
      act(() => void window.dispatchEvent(new Event('online')));
      expect((await screen.findAllByText(content)).length).toBeGreaterThan(0);
      expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    },
  );

  test.each(LISTS)(
    'for %s shows a message and a button “Try again” until an automatic retry loads the content',
    async (_name, address, path, sentence, content) => {
      // Without a network the message appears before any retry. The network then returns without an `online` event, so
      // only a retry can load the content.
      const findNetwork = loseNetwork();
      const bringBack = lose(path);
      vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
        shouldAdvanceTime: true,
      });
      await renderScreen(address, { isSignedIn: true });
      const again = await screen.findByRole('button', { name: 'Try again' });
      findNetwork();
      // The same message stays during all retries.
      await act(() => vi.advanceTimersByTimeAsync(31_000));
      expect(again).toBeInTheDocument();
      expect(screen.getAllByText(sentence).length).toBeGreaterThan(0);
      bringBack();
      await act(() => vi.advanceTimersByTimeAsync(40_000));
      await waitFor(() => expect(screen.getAllByText(content).length).toBeGreaterThan(0));
      expect(again).not.toBeInTheDocument();
    },
  );

  test('is not retried if the server refuses it', async () => {
    let asked = 0;
    server.use(
      http.get('*/api/posts', () => {
        asked++;
        return HttpResponse.json({ code: 'not_a_member', detail: 'No.' }, { status: 403 });
      }),
    );
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    });
    await renderScreen('/view-posts?community_code=X');
    await screen.findByRole('alert');
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    expect(asked).toBe(1);
  });

  test('is retried after the waiting time that the server asks for', async () => {
    const asked: number[] = [];
    server.use(
      http.get('*/api/posts', () => {
        asked.push(Date.now());
        if (asked.length === 1)
          return HttpResponse.json({ code: 'unavailable' }, { status: 503, headers: { 'Retry-After': '3' } });
        return HttpResponse.json([{ Post: aPost({ title: 'Funguo' }) }]);
      }),
    );
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await renderScreen('/view-posts');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect(await screen.findByText('Funguo')).toBeInTheDocument();
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(3_000);
  });

  const PAGES: [name: string, address: string, path: string, button: string, pages: [Json, Json], last: string][] = [
    [
      'posts',
      '/view-posts',
      '/api/posts',
      'Show older posts',
      [[{ Post: aPost() }], [{ Post: aPost({ title: 'Ya zamani' }) }]],
      'Ya zamani',
    ],
    [
      'members',
      '/community-details/school?tab=members',
      '/api/communities/school/members',
      'Show more members',
      [[MEMBER], [{ ...MEMBER, user_id: 'v', username: 'Zawadi' }]],
      'Zawadi',
    ],
    [
      'communities to decide',
      '/admin',
      '/api/admin/communities',
      'Show more',
      [[WAITING], [{ ...WAITING, id: 'w', name: 'Soko la Mabibo' }]],
      'Soko la Mabibo',
    ],
  ];

  test.each(PAGES)(
    'for the next page of %s shows one message, and the page loads when the network returns',
    async (_name, address, path, button, [first, second], last) => {
      lose('');
      let isLost = true;
      server.use(
        http.get(`*${path}`, ({ request }) => {
          if (!new URL(request.url).searchParams.has('cursor'))
            return HttpResponse.json(first, { headers: { Link: `<${path}?cursor=2>; rel="next"` } });
          return isLost ? HttpResponse.error() : HttpResponse.json(second);
        }),
      );
      const { user } = await renderScreen(address, { isSignedIn: true });
      const more = await screen.findByRole('button', { name: button });
      const findNetwork = loseNetwork();
      await user.click(more);
      await screen.findByRole('alert');
      expect(screen.getAllByRole('alert')).toHaveLength(1);
      isLost = false;
      findNetwork();
      act(() => void window.dispatchEvent(new Event('online')));
      expect(await screen.findByText(last)).toBeInTheDocument();
    },
  );
});

describe('a field of the prerendered page', () => {
  afterEach(() => {
    document.body.innerHTML = '';
  });

  test('keeps the text typed before the app loads; an empty field gets the text that the app fills in', () => {
    document.body.innerHTML =
      '<div data-prerendered lang="en"><input name="title"><input name="place"></div><div id="root"></div>';
    document.documentElement.lang = 'en';
    const place = document.querySelector<HTMLInputElement>('[name=place]');
    if (place) place.value = 'Mbezi';
    place?.focus();
    render(
      <>
        <input name="title" aria-label="Title" defaultValue="Funguo" />
        <input name="place" aria-label="Place" />
        <TakeOver />
      </>,
      { container: document.getElementById('root') as HTMLElement },
    );
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Funguo');
    expect(screen.getByRole('textbox', { name: 'Place' })).toHaveValue('Mbezi');
    expect(screen.getByRole('textbox', { name: 'Place' })).toHaveFocus();
    expect(document.querySelector('[data-prerendered]')).toBeNull();
  });
});

test('after the app was closed, posts seen before can be read offline', async () => {
  serveNothingElse();
  serveList('/posts', [aPost({ title: 'Funguo za gari' })]);
  const visit = await renderScreen('/view-posts');
  expect(await screen.findByText('Funguo za gari')).toBeInTheDocument();
  await expect.poll(() => localStorage.getItem('seenPosts:visitor'), { timeout: 5_000 }).toContain('Funguo za gari');
  visit.unmount();
  queryClient.clear();
  loseNetwork();
  server.use(http.get('*/api/*', () => HttpResponse.error()));
  await renderScreen('/view-posts');
  expect(await screen.findByText('Funguo za gari')).toBeInTheDocument();
});
