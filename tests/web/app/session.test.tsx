import { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { somePost } from '#tests/support/posts.ts';
import { ME } from '#tests/web/support/account.ts';
import { SCHOOL, serveSchool } from '#tests/web/support/communities.ts';
import { rejectionMessage, renderLive, serveLive } from '#tests/web/support/notices.tsx';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { aPost, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen, startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { expireSession, getSession, signInAs, signOut, TOKEN_SINCE_KEY } from '#web/api/session.ts';
import { App } from '#web/app/app.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { keepForSending } from '#web/offline/outbox-changes.ts';
import { keepSeenPosts, restoreSeenPosts } from '#web/offline/seen-posts.ts';
import { EMPTY_POST, saveDraft } from '#web/posts/form/post-draft.ts';
import { readFilter } from '#web/posts/list/post-filter.ts';

describe('session', () => {
  const ASHA = { token: 'a-token', userId: 'a-user' };

  // Loaded in advance: on a busy machine, loading on demand takes longer than a test waits.
  beforeAll(() =>
    Promise.all([
      import('#web/notices/live-notices.tsx'),
      import('#web/accounts/number-bar.tsx'),
      import('#web/app/errands.tsx'),
      import('#web/offline/offline-bars.tsx'),
    ]),
  );
  beforeEach(() => changeLanguage('en'));
  afterEach(() => window.history.replaceState(null, '', '/'));

  /** Opens the app at a URL with this navigation state. */
  async function open(address: string, state: unknown = null) {
    window.history.replaceState({ usr: state, key: 'here', idx: 0 }, '', address);
    signInAs(ASHA);
    render(<App />);
    await screen.findByRole('main');
  }

  const here = () => window.location.pathname + window.location.search;
  const stateHere = () => (window.history.state as { usr: unknown }).usr;

  async function logIn() {
    server.use(
      http.post('*/api/login', () =>
        HttpResponse.json({ access_token: 'new-token', token_type: 'bearer', user_id: 'a-user' }),
      ),
    );
    const user = startUser();
    await user.type(await screen.findByLabelText('Email'), 'asha@example.com');
    await user.type(screen.getByLabelText('Password'), 'siri yangu kubwa');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
  }

  test('signing out opens the sign-in, and the next sign-in does not return to the earlier screen', async () => {
    server.use(http.delete('*/api/me/devices/current', () => new HttpResponse(null, { status: 204 })));
    await open('/privacy?size=large', { of: 'before' });
    act(signOut);
    expect(await screen.findByLabelText('Email')).toBeInTheDocument();
    expect(here()).toBe('/login');
    expect(stateHere()).toBeNull();
    await logIn();
    await waitFor(() => expect(here()).toBe('/'));
  });

  test('if a session expires, the next sign-in leads back to the same screen with its navigation state', async () => {
    await open('/privacy');
    window.history.pushState({ usr: { of: 'before' }, key: 'there', idx: 1 }, '', '/terms?size=large');
    act(() => void fireEvent(window, new PopStateEvent('popstate')));
    await act(() => expireSession('a-token'));
    expect(await screen.findByLabelText('Email')).toBeInTheDocument();
    expect(here()).toBe('/login');
    await logIn();
    await waitFor(() => expect(here()).toBe('/terms?size=large'));
    expect(stateHere()).toEqual({ of: 'before' });
  });

  test('a session that ends while the sign-in screen is open does not change the screen that opens after the sign-in', async () => {
    await open('/login', { from: '/privacy' });
    await act(() => expireSession('a-token'));
    expect(stateHere()).toEqual({ from: '/privacy' });
    await logIn();
    await waitFor(() => expect(here()).toBe('/privacy'));
  });

  test('if another tab renews the session token or signs in another person, this tab stays on its screen', async () => {
    await open('/privacy');
    localStorage.setItem('token', 'newer-token');
    act(() => void fireEvent(window, new StorageEvent('storage', { key: 'token' })));
    localStorage.setItem('token', 'other-token');
    localStorage.setItem('userID', 'other-user');
    act(() => void fireEvent(window, new StorageEvent('storage', { key: 'userID' })));
    expect(here()).toBe('/privacy');
  });

  test('a signed-in user has a live connection, which a new session token does not interrupt', async () => {
    const asked = { tickets: 0, tokens: 0 };
    server.use(
      http.get('*/api/me', () => HttpResponse.json({ ...ME, is_whatsapp_verified: false })),
      http.post('*/api/realtime/ticket', () => {
        asked.tickets++;
        return new Promise<never>(() => undefined);
      }),
      http.post('*/api/me/token', () => {
        asked.tokens++;
        return HttpResponse.json({ access_token: 'newer-token' });
      }),
    );
    window.history.replaceState(null, '', '/privacy');
    signInAs(ASHA);
    localStorage.setItem(TOKEN_SINCE_KEY, '0');
    render(<App />);
    expect(await screen.findByText(/really your number\?/)).toBeInTheDocument();
    await waitFor(() => expect(asked).toEqual({ tickets: 1, tokens: 1 }));
    await waitFor(() => expect(localStorage.getItem('token')).toBe('newer-token'));
  });

  test('the status bars (no network, new version) at the foot of the screen load after the screen is shown, also for a visitor', async () => {
    window.history.replaceState(null, '', '/privacy');
    render(<App />);
    expect(screen.queryByRole('status')).toBeNull();
    expect(await screen.findByRole('status')).toBeInTheDocument();
  });
});

describe('a full phone storage', () => {
  afterEach(() => vi.useRealTimers());

  /** Makes the phone's storage refuse all writes from now on, as if it were full or forbidden. */
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

  test('a post whose draft cannot be stored can still be published', async () => {
    const { submit } = await openForm();
    server.use(
      http.get('*/api/posts/by-owner', () => HttpResponse.json([])),
      http.post('*/api/posts', async ({ request }) => HttpResponse.json(aPost((await request.json()) as object))),
    );
    await submit();
    expect((await screen.findAllByText('Post created successfully!')).length).toBeGreaterThan(0);
  });

  test('if a post can neither be sent nor be stored, the form shows an error and keeps the text', async () => {
    const { title, submit } = await openForm();
    server.use(http.post('*/api/posts', () => HttpResponse.error()));
    loseNetwork();
    await submit();
    expect((await screen.findAllByRole('alert')).length).toBeGreaterThan(0);
    expect(screen.queryByText(/Saved on this phone/)).toBeNull();
    expect(title).toHaveValue('Funguo');
  });

  test('a notice is shown once and acknowledged to the server, although the phone cannot store that the notice was shown', async () => {
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
    'a sign-in that cannot be stored shows an error in the language %s and leaves the user signed out',
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

  /** Returns the posts that a newly opened page reads from the phone's storage. */
  function seenAfterReload(): unknown {
    const client = new QueryClient();
    restoreSeenPosts(client);
    return client.getQueryData(SEEN);
  }

  test.each([
    ['a draft', () => saveDraft('postDraft:a-user:new', { values: EMPTY_POST, idempotencyKey: 'a-key' })],
    ['a waiting post', () => keepForSending({ input: somePost, idempotencyKey: 'a-key' }, { retryAfterMs: null })],
  ])('the stored posts for offline reading are deleted to make room for %s', (_what, keep) => {
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

  test('saveDraft returns false if a draft does not fit even after the posts for offline reading are deleted', () => {
    localStorage.setItem('seenPosts:visitor', 'x');
    fillStorage();
    expect(saveDraft('postDraft:visitor:new', { values: EMPTY_POST, idempotencyKey: 'a-key' })).toBe(false);
  });

  test('if new posts for offline reading cannot be stored, the posts stored earlier are deleted, but drafts are not', async () => {
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
});

const NAMES: Record<string, string> = { 'Bearer a-token': 'Asha', 'Bearer other-token': 'Baraka' };
const nameOf = (request: Request) => NAMES[request.headers.get('Authorization') ?? ''] ?? 'nobody';

/** Serves communities and notices that contain the name of the user who requests them. */
function serveEach(): void {
  serveNothingElse();
  serveList('/posts', [aPost()]);
  serveSchool();
  server.use(
    http.get('*/api/communities', ({ request }) =>
      HttpResponse.json([{ ...SCHOOL, name: `Shule ya ${nameOf(request)}` }]),
    ),
    http.get('*/api/communities/:id', ({ request }) =>
      HttpResponse.json({
        ...SCHOOL,
        name: `Shule ya ${nameOf(request)}`,
        member_count: 1,
        admins: [],
        waiting_requests: 0,
      }),
    ),
    http.get('*/api/notices', ({ request }) =>
      HttpResponse.json({
        unread_count: 0,
        notices: [
          {
            message: {
              type: 'join_accepted',
              id: nameOf(request),
              community_id: 'c',
              name: `Shule ya ${nameOf(request)}`,
              created_at: '2026-11-01T09:00:00.000Z',
            },
            noticed_at: '2026-11-01T09:00:00.000Z',
            read_at: '2026-11-01T09:00:00.000Z',
            is_open: true,
          },
        ],
      }),
    ),
  );
}

/** Simulates another tab's write to storage. */
function signInElsewhere(): void {
  localStorage.setItem('token', 'other-token');
  localStorage.setItem('userID', 'other-user');
  act(() => void fireEvent(window, new StorageEvent('storage', { key: 'userID' })));
}

test.each(['/communities', '/communities/school', '/notices'])(
  'after another tab signs in as another person, the screen %s shows only the new person’s data',
  async (address) => {
    serveEach();
    await renderScreen(address, { isSignedIn: true });
    await screen.findAllByText(/Shule ya Asha/);
    signInElsewhere();
    expect(screen.queryByText(/Shule ya Asha/)).toBeNull();
    expect(await screen.findAllByText(/Shule ya Baraka/)).not.toHaveLength(0);
  },
);

test('an open dialog closes when another person signs in in another tab', async () => {
  serveEach();
  const { user } = await renderScreen('/communities/school', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
  expect(screen.getByRole('dialog', { name: 'Leave “Shule ya Asha”?' })).toBeInTheDocument();
  signInElsewhere();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('text that a visitor has typed into the post form stays when somebody signs in in another tab', async () => {
  serveEach();
  const { user } = await renderScreen('/create-post');
  await user.type(await screen.findByLabelText('Title'), 'Pochi ya Asha');
  signInElsewhere();
  expect(screen.getByLabelText('Title')).toHaveValue('Pochi ya Asha');
});
