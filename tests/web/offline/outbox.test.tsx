import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import { somePost } from '#tests/support/posts.ts';
import { loseNetwork, stubWorkerBrowser } from '#tests/web/support/phone.ts';
import { aWaitingPhoto, serveUploads } from '#tests/web/support/photos.ts';
import { aPost } from '#tests/web/support/posts.ts';
import { KEY, servePush, stubPushBrowser } from '#tests/web/support/push.ts';
import { server } from '#tests/web/support/setup.ts';
import { ApiError } from '#web/api/client.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { signInAs, signOut } from '#web/api/session.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { OfflineBars } from '#web/offline/offline-bars.tsx';
import { readOutbox, useOutbox } from '#web/offline/outbox.ts';
import {
  canBeSentLater,
  keepForSending,
  postponeInOutbox,
  takeFromOutbox,
  writeOutbox,
} from '#web/offline/outbox-changes.ts';
import { forgetPhotos, keepPhotos, readPhotos } from '#web/offline/photo-queue.ts';
import { startOutbox } from '#web/offline/waiting.tsx';
import { ToastRegion } from '#web/ui/toast.tsx';

function Outbox() {
  return (
    <p>
      Waiting:{' '}
      {useOutbox()
        .map(({ input }) => input.title)
        .join(', ')}
    </p>
  );
}

describe('the outbox', () => {
  const ASHA = { token: 'T', userId: 'asha' };
  const ANY_TIME = { retryAfterMs: null };

  beforeEach(() => signInAs(ASHA));
  afterEach(() => vi.useRealTimers());

  const aPending = (title: string) => ({ input: { ...somePost, title }, idempotencyKey: `key-of-${title}` });
  const titles = () => readOutbox().map(({ input }) => input.title);

  test.each([
    [
      'waits in the outbox if a busy server says when to retry',
      new ApiError(503, {}, new Headers({ 'Retry-After': '5' })),
      true,
      true,
    ],
    ['does not wait in the outbox if a busy server does not say when to retry', new ApiError(503, {}), true, false],
    ['waits in the outbox if there is no network', new ApiError(0, {}), false, true],
    ['does not wait in the outbox if no response comes although there is a network', new ApiError(0, {}), true, false],
    [
      'does not wait in the outbox if the server refused the post, even if the network is lost afterwards',
      new ApiError(422, {}),
      false,
      false,
    ],
    ['does not wait in the outbox if the cause is a programming error', new Error('x'), false, false],
  ])('a post that could not be sent %s', (_what, error, isOnline, canWait) => {
    if (!isOnline) loseNetwork();
    expect(canBeSentLater(error)).toBe(canWait);
  });

  test('stores a post that is added twice only once, behind the other posts', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T08:00:00Z') });
    keepForSending(aPending('Funguo'), ANY_TIME);
    keepForSending(aPending('Pochi'), ANY_TIME);
    expect(keepForSending(aPending('Funguo'), { retryAfterMs: 5_000 })).toBe(true);
    expect(titles()).toEqual(['Pochi', 'Funguo']);
    const [purse, keys] = readOutbox();
    expect(purse).toMatchObject({ writtenAt: '2026-11-23T08:00:00.000Z', refusal: null, sendAfter: null });
    expect(keys).toMatchObject({ idempotencyKey: 'key-of-Funguo', sendAfter: Date.now() + 5_000 });
    postponeInOutbox('key-of-Pochi', 7_000);
    expect(readOutbox().map(({ sendAfter }) => sendAfter)).toEqual([Date.now() + 7_000, Date.now() + 5_000]);
    takeFromOutbox('key-of-Funguo');
    expect(titles()).toEqual(['Pochi']);
    takeFromOutbox('key-of-Pochi');
    expect(localStorage.getItem('outbox:asha')).toBeNull();
  });

  test('stores no post for a visitor or on a phone with full storage, and returns false', () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('', 'QuotaExceededError');
    });
    expect(keepForSending(aPending('Funguo'), ANY_TIME)).toBe(false);
    full.mockRestore();
    signOut();
    expect(keepForSending(aPending('Funguo'), ANY_TIME)).toBe(false);
    expect(localStorage).not.toHaveProperty('outbox:asha');
    expect(readOutbox()).toEqual([]);
  });

  test.each(['{"a":', '{"a":1}', '7'])('counts as empty if its stored value is %s', (stored) => {
    localStorage.setItem('outbox:asha', stored);
    expect(readOutbox()).toEqual([]);
  });

  test('shows the signed-in user’s waiting posts, and updates the list when any tab changes the posts', () => {
    const { unmount } = render(<Outbox />);
    act(() => void keepForSending(aPending('Funguo'), ANY_TIME));
    expect(screen.getByText('Waiting: Funguo')).toBeInTheDocument();
    localStorage.removeItem('outbox:asha');
    act(() => void fireEvent(window, new StorageEvent('storage', { key: 'outbox:asha' })));
    expect(screen.getByText('Waiting:')).toBeInTheDocument();
    act(() => void writeOutbox([{ ...aPending('Pochi'), writtenAt: '', refusal: null, sendAfter: null }]));
    act(() => signInAs({ token: 'J', userId: 'juma' }));
    expect(screen.getByText('Waiting:')).toBeInTheDocument();
    act(() => signInAs(ASHA));
    expect(screen.getByText('Waiting: Pochi')).toBeInTheDocument();
    unmount();
  });

  /** Answers the first request with the given response. @returns the times of the requests, in minutes. */
  function servePosting(answer: () => Response): number[] {
    const tries: number[] = [];
    const start = Date.now();
    server.use(
      http.post('*/api/posts', () => {
        tries.push(Math.round((Date.now() - start) / MINUTE_MS));
        return (tries.length === 1 ? answer() : HttpResponse.json(aPost(), { status: 201 })) as never;
      }),
    );
    return tries;
  }

  test('delays all waiting posts if the response to one post says when to retry', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
    const tries = servePosting(() => HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '600' } }));
    keepForSending(aPending('Funguo'), ANY_TIME);
    keepForSending(aPending('Pochi'), ANY_TIME);
    onTestFinished(startOutbox());
    await vi.waitFor(() => expect(readOutbox()[0]?.sendAfter).not.toBeNull());
    fireEvent(window, new Event('online'));
    await vi.advanceTimersByTimeAsync(9 * MINUTE_MS);
    expect(tries).toEqual([0]);
    await vi.advanceTimersByTimeAsync(MINUTE_MS + 1_000);
    await waitFor(() => expect(readOutbox()).toEqual([]));
    expect(tries).toEqual([0, 10, 10]);
  });

  test('sends a waiting post immediately, even if a refused post has a sending time in the future', async () => {
    const tries = servePosting(() => HttpResponse.json(aPost(), { status: 201 }));
    keepForSending(aPending('Funguo'), { retryAfterMs: 10 * MINUTE_MS });
    writeOutbox(readOutbox().map((post) => ({ ...post, refusal: 'No.' })));
    keepForSending(aPending('Pochi'), ANY_TIME);
    onTestFinished(startOutbox());
    await waitFor(() => expect(titles()).toEqual(['Funguo']));
    expect(tries).toHaveLength(1);
  });
});

const ASHA = { token: 'ashas-token', userId: 'asha' };

/** Opens the app. @returns the messages that the page then sends to the service worker. */
async function open() {
  const resources = ['http://localhost:8787/assets/a.js?v=2', 'https://elsewhere.example/b.js'];
  const loaded = vi.spyOn(performance, 'getEntriesByType').mockImplementation((type) => {
    return (type === 'resource' ? resources : []).map((name) => ({ name }) as PerformanceEntry);
  });
  onTestFinished(() => loaded.mockRestore());
  const { active } = stubWorkerBrowser();
  render(<OfflineBars />);
  await waitFor(() => expect(active.heard).not.toEqual([]));
  return active.heard;
}

const KEEP = { type: 'keep', urls: ['/assets/a.js'] };

test('the files that a visitor’s page has loaded are cached for offline use', async () => {
  expect(await open()).toEqual([KEEP]);
});

test('for a signed-in user all files that the app needs offline are cached, not only those that the page has loaded', async () => {
  signInAs(ASHA);
  expect(await open()).toEqual([KEEP, { type: 'keep-all' }]);
});

test('a phone in data-saving mode caches only the files that the page has loaded', async () => {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'));
  signInAs(ASHA);
  expect(await open()).toEqual([KEEP]);
});

test('for a user who prefers reduced data only the files that the page has loaded are cached', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(prefers-reduced-data: reduce)' }));
  onTestFinished(() => void vi.unstubAllGlobals());
  signInAs(ASHA);
  expect(await open()).toEqual([KEEP]);
});

test('the push subscription of a user who has signed out ends when the app next opens', async () => {
  const { endpoint } = stubPushBrowser({
    permission: 'granted',
    subscribed: { endpoint: 'https://push.example/old', key: KEY },
  });
  servePush();
  render(<OfflineBars />);
  await waitFor(() => expect(endpoint()).toBeNull());
});

describe('sending waiting posts', () => {
  URL.createObjectURL = () => 'blob:a-picture';
  URL.revokeObjectURL = () => undefined;

  beforeEach(() => signInAs({ token: 'a-token', userId: 'a-user' }));

  function servePosting(): string[] {
    const sent: string[] = [];
    server.use(
      http.post('*/api/posts', async ({ request }) => {
        const { title } = (await request.json()) as { title: string };
        sent.push(title);
        return HttpResponse.json(aPost({ id: 'the-post', title }), { status: 201 });
      }),
    );
    return sent;
  }

  function write(title: string): void {
    keepForSending({ input: { ...somePost, title }, idempotencyKey: `key-of-${title}` }, { retryAfterMs: null });
  }

  function open() {
    return render(
      <>
        <OfflineBars />
        <ToastRegion />
      </>,
    );
  }

  test.each([
    ['en', 'Posted: Funguo'],
    ['sw', 'Limetangazwa: Funguo'],
  ] as const)(
    'a waiting post is sent when the app opens, and a message in the language %s says that the post is published',
    async (language, sentence) => {
      await changeLanguage(language);
      const sent = servePosting();
      write('Funguo');
      const lists = [queryKeys.posts.own('a-user'), queryKeys.matches.counts];
      for (const key of lists) queryClient.setQueryData<unknown>(key, {});
      open();
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      expect(sent).toEqual(['Funguo']);
      // The server's lists now contain the post or its matches, so the cached lists are outdated.
      for (const key of lists) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
    },
  );

  test('a post written while the app is open is sent, followed by its photos', async () => {
    await changeLanguage('en');
    const sent = servePosting();
    const uploads = serveUploads();
    open();
    await keepPhotos([aWaitingPhoto({ place: 'outbox:key-of-Pochi' })]);
    expect(await screen.findByRole('region', { name: 'Photos being sent' })).toBeInTheDocument();
    expect(uploads).toEqual([]);
    act(() => write('Pochi'));
    await waitFor(() => expect(uploads.map(({ postId }) => postId)).toEqual(['the-post']));
    expect(sent).toEqual(['Pochi']);
    await waitFor(async () => expect(await readPhotos()).toEqual([]));
  });

  test('waiting photos are sent even if no post is waiting', async () => {
    const uploads = serveUploads();
    await keepPhotos([aWaitingPhoto({ id: 'alone' })]);
    const { unmount } = open();
    await waitFor(() => expect(uploads.map(({ key }) => key)).toEqual(['alone']));
    await waitFor(async () => expect(await readPhotos()).toEqual([]));
    unmount();
  });

  test('the app sends no waiting posts or photos if the network returns after the app was closed', async () => {
    const findNetwork = loseNetwork();
    await changeLanguage('en');
    const [sent, uploads] = [servePosting(), serveUploads()];
    await keepPhotos([aWaitingPhoto()]);
    write('Funguo');
    const { unmount } = open();
    await screen.findByText(/^One photo is waiting for the network/);
    unmount();
    findNetwork();
    fireEvent(window, new Event('online'));
    await forgetPhotos(() => true);
    expect([sent, uploads]).toEqual([[], []]);
  });
});

test.each([
  ['en', 'You are offline. You can still read what you opened before.'],
  ['sw', 'Huna mtandao. Bado unaweza kusoma ulichofungua awali.'],
] as const)(
  'the offline bar appears when the network fails, and disappears when the network returns, in the language %s',
  async (language, sentence) => {
    await changeLanguage(language);
    const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    onTestFinished(() => network.mockRestore());
    const turn = (isOnline: boolean) => {
      network.mockReturnValue(isOnline);
      act(() => void fireEvent(window, new Event(isOnline ? 'online' : 'offline')));
    };
    render(<OfflineBars />);
    expect(screen.queryByText(sentence)).toBeNull();
    turn(false);
    // The live region existed before its text, so that screen readers announce the text.
    expect(screen.getByRole('status')).toHaveTextContent(sentence);
    // Texts announced earlier are not repeated.
    expect(screen.getByRole('status')).toHaveAttribute('aria-atomic', 'false');
    turn(true);
    expect(screen.queryByText(sentence)).toBeNull();
    turn(false);
    expect(screen.getByText(sentence)).toBeInTheDocument();
  },
);

test('opening the app without a network shows the offline bar at once', async () => {
  await changeLanguage('en');
  loseNetwork();
  render(<OfflineBars />);
  expect(screen.getByText(/^You are offline/)).toBeInTheDocument();
});
