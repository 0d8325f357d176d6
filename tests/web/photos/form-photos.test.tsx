import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Photo } from '#contract/photos.ts';
import { fillStorage, loseNetwork } from '#tests/web/support/phone.ts';
import { aPhoto, aPicture, serveUploads, stubCanvas } from '#tests/web/support/photos.ts';
import { aPost, openForm, refuse, serveList, serveNothingElse, serveSubmit } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { forgetPhotos, readPhotos } from '#web/offline/photo-queue.ts';
import { PhotoBar } from '#web/offline/waiting.tsx';

const THREE = () => [
  aPhoto({ id: 'first', alt: 'Mbele' }),
  aPhoto({ id: 'second', alt: 'Nyuma' }),
  aPhoto({ id: 'third' }),
];
const alts = () => screen.getAllByLabelText(/What is in the picture/).map((field) => (field as HTMLInputElement).value);

describe('photos in the form of a new post', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
    serveList('/posts/by-owner', []);
  });
  afterEach(() => forgetPhotos(() => true));

  const list = () => screen.getByRole('list', { name: 'Photos of this post' });
  const rows = () => within(list()).queryAllByRole('listitem');

  async function openFormWith(count: number) {
    const form = await openForm();
    const pictures = Array.from({ length: count }, (_, at) => aPicture(`${at}.jpg`));
    await form.user.upload(screen.getByLabelText('Add photos'), pictures);
    return form;
  }

  test('the number of photos that are being read is announced to screen readers', async () => {
    const read = Promise.withResolvers<void>();
    stubCanvas({ decode: () => read.promise });
    await openFormWith(2);
    expect(await screen.findByText('Making 2 photos smaller…')).toHaveAttribute('role', 'status');
    read.resolve();
    await waitFor(() => expect(rows()).toHaveLength(2));
    await waitFor(() => expect(screen.queryByText(/photos? smaller/)).toBeNull());
    for (const name of ['Photo 1', 'Photo 2'])
      await waitFor(() =>
        expect(screen.getByRole('img', { name })).toHaveAttribute('src', expect.stringMatching(/^blob:/)),
      );
  });

  test('photos chosen before the module for photos has loaded are added when the module has loaded', async () => {
    stubCanvas();
    await openForm();
    const input = screen.getByLabelText('Add photos');
    // The user chooses both files while the code that shrinks photos is still loading.
    fireEvent.change(input, { target: { files: [aPicture('0.jpg')] } });
    fireEvent.change(input, { target: { files: [aPicture('1.jpg')] } });
    await waitFor(() => expect(rows()).toHaveLength(2));
  });

  test('photos chosen together keep the order in which the user chose them', async () => {
    const second = Promise.withResolvers<void>();
    const decode = vi.fn<() => Promise<void>>().mockResolvedValueOnce(undefined).mockReturnValueOnce(second.promise);
    stubCanvas({ decode });
    const { user } = await openFormWith(2);
    await waitFor(() => expect(rows()).toHaveLength(1));
    await user.type(screen.getByLabelText(/What is in the picture/), 'Mbele{Enter}');
    expect(await screen.findByRole('img', { name: 'Mbele' })).toBeVisible();
    second.resolve();
    await waitFor(() => expect(alts()).toEqual(['Mbele', '']));
  });

  test('the module for photos is not loaded before a photo is chosen', async () => {
    await openForm();
    expect(screen.getByText('Up to four. They are made smaller before they are sent.')).toHaveAttribute(
      'role',
      'status',
    );
    expect(screen.queryByRole('list', { name: 'Photos of this post' })).toBeNull();
  });

  test('the error about an unreadable file disappears when the user adds a readable picture', async () => {
    const decode = vi.fn<() => Promise<void>>().mockResolvedValue(undefined);
    decode.mockRejectedValueOnce(new DOMException('', 'EncodingError'));
    stubCanvas({ decode });
    const { user } = await openFormWith(1);
    expect(await screen.findByRole('alert')).toHaveTextContent('could not be read');
    expect(rows()).toEqual([]);
    await user.upload(screen.getByLabelText('Add photos'), aPicture());
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText(/photos? smaller/)).toBeNull();
  });

  test('a photo moves up and down together with its description, but not beyond the first or last position', async () => {
    stubCanvas();
    const { user } = await openFormWith(2);
    await waitFor(() => expect(rows()).toHaveLength(2));
    await user.type(screen.getAllByLabelText(/What is in the picture/)[0] as HTMLElement, ' Mbele ');
    await user.tab();
    expect(await screen.findByRole('img', { name: 'Mbele' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Move photo 1 up' }));
    await user.click(screen.getByRole('button', { name: 'Move photo 1 down' }));
    await waitFor(() =>
      expect(screen.getAllByRole<HTMLImageElement>('img').map(({ alt }) => alt)).toEqual(['Photo 1', 'Mbele']),
    );
    expect(screen.getByRole('button', { name: 'Move photo 2 down' })).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Move photo 2 up' }));
    await waitFor(() =>
      expect(screen.getAllByRole<HTMLImageElement>('img').map(({ alt }) => alt)).toEqual(['Mbele', 'Photo 2']),
    );
    expect(alts()[1]).toBe('');
  });

  test('after the user removes a photo the focus moves to the remaining photos', async () => {
    stubCanvas();
    const { user } = await openFormWith(2);
    await waitFor(() => expect(rows()).toHaveLength(2));
    await user.type(screen.getAllByLabelText(/What is in the picture/)[0] as HTMLElement, 'Mbele{Enter}');
    await user.click(screen.getByRole('button', { name: 'Remove photo 2' }));
    expect(list()).toHaveFocus();
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(alts()).toEqual(['Mbele']);
  });

  test('pressing Enter in a photo’s description does not submit the post', async () => {
    stubCanvas();
    const sent = serveSubmit();
    const { user, fill, submit } = await openFormWith(1);
    await waitFor(() => expect(rows()).toHaveLength(1));
    await fill();
    await user.type(screen.getByLabelText(/What is in the picture/), 'Mbele{Enter}');
    expect(await screen.findByRole('img', { name: 'Mbele' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Please wait…' })).toBeNull();
    expect(sent).toEqual([]);
    await submit();
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  test('photos stay in the form if they can neither be sent nor stored', async () => {
    stubCanvas();
    const { fill, submit } = await openFormWith(1);
    await waitFor(() => expect(rows()).toHaveLength(1));
    await fill();
    loseNetwork();
    fillStorage();
    server.use(http.post('*/api/posts', () => HttpResponse.error()));
    await submit();
    expect(await screen.findAllByRole('alert')).not.toEqual([]);
    expect(rows()).toHaveLength(1);
    expect((await readPhotos()).map(({ place }) => place)).toEqual(['postDraft:a-user:new']);
  });
});

describe('photos of an existing post', () => {
  beforeEach(serveNothingElse);
  afterEach(() => forgetPhotos(() => true));

  const rows = () => within(screen.getByRole('list', { name: 'Photos of this post' })).queryAllByRole('listitem');
  const chooser = () => screen.getByLabelText('Add photos');
  const removal = () => screen.queryByRole('dialog', { name: 'Remove this photo?' });

  /**
   * Opens the form of a post with these photos.
   * @returns the view, the changes that the form sends (`asked`) and the requests for the user's posts (`lists`).
   */
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

  test('each photo is shown as a thumbnail, labelled by its description, or by its position if it has no description', async () => {
    const photos = THREE();
    await openUpdate(photos);
    expect(rows().map((row) => within(row).getByRole('img').getAttribute('src'))).toEqual(
      photos.map(({ thumbnail_url }) => thumbnail_url),
    );
    for (const name of ['Mbele', 'Nyuma', 'Photo 3']) expect(screen.getByRole('img', { name })).toBeVisible();
  });

  test('a photo moves up and down, but not beyond the first or last position, and the pressed button keeps the focus', async () => {
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

  test('a changed description of a photo is trimmed and saved when its field loses the focus', async () => {
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

  test('removing a photo first asks for confirmation, then moves the focus to the remaining photos', async () => {
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
  ])('a failed change of a photo shows the reason and keeps the photos unchanged', async (answer, sentence) => {
    const { user } = await openUpdate(THREE());
    server.use(http.patch('*/api/posts/:id/photos/:photoId', answer));
    await user.click(screen.getByRole('button', { name: 'Move photo 1 down' }));
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(alts()).toEqual(['Mbele', 'Nyuma', '']);
  });

  test('a new photo is uploaded at once, becomes the last photo, and counts towards the maximum of four photos', async () => {
    const read = Promise.withResolvers<void>();
    stubCanvas({ decode: () => read.promise });
    const sent = serveUploads(() => HttpResponse.json(aPhoto({ id: 'new', alt: 'Mpya' }), { status: 201 }));
    const { user } = await openUpdate(THREE());
    render(<PhotoBar />);
    await user.upload(chooser(), aPicture());
    expect(await screen.findByText('Making one photo smaller…')).toHaveAttribute('role', 'status');
    expect(chooser()).toHaveValue('');
    // A photo that is still being read counts towards the maximum too.
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

  test('a photo that waits for the network counts towards the maximum number of photos', async () => {
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
});
