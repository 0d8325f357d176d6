import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { aPhoto } from './support/photos.ts';
import { aMatch, aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

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

test('a list shows the first photo of a post, small, late, in a place of its own', async () => {
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

test('a phone that saves data loads no photo until it is asked for', async () => {
  saveData();
  serveList('/posts', [aPost({ title: 'Pochi', photos: [aPhoto()] })]);
  const { user } = await renderScreen('/view-posts');
  const ask = await screen.findByRole('button', { name: 'Show the photo' });
  expect(document.querySelector('article img')).toBeNull();
  await user.click(ask);
  expect(screen.getByRole('img', { name: 'Photo: Pochi' })).toHaveFocus();
});

test.each([
  ['shows the first photo of each', false],
  ['loads none where data is saved, until it is asked for', true],
] as const)('the list of one’s own post’s matches %s', async (_what, savesData) => {
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
});

test('nor on a post’s own page, where the viewer loads the one that is opened', async () => {
  saveData();
  const { user, photos } = await openPost();
  expect(document.querySelector('article img')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show the photo' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Photos: Funguo' })).getByRole('img');
  expect(shown).toHaveAttribute('src', photos[1]?.url);
  expect(document.querySelectorAll('article img')).toHaveLength(1);
});

test('the viewer goes on by buttons, arrow keys and a finger, zooms, and gives the way back', async () => {
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

test('Escape closes the viewer, which says when a photo cannot be had, in Swahili too', async () => {
  const { user } = await openPost('sw');
  await user.click(screen.getByRole('button', { name: 'Picha: Funguo' }));
  const dialog = await screen.findByRole('dialog', { name: 'Picha: Funguo' });
  fireEvent.error(within(dialog).getByRole('img', { name: 'Picha ya 2' }));
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Picha hii haiwezi kuonyeshwa sasa.');
  // What a browser makes of Escape.
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
