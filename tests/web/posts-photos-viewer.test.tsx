import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Photo } from '#contract/photos.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { aPhoto } from './support/photos.ts';
import { aPost, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

function serve(photos: Photo[]): void {
  server.use(http.get('*/api/posts/one', () => HttpResponse.json(aPost({ id: 'one', title: 'Funguo', photos }))));
}

/** Opens the viewer of three photos, at the second, which nobody has described. */
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

test('the page has the photos small and in their places, and the viewer opens at the one that was pressed', async () => {
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

test('the buttons go back and on, to the first and the last photo, and lock there', async () => {
  const { user, viewer, button, image } = await openViewer();
  const locked = () =>
    ['Previous photo', 'Next photo'].map((name) => button(name).getAttribute('aria-disabled') === 'true');
  expect(locked()).toEqual([false, false]);
  await user.click(button('Previous photo'));
  expect(viewer.getByRole('status')).toHaveTextContent('1 of 3');
  expect(image()).toHaveAccessibleName('Upande wa mbele');
  // The picture says it to whoever hears it, and the bar to whoever sees it.
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

test('the arrow keys go either way and stop at the ends; other keys do nothing', async () => {
  const { user, viewer, button } = await openViewer();
  // Where a browser puts the focus by itself.
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
  ['to the left', 200, 50, '3 of 3'],
  ['to the right', 50, 200, '1 of 3'],
])('a finger that goes %s turns the page', async (_way, from, to, place) => {
  const { viewer, image } = await openViewer();
  const stage = image().parentElement as HTMLElement;
  fireEvent.pointerDown(stage, { clientX: from, pointerType: 'touch' });
  fireEvent.pointerMove(stage, { clientX: to, pointerType: 'touch' });
  fireEvent.pointerUp(stage, { clientX: to, pointerType: 'touch' });
  expect(viewer.getByRole('status')).toHaveTextContent(place);
});

test('zoomed in, the keyboard scrolls and turns no page; the next photo is whole again', async () => {
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

test('a photo that cannot be had does not hide the others', async () => {
  const { user, viewer, button, image } = await openViewer();
  fireEvent.error(image());
  expect(viewer.getByRole('alert')).toHaveTextContent('This photo cannot be shown now.');
  expect(viewer.queryByRole('img')).toBeNull();
  await user.click(button('Next photo'));
  expect(viewer.queryByRole('alert')).toBeNull();
  expect(image()).toHaveAccessibleName('Ufunguo');
});

test('Escape and going back close the viewer, and the place in the page is kept', async () => {
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

test('photos that are taken out while somebody looks at them leave the rest, or nothing to look at', async () => {
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
