import { QueryObserver } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { aClaim } from '#tests/web/support/claims.ts';
import { SCHOOL, STATS } from '#tests/web/support/communities.ts';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { aMatch, aPost, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { ApiError } from '#web/api/client.ts';
import { queryClient } from '#web/api/queries.ts';
import { isOfPosts, queryKeys, viewerOf } from '#web/api/query-keys.ts';
import { expireSession, signInAs, signOut } from '#web/api/session.ts';
import { claimsOptions, listedClaims, waitsForReader } from '#web/claims/api.ts';
import { membersQuery } from '#web/communities/api.ts';
import { readCupboard, todayQuery } from '#web/communities/desk/desk.ts';
import { toCommunityOptions } from '#web/communities/queries.ts';
import { thingNumber } from '#web/communities/thing-number.ts';
import { savesData } from '#web/lib/online.ts';
import { noticesOptions } from '#web/notices/api.ts';
import { changeCachedPost } from '#web/posts/api.ts';
import { matchesTyped, readFilter } from '#web/posts/list/post-filter.ts';
import { callLink, firstWords, guessLanguage, whatsappLink } from '#web/posts/post/contact-links.tsx';
import { canBeClaimed } from '#web/posts/post/this-is-mine.tsx';

describe('query client', () => {
  const KEY = queryKeys.blocks;

  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const failure = (status: number, retryAfter?: string) =>
    new ApiError(status, {}, new Headers(retryAfter ? { 'Retry-After': retryAfter } : {}));

  /** Observes a query. @returns the times of its requests, in seconds after this call. */
  function watch(answer: () => unknown): number[] {
    const start = Date.now();
    const asked: number[] = [];
    const queryFn = async () => {
      asked.push((Date.now() - start) / 1000);
      return answer();
    };
    onTestFinished(new QueryObserver(queryClient, { queryKey: KEY, queryFn }).subscribe(() => undefined));
    return asked;
  }

  const fail = (error: Error) => () => {
    throw error;
  };
  const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

  test('a failed query is retried three times at growing intervals, then every half minute', async () => {
    const asked = watch(fail(failure(500)));
    await wait(20);
    expect(asked).toEqual([0, 1, 3, 7]);
    await wait(20);
    expect(asked[4]).toBe(37);
  });

  test('a query is retried at the time that the server names, if this time is within five seconds', async () => {
    const asked = watch(fail(failure(503, '5')));
    await wait(12);
    expect(asked).toEqual([0, 5, 10]);
  });

  test('a failed query has the status “error” at once if the server asks for a wait of more than five seconds', async () => {
    const asked = watch(fail(failure(503, '6')));
    await wait(1);
    expect(queryClient.getQueryState(KEY)?.status).toBe('error');
    await wait(28);
    expect(asked).toEqual([0]);
  });

  test('a query for which the server asks for a long wait is retried when the wait is over', async () => {
    const asked = watch(fail(failure(429, '90')));
    await wait(1);
    expect(queryClient.getQueryState(KEY)?.status).toBe('error');
    await wait(88);
    expect(asked).toEqual([0]);
    await wait(2);
    expect(asked).toEqual([0, 90]);
  });

  test.each([
    ['a refusal', failure(404)],
    ['an expired session', failure(401)],
    ['a programming error', new TypeError('x is undefined')],
  ])('a query is never retried after an error that a retry cannot resolve: %s', async (_what, error) => {
    const asked = watch(fail(error));
    await wait(600);
    expect(asked).toEqual([0]);
  });

  test('without a network a query is tried once and fails without a retry', async () => {
    loseNetwork();
    const asked = watch(fail(failure(0)));
    await wait(20);
    expect(asked).toEqual([0]);
    expect(queryClient.getQueryState(KEY)).toMatchObject({ status: 'error', fetchStatus: 'idle' });
  });

  test('the data of a successful query counts as fresh for five minutes, and is not polled', async () => {
    const first = watch(() => 'well');
    await wait(299);
    expect(watch(() => 'well')).toEqual([]);
    await wait(1);
    await wait(0);
    const later = watch(() => 'well');
    await wait(0);
    expect(later).toEqual([0]);
    expect(first).toEqual([0]);
  });

  test('cached data is stored for a day, so that it can be read offline', async () => {
    queryClient.setQueryData(KEY, 'seen');
    await wait(24 * 60 * 60 - 1);
    expect(queryClient.getQueryData(KEY)).toBe('seen');
    await wait(1);
    expect(queryClient.getQueryData(KEY)).toBeUndefined();
  });

  test('an account’s cached data is deleted with its session, and stays when the token is renewed', async () => {
    const seen = () => queryClient.getQueryData(KEY);
    const changes: [string, () => unknown][] = [
      ['signs in', () => signInAs({ token: 'T', userId: 'asha' })],
      ['expires', () => expireSession('T')],
      ['signs out', signOut],
    ];
    for (const [, change] of changes) {
      queryClient.setQueryData(KEY, 'seen');
      await change();
      expect(seen()).toBeUndefined();
    }
    signInAs({ token: 'T', userId: 'asha' });
    queryClient.setQueryData(KEY, 'seen');
    localStorage.setItem('token', 'T2');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect(seen()).toBe('seen');
  });

  test('a mutation is tried once, also without a network', async () => {
    const findNetwork = loseNetwork();
    window.dispatchEvent(new Event('offline'));
    const act = vi.fn(async () => 'done');
    const done = queryClient.getMutationCache().build(queryClient, { mutationFn: act }).execute(undefined);
    await wait(0);
    expect(act).toHaveBeenCalledOnce();
    await done;
    findNetwork();
    window.dispatchEvent(new Event('online'));
  });
});

describe('query keys', () => {
  beforeEach(serveNothingElse);

  const ONE = { ...STATS, total_members: 1, admin_username: null };

  const PLACES: Record<string, { name: string; location: string; member: string }> = {
    school: { name: 'Shule ya Msingi Mbezi', location: 'Mbezi', member: 'Neema wa shule' },
    market: { name: 'Soko la Ilala', location: 'Ilala', member: 'Juma wa soko' },
  };

  /** Serves each community with its own data. */
  function serveCommunities(): void {
    const of = (params: { id?: unknown }) => PLACES[String(params.id)] ?? { name: '', location: '', member: '' };
    server.use(
      http.get('*/api/communities/:id', ({ params }) =>
        HttpResponse.json({ ...SCHOOL, id: String(params.id), name: of(params).name }),
      ),
      http.get('*/api/communities/:id/stats', ({ params }) =>
        HttpResponse.json({ ...ONE, most_active_location: of(params).location }),
      ),
      http.get('*/api/communities/:id/members', ({ params }) =>
        HttpResponse.json([
          { user_id: '1', username: of(params).member, role: 'member', joined_at: SCHOOL.created_at },
        ]),
      ),
      http.get('*/api/communities/:id/join-requests', () => HttpResponse.json([])),
    );
  }

  test('separate the cached dashboards of two communities', async () => {
    serveCommunities();
    const { router } = await renderScreen('/community-details/school', { isSignedIn: true });
    for (const id of ['school', 'market', 'school']) {
      await act(() => router.navigate(`/community-details/${id}`));
      const { name, location } = PLACES[id] ?? {};
      expect(await screen.findByRole('heading', { level: 1, name })).toBeInTheDocument();
      expect(await screen.findByText(location ?? '')).toBeInTheDocument();
    }
    expect(screen.queryByText('Ilala')).toBeNull();
  });

  test('separate the cached members of two communities', async () => {
    serveCommunities();
    const { router } = await renderScreen('/community-details/school?tab=members', { isSignedIn: true });
    expect(await screen.findByText('Neema wa shule')).toBeInTheDocument();
    await act(() => router.navigate('/community-details/market?tab=members'));
    expect(await screen.findByText('Juma wa soko')).toBeInTheDocument();
    expect(screen.queryByText('Neema wa shule')).toBeNull();
  });

  test('separate the cached matches of two posts', async () => {
    const [keys, purse] = [aPost({ title: 'Funguo', is_mine: true }), aPost({ title: 'Pochi', is_mine: true })];
    serveList('/posts/by-owner', [keys, purse]);
    const matches: Record<string, string> = { [keys.id]: 'Found keys in Moshi', [purse.id]: 'Found a purse in Moshi' };
    server.use(
      http.get('*/api/matches/counts', () => HttpResponse.json({ [keys.id]: 1, [purse.id]: 1 })),
      http.get('*/api/posts/:id/matches', ({ params }) =>
        HttpResponse.json([aMatch({ Post: aPost({ title: matches[String(params.id)] ?? '' }) })]),
      ),
    );
    const { user } = await renderScreen('/my-posts', { isSignedIn: true });
    for (const { id, title } of [keys, purse]) {
      const card = within((await screen.findByRole('heading', { name: title })).closest('article') as HTMLElement);
      await user.click(await card.findByRole('button', { name: '1 possible match' }));
      const dialog = within(screen.getByRole('dialog'));
      expect(await dialog.findByRole('link', { name: matches[id] })).toBeInTheDocument();
      expect(dialog.getAllByRole('listitem')).toHaveLength(1);
      await user.click(dialog.getByRole('button', { name: 'Close' }));
    }
  });

  test('separate two cached posts, so that the screen of each post shows that post', async () => {
    server.use(
      http.get('*/api/posts/:id', ({ params }) =>
        HttpResponse.json(aPost({ id: String(params.id), title: `Kitu ${params.id}` })),
      ),
    );
    const { router } = await renderScreen('/posts/a', { isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 1, name: 'Kitu a' })).toBeInTheDocument();
    await act(() => router.navigate('/posts/b'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Kitu b' })).toBeInTheDocument();
  });

  test('cause a new request for a new search text or a new community, but not for a repeated search', async () => {
    const queries = serveList('/posts', [aPost()]);
    const { router } = await renderScreen('/view-posts?search=simu', { isSignedIn: true });
    const asked = () => queries.map((query) => `${query.get('search')} ${query.get('community_code')}`);
    await waitFor(() => expect(asked()).toEqual(['simu null']));
    await act(() => router.navigate('/view-posts?search=pochi'));
    await waitFor(() => expect(asked().slice(1)).toEqual(['pochi null']));
    await act(() => router.navigate('/view-posts?search=pochi&community_code=ABCD2345'));
    await waitFor(() => expect(asked().slice(2)).toEqual(['pochi ABCD2345']));
    await act(() => router.navigate('/view-posts?search=simu'));
    expect(asked()).toHaveLength(3);
  });

  test('separate two accounts, so that the next account on the phone fetches its own data', async () => {
    const queries = serveList('/posts', [aPost({ title: 'Begi' })]);
    const own = serveList('/posts/by-owner', [aPost({ title: 'Yangu', is_mine: true })]);
    const { router } = await renderScreen('/view-posts', { isSignedIn: true });
    await screen.findByText('Begi');
    await act(() => router.navigate('/my-posts'));
    await screen.findByText('Yangu');
    act(() => signInAs({ token: 'another-token', userId: 'another-user' }));
    await waitFor(() => expect(own).toHaveLength(2));
    await act(() => router.navigate('/view-posts'));
    await waitFor(() => expect(queries).toHaveLength(2));
  });

  test('begin with “posts” for every query about posts, and have the viewer’s id in third place', () => {
    const filter = readFilter(new URLSearchParams());
    const { list, own, one, todayAt, latestOf, all } = queryKeys.posts;
    const lists = [list('asha', filter), own('asha')];
    const made = [...lists, one('asha', 'a'), todayAt('asha', 'ABCD2345'), latestOf('asha', 'ABCD2345')];
    expect(made).toHaveLength(Object.values(queryKeys.posts).filter((key) => typeof key === 'function').length);
    for (const key of made) {
      expect(key.slice(0, all.length)).toEqual(all);
      expect([isOfPosts(key), viewerOf(key)]).toEqual([true, 'asha']);
    }
    expect(isOfPosts(queryKeys.me)).toBe(false);
  });

  test('separate a cached count of posts from cached posts, so that changing a post leaves the count unchanged', async () => {
    const post = aPost({ title: 'Funguo', is_mine: true });
    queryClient.setQueryData(queryKeys.posts.todayAt('a-user', 'ABCD2345'), 3);
    queryClient.setQueryData(queryKeys.posts.own('a-user'), { pages: [{ posts: [post] }], pageParams: [''] });
    changeCachedPost(queryClient, post.id, () => null);
    expect(queryClient.getQueryData(queryKeys.posts.own('a-user'))).toEqual({
      pages: [{ posts: [] }],
      pageParams: [''],
    });
    expect(queryClient.getQueryData(queryKeys.posts.todayAt('a-user', 'ABCD2345'))).toBe(3);
  });

  test('for the administration all begin with “admin”', () => {
    const made = Object.values(queryKeys.admin).map((key) => (typeof key === 'function' ? key('', '') : key));
    expect(made.map(([noun]) => noun)).toEqual(made.map(() => 'admin'));
  });
});

test('the post form offers the user’s approved communities, sorted by name', () => {
  const waiting = { ...SCHOOL, approval_status: 0 as const };
  const market = { ...SCHOOL, name: 'Soko la Ilala', community_code: 'SOKO' };
  const hospital = { ...SCHOOL, name: 'Hospitali ya Amana', community_code: 'HOSP' };
  expect(toCommunityOptions([market, waiting, hospital])).toEqual([
    { code: 'HOSP', name: 'Hospitali ya Amana' },
    { code: 'SOKO', name: 'Soko la Ilala' },
  ]);
});

test('an admin of a suspended community can choose the community for a post, and an ordinary member cannot', () => {
  const suspended = { ...SCHOOL, is_suspended: true };
  expect(toCommunityOptions([{ ...suspended, member_role: 'member' }])).toEqual([]);
  expect(toCommunityOptions([{ ...suspended, member_role: 'admin' }])).toHaveLength(1);
});

test('a claim that changes while the list of claims loads is listed once, in its newest state', () => {
  const [one, other] = [aClaim({ id: 'one' }), aClaim({ id: 'other' })];
  const changed = { ...one, status: 'accepted' as const };
  const pages = [
    { rows: [one, other], nextCursor: '1' },
    { rows: [changed], nextCursor: null },
  ];
  expect(listedClaims({ pages })).toEqual([changed, other]);
  expect(listedClaims(undefined)).toEqual([]);
});

test.each([
  ['finder', 'waiting', true],
  ['finder', 'accepted', true],
  ['finder', 'asked', false],
  ['claimant', 'asked', true],
  ['claimant', 'waiting', false],
  ['claimant', 'accepted', false],
] as const)('for the %s of a claim with the status “%s”, waitsForReader returns %s', (role, status, waits) => {
  expect(waitsForReader(aClaim({ role, status }))).toBe(waits);
});

test.each([
  ['shown on another person’s found post', {}, true],
  ['missing on an owner’s post', { posted_by: 'owner' }, false],
  ['missing on the user’s own found post', { is_mine: true }, false],
  ['missing on a returned post', { is_found: true }, false],
  ['missing on a hidden post', { is_hidden: true }, false],
] as const)('the button “This is mine” is %s', (_what, overrides, can) => {
  expect(canBeClaimed(aPost({ posted_by: 'finder', ...overrides }))).toBe(can);
});

test('every phone number has a link to call; only a number of at least nine digits also has a WhatsApp link', () => {
  expect(callLink('0712345678')).toBe('tel:0712345678');
  expect(whatsappLink('0712345678', 'Habari & karibu')).toBe('https://wa.me/255712345678?text=Habari%20%26%20karibu');
  expect(whatsappLink('112', 'Habari')).toBeNull();
  expect(whatsappLink('+12345678', 'Habari')).toBeNull();
  expect(whatsappLink('+123456789', 'Habari')).toBe('https://wa.me/123456789?text=Habari');
});

test.each([
  ['simu', true],
  ['NEEMA kariakoo', true],
  ['mushi', true],
  ['simu moshi', false],
  ['bluu', false],
])(
  'for the search “%s” matchesTyped returns %s: each word must be in the post’s title, owner’s name or place',
  (typed, fits) => {
    expect(matchesTyped(aPost({ title: 'Simu nyeusi', description: 'Ina kava la bluu' }), typed)).toBe(fits);
  },
);

test('the six-digit number that labels a found thing at a community’s desk is computed from the id of the thing’s post', () => {
  expect(thingNumber('a')).toBe('000 097');
  expect(thingNumber('ab')).toBe('003 105');
  expect(thingNumber('post-1')).toMatch(/^\d{3} \d{3}$/);
});

test.each([
  ['Nimeokota pochi nyeusi kwenye daladala', 'sw'],
  ['I FOUND a black wallet on the bus', 'en'],
  ['Tecno', null],
  ['Pochi, wallet', null],
  ['', null],
])('for the text %j guessLanguage, which counts common words, returns %s (null: unknown)', (text, language) => {
  expect(guessLanguage(text)).toBe(language);
});

test('the suggested first message to an author is in the post’s language, or in both languages if the post’s language is unknown', () => {
  const [english, swahili] = [
    'Hello, I saw your post on Patikana: A bag for $& 5',
    'Habari, nimeona tangazo lako kwenye Patikana: A bag for $& 5',
  ];
  const title = 'A bag for $& 5';
  expect(firstWords(title, 'Nimeokota begi', 'post')).toBe(swahili);
  expect(firstWords(title, 'I found it', 'post')).toBe(english);
  expect(firstWords(title, 'Tecno', 'post').split('\n').sort()).toEqual([swahili, english].sort());
});

test.each([
  ['on if the phone asks for less data', { saveData: true }, '', true],
  ['on if the user asks for less data', undefined, '(prefers-reduced-data: reduce)', true],
  ['off if nobody asks for less data', { saveData: false }, '(prefers-reduced-motion: reduce)', false],
  ['off if the browser has no such setting', undefined, null, false],
] as const)('data-saving mode is %s', (_who, connection, wish, isSaved) => {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: connection });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'));
  vi.stubGlobal('matchMedia', wish === null ? undefined : (query: string) => ({ matches: query === wish }));
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(savesData()).toBe(isSaved);
});

test('the first request for a list contains the list’s page size as `limit`, and no cursor', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/*', ({ request }) => {
      const { pathname, searchParams } = new URL(request.url);
      asked.push(`${pathname.replace('/api', '')} ${searchParams.get('limit')} ${searchParams.get('cursor')}`);
      return HttpResponse.json(pathname.endsWith('/notices') ? { unread_count: 0, notices: [] } : []);
    }),
  );
  await queryClient.fetchInfiniteQuery(claimsOptions);
  await queryClient.fetchInfiniteQuery(noticesOptions);
  await queryClient.fetchInfiniteQuery(membersQuery('school'));
  await queryClient.fetchQuery(todayQuery('a-user', 'MBEZ2345'));
  await readCupboard('MBEZ2345');
  expect(asked).toEqual([
    '/claims 50 null',
    '/notices 20 null',
    '/communities/school/members 100 null',
    '/posts/by-owner 100 null',
    '/posts 100 null',
  ]);
});
