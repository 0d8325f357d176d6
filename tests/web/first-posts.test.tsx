import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { FIRST_CARDS_MAX, FIRST_POSTS_ID, type FirstPosts } from '#contract/first-posts.ts';
import { LANGUAGES } from '#contract/language.ts';
import type { Post } from '#contract/posts.ts';
import { renderCardTemplates } from '#web/app/card-templates.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { readFilter } from '#web/lib/post-filter.ts';
import { postListOptions } from '#web/lib/post-list-query.ts';
import { signInAs } from '#web/lib/session.ts';
import { takeFirstPosts } from '#web/posts/first-posts.ts';
import { FoundPost } from '#web/posts/found-post.tsx';
import { Feed, PostGrid } from '#web/posts/post-grid.tsx';
import { ViewPostsScreen } from '#web/posts/view-posts-screen.tsx';
import { renderCards, renderData } from '#worker/discover/render-posts.ts';
import { aPost } from './support/posts.ts';

const PHOTO = { id: 'p', url: '/photos/p', thumbnail_url: '/photos/p-small', width: 9, height: 9, alt: '' };

const VISITORS = { phone_number: null, is_author_proven: null };
const CREATED_AT = new Date(Date.now() - 7_300_000).toISOString();
const BARE = { owner_first_name: '', owner_last_name: '', description: '' };

/** What a visitor's card may have, in any combination. */
const PARTS: Partial<Post>[][] = [
  [{ posted_by: 'owner' }, { posted_by: 'finder' }, { is_found: true, state: 'returned' }],
  [{ contact: 'number' }, { contact: 'claim' }],
  [{ on_behalf: false }, { on_behalf: true }],
  [{ photos: [] }, { photos: [PHOTO] }],
  [{ kept_at: null, title: `"Mkoba" <b>&'` }, { kept_at: 'Kituo cha {place} $&' }, BARE],
];

function somePosts(): Post[] {
  let posts: Partial<Post>[] = [{ ...VISITORS, created_at: CREATED_AT }];
  for (const parts of PARTS) posts = posts.flatMap((post) => parts.map((part) => ({ ...post, ...part })));
  return posts.map(aPost);
}

/** What both write differently, and no eye sees. */
function plainly(root: Element): string {
  for (const image of root.querySelectorAll('img')) {
    const place = document.createElement('span');
    place.className = image.className.replace(' object-cover', '');
    image.replaceWith(place);
  }
  for (const time of root.querySelectorAll('time')) time.removeAttribute('title');
  for (const link of root.querySelectorAll('a')) link.removeAttribute('data-discover');
  return root.innerHTML.replaceAll('><', '>\n<');
}

test.each(LANGUAGES)('the Worker’s cards are the app’s, to the letter: %s', async (language) => {
  await changeLanguage(language);
  const templates = renderCardTemplates();
  const client = new QueryClient();
  for (const post of somePosts()) {
    const { container, unmount } = render(
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={['/view-posts']}>
          <Feed isBusy={false}>
            <PostGrid posts={[post]} renderCard={(one) => <FoundPost post={one} />} />
          </Feed>
        </MemoryRouter>
      </QueryClientProvider>,
    );
    const page = document.createElement('div');
    page.innerHTML = renderCards([post], templates, language, Date.now());
    expect(plainly(page)).toBe(plainly(container));
    unmount();
  }
});

const FEED = postListOptions(null, readFilter(new URLSearchParams())).queryKey;

function comeWith(posts: Post[], at: string): QueryClient {
  const data: FirstPosts = { at, entries: posts.map((post) => ({ Post: post })), next_cursor: '7' };
  document.body.innerHTML = renderData(data);
  return new QueryClient();
}

afterEach(async () => {
  document.body.innerHTML = '';
  await changeLanguage('en');
});

test('the app takes over what came with the page, as old as it is, and only once', () => {
  const at = new Date(Date.now() - 60_000).toISOString();
  const hostile = aPost({ title: '</script><script>alert(1)</script><!-- \u202E\u2066 \u2028' });
  const client = comeWith([hostile], at);
  // All of it stands in the one element.
  expect(document.body.children).toHaveLength(1);
  expect(document.body.innerHTML).not.toMatch(/[\u202E\u2066\u2028]/);
  takeFirstPosts(client);
  expect(client.getQueryData(FEED)).toEqual({ pages: [{ posts: [hostile], nextCursor: '7' }], pageParams: [''] });
  expect(client.getQueryState(FEED)?.dataUpdatedAt).toBe(Date.parse(at));
  expect(document.getElementById(FIRST_POSTS_ID)).toBeNull();
});

test('a page out of the browser’s history does not push aside what was read since', () => {
  const client = comeWith([aPost()], new Date(Date.now() - 60_000).toISOString());
  const newer = { pages: [], pageParams: [] };
  client.setQueryData(FEED, newer);
  takeFirstPosts(client);
  expect(client.getQueryData(FEED)).toEqual(newer);
});

test('a clock that is slow makes no post newer than now', () => {
  const client = comeWith([aPost()], new Date(Date.now() + 3_600_000).toISOString());
  takeFirstPosts(client);
  expect(client.getQueryState(FEED)?.dataUpdatedAt).toBeLessThanOrEqual(Date.now());
});

test('whoever is signed in is given nothing of what a visitor sees', () => {
  signInAs({ token: 't', userId: 'u' });
  const client = comeWith([aPost()], new Date().toISOString());
  takeFirstPosts(client);
  expect(client.getQueryCache().getAll()).toEqual([]);
});

test('half a page is no page', () => {
  const client = comeWith([aPost()], new Date().toISOString());
  const element = document.getElementById(FIRST_POSTS_ID);
  if (element) element.textContent = '{"at":"2026-';
  takeFirstPosts(client);
  expect(client.getQueryCache().getAll()).toEqual([]);
});

/** What each commit puts on the screen. */
function commitsOf(client: QueryClient): { cards: number; goesOn: boolean }[] {
  client.setDefaultOptions({ queries: { staleTime: Number.POSITIVE_INFINITY } });
  const commits: { cards: number; goesOn: boolean }[] = [];
  const note = () =>
    commits.push({
      cards: document.querySelectorAll('article').length,
      goesOn: screen.queryByRole('button', { name: 'Show older posts' }) !== null,
    });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={['/view-posts']}>
        <Profiler id="screen" onRender={note}>
          <ViewPostsScreen />
        </Profiler>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return commits;
}

test('the app first takes over the cards of the page, and then renders the others', () => {
  const posts = Array.from({ length: 20 }, () => aPost());
  const commits = commitsOf(comeWith(posts, new Date().toISOString()));
  expect(commits[0]).toEqual({ cards: FIRST_CARDS_MAX, goesOn: false });
  expect(commits.at(-1)).toEqual({ cards: 20, goesOn: true });
});

test('whoever comes back to the list gets all of it at once, so that the scroll position can be restored', () => {
  const client = new QueryClient();
  const page = { posts: Array.from({ length: 20 }, () => aPost()), nextCursor: '7' };
  client.setQueryData(FEED, { pages: [page], pageParams: [''] });
  expect(commitsOf(client)[0]).toEqual({ cards: 20, goesOn: true });
});
