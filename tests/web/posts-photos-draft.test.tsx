import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetPhotos, readPhotos } from '#web/lib/waiting-photos.ts';
import { stubCanvas } from './support/canvas.ts';
import { fillStorage, loseNetwork } from './support/phone.ts';
import { aPicture } from './support/photos.ts';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { serveList, serveNothingElse } from './support/posts.ts';
import { server } from './support/setup.ts';

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
});
afterEach(() => forgetPhotos(() => true));

const list = () => screen.getByRole('list', { name: 'Photos of this post' });
const rows = () => within(list()).queryAllByRole('listitem');
const alts = () => screen.getAllByLabelText(/What is in the picture/).map((field) => (field as HTMLInputElement).value);

async function openFormWith(count: number) {
  const form = await openForm();
  const pictures = Array.from({ length: count }, (_, at) => aPicture(`${at}.jpg`));
  await form.user.upload(screen.getByLabelText('Add photos'), pictures);
  return form;
}

test('what is being read is counted, in a place that is read out', async () => {
  const read = Promise.withResolvers<void>();
  stubCanvas({ decode: () => read.promise });
  await openFormWith(2);
  expect(await screen.findByText('Making 2 photos smaller…')).toHaveAttribute('role', 'status');
  read.resolve();
  await waitFor(() => expect(rows()).toHaveLength(2));
  await waitFor(() => expect(screen.queryByText(/photos? smaller/)).toBeNull());
  for (const name of ['Photo 1', 'Photo 2'])
    expect(screen.getByRole('img', { name })).toHaveAttribute('src', expect.stringMatching(/^blob:/));
});

test('photos that are chosen before there is anything to take them are all taken', async () => {
  stubCanvas();
  await openForm();
  const input = screen.getByLabelText('Add photos');
  // At once, while what makes them small is still on its way.
  fireEvent.change(input, { target: { files: [aPicture('0.jpg')] } });
  fireEvent.change(input, { target: { files: [aPicture('1.jpg')] } });
  await waitFor(() => expect(rows()).toHaveLength(2));
});

test('photos that are chosen together stand in the order in which they were chosen', async () => {
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

test('nothing of photos is loaded or said before one is chosen', async () => {
  await openForm();
  expect(screen.getByText('Up to four. They are made smaller before they are sent.')).toHaveAttribute('role', 'status');
  expect(screen.queryByRole('list', { name: 'Photos of this post' })).toBeNull();
});

test('what could not be read is no longer said once another picture was', async () => {
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

test('a photo goes down and up again with what was said of it, and no further than the ends', async () => {
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

test('the focus of a photo that is taken out goes to the others', async () => {
  stubCanvas();
  const { user } = await openFormWith(2);
  await waitFor(() => expect(rows()).toHaveLength(2));
  await user.type(screen.getAllByLabelText(/What is in the picture/)[0] as HTMLElement, 'Mbele{Enter}');
  await user.click(screen.getByRole('button', { name: 'Remove photo 2' }));
  expect(list()).toHaveFocus();
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(alts()).toEqual(['Mbele']);
});

test('Enter in what is said of a photo sends no post', async () => {
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

test('photos of a post that can neither be sent nor kept stay with it in the form', async () => {
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
