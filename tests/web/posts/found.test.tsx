import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import type { Post } from '#contract/posts.ts';
import { holdClock, loseNetwork } from '#tests/web/support/phone.ts';
import {
  aPost,
  cardOf,
  MINE,
  openMyPosts,
  refuse,
  serveList,
  serveNothingElse,
  serveSubmit,
} from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { readOutbox } from '#web/offline/outbox.ts';

describe('marking a post as found or returned', () => {
  beforeEach(serveNothingElse);
  afterEach(() => vi.useRealTimers());

  type OwnPosts = Awaited<ReturnType<typeof openMyPosts>>;

  /** Serves requests that mark a post as found or undo this. The responses come once `isReady` resolves. */
  function serveMarking(posts: OwnPosts['posts'], isReady: Promise<void> = Promise.resolve()) {
    const asked: string[] = [];
    let current: Post[] = [...posts];
    const answer =
      (isFound: boolean) =>
      async ({ request, params }: { request: Request; params: { id?: unknown } }) => {
        asked.push(`${request.method} ${params.id}`);
        await isReady;
        const found_until = isFound ? new Date(Date.now() + 10 * MINUTE_MS).toISOString() : null;
        current = current.map((post) => (post.id === params.id ? { ...post, is_found: isFound, found_until } : post));
        serveList('/posts/by-owner', current);
        return HttpResponse.json(current.find(({ id }) => id === params.id));
      };
    server.use(http.patch('*/api/posts/:id/found', answer(true)), http.delete('*/api/posts/:id/found', answer(false)));
    return asked;
  }

  async function mark({ user }: Pick<OwnPosts, 'user'>, title: string, button = 'Mark as returned') {
    await user.click(cardOf(title).getByRole('button', { name: button }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: button }));
  }

  test.each([
    ['en', 'Funguo', 'Mark as found', 'Do you have it back?', '“Found and returned”'],
    ['en', 'Pochi', 'Mark as returned', 'Has it been returned to its owner?', '“Found and returned”'],
    ['sw', 'Funguo', 'Nimekipata tena', 'Je, umekipata tena?', '“Kimepatikana na kurudishwa”'],
    ['sw', 'Pochi', 'Nimekirudisha', 'Je, kimerudishwa kwa mwenyewe?', '“Kimepatikana na kurudishwa”'],
  ] as const)(
    'asks for confirmation, in words that fit the post’s side (owner or finder): language %s, post “%s”',
    async (language, title, button, ...texts) => {
      const view = await openMyPosts(language);
      const asked = serveMarking(view.posts);
      await view.user.click(cardOf(title).getByRole('button', { name: button }));
      const dialog = await screen.findByRole('dialog');
      for (const text of [title, ...texts, '10']) expect(dialog).toHaveTextContent(text);
      expect(within(dialog).getByText(title)).toHaveAttribute('dir', 'auto');
      await view.user.click(within(dialog).getByRole('button', { name: language === 'en' ? 'Cancel' : 'Ghairi' }));
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(asked).toEqual([]);
      expect(view.router.state.location.search).toBe('');
    },
  );

  test('opens a confirmation that has its own URL; Back closes the confirmation, and loading the URL opens it again', async () => {
    const { user, router, posts, unmount } = await openMyPosts();
    await user.click(cardOf('Pochi').getByRole('button', { name: 'Mark as returned' }));
    expect(router.state.location).toMatchObject({ pathname: '/my-posts', search: `?retrieved=${posts[1].id}` });
    await act(() => router.navigate(-1));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(cardOf('Pochi').getByRole('button', { name: 'Mark as returned' })).toBeInTheDocument();
    unmount();

    const again = await renderScreen(`/my-posts?retrieved=${posts[1].id}`, { isSignedIn: true });
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('Pochi');
    await again.user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(again.router.state.location).toMatchObject({ pathname: '/my-posts', search: '' });
  });

  test('asks a visitor at the confirmation’s URL to log in, and then returns to the confirmation', async () => {
    const { user, router } = await renderScreen('/my-posts?retrieved=post-x');
    await user.click(await within(screen.getByRole('main')).findByRole('link', { name: 'Log in' }));
    expect(router.state.location.state).toEqual({ from: '/my-posts?retrieved=post-x' });
  });

  test('sends one request and closes the confirmation if the user presses each button twice', async () => {
    const view = await openMyPosts();
    const asked = serveMarking(view.posts);
    await view.user.dblClick(cardOf('Funguo').getByRole('button', { name: 'Mark as found' }));
    await view.user.dblClick(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Mark as found' }));
    expect(await screen.findByText('Item marked as retrieved successfully')).toBeInTheDocument();
    expect(asked).toEqual([`PATCH ${view.posts[0].id}`]);
    expect(view.router.state.location).toMatchObject({ pathname: '/my-posts', search: '' });
  });

  test.each([
    ['en', 'Mark as returned', 'Found and returned', 'Item marked as retrieved successfully'],
    [
      'sw',
      'Nimekirudisha',
      'Kimepatikana na kurudishwa',
      'Tangazo lako sasa linaonyesha “Kimepatikana na kurudishwa”.',
    ],
  ] as const)(
    'shows the new state in the language %s at once, before the server responds',
    async (language, button, badge, done) => {
      const view = await openMyPosts(language);
      let answer: () => void = () => undefined;
      serveMarking(
        view.posts,
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
      );
      await mark(view, 'Pochi', button);
      await waitFor(() => expect(cardOf('Pochi').getByText(badge)).toBeInTheDocument());
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(cardOf('Pochi').queryByRole('button', { name: button })).toBeNull();
      expect(cardOf('Pochi').getAllByRole('link').at(-1)).toHaveFocus();
      expect(screen.queryByText(done)).toBeNull();
      answer();
      expect(await screen.findByText(done)).toBeInTheDocument();
      expect(cardOf('Pochi').getByText(badge)).toBeInTheDocument();
    },
  );

  test.each([
    ['en', 'Mark as returned', 'The item could not be marked as found and returned. Please try again.'],
    ['sw', 'Nimekirudisha', 'Imeshindikana kuonyesha kuwa kitu kimepatikana na kurudishwa. Tafadhali jaribu tena.'],
  ] as const)(
    'is reverted with an error in the language %s if the request fails',
    async (language, button, sentence) => {
      const view = await openMyPosts(language);
      server.use(http.patch('*/api/posts/:id/found', () => refuse(500, 'internal_error')));
      await mark(view, 'Pochi', button);
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      expect(await cardOf('Pochi').findByRole('button', { name: button })).toBeInTheDocument();
    },
  );

  test.each([
    ['en', 'Mark as returned', 'Undo', 'You can undo this for 10 more minutes.', 'Your post is open again.'],
    ['sw', 'Nimekirudisha', 'Tendua', 'Unaweza kutendua ndani ya dakika 10.', 'Tangazo lako liko wazi tena.'],
  ] as const)('can be undone, also after a reload (language %s)', async (language, button, undo, left, done) => {
    holdClock();
    const view = await openMyPosts(language);
    const asked = serveMarking(view.posts);
    await mark(view, 'Pochi', button);
    expect(await cardOf('Pochi').findByText(left)).toBeInTheDocument();
    view.unmount();
    const { user } = await renderScreen('/my-posts', { language, isSignedIn: true });
    await screen.findByText('Pochi');
    expect(cardOf('Funguo').queryByRole('button', { name: undo })).toBeNull();
    await user.dblClick(cardOf('Pochi').getByRole('button', { name: undo }));
    expect(await screen.findByText(done)).toBeInTheDocument();
    expect(await cardOf('Pochi').findByRole('button', { name: button })).toBeInTheDocument();
    expect(cardOf('Pochi').queryByRole('button', { name: undo })).toBeNull();
    expect(cardOf('Pochi').getAllByRole('link').at(-1)).toHaveFocus();
    expect(asked).toEqual([`PATCH ${view.posts[1].id}`, `DELETE ${view.posts[1].id}`]);
  });

  test('can be undone until a visible countdown ends, and then the button “Undo” disappears', async () => {
    holdClock();
    const view = await openMyPosts();
    serveMarking(view.posts);
    await mark(view, 'Pochi');
    await cardOf('Pochi').findByText('You can undo this for 10 more minutes.');
    await act(() => vi.advanceTimersByTimeAsync(9 * MINUTE_MS));
    expect(cardOf('Pochi').getByText('You can undo this for 1 more minute.')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS));
    expect(cardOf('Pochi').queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('can be undone on any device until the deadline that the server has set for the post', async () => {
    holdClock();
    const until = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
    const marked = (title: string, found_until: string | null) =>
      aPost({ ...MINE, title, is_found: true, found_until });
    serveList('/posts/by-owner', [marked('Kofia', until(3)), marked('Viatu', until(-1)), marked('Saa', null)]);
    await renderScreen('/my-posts', { isSignedIn: true });
    await screen.findByText('Kofia');
    expect(cardOf('Kofia').getByText('You can undo this for 3 more minutes.')).toBeInTheDocument();
    for (const title of ['Viatu', 'Saa']) expect(cardOf(title).queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('cannot be undone after the deadline; an undo that fails for another reason can be retried', async () => {
    const view = await openMyPosts();
    serveMarking(view.posts);
    await mark(view, 'Pochi');
    const undo = await cardOf('Pochi').findByRole('button', { name: 'Undo' });
    server.use(http.delete('*/api/posts/:id/found', () => refuse(500, 'internal_error', 'Something went wrong.')));
    await view.user.click(undo);
    expect(await screen.findByText('This could not be undone. Please try again.')).toBeInTheDocument();
    server.use(http.delete('*/api/posts/:id/found', () => refuse(409, 'too_late', 'It is too late for that.')));
    await view.user.click(cardOf('Pochi').getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(cardOf('Pochi').queryByRole('button', { name: 'Undo' })).toBeNull());
    expect(cardOf('Pochi').getByText('Found and returned')).toBeInTheDocument();
  });

  test('can be undone for one post while another stays marked, and the app refetches the match counts', async () => {
    const view = await openMyPosts();
    serveMarking(view.posts);
    await mark(view, 'Pochi');
    await mark(view, 'Funguo', 'Mark as found');
    await cardOf('Funguo').findByRole('button', { name: 'Undo' });
    const asked: string[] = [];
    server.use(
      http.get('*/api/matches/counts', () => {
        asked.push('counts');
        return HttpResponse.json({});
      }),
    );
    await view.user.click(await cardOf('Pochi').findByRole('button', { name: 'Undo' }));
    await cardOf('Pochi').findByRole('button', { name: 'Mark as returned' });
    expect(cardOf('Funguo').getByRole('button', { name: 'Undo' })).toBeInTheDocument();
    await waitFor(() => expect(asked).not.toEqual([]));
  });
});

describe('answering a lost post', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });

  function serveLost(overrides: Partial<Post> = {}): Post {
    const lost = aPost({ title: 'Pochi nyekundu', posted_by: 'owner', ...overrides });
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(lost)));
    return lost;
  }

  test('creates a found post that refers to the lost post, with a form that omits the fields for the side and the owner’s name', async () => {
    const lost = serveLost({ community_code: 'ABCD2345', community_name: 'Shule ya Mbezi' });
    const sent = serveSubmit();
    const { user, router } = await renderScreen(`/posts/${lost.id}`, { isSignedIn: true });
    await user.click(await screen.findByRole('link', { name: 'I found this' }));
    expect(await screen.findByText('Pochi nyekundu')).toHaveAttribute('dir', 'auto');
    expect(screen.getByText(/the owner is notified at once/)).toBeVisible();
    expect(router.state.location.search).toBe(`?answers=${lost.id}`);
    for (const left of ['Yes, I lost it', 'No, I found it', 'First name', 'Last name'])
      expect(screen.queryByLabelText(left)).toBeNull();
    await user.type(screen.getByLabelText('Title'), 'Pochi');
    await user.type(screen.getByLabelText('Location'), 'Moshi');
    await user.clear(screen.getByLabelText('Phone number'));
    await user.type(screen.getByLabelText('Phone number'), '0712345678');
    await user.click(screen.getByRole('button', { name: 'Post item' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ title: 'Pochi', posted_by: 'finder', answers_post_id: lost.id });
    expect(sent[0]?.body).toMatchObject({ community_code: 'ABCD2345' });
  });

  test('without a network stores the found post in the outbox, as an answer to the lost post', async () => {
    const lost = serveLost();
    const { user } = await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
    await user.type(await screen.findByLabelText('Title'), 'Pochi');
    await user.type(screen.getByLabelText('Location'), 'Moshi');
    await user.clear(screen.getByLabelText('Phone number'));
    await user.type(screen.getByLabelText('Phone number'), '0712345678');
    server.use(http.post('*/api/posts', () => HttpResponse.error()));
    loseNetwork();
    await user.click(screen.getByRole('button', { name: 'Post item' }));
    await waitFor(() => expect(readOutbox()).toHaveLength(1));
    expect(readOutbox()[0]?.input).toMatchObject({ answers_post_id: lost.id, posted_by: 'finder' });
  });

  test.each([{ is_mine: true }, { posted_by: 'finder' }, { state: 'returned', is_found: true }] as const)(
    'is not offered for a post with %o; the form’s URL shows the message “This post is no longer open”, not the form',
    async (overrides) => {
      const lost = serveLost(overrides);
      const { unmount } = await renderScreen(`/posts/${lost.id}`, { isSignedIn: true });
      await screen.findByRole('heading', { name: lost.title });
      expect(screen.queryByRole('link', { name: 'I found this' })).toBeNull();
      unmount();
      const { user, router } = await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
      expect(await screen.findByText('This post is no longer open.')).toBeVisible();
      expect(screen.queryByLabelText('Title')).toBeNull();
      await user.click(screen.getByRole('link', { name: 'Post what you found' }));
      expect(await screen.findByLabelText('Title')).toHaveValue('');
      expect(router.state.location).toMatchObject({ pathname: '/create-post', search: '' });
      expect(router.state.historyAction).toBe('REPLACE');
    },
  );

  test('asks a visitor to sign in first, and then opens the form', async () => {
    const lost = serveLost({ phone_number: null, is_author_proven: null });
    const { user, router } = await renderScreen(`/posts/${lost.id}`, { language: 'sw' });
    await user.click(await screen.findByRole('link', { name: 'Nimekiokota' }));
    expect(router.state.location).toMatchObject({
      pathname: '/login',
      state: { from: `/create-post?answers=${lost.id}` },
    });
  });

  test('shows a visitor a login link in place of the form, and the login leads back to the form', async () => {
    const lost = serveLost({ phone_number: null, is_author_proven: null });
    const { user, router } = await renderScreen(`/create-post?answers=${lost.id}`);
    expect(await screen.findByText('Log in to tell the owner that you found it.')).toBeVisible();
    expect(screen.queryByLabelText('Title')).toBeNull();
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Log in' }));
    expect(router.state.location).toMatchObject({
      pathname: '/login',
      state: { from: `/create-post?answers=${lost.id}` },
    });
  });

  test('has a separate draft for each lost post that the user answers', async () => {
    const lost = serveLost();
    const first = await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
    await first.user.type(await screen.findByLabelText('Title'), 'Pochi');
    first.unmount();
    const form = await renderScreen('/create-post', { isSignedIn: true });
    expect(await screen.findByLabelText('Title')).toHaveValue('');
    form.unmount();
    const other = await renderScreen(`/create-post?answers=${serveLost().id}`, { isSignedIn: true });
    expect(await screen.findByLabelText('Title')).toHaveValue('');
    other.unmount();
    serveLost({ id: lost.id });
    await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
    expect(await screen.findByLabelText('Title')).toHaveValue('Pochi');
  });

  test('fails if the lost post was closed meanwhile; the user can then turn the answer into an independent found post', async () => {
    const lost = serveLost();
    const { user } = await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
    const detail = 'The post that you answer is no longer open.';
    const errors = [{ field: 'answers_post_id', message: detail }];
    server.use(http.post('*/api/posts', () => refuse(422, 'validation_failed', 'Some fields are not right.', errors)));
    await user.type(await screen.findByLabelText('Title'), 'Pochi');
    await user.type(screen.getByLabelText('Location'), 'Moshi');
    await user.clear(screen.getByLabelText('Phone number'));
    await user.type(screen.getByLabelText('Phone number'), '0712345678');
    await user.click(screen.getByRole('button', { name: 'Post item' }));
    expect(await screen.findByText(detail)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'It is another item' }));
    expect(screen.getByLabelText('No, I found it')).toBeChecked();
  });
});
