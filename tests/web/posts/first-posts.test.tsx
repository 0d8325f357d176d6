import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { Profiler } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FIRST_CARDS_MAX, FIRST_POSTS_ID, type FirstPosts } from '#contract/first-posts.ts';
import { LANGUAGES } from '#contract/language.ts';
import type { Post } from '#contract/posts.ts';
import { aPost, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { signInAs } from '#web/api/session.ts';
import { renderCardTemplates } from '#web/app/card-templates.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { readFilter } from '#web/posts/list/post-filter.ts';
import { postListOptions } from '#web/posts/list/post-list.ts';
import { Feed, PostGrid } from '#web/posts/post/post-card.tsx';
import { PostResult, takeFirstPosts, ViewPostsScreen } from '#web/posts/view-posts-screen.tsx';
import { renderCards, renderData } from '#worker/pages/render-posts.ts';

describe('the posts embedded in the page', () => {
  const PHOTO = { id: 'p', url: '/photos/p', thumbnail_url: '/photos/p-small', width: 9, height: 9, alt: '' };

  const VISITORS = { phone_number: null, is_author_proven: null };
  const CREATED_AT = new Date(Date.now() - 7_300_000).toISOString();
  const BARE = { owner_first_name: '', owner_last_name: '', description: '' };

  /** The properties that change a post's card for visitors. The tests use every combination. */
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

  /** Returns the markup without the invisible differences between the Worker's cards and the app's cards. */
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

  test.each(LANGUAGES)('in the language %s the Worker renders a card exactly as the app does', async (language) => {
    await changeLanguage(language);
    const templates = renderCardTemplates();
    const client = new QueryClient();
    for (const post of somePosts()) {
      const { container, unmount } = render(
        <QueryClientProvider client={client}>
          <MemoryRouter initialEntries={['/view-posts']}>
            <Feed isBusy={false}>
              <PostGrid posts={[post]} renderCard={(one) => <PostResult post={one} />} />
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

  test('the app moves the embedded posts from the HTML to its query cache, with the time at which the server read the posts', () => {
    const at = new Date(Date.now() - 60_000).toISOString();
    const hostile = aPost({ title: '</script><script>alert(1)</script><!-- \u202E\u2066 \u2028' });
    const client = comeWith([hostile], at);
    // The hostile text stays inside one element.
    expect(document.body.children).toHaveLength(1);
    expect(document.body.innerHTML).not.toMatch(/[\u202E\u2066\u2028]/);
    takeFirstPosts(client);
    expect(client.getQueryData(FEED)).toEqual({ pages: [{ posts: [hostile], nextCursor: '7' }], pageParams: [''] });
    expect(client.getQueryState(FEED)?.dataUpdatedAt).toBe(Date.parse(at));
    expect(document.getElementById(FIRST_POSTS_ID)).toBeNull();
  });

  test('a page restored from the browser’s history does not replace newer posts with its embedded posts', () => {
    const client = comeWith([aPost()], new Date(Date.now() - 60_000).toISOString());
    const newer = { pages: [], pageParams: [] };
    client.setQueryData(FEED, newer);
    takeFirstPosts(client);
    expect(client.getQueryData(FEED)).toEqual(newer);
  });

  test('on a phone whose clock is behind, the embedded posts are not dated in the future', () => {
    const client = comeWith([aPost()], new Date(Date.now() + 3_600_000).toISOString());
    takeFirstPosts(client);
    expect(client.getQueryState(FEED)?.dataUpdatedAt).toBeLessThanOrEqual(Date.now());
  });

  test('the app ignores the posts embedded for visitors if the user is signed in', () => {
    signInAs({ token: 't', userId: 'u' });
    const client = comeWith([aPost()], new Date().toISOString());
    takeFirstPosts(client);
    expect(client.getQueryCache().getAll()).toEqual([]);
  });

  test('embedded posts that are incomplete are ignored', () => {
    const client = comeWith([aPost()], new Date().toISOString());
    const element = document.getElementById(FIRST_POSTS_ID);
    if (element) element.textContent = '{"at":"2026-';
    takeFirstPosts(client);
    expect(client.getQueryCache().getAll()).toEqual([]);
  });

  /** Records what each React commit shows. */
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

  test('the app renders first the cards at the top of the screen, and then the remaining embedded posts', () => {
    const posts = Array.from({ length: 20 }, () => aPost());
    const commits = commitsOf(comeWith(posts, new Date().toISOString()));
    expect(commits[0]).toEqual({ cards: FIRST_CARDS_MAX, goesOn: false });
    expect(commits.at(-1)).toEqual({ cards: 20, goesOn: true });
  });

  test('on a return to the list all embedded posts are rendered at once, so that the scroll position can be restored', () => {
    const client = new QueryClient();
    const page = { posts: Array.from({ length: 20 }, () => aPost()), nextCursor: '7' };
    client.setQueryData(FEED, { pages: [page], pageParams: [''] });
    expect(commitsOf(client)[0]).toEqual({ cards: 20, goesOn: true });
  });
});

describe('more actions on a card', () => {
  beforeEach(serveNothingElse);

  const WORDS = {
    en: { more: 'More: Funguo', report: 'Report this post', block: 'Block this person' },
    sw: { more: 'Zaidi: Funguo', report: 'Ripoti tangazo', block: 'Zuia mtu huyu' },
  };

  /** Opens the list with one post. */
  async function openList(options: Parameters<typeof renderScreen>[1], post = aPost({ title: 'Funguo' })) {
    serveList('/posts', [post]);
    const view = await renderScreen('/view-posts', options);
    return { ...view, card: within(await screen.findByRole('article')) };
  }

  async function openMore() {
    const view = await openList({ isSignedIn: true });
    const more = view.card.getByRole('button', { name: WORDS.en.more });
    await view.user.click(more);
    expect(more).toHaveAttribute('aria-expanded', 'true');
    return { ...view, more };
  }

  test.each(['en', 'sw'] as const)(
    'one button, in the language %s, opens the panel with “Report” and “Block”',
    async (language) => {
      const { more, report, block } = WORDS[language];
      const { user, card } = await openList({ isSignedIn: true, language });
      for (const name of [report, block]) expect(card.queryByRole('button', { name })).toBeNull();
      await user.click(card.getByRole('button', { name: more, expanded: false }));
      for (const name of [report, block]) expect(card.getByRole('button', { name })).toBeVisible();
      await user.click(card.getByRole('button', { name: more, expanded: true }));
      for (const name of [report, block]) expect(card.queryByRole('button', { name })).toBeNull();
    },
  );

  test('Escape closes the panel of actions and returns the focus to the button that opened it', async () => {
    const { user, card, more } = await openMore();
    await user.tab();
    expect(card.getByRole('button', { name: WORDS.en.report })).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(card.queryByRole('button', { name: WORDS.en.report })).toBeNull();
    expect(more).toHaveAttribute('aria-expanded', 'false');
    expect(more).toHaveFocus();
  });

  test('a press outside the panel of actions closes the panel, and does not return the focus to the button that opened it', async () => {
    const { user, card } = await openMore();
    const search = screen.getByRole('textbox', { name: 'Search posts' });
    await user.click(search);
    expect(card.queryByRole('button', { name: WORDS.en.report })).toBeNull();
    expect(search).toHaveFocus();
  });

  test('pressing Tab on the last action closes the panel of actions', async () => {
    const { user, card } = await openMore();
    await user.tab();
    await user.tab();
    expect(card.getByRole('button', { name: WORDS.en.block })).toHaveFocus();
    await user.tab();
    expect(card.queryByRole('button', { name: WORDS.en.block })).toBeNull();
    expect(card.getByRole('link', { name: 'Funguo' })).toHaveFocus();
  });

  test('the report dialog closes the panel of actions and changes the URL; closing the dialog focuses the button that opened the panel', async () => {
    server.use(http.post('*/api/posts/:id/reports', () => HttpResponse.json({ id: 'ripoti' }, { status: 201 })));
    const { user, card, more, router } = await openMore();
    await user.click(card.getByRole('button', { name: WORDS.en.report }));
    expect(more).toHaveAttribute('aria-expanded', 'false');
    const dialog = within(await screen.findByRole('dialog', { name: WORDS.en.report }));
    expect(router.state.location.search).toMatch(/^\?report=/);
    await user.click(dialog.getByRole('radio', { name: 'Somebody is trying to cheat people' }));
    await user.click(dialog.getByRole('button', { name: 'Send the report' }));
    await dialog.findByText('Thank you. The admins will look at this post.');
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(router.state.location.search).toBe('');
    expect(more).toHaveFocus();
  });

  test('pressing “Cancel” in the dialog “Block this person?” returns the focus to the button that opened the panel of actions', async () => {
    const { user, card, more } = await openMore();
    await user.click(card.getByRole('button', { name: WORDS.en.block }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Block this person?' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(more).toHaveFocus();
  });

  test('a visitor is asked to log in before reporting a post, and has no button to block the post’s author', async () => {
    const { user, card, router } = await openList({}, aPost({ title: 'Funguo', phone_number: null }));
    await user.click(card.getByRole('button', { name: WORDS.en.more }));
    expect(card.queryByRole('button', { name: WORDS.en.block })).toBeNull();
    await user.click(card.getByRole('link', { name: WORDS.en.report }));
    expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/view-posts' } });
  });

  test('the user’s own post has no button for more actions', async () => {
    const { card } = await openList({ isSignedIn: true }, aPost({ title: 'Funguo', is_mine: true }));
    expect(card.queryByRole('button', { name: WORDS.en.more })).toBeNull();
  });
});
