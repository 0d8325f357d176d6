import { act, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Photo } from '#contract/photos.ts';
import { forgetPhotos, readPhotos } from '#web/lib/waiting-photos.ts';
import { PhotoBar } from '#web/offline/photo-bar.tsx';
import { stubCanvas } from './support/canvas.ts';
import { aPhoto, aPicture, serveUploads } from './support/photos.ts';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);
afterEach(() => forgetPhotos(() => true));

const rows = () => within(screen.getByRole('list', { name: 'Photos of this post' })).queryAllByRole('listitem');
const alts = () => screen.getAllByLabelText(/What is in the picture/).map((field) => (field as HTMLInputElement).value);
const chooser = () => screen.getByLabelText('Add photos');
const removal = () => screen.queryByRole('dialog', { name: 'Remove this photo?' });

/** The form of a post that has these photos, and what was asked of them. */
async function openUpdate(photos: Photo[]) {
  const post = aPost({ id: 'the-post', title: 'Pochi', is_mine: true, photos });
  const asked: string[] = [];
  const lists = serveList('/posts/by-owner', [post]);
  server.use(
    http.get('*/api/posts/the-post', () => HttpResponse.json(post)),
    http.put('*/api/posts/:id', () => {
      asked.push('the whole post');
      return HttpResponse.json(post);
    }),
    http.patch('*/api/posts/:id/photos/:photoId', async ({ request, params }) => {
      const change = (await request.json()) as object;
      asked.push(`${params.id} ${params.photoId} ${JSON.stringify(change)}`);
      return HttpResponse.json({ ...photos.find(({ id }) => id === params.photoId), ...change });
    }),
    http.delete('*/api/posts/:id/photos/:photoId', ({ params }) => {
      asked.push(`gone ${params.id} ${params.photoId}`);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const state = { mode: 'update', post };
  const view = await renderScreen('/my-posts', { isSignedIn: true });
  await screen.findByText('Pochi');
  await act(() => view.router.navigate('/create-post', { state }));
  await screen.findByText('Changes to photos are saved at once.');
  return { ...view, asked, lists };
}

const THREE = () => [
  aPhoto({ id: 'first', alt: 'Mbele' }),
  aPhoto({ id: 'second', alt: 'Nyuma' }),
  aPhoto({ id: 'third' }),
];

test('each photo is shown small, by what is in it or its number', async () => {
  const photos = THREE();
  await openUpdate(photos);
  expect(rows().map((row) => within(row).getByRole('img').getAttribute('src'))).toEqual(
    photos.map(({ thumbnail_url }) => thumbnail_url),
  );
  for (const name of ['Mbele', 'Nyuma', 'Photo 3']) expect(screen.getByRole('img', { name })).toBeVisible();
});

test('a photo goes up and down, to the ends and no further, and its button keeps the focus', async () => {
  const { user, asked } = await openUpdate(THREE());
  const locked = () =>
    screen.getAllByRole('button', { name: /^Move photo/ }).map((button) => button.getAttribute('aria-disabled'));
  expect(locked()).toEqual(['true', null, null, null, null, 'true']);
  await user.click(screen.getByRole('button', { name: 'Move photo 1 up' }));
  await user.click(screen.getByRole('button', { name: 'Move photo 3 down' }));
  expect(asked).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Move photo 2 up' }));
  await waitFor(() => expect(alts()).toEqual(['Nyuma', 'Mbele', '']));
  expect(screen.getByRole('button', { name: 'Move photo 1 up' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Move photo 1 down' }));
  await waitFor(() => expect(alts()).toEqual(['Mbele', 'Nyuma', '']));
  expect(screen.getByRole('button', { name: 'Move photo 2 down' })).toHaveFocus();
  expect(asked).toEqual(['the-post second {"position":0}', 'the-post second {"position":1}']);
});

test('what is said of a photo is saved on leaving its field, without the spaces, and only where it changed', async () => {
  const { user, asked } = await openUpdate(THREE());
  const [first] = screen.getAllByLabelText(/What is in the picture/);
  await user.type(first as HTMLElement, '  ');
  await user.tab();
  expect(asked).toEqual([]);
  await user.type(first as HTMLElement, ' na nyuma {Enter}');
  expect(first).not.toHaveFocus();
  await waitFor(() => expect(asked).toEqual(['the-post first {"alt":"Mbele   na nyuma"}']));
  expect(await screen.findByRole('img', { name: /^Mbele\s+na nyuma$/ })).toBeVisible();
  expect(alts().slice(1)).toEqual(['Nyuma', '']);
});

test('removing asks first; then the photo is gone, and the focus is on the others', async () => {
  const { user, asked, router, lists } = await openUpdate(THREE());
  for (const way of ['Cancel', 'Close']) {
    await user.click(screen.getByRole('button', { name: 'Remove photo 2' }));
    expect(removal()).toHaveTextContent('The photo is deleted at once. You cannot undo this.');
    await user.click(within(removal() as HTMLElement).getByRole('button', { name: way }));
    expect(removal()).toBeNull();
  }
  expect(asked).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Remove photo 2' }));
  await user.click(within(removal() as HTMLElement).getByRole('button', { name: 'Remove' }));
  expect(removal()).toBeNull();
  expect(screen.getByRole('list', { name: 'Photos of this post' })).toHaveFocus();
  await waitFor(() => expect(alts()).toEqual(['Mbele', '']));
  expect(asked).toEqual(['gone the-post second']);
  expect(lists).toHaveLength(1);
  await act(() => router.navigate('/my-posts'));
  await waitFor(() => expect(lists).toHaveLength(2));
});

test.each([
  [() => refuse(409, 'wrong_state', 'This post is hidden.'), 'This post is hidden.'],
  [() => HttpResponse.error(), 'The change could not be saved. Please try again.'],
])('a change that fails says why, and leaves the photos as they were', async (answer, sentence) => {
  const { user } = await openUpdate(THREE());
  server.use(http.patch('*/api/posts/:id/photos/:photoId', answer));
  await user.click(screen.getByRole('button', { name: 'Move photo 1 down' }));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(alts()).toEqual(['Mbele', 'Nyuma', '']);
});

test('a new photo is sent at once, stands at the end, and counts with those that are there', async () => {
  const read = Promise.withResolvers<void>();
  stubCanvas({ decode: () => read.promise });
  const sent = serveUploads(() => HttpResponse.json(aPhoto({ id: 'new', alt: 'Mpya' }), { status: 201 }));
  const { user } = await openUpdate(THREE());
  render(<PhotoBar />);
  await user.upload(chooser(), aPicture());
  expect(await screen.findByText('Making one photo smaller…')).toHaveAttribute('role', 'status');
  expect(chooser()).toHaveValue('');
  // While it is read it counts as well.
  await user.upload(chooser(), aPicture('one-too-many.jpg'));
  expect(await screen.findByRole('alert')).toHaveTextContent('at most four photos');
  expect(rows()).toHaveLength(3);
  read.resolve();
  await waitFor(() => expect(alts()).toEqual(['Mbele', 'Nyuma', '', 'Mpya']));
  expect(screen.queryByText(/photos? smaller/)).toBeNull();
  expect(sent.map(({ postId }) => postId)).toEqual(['the-post']);
  await user.upload(chooser(), aPicture('still-too-many.jpg'));
  expect(await screen.findByRole('alert')).toHaveTextContent('at most four photos');
  expect(sent).toHaveLength(1);
});

test('what waits for the network counts with those that are there', async () => {
  stubCanvas();
  serveUploads(() => new Promise<never>(() => undefined));
  const { user } = await openUpdate(THREE());
  await user.upload(chooser(), aPicture());
  await waitFor(async () => expect((await readPhotos()).map(({ place }) => place)).toEqual(['post:the-post']));
  expect(screen.queryByRole('alert')).toBeNull();
  await user.upload(chooser(), aPicture());
  expect(await screen.findByRole('alert')).toHaveTextContent('at most four photos');
  expect(await readPhotos()).toHaveLength(1);
});
