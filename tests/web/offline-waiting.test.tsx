import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { somePost } from '#tests/support/some-post.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { keepForSending } from '#web/lib/outbox-changes.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { signInAs } from '#web/lib/session.ts';
import { forgetPhotos, keepPhotos, readPhotos } from '#web/lib/waiting-photos.ts';
import { OfflineBars } from '#web/offline/offline-bars.tsx';
import { ToastRegion } from '#web/ui/toast.tsx';
import { loseNetwork } from './support/phone.ts';
import { aWaitingPhoto, serveUploads } from './support/photos.ts';
import { aPost } from './support/posts.ts';
import { server } from './support/setup.ts';

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
] as const)('a post that waits is sent as soon as the app is open, and told of in %s', async (language, sentence) => {
  await changeLanguage(language);
  const sent = servePosting();
  write('Funguo');
  const lists = [queryKeys.posts.own('a-user'), queryKeys.matches.counts];
  for (const key of lists) queryClient.setQueryData<unknown>(key, {});
  open();
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(sent).toEqual(['Funguo']);
  // The lists that it is in now, and its matches.
  for (const key of lists) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});

test('a post that is written while the app is open is sent, with its photos behind it', async () => {
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

test('photos alone are sent too', async () => {
  const uploads = serveUploads();
  await keepPhotos([aWaitingPhoto({ id: 'alone' })]);
  const { unmount } = open();
  await waitFor(() => expect(uploads.map(({ key }) => key)).toEqual(['alone']));
  await waitFor(async () => expect(await readPhotos()).toEqual([]));
  unmount();
});

test('a page that is left sends nothing more', async () => {
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
