import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import type { Post } from '#contract/posts.ts';
import { cardOf, MINE, openMyPosts } from './support/own-posts.ts';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);
afterEach(() => vi.useRealTimers());

type OwnPosts = Awaited<ReturnType<typeof openMyPosts>>;

/** Marks and opens posts as the server does, once `isReady`. */
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
] as const)('marking asks once, in the words of its kind, in %s of %s', async (language, title, button, ...texts) => {
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
});

test('the question has an address of its own, which back closes and a reload keeps', async () => {
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

test('a visitor at the question’s address is asked to log in, and comes back to it', async () => {
  const { user, router } = await renderScreen('/my-posts?retrieved=post-x');
  await user.click(await within(screen.getByRole('main')).findByRole('link', { name: 'Log in' }));
  expect(router.state.location.state).toEqual({ from: '/my-posts?retrieved=post-x' });
});

test('pressing twice marks once, and leaves no step to go back over', async () => {
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
  ['sw', 'Nimekirudisha', 'Kimepatikana na kurudishwa', 'Tangazo lako sasa linaonyesha “Kimepatikana na kurudishwa”.'],
] as const)(
  'marking as found shows at once, without waiting for the server, in %s',
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
] as const)('a mark that failed is taken back, and told of in %s', async (language, button, sentence) => {
  const view = await openMyPosts(language);
  server.use(http.patch('*/api/posts/:id/found', () => refuse(500, 'internal_error')));
  await mark(view, 'Pochi', button);
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(await cardOf('Pochi').findByRole('button', { name: button })).toBeInTheDocument();
});

test.each([
  ['en', 'Mark as returned', 'Undo', 'You can undo this for 10 more minutes.', 'Your post is open again.'],
  ['sw', 'Nimekirudisha', 'Tendua', 'Unaweza kutendua ndani ya dakika 10.', 'Tangazo lako liko wazi tena.'],
] as const)('a marking can be undone, also after a reload, in %s', async (language, button, undo, left, done) => {
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

test('the time that is left is counted down, and then nothing is offered any more', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    shouldAdvanceTime: true,
  });
  const view = await openMyPosts();
  serveMarking(view.posts);
  await mark(view, 'Pochi');
  await cardOf('Pochi').findByText('You can undo this for 10 more minutes.');
  await act(() => vi.advanceTimersByTimeAsync(9 * MINUTE_MS));
  expect(cardOf('Pochi').getByText('You can undo this for 1 more minute.')).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS));
  expect(cardOf('Pochi').queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a marking can be undone on any device until the time that the post names', async () => {
  const until = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
  const marked = (title: string, found_until: string | null) => aPost({ ...MINE, title, is_found: true, found_until });
  serveList('/posts/by-owner', [marked('Kofia', until(3)), marked('Viatu', until(-1)), marked('Saa', null)]);
  await renderScreen('/my-posts', { isSignedIn: true });
  await screen.findByText('Kofia');
  expect(cardOf('Kofia').getByText('You can undo this for 3 more minutes.')).toBeInTheDocument();
  for (const title of ['Viatu', 'Saa']) expect(cardOf(title).queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('an undoing that comes too late says so and is not offered again; one that failed is', async () => {
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

test('undoing one marking leaves the offer for another, and what matches is counted anew', async () => {
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
