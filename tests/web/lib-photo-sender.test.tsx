import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { onPhotoSent, startPhotos } from '#web/lib/photo-sender.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { getSession, signInAs, signOut } from '#web/lib/session.ts';
import { forgetPhotos, keepPhotos, readPhotos } from '#web/lib/waiting-photos.ts';
import { PhotoBar } from '#web/offline/photo-bar.tsx';
import { ToastRegion } from '#web/ui/toast.tsx';
import { loseNetwork } from './support/phone.ts';
import { aPhoto, aWaitingPhoto, serveUploads } from './support/photos.ts';
import { refuse } from './support/posts.ts';
import { startUser } from './support/user.ts';

URL.createObjectURL = () => 'blob:a-picture';
URL.revokeObjectURL = () => undefined;

beforeEach(async () => {
  await changeLanguage('en');
  signInAs({ token: 'a-token', userId: 'a-user' });
});
afterEach(async () => {
  vi.useRealTimers();
  await forgetPhotos(() => true);
});

const taken = () => HttpResponse.json(aPhoto(), { status: 201 });
const never = () => new Promise<Response>(() => undefined);
const keysOf = (sent: { key: string | null }[]) => sent.map(({ key }) => key);
const bar = () => within(screen.getByRole('region', { name: 'Photos being sent' }));

async function keep(...places: string[]) {
  const photos = places.map((place) => aWaitingPhoto({ id: crypto.randomUUID(), place }));
  await keepPhotos(photos);
  return photos.map(({ id }) => id);
}

test.each([
  ['en', 'Photos being sent', 'One photo is being sent.', 'Photo 1', 'Do not send photo 1'],
  ['sw', 'Picha zinazotumwa', 'Picha moja inatumwa.', 'Picha ya 1', 'Usitume picha ya 1'],
] as const)(
  'a photo on its way is shown in %s, with how much of it is out',
  async (language, title, sentence, name, stop) => {
    await changeLanguage(language);
    serveUploads(never);
    await keep('post:the-post');
    render(<PhotoBar />);
    const region = within(await screen.findByRole('region', { name: title }));
    expect(region.getByText(sentence)).toBeInTheDocument();
    expect(region.getByRole('progressbar', { name })).toHaveAttribute('value', '0');
    await waitFor(() => expect(region.getByRole('presentation')).toHaveAttribute('src', 'blob:a-picture'));
    expect(region.getByRole('button', { name: stop })).toHaveAttribute('type', 'button');
    expect(region.queryByRole('alert')).toBeNull();
  },
);

test('without a network they wait, in both languages, and go out when it is back', async () => {
  const findNetwork = loseNetwork();
  const sent = serveUploads();
  const ids = await keep('post:the-post', 'post:the-post');
  render(<PhotoBar />);
  expect(
    await screen.findByText('2 photos are waiting for the network. They are sent once, automatically.'),
  ).toBeInTheDocument();
  expect(screen.getByText(/^This phone cannot store photos\. Keep this page open/)).toBeInTheDocument();
  await act(() => changeLanguage('sw'));
  expect(screen.getByText('Picha 2 zinasubiri mtandao. Zitatumwa zenyewe, mara moja tu.')).toBeInTheDocument();
  expect(sent).toEqual([]);
  findNetwork();
  act(() => void fireEvent(window, new Event('online')));
  await waitFor(() => expect(keysOf(sent)).toEqual(ids));
  await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
});

test('when the last of them is at its post that is said once, and every list of posts is asked for anew', async () => {
  const sent = serveUploads();
  queryClient.setQueryData(queryKeys.posts.own('a-user'), 'seen');
  const told: [string, number][] = [];
  onTestFinished(onPhotoSent((postId, _photo, left) => told.push([postId, left])) as () => void);
  await keep('post:one', 'post:two', 'outbox:a-key');
  render(
    <>
      <ToastRegion />
      <PhotoBar />
    </>,
  );
  expect(await screen.findAllByText('The photos have been added to your post.')).toHaveLength(1);
  expect(sent.map(({ postId }) => postId)).toEqual(['one', 'two']);
  expect(told).toEqual([
    ['one', 1],
    ['two', 0],
  ]);
  expect(queryClient.getQueryState(queryKeys.posts.own('a-user'))?.isInvalidated).toBe(true);
});

test('what is not yet at a post, or is somebody else’s, is not sent', async () => {
  const sent = serveUploads();
  await keep('outbox:a-key', 'postDraft:a-user:new');
  await keepPhotos([aWaitingPhoto({ userId: 'another-user' }), aWaitingPhoto({ refusal: 'No.' })]);
  const [id] = await keep('post:the-post');
  onTestFinished(startPhotos());
  await waitFor(() => expect(keysOf(sent)).toEqual([id]));
  await waitFor(async () => expect(await readPhotos()).toHaveLength(4));
  act(signOut);
  render(<PhotoBar />);
  await act(async () => undefined);
  expect(screen.queryByRole('region')).toBeNull();
});

test('those of who signs in are sent from then on', async () => {
  signOut();
  const sent = serveUploads();
  const [id] = await keep('post:the-post');
  onTestFinished(startPhotos());
  await act(async () => undefined);
  expect(sent).toEqual([]);
  act(() => signInAs({ token: 'a-token', userId: 'a-user' }));
  await waitFor(() => expect(keysOf(sent)).toEqual([id]));
});

test('a photo that is taken back on its way is stopped, and the next one goes out', async () => {
  const sent = serveUploads(never, never);
  const [first, second] = await keep('post:the-post', 'post:the-post');
  render(<PhotoBar />);
  const user = startUser();
  await waitFor(() => expect(keysOf(sent)).toEqual([first]));
  expect(bar().getByText('2 photos are being sent.')).toBeInTheDocument();
  await user.click(bar().getByRole('button', { name: 'Do not send photo 1' }));
  await waitFor(() => expect(keysOf(sent)).toEqual([first, second]));
  expect(bar().getAllByRole('listitem')).toHaveLength(1);
  expect(bar().queryByRole('alert')).toBeNull();
  await user.click(bar().getByRole('button', { name: 'Do not send photo 1' }));
  await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
});

test('a photo that waits behind another is taken back without stopping that one', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const sent = serveUploads(() => promise);
  const [first] = await keep('post:the-post', 'post:the-post');
  render(<PhotoBar />);
  await waitFor(() => expect(keysOf(sent)).toEqual([first]));
  await startUser().click(bar().getByRole('button', { name: 'Do not send photo 2' }));
  resolve(taken());
  await waitFor(async () => expect(await readPhotos()).toEqual([]));
  expect(keysOf(sent)).toEqual([first]);
});

test.each([
  ['photo_broken', 1],
  ['photo_too_large', 1],
  ['too_many_photos', 2],
])('%s is said of %d of the post’s two photos, and another post’s goes out', async (code, refused) => {
  const sent = serveUploads(() => refuse(422, code, 'It cannot be taken.'));
  await keep('post:one', 'post:one', 'post:two');
  render(<PhotoBar />);
  await waitFor(async () => expect(await readPhotos()).toHaveLength(refused));
  expect(
    bar()
      .getAllByRole('alert')
      .map(({ textContent }) => textContent),
  ).toEqual(Array.from({ length: refused }, () => 'It cannot be taken.'));
  expect(bar().queryByRole('progressbar')).toBeNull();
  expect(sent.at(-1)?.postId).toBe('two');
});

test('what is being sent does not count what was refused, which goes out again at once where it is asked to', async () => {
  const sent = serveUploads(
    () => refuse(422, 'photo_broken', 'It cannot be read.'),
    () => refuse(500, 'internal_error'),
  );
  const ids = await keep('post:one', 'post:one', 'post:one');
  render(<PhotoBar />);
  expect(await screen.findByText('It cannot be read.')).toBeInTheDocument();
  expect(bar().getByText('2 photos are being sent.')).toBeInTheDocument();
  await waitFor(() => expect(sent).toHaveLength(2));
  await act(async () => undefined);
  await startUser().click(bar().getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(keysOf(sent)).toEqual([ids[0], ids[1], ...ids]));
});

test('photos that are switched off are refused with that, though the server is in no trouble', async () => {
  const sent = serveUploads(() => refuse(503, 'switched_off', 'No photos for a while.'));
  await keep('post:one', 'post:one', 'post:two');
  render(<PhotoBar />);
  expect(await screen.findAllByText('No photos for a while.')).toHaveLength(2);
  await waitFor(() => expect(sent).toHaveLength(2));
});

let hours = 0;

/** Each an hour after the one before, when no server is left alone any more. */
async function startWith(...answers: (() => Response)[]) {
  const now = Date.now() + ++hours * 60 * MINUTE_MS;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true, now });
  const sent = serveUploads(...answers);
  await keep('post:the-post', 'post:the-post');
  onTestFinished(startPhotos());
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  return sent;
}

test.each([
  ['says when to come back', () => HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '120' } }), 2],
  ['has had enough of them today', () => HttpResponse.json({}, { status: 429, headers: { 'Retry-After': '600' } }), 10],
  ['is in trouble, for five minutes', () => refuse(500, 'internal_error'), 5],
])('a server that %s is left alone so long, whatever happens', async (_what, answer, minutes) => {
  const sent = await startWith(answer);
  fireEvent(window, new Event('online'));
  await act(() => vi.advanceTimersByTimeAsync(minutes * MINUTE_MS - 10_000));
  expect(sent).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(12_000));
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[1]?.key).toBe(sent[0]?.key);
  expect((await readPhotos()).map(({ refusal }) => refusal)).toEqual([]);
});

test('a photo that meets an expired session goes out as soon as its writer has signed in', async () => {
  const sent = await startWith(() => refuse(401, 'unauthorized'));
  await vi.waitFor(() => expect(getSession()).toBeNull());
  act(() => signInAs({ token: 'a-new-token', userId: 'a-user' }));
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

test('a network that broke off under a photo is tried again after half a minute, or as soon as it is back', async () => {
  const sent = await startWith(
    () => HttpResponse.error(),
    () => HttpResponse.error(),
  );
  await act(() => vi.advanceTimersByTimeAsync(25_000));
  expect(sent).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  fireEvent(window, new Event('online'));
  await vi.waitFor(() => expect(sent).toHaveLength(4));
});
