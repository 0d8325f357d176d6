import { render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { aPhoto, aPicture, serveUploads, stubCanvas } from '#tests/web/support/photos.ts';
import { aPost, openForm, refuse, serveList, serveNothingElse, serveSubmit } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { forgetPhotos, readPhotos } from '#web/offline/photo-queue.ts';
import { PhotoBar } from '#web/offline/waiting.tsx';

// tests/e2e/posts/photos.spec.ts checks the pictures in a browser.
beforeEach(() => {
  stubCanvas();
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
});
afterEach(() => forgetPhotos(() => true));

const chooser = () => screen.getByLabelText('Add photos');
const rows = () => within(screen.getByRole('list', { name: 'Photos of this post' })).queryAllByRole('listitem');
const alts = () => screen.getAllByLabelText(/What is in the picture/).map((field) => (field as HTMLInputElement).value);

async function openFormWithPhotos(...names: string[]) {
  const form = await openForm();
  await form.user.upload(
    chooser(),
    names.map((name) => aPicture(name)),
  );
  return form;
}

async function say(user: Awaited<ReturnType<typeof openForm>>['user'], ...texts: string[]) {
  const fields = screen.getAllByLabelText(/What is in the picture/);
  for (const [at, text] of texts.entries()) await user.type(fields[at] as HTMLElement, text);
  await user.tab();
}

test('after a post is created, its photos are uploaded in order, each once and with its description', async () => {
  const sent = serveUploads();
  const posted = serveSubmit(({ body }) => HttpResponse.json(aPost({ ...body, id: 'the-post' }), { status: 201 }));
  // The clock stands still while the photos are chosen: photos of the same millisecond must also stay in order.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  const { user, fill, submit } = await openFormWithPhotos('a.jpg', 'b.jpg');
  await waitFor(() => expect(rows()).toHaveLength(2));
  clock.mockRestore();
  await say(user, 'Upande wa mbele', 'Upande wa nyuma');
  await user.click(screen.getByRole('button', { name: 'Move photo 2 up' }));
  await waitFor(() => expect(alts()).toEqual(['Upande wa nyuma', 'Upande wa mbele']));
  expect(screen.getByRole('button', { name: 'Move photo 1 up' })).toHaveFocus();
  await fill();
  await submit();
  await waitFor(() => expect(posted).toHaveLength(1));
  expect(posted[0]?.body).not.toHaveProperty('photos');
  render(<PhotoBar />);
  await waitFor(() => expect(sent.map(({ alt }) => alt)).toEqual(['Upande wa nyuma', 'Upande wa mbele']));
  expect(sent.map(({ postId, type }) => [postId, type])).toEqual([
    ['the-post', 'image/jpeg'],
    ['the-post', 'image/jpeg'],
  ]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  await waitFor(async () => expect(await readPhotos()).toEqual([]));
});

test('the form refuses a fifth photo and a file that it cannot read, each with its own error message', async () => {
  const { user } = await openFormWithPhotos('a', 'b', 'c', 'd', 'e');
  await waitFor(() => expect(rows()).toHaveLength(4));
  expect(screen.getByRole('alert')).toHaveTextContent('at most four photos');
  await user.click(screen.getByRole('button', { name: 'Remove photo 2' }));
  await waitFor(() => expect(rows()).toHaveLength(3));
  stubCanvas({ decode: () => Promise.reject(new Error('no picture')) });
  await user.upload(chooser(), aPicture('broken'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('could not be read'));
  expect(rows()).toHaveLength(3);
});

test('on a phone that cannot store photos the form shows a warning', async () => {
  expect('indexedDB' in window).toBe(false);
  await openFormWithPhotos('a');
  expect(await screen.findByText(/This phone cannot store photos/)).toBeInTheDocument();
});

test('on a phone that cannot store photos, concurrent changes to a photo’s description and position both take effect', async () => {
  const { changePhotos, keepPhotos } = await import('#web/offline/photo-queue.ts');
  const photo = { id: 'one', place: 'a-draft', userId: null, order: 1, alt: '', picture: new Blob(), refusal: null };
  await keepPhotos([photo]);
  await Promise.all([changePhotos(() => true, { alt: 'Upande wa mbele' }), changePhotos(() => true, { order: 2 })]);
  expect(await readPhotos()).toEqual([{ ...photo, alt: 'Upande wa mbele', order: 2 }]);
});

test.each([
  ['Kitambulisho cha NIDA', false],
  ['Bank card', false],
  ['Pochi yenye kitambulisho', true],
  ['Funguo za gari', true],
])(
  'the form has the field “Add photos” unless the thing named by the title “%s” is a document',
  async (title, takes) => {
    const { user, field } = await openForm();
    await user.type(field('title'), title);
    expect(screen.queryByLabelText('Add photos') !== null).toBe(takes);
    expect(screen.queryByText(/identity thieves look for them/) === null).toBe(takes);
  },
);

test('the texts about photos are translated to Swahili', async () => {
  const { user } = await openForm('sw');
  await user.upload(screen.getByLabelText('Ongeza picha'), aPicture());
  expect(await screen.findByLabelText(/Kuna nini kwenye picha\?/)).toBeInTheDocument();
});

test('pressing “Start over” in the form removes all photos', async () => {
  const before = await openFormWithPhotos('a');
  await waitFor(() => expect(rows()).toHaveLength(1));
  await before.user.type(before.field('title'), 'Begi');
  before.unmount();
  const { user } = await openForm();
  await waitFor(() => expect(rows()).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  await waitFor(async () => expect(await readPhotos()).toEqual([]));
});

test('if the server refuses a photo, the app shows the reason, and the user can retry or remove the photo', async () => {
  const sent = serveUploads(
    () => refuse(409, 'no_photo_of_documents', 'Posts about documents take no photos.'),
    () => HttpResponse.json(aPhoto(), { status: 201 }),
  );
  serveSubmit(() => HttpResponse.json(aPost({ id: 'the-post' }), { status: 201 }));
  const { user, fill, submit } = await openFormWithPhotos('a', 'b');
  await waitFor(() => expect(rows()).toHaveLength(2));
  await fill();
  await submit();
  await waitFor(async () =>
    expect((await readPhotos()).map(({ place }) => place)).toEqual(['post:the-post', 'post:the-post']),
  );
  render(<PhotoBar />);
  const bar = within(await screen.findByRole('region', { name: 'Photos being sent' }));
  expect(await bar.findAllByText('Posts about documents take no photos.')).toHaveLength(2);
  expect(sent).toHaveLength(1);
  await user.click(bar.getByRole('button', { name: 'Do not send photo 2' }));
  await waitFor(() => expect(bar.getAllByRole('listitem')).toHaveLength(1));
  await user.click(bar.getByRole('button', { name: 'Try again' }));
  await waitFor(async () => expect(await readPhotos()).toEqual([]));
  expect(sent.map(({ key }) => key)).toEqual([sent[0]?.key, sent[0]?.key]);
});

test('photos are not uploaded if the server classifies the new post as a document', async () => {
  const sent = serveUploads();
  serveSubmit(() => HttpResponse.json(aPost({ id: 'the-post', kind: 'document' }), { status: 201 }));
  const { fill, submit } = await openFormWithPhotos('a');
  await waitFor(() => expect(rows()).toHaveLength(1));
  await fill();
  await submit();
  await waitFor(async () => expect((await readPhotos())[0]?.place).toBe('post:the-post'));
  render(<PhotoBar />);
  expect(await screen.findByText(/identity thieves look for them/)).toBeInTheDocument();
  expect(sent).toEqual([]);
});

test('without a network, photos wait with their post, and are uploaded after the post', async () => {
  const findNetwork = loseNetwork();
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/posts', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return keys.length === 1 ? HttpResponse.error() : HttpResponse.json(aPost({ id: 'the-post' }), { status: 201 });
    }),
  );
  const sent = serveUploads();
  const { fill, submit } = await openFormWithPhotos('a', 'b');
  await waitFor(() => expect(rows()).toHaveLength(2));
  await fill();
  await submit();
  await waitFor(() => expect(keys).toHaveLength(1));
  await waitFor(async () =>
    expect((await readPhotos()).map(({ place }) => place)).toEqual([`outbox:${keys[0]}`, `outbox:${keys[0]}`]),
  );
  findNetwork();
  const { startOutbox } = await import('#web/offline/waiting.tsx');
  const { startPhotos } = await import('#web/offline/photo-sender.ts');
  onTestFinished(startPhotos());
  onTestFinished(startOutbox());
  await waitFor(() => expect(sent.map(({ postId }) => postId)).toEqual(['the-post', 'the-post']));
  await waitFor(async () => expect(await readPhotos()).toEqual([]));
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('discarding a waiting post also discards its photos', async () => {
  const { keepForSending, takeFromOutbox } = await import('#web/offline/outbox-changes.ts');
  const { keepPhotos } = await import('#web/offline/photo-queue.ts');
  await renderScreen('/my-posts', { isSignedIn: true });
  const { somePost } = await import('#tests/support/posts.ts');
  keepForSending({ input: somePost, idempotencyKey: 'a-key' }, { retryAfterMs: null });
  const photo = { userId: 'a-user', order: 1, alt: '', picture: new Blob(), refusal: null };
  await keepPhotos([
    { ...photo, id: 'one', place: 'outbox:a-key' },
    { ...photo, id: 'two', place: 'outbox:another' },
  ]);
  takeFromOutbox('a-key');
  await waitFor(async () => expect((await readPhotos()).map(({ id }) => id)).toEqual(['two']));
});

test('the form sends each change to an existing post’s photos at once, before the user saves the form', async () => {
  const photos = [aPhoto({ id: 'first', alt: 'Mbele' }), aPhoto({ id: 'second' })];
  const post = aPost({ id: 'the-post', is_mine: true, photos });
  const asked: string[] = [];
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(post)),
    http.patch('*/api/posts/:id/photos/:photoId', async ({ request, params }) => {
      const change = (await request.json()) as object;
      asked.push(`${params.photoId} ${JSON.stringify(change)}`);
      return HttpResponse.json({ ...photos.find(({ id }) => id === params.photoId), ...change });
    }),
    http.delete('*/api/posts/:id/photos/:photoId', ({ params }) => {
      asked.push(`gone ${params.photoId}`);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderScreen(
    { pathname: '/create-post', state: { mode: 'update', post } },
    { isSignedIn: true },
  );
  await waitFor(() => expect(alts()).toEqual(['Mbele', '']));
  await user.type(screen.getAllByLabelText(/What is in the picture/)[1] as HTMLElement, 'Nyuma{Enter}');
  await waitFor(() => expect(asked).toEqual(['second {"alt":"Nyuma"}']));
  await user.click(screen.getByRole('button', { name: 'Move photo 1 down' }));
  await waitFor(() => expect(alts()).toEqual(['Nyuma', 'Mbele']));
  await user.click(screen.getByRole('button', { name: 'Remove photo 1' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(alts()).toEqual(['Mbele']));
  expect(asked.slice(1)).toEqual(['first {"position":1}', 'gone second']);
});
