import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { CommunityStats } from '#contract/communities.ts';
import { readFilter } from '#web/lib/post-filter.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { isOfPosts, queryKeys, viewerOf } from '#web/lib/query-keys.ts';
import { signInAs } from '#web/lib/session.ts';
import { changeCachedPost } from '#web/posts/api.ts';
import { SCHOOL } from './support/communities.ts';
import { aMatch, aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

const STATS: CommunityStats = {
  total_members: 1,
  total_posts: 1,
  found_items: 1,
  lost_items: 0,
  resolved_posts: 0,
  active_posts: 1,
  posts_last_7_days: 1,
  most_active_location: null,
  admin_username: null,
};

const PLACES: Record<string, { name: string; location: string; member: string }> = {
  school: { name: 'Shule ya Msingi Mbezi', location: 'Mbezi', member: 'Neema wa shule' },
  market: { name: 'Soko la Ilala', location: 'Ilala', member: 'Juma wa soko' },
};

/** Answers each community's page with what is that community's alone. */
function serveCommunities(): void {
  const of = (params: { id?: unknown }) => PLACES[String(params.id)] ?? { name: '', location: '', member: '' };
  server.use(
    http.get('*/api/communities/:id', ({ params }) =>
      HttpResponse.json({ ...SCHOOL, id: String(params.id), name: of(params).name }),
    ),
    http.get('*/api/communities/:id/stats', ({ params }) =>
      HttpResponse.json({ ...STATS, most_active_location: of(params).location }),
    ),
    http.get('*/api/communities/:id/members', ({ params }) =>
      HttpResponse.json([{ user_id: '1', username: of(params).member, role: 'member', joined_at: SCHOOL.created_at }]),
    ),
    http.get('*/api/communities/:id/join-requests', () => HttpResponse.json([])),
  );
}

test('the dashboards of two communities, one after the other, each show their own', async () => {
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

test('the members of two communities, one after the other, are each their own', async () => {
  serveCommunities();
  const { router } = await renderScreen('/community-details/school?tab=members', { isSignedIn: true });
  expect(await screen.findByText('Neema wa shule')).toBeInTheDocument();
  await act(() => router.navigate('/community-details/market?tab=members'));
  expect(await screen.findByText('Juma wa soko')).toBeInTheDocument();
  expect(screen.queryByText('Neema wa shule')).toBeNull();
});

test('the matches of two posts, one opened after the other, are each their own', async () => {
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

test('the pages of two posts, one after the other, each show their own', async () => {
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

test('two searches, and one search in two communities, are each asked for', async () => {
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

test('what was read under one account is asked for again under the next', async () => {
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

test('whatever is asked for of posts grows stale with them, and names its reader third', () => {
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

test('a count among the posts keeps none of them from being changed', async () => {
  const post = aPost({ title: 'Funguo', is_mine: true });
  queryClient.setQueryData(queryKeys.posts.todayAt('a-user', 'ABCD2345'), 3);
  queryClient.setQueryData(queryKeys.posts.own('a-user'), { pages: [{ posts: [post] }], pageParams: [''] });
  changeCachedPost(queryClient, post.id, () => null);
  expect(queryClient.getQueryData(queryKeys.posts.own('a-user'))).toEqual({ pages: [{ posts: [] }], pageParams: [''] });
  expect(queryClient.getQueryData(queryKeys.posts.todayAt('a-user', 'ABCD2345'))).toBe(3);
});

test('whatever is asked for an admin is forgotten as one', () => {
  const made = Object.values(queryKeys.admin).map((key) => (typeof key === 'function' ? key('', '') : key));
  expect(made.map(([noun]) => noun)).toEqual(made.map(() => 'admin'));
});
