import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Photo } from '#contract/photos.ts';
import { aPhoto } from '#tests/web/support/photos.ts';
import { aMatch, aPost, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';

beforeEach(serveNothingElse);

function serve(photos: Photo[]): void {
  server.use(http.get('*/api/posts/one', () => HttpResponse.json(aPost({ id: 'one', title: 'Funguo', photos }))));
}

/** Opens the viewer at the second of three photos, which has no description. */
async function openViewer() {
  const photos = [aPhoto({ alt: 'Upande wa mbele' }), aPhoto(), aPhoto({ alt: 'Ufunguo' })];
  serve(photos);
  const view = await renderScreen('/posts/one');
  await view.user.click(await screen.findByRole('button', { name: 'Photo: Funguo' }));
  const dialog = await screen.findByRole('dialog', { name: 'Photos: Funguo' });
  const viewer = within(dialog);
  const button = (name: string) => viewer.getByRole('button', { name });
  const image = () => viewer.getByRole('img');
  return { ...view, photos, dialog, viewer, button, image };
}

test('a post’s page reserves space for its thumbnails, and pressing a thumbnail opens the viewer at this photo', async () => {
  const { photos, viewer, image } = await openViewer();
  const list = within(screen.getByRole('list', { name: 'Photos' }));
  expect(list.getAllByRole('img').map((small) => small.getAttribute('src'))).toEqual(
    photos.map(({ thumbnail_url }) => thumbnail_url),
  );
  const small = list.getByRole('img', { name: 'Upande wa mbele' });
  expect([small.getAttribute('width'), small.getAttribute('height')]).toEqual(['1280', '960']);
  expect(viewer.getByRole('status')).toHaveTextContent('2 of 3');
  expect(image()).toHaveAccessibleName('Photo 2');
  expect(image()).toHaveAttribute('src', photos[1]?.url);
  expect([image().getAttribute('width'), image().getAttribute('height')]).toEqual(['1280', '960']);
});

test('in the photo viewer “Previous photo” is disabled at the first photo, and “Next photo” at the last', async () => {
  const { user, viewer, button, image } = await openViewer();
  const locked = () =>
    ['Previous photo', 'Next photo'].map((name) => button(name).getAttribute('aria-disabled') === 'true');
  expect(locked()).toEqual([false, false]);
  await user.click(button('Previous photo'));
  expect(viewer.getByRole('status')).toHaveTextContent('1 of 3');
  expect(image()).toHaveAccessibleName('Upande wa mbele');
  // Screen readers read the description from the image's `alt`. Sighted users read it in the bar below the photo.
  expect(viewer.getByText('Upande wa mbele')).toHaveAttribute('dir', 'auto');
  expect(viewer.getByText('Upande wa mbele')).toHaveAttribute('aria-hidden', 'true');
  expect(locked()).toEqual([true, false]);
  await user.click(button('Previous photo'));
  expect(viewer.getByRole('status')).toHaveTextContent('1 of 3');
  await user.dblClick(button('Next photo'));
  expect(image()).toHaveAccessibleName('Ufunguo');
  expect(locked()).toEqual([false, true]);
  await user.click(button('Next photo'));
  expect(viewer.getByRole('status')).toHaveTextContent('3 of 3');
});

test('the arrow keys change the photo in the viewer, but not beyond the first or last photo; other keys do nothing', async () => {
  const { user, viewer, button } = await openViewer();
  // A browser gives the focus to this button when the viewer opens.
  act(() => button('Zoom in').focus());
  const place = () => viewer.getByRole('status').textContent;
  await user.keyboard('{ArrowLeft}');
  expect(place()).toBe('1 of 3');
  await user.keyboard('{ArrowLeft}{ArrowUp}');
  expect(place()).toBe('1 of 3');
  await user.keyboard('{ArrowRight}');
  expect(place()).toBe('2 of 3');
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(place()).toBe('3 of 3');
});

test.each([
  ['left', 200, 50, '3 of 3'],
  ['right', 50, 200, '1 of 3'],
])('a swipe to the %s in the photo viewer changes the photo', async (_way, from, to, place) => {
  const { viewer, image } = await openViewer();
  const stage = image().parentElement as HTMLElement;
  fireEvent.pointerDown(stage, { clientX: from, pointerType: 'touch' });
  fireEvent.pointerMove(stage, { clientX: to, pointerType: 'touch' });
  fireEvent.pointerUp(stage, { clientX: to, pointerType: 'touch' });
  expect(viewer.getByRole('status')).toHaveTextContent(place);
});

test('the arrow keys scroll a zoomed photo, and the next photo is shown without zoom', async () => {
  const { user, viewer, button, image } = await openViewer();
  expect(button('Zoom in')).toHaveAttribute('aria-pressed', 'false');
  expect(viewer.queryByRole('region')).toBeNull();
  await user.click(button('Zoom in'));
  expect(button('Zoom in')).toHaveAttribute('aria-pressed', 'true');
  expect(viewer.getByRole('region', { name: 'Photo 2' })).toHaveAttribute('tabindex', '0');
  expect(viewer.getByRole('region')).toContainElement(image());
  await user.keyboard('{ArrowLeft}{ArrowRight}{ArrowRight}');
  expect(viewer.getByRole('status')).toHaveTextContent('2 of 3');
  await user.click(button('Zoom in'));
  expect(viewer.queryByRole('region')).toBeNull();
  await user.click(button('Zoom in'));
  await user.click(button('Next photo'));
  expect(viewer.queryByRole('region')).toBeNull();
  expect(button('Zoom in')).toHaveAttribute('aria-pressed', 'false');
});

test('a photo that fails to load does not hide the other photos in the viewer', async () => {
  const { user, viewer, button, image } = await openViewer();
  fireEvent.error(image());
  expect(viewer.getByRole('alert')).toHaveTextContent('This photo cannot be shown now.');
  expect(viewer.queryByRole('img')).toBeNull();
  await user.click(button('Next photo'));
  expect(viewer.queryByRole('alert')).toBeNull();
  expect(image()).toHaveAccessibleName('Ufunguo');
});

test('Escape and Back close the photo viewer and return to the post', async () => {
  const { user, router, dialog } = await openViewer();
  expect(router.state.location.search).toBe('?photos=one');
  const pressed = new Event('cancel', { cancelable: true });
  fireEvent(dialog, pressed);
  expect(pressed.defaultPrevented).toBe(true);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toBe('');
  const small = screen.getByRole('button', { name: 'Ufunguo' });
  await user.click(small);
  expect(within(await screen.findByRole('dialog')).getByRole('status')).toHaveTextContent('3 of 3');
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('if a photo is removed while the viewer is open, the viewer shows the remaining photos, or closes if there are none', async () => {
  const { user, photos, viewer, button, image } = await openViewer();
  await user.click(button('Next photo'));
  serve(photos.slice(0, 2));
  await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.posts.all }));
  await waitFor(() => expect(image()).toHaveAttribute('src', photos[1]?.url));
  expect(viewer.queryByRole('alert')).toBeNull();
  serve([]);
  await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.posts.all }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('list', { name: 'Photos' })).toBeNull();
  expect(screen.getByRole('heading', { level: 1, name: 'Funguo' })).toBeVisible();
});

function saveData(): void {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'));
}

async function openPost(language: 'en' | 'sw' = 'en') {
  const photos = [aPhoto({ alt: 'Upande wa mbele' }), aPhoto(), aPhoto({ alt: 'Ufunguo' })];
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'one', title: 'Funguo', photos }))));
  const view = await renderScreen('/posts/one', { language });
  await screen.findByRole('heading', { name: 'Funguo' });
  return { ...view, photos };
}

test('a list of posts shows the first photo of a post as a lazily loaded thumbnail in a reserved space', async () => {
  const photo = aPhoto({ alt: 'Funguo mbili' });
  serveList('/posts', [aPost({ photos: [photo, aPhoto()] }), aPost()]);
  await renderScreen('/view-posts');
  const image = await screen.findByRole('img', { name: 'Funguo mbili' });
  expect(image).toHaveAttribute('src', photo.thumbnail_url);
  expect(image).toHaveAttribute('loading', 'lazy');
  expect(image).toHaveAttribute('decoding', 'async');
  expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['96', '96']);
  expect(document.querySelectorAll('article img')).toHaveLength(1);
});

test('in data-saving mode a photo in a list of posts loads only when the user asks for it', async () => {
  saveData();
  serveList('/posts', [aPost({ title: 'Pochi', photos: [aPhoto()] })]);
  const { user } = await renderScreen('/view-posts');
  const ask = await screen.findByRole('button', { name: 'Show the photo' });
  expect(document.querySelector('article img')).toBeNull();
  await user.click(ask);
  expect(screen.getByRole('img', { name: 'Photo: Pochi' })).toHaveFocus();
});

test.each([
  ['off', false],
  ['on', true],
] as const)(
  'in the list of a post’s matches, a match’s first photo loads automatically, or on request in data-saving mode (mode: %s)',
  async (_what, savesData) => {
    if (savesData) saveData();
    const [own, photo] = [aPost({ is_mine: true }), aPhoto({ alt: 'Pochi ya kahawia' })];
    server.use(
      http.get('*/api/matches/counts', () => HttpResponse.json({ [own.id]: 2 })),
      http.get('*/api/posts/:id/matches', () =>
        HttpResponse.json([aMatch({ Post: aPost({ photos: [photo, aPhoto()] }) }), aMatch()]),
      ),
    );
    serveList('/posts/by-owner', [own]);
    const { user } = await renderScreen('/my-posts', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: '2 possible matches' }));
    const dialog = within(screen.getByRole('dialog'));
    if (savesData) {
      const ask = await dialog.findByRole('button', { name: 'Show the photo' });
      expect(dialog.queryByRole('img')).toBeNull();
      await user.click(ask);
    }
    const image = await dialog.findByRole('img', { name: 'Pochi ya kahawia' });
    expect(image).toHaveAttribute('src', photo.thumbnail_url);
    expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['96', '96']);
    expect(dialog.getAllByRole('img')).toHaveLength(1);
  },
);

test('in data-saving mode the photo viewer loads only the photo that it shows', async () => {
  saveData();
  const { user, photos } = await openPost();
  expect(document.querySelector('article img')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show the photo' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Photos: Funguo' })).getByRole('img');
  expect(shown).toHaveAttribute('src', photos[1]?.url);
  expect(document.querySelectorAll('article img')).toHaveLength(1);
});

test('the photo viewer changes photos by buttons, arrow keys and swipes, zooms, and returns to the post', async () => {
  const { user, photos } = await openPost();
  await user.click(screen.getByRole('button', { name: 'Upande wa mbele' }));
  const viewer = within(await screen.findByRole('dialog', { name: 'Photos: Funguo' }));
  const shown = () => photos.findIndex(({ url }) => viewer.getByRole('img').getAttribute('src') === url);
  expect(shown()).toBe(0);
  expect(viewer.getByRole('img', { name: 'Upande wa mbele' })).toBeInTheDocument();
  expect(viewer.getByRole('button', { name: 'Previous photo' })).toHaveAttribute('aria-disabled', 'true');
  await user.click(viewer.getByRole('button', { name: 'Next photo' }));
  expect(shown()).toBe(1);
  expect(viewer.getByText('2 of 3')).toBeInTheDocument();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(shown()).toBe(2);
  const stage = viewer.getByRole('img').parentElement as HTMLElement;
  for (const [type, clientX] of [
    ['pointerDown', 50],
    ['pointerMove', 200],
    ['pointerUp', 200],
  ] as const) {
    fireEvent[type](stage, { clientX, pointerType: 'touch' });
  }
  expect(shown()).toBe(1);
  await user.click(viewer.getByRole('button', { name: 'Zoom in' }));
  expect(viewer.getByRole('button', { name: 'Zoom in' })).toHaveAttribute('aria-pressed', 'true');
  await user.keyboard('{ArrowRight}');
  expect(shown()).toBe(1);
  await user.click(viewer.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('in Swahili, a photo that fails to load shows an error, and Escape closes the photo viewer', async () => {
  const { user } = await openPost('sw');
  await user.click(screen.getByRole('button', { name: 'Picha: Funguo' }));
  const dialog = await screen.findByRole('dialog', { name: 'Picha: Funguo' });
  fireEvent.error(within(dialog).getByRole('img', { name: 'Picha ya 2' }));
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Picha hii haiwezi kuonyeshwa sasa.');
  // The browser turns Escape into this event.
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
