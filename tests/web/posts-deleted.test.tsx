import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryKeys } from '#web/lib/query-keys.ts';
import { signOut } from '#web/lib/session.ts';
import { cardOf, openMyPosts, titleOf } from './support/own-posts.ts';
import { refuse, serveList, serveNothingElse } from './support/posts.ts';
import { server } from './support/setup.ts';
import { keepAnswers } from './support/stale.ts';
import type { User } from './support/user.ts';

beforeEach(serveNothingElse);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Keeps whose token each deletion came with, and takes the post out of the list. */
function serveDeletion(posts: Awaited<ReturnType<typeof openMyPosts>>['posts']) {
  const deleted: { id: string; token: string | null }[] = [];
  server.use(
    http.delete('*/api/posts/:id', ({ params, request }) => {
      deleted.push({ id: String(params.id), token: request.headers.get('Authorization') });
      const left = posts.filter(({ id }) => deleted.every((one) => one.id !== id));
      serveList('/posts/by-owner', left);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return deleted;
}

async function confirmDeletion(user: User, title: string, button = 'Delete') {
  await user.click(cardOf(title).getByRole('button', { name: button }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: button }));
  await waitFor(() => expect(titleOf(title)).toBeNull());
}

function hidePage() {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
}

test.each([
  ['en', 'Are you sure you want to delete this post?', 'Cancel', 'Delete', 'Post deleted successfully!'],
  ['sw', 'Una uhakika unataka kufuta tangazo hili?', 'Ghairi', 'Futa', 'Tangazo limefutwa!'],
] as const)(
  'deleting asks first, waits ten seconds, and tells that it is done, in %s',
  async (language, question, cancel, confirm, done) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { user, posts } = await openMyPosts(language);
    const deleted = serveDeletion(posts);
    await user.click(cardOf('Funguo').getByRole('button', { name: confirm }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(question)).toBeInTheDocument();
    expect(dialog.getByText('Funguo')).toHaveAttribute('dir', 'auto');
    await user.click(dialog.getByRole('button', { name: cancel }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await confirmDeletion(user, 'Funguo', confirm);
    // The button went with its card.
    expect(screen.getByRole('region', { name: language === 'en' ? 'My Posts' : 'Matangazo Yangu' })).toHaveFocus();
    const stale = keepAnswers(queryKeys.posts.latestOf('a-user', 'MBEZ2345'));
    await vi.advanceTimersByTimeAsync(8_000);
    expect(deleted).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await screen.findByText(done)).toBeInTheDocument();
    expect(stale()).toHaveLength(1);
    expect(titleOf('Funguo')).toBeNull();
    expect(screen.getByText('Pochi')).toBeInTheDocument();
    expect(deleted).toEqual([{ id: posts[0].id, token: 'Bearer a-token' }]);
  },
);

test.each([
  ['en', 'Delete', '“Funguo” has been deleted.', 'Undo'],
  ['sw', 'Futa', 'Tangazo “Funguo” limefutwa.', 'Tendua'],
] as const)('a deletion is announced and can be taken back, in %s', async (language, button, sentence, undo) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const { user, posts } = await openMyPosts(language);
  const deleted = serveDeletion(posts);
  const regions = screen.getAllByRole('status');
  await confirmDeletion(user, 'Funguo', button);
  // In an element that was there before: what comes into the page together with its text is not read out.
  expect(regions.some((region) => region.textContent?.includes(sentence))).toBe(true);
  await user.tab();
  expect(screen.getByRole('button', { name: undo })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Funguo')).toBeInTheDocument();
  expect(screen.queryByText(sentence)).toBeNull();
  expect(screen.getByRole('region', { name: language === 'en' ? 'My Posts' : 'Matangazo Yangu' })).toHaveFocus();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(deleted).toEqual([]);
});

test('the cross of the question deletes nothing, and a page that is shown again sends nothing', async () => {
  const { user, posts } = await openMyPosts();
  const deleted = serveDeletion(posts);
  await user.click(cardOf('Funguo').getByRole('button', { name: 'Delete' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Delete post' })).getByRole('button', { name: 'Close' }),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(titleOf('Funguo')).not.toBeNull();
  await confirmDeletion(user, 'Pochi');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(screen.getByRole('button', { name: 'Undo' })).toBeInTheDocument();
  expect(deleted).toEqual([]);
  hidePage();
  await waitFor(() => expect(deleted.map(({ id }) => id)).toEqual([posts[1].id]));
});

test('two deletions stand side by side, and each is taken back by itself', async () => {
  const { user, posts } = await openMyPosts();
  const deleted = serveDeletion(posts);
  await confirmDeletion(user, 'Funguo');
  await confirmDeletion(user, 'Pochi');
  const bars = screen.getAllByRole('button', { name: 'Undo' });
  expect(bars).toHaveLength(2);
  await user.click(bars[0] as HTMLElement);
  expect(await screen.findByText('Funguo')).toBeInTheDocument();
  expect(titleOf('Pochi')).toBeNull();
  hidePage();
  expect(await screen.findByText('Post deleted successfully!')).toBeInTheDocument();
  expect(deleted.map(({ id }) => id)).toEqual([posts[1].id]);
});

test.each<[string, (view: Awaited<ReturnType<typeof openMyPosts>>) => void]>([
  ['hidden', hidePage],
  ['closed', () => window.dispatchEvent(new Event('pagehide'))],
  ['left for another screen', ({ router }) => void router.navigate('/communities')],
  ['left by signing out', signOut],
])('a deletion is sent at once, as its author’s, when the page is %s', async (_how, leave) => {
  const view = await openMyPosts();
  const deleted = serveDeletion(view.posts);
  const requests = vi.spyOn(globalThis, 'fetch');
  await confirmDeletion(view.user, 'Funguo');
  leave(view);
  await waitFor(() => expect(deleted).toEqual([{ id: view.posts[0].id, token: 'Bearer a-token' }]));
  const [, sent] = requests.mock.calls.find(([, init]) => init?.method === 'DELETE') ?? [];
  expect(sent?.keepalive).toBe(true);
  expect(await screen.findByText('Post deleted successfully!')).toBeInTheDocument();
});

test.each([
  ['en', 'Delete', 'Error deleting the post.'],
  ['sw', 'Futa', 'Hitilafu imetokea wakati wa kufuta tangazo.'],
] as const)(
  'a post that could not be deleted is back, and the failure is told in %s',
  async (language, button, sentence) => {
    const { user } = await openMyPosts(language);
    server.use(http.delete('*/api/posts/:id', () => refuse(500, 'internal_error', 'Something went wrong.')));
    await confirmDeletion(user, 'Funguo', button);
    hidePage();
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(await screen.findByText('Funguo')).toBeInTheDocument();
  },
);

test('a post that could not be deleted without a network is back', async () => {
  const { user } = await openMyPosts();
  server.use(http.delete('*/api/posts/:id', () => HttpResponse.error()));
  await confirmDeletion(user, 'Funguo');
  hidePage();
  expect(await screen.findByText('Error deleting the post.')).toBeInTheDocument();
  expect(await screen.findByText('Funguo')).toBeInTheDocument();
});

test('a post that is gone already counts as deleted', async () => {
  const { user, posts } = await openMyPosts();
  server.use(http.delete('*/api/posts/:id', () => refuse(404, 'post_not_found', 'This post does not exist.')));
  serveList('/posts/by-owner', posts.slice(1));
  await confirmDeletion(user, 'Funguo');
  hidePage();
  expect(await screen.findByText('Post deleted successfully!')).toBeInTheDocument();
});

test('a deletion and a marking at once do not undo each other', async () => {
  const { user, posts } = await openMyPosts();
  serveDeletion(posts);
  server.use(http.patch('*/api/posts/:id/found', () => refuse(500, 'internal_error')));
  await user.click(cardOf('Funguo').getByRole('button', { name: 'Mark as found' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Mark as found' }));
  await confirmDeletion(user, 'Pochi');
  hidePage();
  expect(await screen.findByText('Post deleted successfully!')).toBeInTheDocument();
  expect(screen.queryByText('Pochi')).toBeNull();
  expect(await cardOf('Funguo').findByRole('button', { name: 'Mark as found' })).toBeInTheDocument();
});
