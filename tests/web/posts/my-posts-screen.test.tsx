import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { somePost } from '#tests/support/posts.ts';
import { fillStorage, holdTime } from '#tests/web/support/phone.ts';
import {
  aPost,
  cardOf,
  MINE,
  openMyPosts,
  refuse,
  serveList,
  serveNothingElse,
  titleOf,
} from '#tests/web/support/posts.ts';
import { keepAnswers, renderScreen, type User } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { signOut } from '#web/api/session.ts';
import type { PendingPost } from '#web/offline/outbox.ts';
import { draftKey, EMPTY_POST, saveDraft } from '#web/posts/form/post-draft.ts';

describe('the user’s own posts', () => {
  beforeEach(serveNothingElse);

  test.each([
    ['en', 'My Posts', 'Update', 'Delete', 'Mark as found'],
    ['sw', 'Matangazo Yangu', 'Hariri', 'Futa', 'Nimekipata tena'],
  ] as const)(
    'can be edited, deleted and marked as found, in the language %s',
    async (language, heading, ...actions) => {
      await openMyPosts(language);
      expect(screen.getByRole('heading', { level: 1, name: heading })).toBeInTheDocument();
      expect(screen.getByRole('region', { name: heading })).toBeInTheDocument();
      const card = cardOf('Funguo');
      expect(card.getByRole('link', { name: actions[0] })).toBeInTheDocument();
      for (const name of actions.slice(1)) expect(card.getByRole('button', { name })).toBeInTheDocument();
    },
  );

  test('are on a screen whose “Back” button opens the home page', async () => {
    const { user, router } = await openMyPosts();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(router.state.location.pathname).toBe('/');
  });

  test.each([
    ['en', "You don't have any post"],
    ['sw', 'Huna tangazo lolote'],
  ] as const)('a message in the language %s says that the user has no posts', async (language, sentence) => {
    serveList('/posts/by-owner', []);
    await renderScreen('/my-posts', { language, isSignedIn: true });
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  });

  test('are shown to signed-in users only: a visitor is asked to log in, and then returns to My Posts', async () => {
    const { user, router } = await renderScreen('/my-posts');
    const main = within(screen.getByRole('main'));
    expect(main.queryByRole('link', { name: 'Report Item' })).toBeNull();
    await user.click(await main.findByRole('link', { name: 'Log in' }));
    expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/my-posts' } });
  });

  test('can be updated: the link “Update” opens the form with the post’s values', async () => {
    const { user, router, posts } = await openMyPosts();
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(posts[0])));
    await user.click(cardOf('Funguo').getByRole('link', { name: 'Update' }));
    expect(router.state.location).toMatchObject({
      pathname: '/create-post',
      state: { mode: 'update', post: { id: posts[0]?.id } },
    });
  });

  test('are shown in green once they are returned, without the button “Mark as returned”', async () => {
    serveList('/posts/by-owner', [aPost({ ...MINE, title: 'Kofia', is_found: true })]);
    await renderScreen('/my-posts', { isSignedIn: true });
    expect(await screen.findByText('Found and returned')).toBeInTheDocument();
    expect(screen.getByText('Kofia').closest('article')?.className).toContain('border-found');
    expect(screen.queryByRole('button', { name: 'Mark as returned' })).toBeNull();
  });

  test.each([
    ['en', 'Error loading posts: Something is wrong.'],
    ['sw', 'Imeshindikana kuonyesha matangazo: Something is wrong.'],
  ] as const)('show an error in the language %s if they fail to load', async (language, sentence) => {
    server.use(http.get('*/api/posts/by-owner', () => refuse(403, 'forbidden', 'Something is wrong.')));
    await renderScreen('/my-posts', { language, isSignedIn: true });
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  });

  test('are loaded page by page with a button for older posts', async () => {
    serveList('/posts/by-owner', [aPost({ ...MINE, title: 'Mpya' })], [aPost({ ...MINE, title: 'Ya zamani' })]);
    const { user } = await renderScreen('/my-posts', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
    expect(await screen.findByText('Ya zamani')).toBeInTheDocument();
  });

  /** Stores on the phone a post that was written offline and then refused by the Worker. */
  function keepRefused(title: string): void {
    const pending: PendingPost = {
      idempotencyKey: 'a-key',
      input: { ...somePost, title },
      writtenAt: '2026-11-20T09:00:00.000Z',
      refusal: 'Phone number is required',
      sendAfter: null,
    };
    localStorage.setItem('outbox:a-user', JSON.stringify([pending]));
  }

  test('include a post that the server refused, and “Edit the post” moves this post from the list to the form', async () => {
    keepRefused('Mwavuli');
    const { user } = await openMyPosts();
    await user.click(screen.getByRole('button', { name: 'Edit the post' }));
    expect(await screen.findByLabelText('Title')).toHaveValue('Mwavuli');
    expect(localStorage.getItem('outbox:a-user')).toBeNull();
    // The draft keeps the idempotency key: if the Worker has stored the post after all, sending the draft creates no
    // second post.
    const draft = JSON.parse(localStorage.getItem(draftKey('a-user', null)) ?? '{}') as { idempotencyKey: string };
    expect(draft.idempotencyKey).toBe('a-key');
  });

  test.each([
    ['en', 'Edit the post', 'This phone is full. Free some space and try again; your post waits here.'],
    ['sw', 'Hariri tangazo', 'Simu hii imejaa. Futa baadhi ya vitu kisha ujaribu tena; tangazo lako linasubiri hapa.'],
  ] as const)(
    'if the phone’s storage is full, “Edit the post” leaves a refused post in My Posts and shows a message in the language %s',
    async (language, correct, said) => {
      keepRefused('Mwavuli');
      const { user, router } = await openMyPosts(language);
      fillStorage();
      await user.click(screen.getByRole('button', { name: correct }));
      expect(await screen.findByText(said)).toBeInTheDocument();
      expect(router.state.location.pathname).toBe('/my-posts');
      expect(localStorage.getItem('outbox:a-user')).toContain('Mwavuli');
    },
  );

  test('include a post that the server refused, and “Edit the post” moves this post’s photos back to the form', async () => {
    const { forgetPhotos, keepPhotos, readPhotos } = await import('#web/offline/photo-queue.ts');
    keepRefused('Mwavuli');
    const photo = { userId: 'a-user', order: 1, alt: '', picture: new Blob(), refusal: null };
    await keepPhotos([
      { ...photo, id: 'one', place: 'outbox:a-key' },
      { ...photo, id: 'two', place: 'outbox:another' },
    ]);
    const { user } = await openMyPosts();
    await user.click(screen.getByRole('button', { name: 'Edit the post' }));
    await screen.findByLabelText('Title');
    expect((await readPhotos()).map(({ place }) => place)).toEqual([draftKey('a-user', null), 'outbox:another']);
    await forgetPhotos(() => true);
  });

  test('“Edit the post” on a refused post does not replace the draft that the form already contains', async () => {
    keepRefused('Mwavuli');
    saveDraft(draftKey('a-user', null), { values: { ...EMPTY_POST, title: 'Miwani' }, idempotencyKey: 'another-key' });
    const { user } = await openMyPosts();
    await user.click(screen.getByRole('button', { name: 'Edit the post' }));
    expect(await screen.findByText('First post what you have started here, or start over.')).toBeInTheDocument();
    expect(await screen.findByLabelText('Title')).toHaveValue('Miwani');
    expect(localStorage.getItem('outbox:a-user')).toContain('Mwavuli');
  });
});

describe('deleting a post', () => {
  beforeEach(serveNothingElse);
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Serves deletions: records the session token of each request, and removes the post from the served list. */
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
    'asks for confirmation, sends the request after ten seconds, and shows a message, in the language %s',
    async (language, question, cancel, confirm, done) => {
      holdTime();
      const { user, posts } = await openMyPosts(language);
      const deleted = serveDeletion(posts);
      await user.click(cardOf('Funguo').getByRole('button', { name: confirm }));
      const dialog = within(await screen.findByRole('dialog'));
      expect(dialog.getByText(question)).toBeInTheDocument();
      expect(dialog.getByText('Funguo')).toHaveAttribute('dir', 'auto');
      await user.click(dialog.getByRole('button', { name: cancel }));
      expect(screen.queryByRole('dialog')).toBeNull();
      await confirmDeletion(user, 'Funguo', confirm);
      // The pressed button was removed with the post's card, so the focus moves to the list.
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
  ] as const)('shows a message and can be undone, in the language %s', async (language, button, sentence, undo) => {
    holdTime();
    const { user, posts } = await openMyPosts(language);
    const deleted = serveDeletion(posts);
    const regions = screen.getAllByRole('status');
    await confirmDeletion(user, 'Funguo', button);
    // The live region existed before its text: a screen reader ignores a live region that appears with its text.
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

  test('is cancelled by closing the confirmation; a confirmed deletion is sent when the user leaves the browser tab', async () => {
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

  test('can be undone for one post while another post stays deleted', async () => {
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
  ])(
    'sends the delayed request as soon as the screen My Posts is %s, with the session token of the post’s author',
    async (_how, leave) => {
      const view = await openMyPosts();
      const deleted = serveDeletion(view.posts);
      const requests = vi.spyOn(globalThis, 'fetch');
      await confirmDeletion(view.user, 'Funguo');
      leave(view);
      await waitFor(() => expect(deleted).toEqual([{ id: view.posts[0].id, token: 'Bearer a-token' }]));
      const [, sent] = requests.mock.calls.find(([, init]) => init?.method === 'DELETE') ?? [];
      expect(sent?.keepalive).toBe(true);
      expect(await screen.findByText('Post deleted successfully!')).toBeInTheDocument();
    },
  );

  test.each([
    ['en', 'Delete', 'Error deleting the post.'],
    ['sw', 'Futa', 'Hitilafu imetokea wakati wa kufuta tangazo.'],
  ] as const)(
    'shows the post again, with an error in the language %s, if the server refuses the deletion',
    async (language, button, sentence) => {
      const { user } = await openMyPosts(language);
      server.use(http.delete('*/api/posts/:id', () => refuse(500, 'internal_error', 'Something went wrong.')));
      await confirmDeletion(user, 'Funguo', button);
      hidePage();
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      expect(await screen.findByText('Funguo')).toBeInTheDocument();
    },
  );

  test('shows the post again if there is no network', async () => {
    const { user } = await openMyPosts();
    server.use(http.delete('*/api/posts/:id', () => HttpResponse.error()));
    await confirmDeletion(user, 'Funguo');
    hidePage();
    expect(await screen.findByText('Error deleting the post.')).toBeInTheDocument();
    expect(await screen.findByText('Funguo')).toBeInTheDocument();
  });

  test('succeeds if the post was already deleted elsewhere', async () => {
    const { user, posts } = await openMyPosts();
    server.use(http.delete('*/api/posts/:id', () => refuse(404, 'post_not_found', 'This post does not exist.')));
    serveList('/posts/by-owner', posts.slice(1));
    await confirmDeletion(user, 'Funguo');
    hidePage();
    expect(await screen.findByText('Post deleted successfully!')).toBeInTheDocument();
  });

  test('succeeds even if marking another post as found fails, and the other post keeps its button “Mark as found”', async () => {
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
});
