import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { somePost } from '#tests/support/posts.ts';
import { fillStorage, loseNetwork } from '#tests/web/support/phone.ts';
import { aPost, refuse } from '#tests/web/support/posts.ts';
import { server } from '#tests/web/support/setup.ts';
import { signInAs } from '#web/api/session.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { keepForSending } from '#web/offline/outbox-changes.ts';
import { PendingPosts } from '#web/offline/pending-posts.tsx';
import { onOutboxSent, startOutbox } from '#web/offline/waiting.tsx';

type Attempt = { title: string; key: string | null };

let stop: () => void;

beforeEach(async () => {
  await changeLanguage('en');
  signInAs({ token: 'a-token', userId: 'a-user' });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Gives these responses to the first requests to create a post; later requests succeed. @returns the requests. */
function servePosting(...answers: (() => Response)[]): Attempt[] {
  const attempts: Attempt[] = [];
  server.use(
    http.post('*/api/posts', async ({ request }) => {
      const body = (await request.json()) as typeof somePost;
      const answer = answers[attempts.length];
      attempts.push({ title: body.title, key: request.headers.get('Idempotency-Key') });
      return (answer?.() ?? HttpResponse.json(aPost({ title: body.title }), { status: 201 })) as never;
    }),
  );
  return attempts;
}

/** The Worker has not named a time for the next try. */
const ANY_TIME = { retryAfterMs: null };

function write(...titles: string[]): void {
  for (const title of titles)
    expect(keepForSending({ input: { ...somePost, title }, idempotencyKey: `key-of-${title}` }, ANY_TIME)).toBe(true);
}

function watchNetwork() {
  const asked = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => asked.mockRestore());
  return asked;
}

function goOnline(): void {
  act(() => void fireEvent(window, new Event('online')));
}

/** Waits one turn of the event loop. A run of the sender that sends no requests ends within this turn. */
const isIdle = () => new Promise((resolve) => setTimeout(resolve));

const tries = (attempts: Attempt[]) => attempts.map(({ title }) => title);
const waiting = () =>
  screen.queryAllByRole('article').map((article) => within(article).getByRole('heading').textContent);

test('waiting posts are sent oldest first, each with its own idempotency key, and are then removed from the outbox', async () => {
  const attempts = servePosting();
  const sent: string[] = [];
  onTestFinished(onOutboxSent((post) => sent.push(post.title)));
  write('Funguo', 'Pochi');
  render(<PendingPosts />);
  expect(waiting()).toEqual(['Funguo', 'Pochi']);
  stop = startOutbox();
  await waitFor(() => expect(waiting()).toEqual([]));
  expect(attempts).toEqual([
    { title: 'Funguo', key: 'key-of-Funguo' },
    { title: 'Pochi', key: 'key-of-Pochi' },
  ]);
  expect(sent).toEqual(['Funguo', 'Pochi']);
});

test('a post that the user writes while the outbox is empty is sent at once', async () => {
  const attempts = servePosting();
  stop = startOutbox();
  await isIdle();
  write('Funguo');
  await waitFor(() => expect(tries(attempts)).toEqual(['Funguo']));
});

test.each([
  ['408', () => refuse(408, 'internal_error')],
  ['429', () => refuse(429, 'too_many_requests', 'Please wait a while.')],
  ['500', () => refuse(500, 'internal_error', 'Sorry.')],
  ['503', () => refuse(503, 'unavailable', 'Sorry.')],
  ['no response', () => HttpResponse.error()],
])(
  'a waiting post whose sending ends with “%s” stays first in the outbox and is sent again with the same idempotency key',
  async (_status, answer) => {
    const attempts = servePosting(answer);
    const asked = watchNetwork();
    write('Funguo', 'Pochi');
    render(<PendingPosts />);
    stop = startOutbox();
    await Promise.allSettled([asked.mock.results[0]?.value]);
    await isIdle();
    expect(asked).toHaveBeenCalledTimes(1);
    await waitFor(() => {
      goOnline();
      expect(attempts.length).toBeGreaterThan(1);
    });
    expect(screen.queryByText(/This post was not accepted/)).toBeNull();
    await waitFor(() => expect(waiting()).toEqual([]));
    expect(tries(attempts)).toEqual(['Funguo', 'Funguo', 'Pochi']);
    expect(attempts[1]?.key).toBe('key-of-Funguo');
  },
);

test('if the session expires, a waiting post is stored for its author, and sent after the author’s next sign-in', async () => {
  const attempts = servePosting(() => refuse(401, 'unauthorized', 'You need to log in to do this.'));
  write('Funguo');
  render(<PendingPosts />);
  stop = startOutbox();
  await waitFor(() => expect(waiting()).toEqual([]));
  act(() => signInAs({ token: 'of-another', userId: 'another-user' }));
  goOnline();
  expect(waiting()).toEqual([]);
  act(() => signInAs({ token: 'a-new-token', userId: 'a-user' }));
  await waitFor(() => {
    goOnline();
    expect(tries(attempts)).toEqual(['Funguo', 'Funguo']);
  });
  expect(attempts.map(({ key }) => key)).toEqual(['key-of-Funguo', 'key-of-Funguo']);
});

test('if the server refuses a waiting post because the session’s token was replaced during the request, the post is sent again', async () => {
  const attempts = servePosting(() => {
    signInAs({ token: 'a-new-token', userId: 'a-user' });
    return refuse(401, 'unauthorized', 'You need to log in to do this.');
  });
  write('Funguo');
  stop = startOutbox();
  await waitFor(() => {
    goOnline();
    expect(tries(attempts)).toEqual(['Funguo', 'Funguo']);
  });
});

test.each([
  [
    'each field error',
    [
      { field: 'title', message: 'Title is required' },
      { field: 'location', message: 'Location is required' },
    ],
    'This post was not accepted. Title is required Location is required',
  ],
  ['the refusal', undefined, 'This post was not accepted. Please correct it.'],
] as const)(
  'a waiting post that the server refuses stays listed with the server’s text about %s, and the next post is sent',
  async (_whose, errors, sentence) => {
    const attempts = servePosting(() => refuse(422, 'validation_failed', 'Please correct it.', errors && [...errors]));
    write('Funguo', 'Pochi');
    render(<PendingPosts />);
    stop = startOutbox();
    await waitFor(() => expect(waiting()).toEqual(['Funguo']));
    expect(screen.getByText(sentence)).toBeInTheDocument();
    await isIdle();
    write('Kofia');
    await waitFor(() => expect(tries(attempts)).toEqual(['Funguo', 'Pochi', 'Kofia']));
    await waitFor(() => expect(waiting()).toEqual(['Funguo']));
  },
);

test('the user is informed if an earlier try has already published the waiting post with a different text', async () => {
  servePosting(() => refuse(422, 'idempotency_mismatch', 'This key was already used for another request.'));
  write('Funguo');
  render(<PendingPosts />);
  stop = startOutbox();
  expect(
    await screen.findByText(
      'This post was not accepted. An earlier attempt succeeded: your post is already published.',
    ),
  ).toBeInTheDocument();
});

test('a waiting post that the server refuses is sent only once, even if the phone cannot store the refusal', async () => {
  const attempts = servePosting(...Array.from({ length: 50 }, () => () => refuse(422, 'validation_failed')));
  write('Funguo');
  fillStorage();
  const asked = watchNetwork();
  stop = startOutbox();
  await waitFor(() => expect(asked).toHaveResolved());
  for (let turn = 0; turn < 5; turn++) await isIdle();
  expect(tries(attempts)).toEqual(['Funguo']);
});

test('without a network no waiting post is sent; when the network returns, all waiting posts are sent', async () => {
  const findNetwork = loseNetwork();
  const attempts = servePosting();
  const asked = watchNetwork();
  write('Funguo');
  stop = startOutbox();
  await isIdle();
  expect(asked).not.toHaveBeenCalled();
  findNetwork();
  goOnline();
  await waitFor(() => expect(tries(attempts)).toEqual(['Funguo']));
});

test('the return of the network is noticed after 30 seconds even if the browser fires no event', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const findNetwork = loseNetwork();
  const attempts = servePosting();
  const asked = watchNetwork();
  write('Funguo');
  stop = startOutbox();
  findNetwork();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(asked).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(tries(attempts)).toEqual(['Funguo']));
});

test('an outbox sender that was stopped sends no more posts', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = watchNetwork();
  stop = startOutbox();
  await vi.advanceTimersByTimeAsync(0);
  stop();
  write('Funguo');
  goOnline();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).not.toHaveBeenCalled();
});

/** Starts the sender of another tab in the same browser. */
async function openTab(): Promise<typeof startOutbox> {
  vi.resetModules();
  return (await import('#web/offline/waiting.tsx')).startOutbox;
}

test('in browsers without the Web Locks API, two tabs send a waiting post with the same idempotency key', async () => {
  expect('locks' in navigator).toBe(false);
  const attempts = servePosting();
  write('Funguo');
  const tabs = [await openTab(), await openTab()].map((start) => start());
  stop = () => tabs.map((end) => end());
  await waitFor(() => expect(attempts).toHaveLength(2));
  expect(attempts.map(({ key }) => key)).toEqual(['key-of-Funguo', 'key-of-Funguo']);
});

test('in browsers with the Web Locks API, only one of two tabs sends the waiting posts', async () => {
  provideLocks();
  const attempts = servePosting();
  write('Funguo', 'Pochi');
  render(<PendingPosts />);
  const tabs = [await openTab(), await openTab()].map((start) => start());
  stop = () => tabs.map((end) => end());
  await waitFor(() => expect(attempts).toHaveLength(2));
  expect(tries(attempts)).toEqual(['Funguo', 'Pochi']);
});

/**
 * Adds a stand-in for `navigator.locks`, which jsdom does not have. A request for a lock that is already held gets null
 * at once, as with the option `ifAvailable`.
 */
function provideLocks(): void {
  const held = new Set<string>();
  async function request(name: string, _options: { ifAvailable: true }, run: (lock: object | null) => Promise<void>) {
    if (held.has(name)) return run(null);
    held.add(name);
    await run({ name }).finally(() => held.delete(name));
  }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
}
