import { QueryClient } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { somePost } from '#tests/support/some-post.ts';
import { keepForSending } from '#web/lib/outbox-changes.ts';
import { readFilter } from '#web/lib/post-filter.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { keepSeenPosts, restoreSeenPosts } from '#web/lib/seen-posts.ts';
import { getSession, signInAs } from '#web/lib/session.ts';
import { EMPTY_POST, saveDraft } from '#web/posts/post-draft.ts';
import { rejectionMessage, renderLive, serveLive } from './support/live.tsx';
import { loseNetwork } from './support/phone.ts';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

afterEach(() => vi.useRealTimers());

/** From here on the phone takes nothing more, as its storage is full or forbidden. */
function fillStorage(): void {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => {
    full.mockRestore();
    warnings.mockRestore();
  });
}

async function openForm() {
  serveNothingElse();
  serveList('/posts', []);
  const view = await renderScreen('/create-post', { isSignedIn: true });
  const title = await screen.findByLabelText('Title');
  fillStorage();
  await view.user.type(title, 'Funguo');
  await view.user.type(screen.getByLabelText('Location'), 'Moshi');
  await view.user.type(screen.getByLabelText('Phone number'), '0712345678');
  return { title, submit: () => view.user.click(screen.getByRole('button', { name: 'Post item' })) };
}

test('a form whose draft cannot be kept is posted all the same', async () => {
  const { submit } = await openForm();
  server.use(
    http.get('*/api/posts/by-owner', () => HttpResponse.json([])),
    http.post('*/api/posts', async ({ request }) => HttpResponse.json(aPost((await request.json()) as object))),
  );
  await submit();
  expect((await screen.findAllByText('Post created successfully!')).length).toBeGreaterThan(0);
});

test('a post that cannot be kept for the network is not said to be kept, and stays in its form', async () => {
  const { title, submit } = await openForm();
  server.use(http.post('*/api/posts', () => HttpResponse.error()));
  loseNetwork();
  await submit();
  expect((await screen.findAllByRole('alert')).length).toBeGreaterThan(0);
  expect(screen.queryByText(/Saved on this phone/)).toBeNull();
  expect(title).toHaveValue('Funguo');
});

test('a notice that cannot be recorded as shown is still shown once and acknowledged', async () => {
  const { heard, push } = serveLive();
  await renderLive();
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  fillStorage();
  push(rejectionMessage);
  expect(await screen.findByRole('dialog', { name: 'Your community was not approved' })).toBeInTheDocument();
  await waitFor(() => expect(heard.acknowledged).toEqual(['notice-2']));
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
});

test.each([
  ['en', 'Email', 'Password', 'An error occurred. Please try again later.'],
  ['sw', 'Barua pepe', 'Nenosiri', 'Kuna hitilafu imetokea. Tafadhali jaribu tena baadaye.'],
] as const)(
  'somebody whose session cannot be kept is told so in %s, and is not half signed in',
  async (language, email, password, sentence) => {
    server.use(
      http.post('*/api/login', () => HttpResponse.json({ access_token: 'T', token_type: 'bearer', user_id: 'U' })),
    );
    const { user, router } = await renderScreen('/login', { language });
    await user.type(await screen.findByLabelText(email), 'asha@example.com');
    await user.type(screen.getByLabelText(password), 'tumaini la kesho');
    fillStorage();
    await user.click(screen.getByRole('main').querySelector('[type=submit]') as HTMLElement);
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(getSession()).toBeNull();
    expect(router.state.location.pathname).toBe('/login');
  },
);

const SEEN = queryKeys.posts.list(null, readFilter(new URLSearchParams()));
const page = (title: string) => ({ pages: [{ posts: [aPost({ title })], nextCursor: null }], pageParams: [null] });

/** What a page that is opened now finds of the posts that were seen. */
function seenAfterReload(): unknown {
  const client = new QueryClient();
  restoreSeenPosts(client);
  return client.getQueryData(SEEN);
}

test.each([
  ['a draft', () => saveDraft('postDraft:a-user:new', { values: EMPTY_POST, idempotencyKey: 'a-key' })],
  ['a post that waits', () => keepForSending({ input: somePost, idempotencyKey: 'a-key' }, { retryAfterMs: null })],
])('posts that were seen make room for %s', (_what, keep) => {
  signInAs({ token: 'T', userId: 'a-user' });
  localStorage.setItem('seenPosts:a-user', 'x'.repeat(1_000));
  const store = Storage.prototype.setItem;
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
    if (localStorage.getItem('seenPosts:a-user')) throw new DOMException('', 'QuotaExceededError');
    store.call(this, key, value);
  });
  onTestFinished(() => full.mockRestore());
  expect(keep()).toBe(true);
  expect(JSON.stringify({ ...localStorage })).toContain('a-key');
});

test('what cannot be kept even so is said not to be', () => {
  localStorage.setItem('seenPosts:visitor', 'x');
  fillStorage();
  expect(saveDraft('postDraft:visitor:new', { values: EMPTY_POST, idempotencyKey: 'a-key' })).toBe(false);
});

test('cached posts are dropped as a whole to make room for a draft', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  localStorage.setItem('postDraft:visitor:new', '{"values":{"title":"Begi"}}');
  const client = new QueryClient();
  onTestFinished(keepSeenPosts(client));
  client.setQueryData(SEEN, page('Funguo'));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(seenAfterReload()).toMatchObject({ pages: [{ posts: [{ title: 'Funguo' }] }] });
  fillStorage();
  client.setQueryData(SEEN, page('Pochi'));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(seenAfterReload()).toBeUndefined();
  expect(localStorage.getItem('postDraft:visitor:new')).toContain('Begi');
});
