import '#tests/web/support/setup.ts';
import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aWaitingPhoto, stubPhotoStorage } from '#tests/web/support/photos.ts';
import { signInAs } from '#web/api/session.ts';
import type { WaitingPhoto } from '#web/offline/photo-queue.ts';

/** Reads the waiting photos as a newly opened page. */
async function openTab() {
  vi.resetModules();
  const here = await import('#web/offline/photos-here.ts');
  return { ...here, ...(await import('#web/offline/photo-queue.ts')) };
}

const ids = (photos: WaitingPhoto[]) => photos.map(({ id }) => id);

test('waiting photos survive the page, in the user’s order, until they are deleted', async () => {
  stubPhotoStorage();
  const before = await openTab();
  expect(before.hasPhotos()).toBe(false);
  const [first, second, third] = [aWaitingPhoto(), aWaitingPhoto({ alt: 'Nyuma', refusal: 'No.' }), aWaitingPhoto()];
  await before.keepPhotos([third, first]);
  await before.keepPhotos([second]);
  const after = await openTab();
  expect(after.hasPhotos()).toBe(true);
  const photos = await after.readPhotos();
  expect(photos).toEqual([first, second, third]);
  expect(photos.every(after.isKept)).toBe(true);
  await after.forgetPhotos(({ id }) => id !== second.id);
  expect(ids(await after.readPhotos())).toEqual([second.id]);
  expect(after.hasPhotos()).toBe(true);
  await after.forgetPhotos(() => true);
  expect((await openTab()).hasPhotos()).toBe(false);
  expect(await before.readPhotos()).toEqual([]);
});

test('the phone’s storage is opened once for all of them', async () => {
  const storage = stubPhotoStorage();
  const { keepPhotos, readPhotos } = await openTab();
  await keepPhotos([aWaitingPhoto()]);
  await readPhotos();
  expect(storage.openings).toBe(1);
});

test('only matching photos change, and a photo deleted meanwhile does not return', async () => {
  stubPhotoStorage();
  const { keepPhotos, changePhotos, forgetPhotos, readPhotos } = await openTab();
  const [one, two, gone] = [aWaitingPhoto(), aWaitingPhoto(), aWaitingPhoto()];
  await keepPhotos([one, two, gone]);
  await forgetPhotos(({ id }) => id === gone.id);
  await changePhotos(({ id }) => id !== two.id, { refusal: 'No.' });
  expect(await readPhotos()).toEqual([{ ...one, refusal: 'No.' }, two]);
});

test('photos move with their post to the outbox with an owner, and back to a draft without one', async () => {
  stubPhotoStorage();
  const { keepPhotos, movePhotos, readPhotos, inOutbox, atPost } = await openTab();
  (await import('#web/api/session.ts')).signInAs({ token: 'a-token', userId: 'asha' });
  const draft = 'postDraft:asha:new';
  await keepPhotos([aWaitingPhoto({ place: draft, userId: null }), aWaitingPhoto({ place: 'else', userId: null })]);
  const places = async () => (await readPhotos()).map(({ place, userId, refusal }) => [place, userId, refusal]);
  await movePhotos(draft, inOutbox('a-key'));
  expect(await places()).toEqual([
    ['outbox:a-key', 'asha', null],
    ['else', null, null],
  ]);
  await movePhotos(inOutbox('a-key'), atPost('the-post'), 'A document.');
  expect((await places())[0]).toEqual(['post:the-post', 'asha', 'A document.']);
  await movePhotos(atPost('the-post'), draft);
  expect((await places())[0]).toEqual([draft, null, null]);
});

test('photos that a full phone refuses last as long as the page, besides the stored ones', async () => {
  const storage = stubPhotoStorage();
  const { keepPhotos, changePhotos, forgetPhotos, readPhotos, isKept, hasPhotos } = await openTab();
  const [kept, unkept] = [aWaitingPhoto(), aWaitingPhoto()];
  await keepPhotos([kept]);
  storage.isFull = true;
  await keepPhotos([unkept]);
  expect((await readPhotos()).map((photo) => [photo.id, isKept(photo)])).toEqual([
    [kept.id, true],
    [unkept.id, false],
  ]);
  // Changes count even if the storage refuses them.
  await changePhotos(({ id }) => id === kept.id, { alt: 'Mbele' });
  expect((await readPhotos()).map(({ alt }) => alt)).toEqual(['Mbele', '']);
  storage.isFull = false;
  await forgetPhotos(({ id }) => id === unkept.id);
  expect(await readPhotos()).toEqual([{ ...kept, alt: 'Mbele' }]);
  await forgetPhotos(() => true);
  expect(hasPhotos()).toBe(false);
  const other = await openTab();
  expect(await other.readPhotos()).toEqual([]);
});

test('a storage that failed to open is retried', async () => {
  const storage = stubPhotoStorage();
  const { keepPhotos, readPhotos, isKept } = await openTab();
  storage.isForbidden = true;
  const [unkept, kept] = [aWaitingPhoto(), aWaitingPhoto()];
  await keepPhotos([unkept]);
  expect(ids(await readPhotos())).toEqual([unkept.id]);
  storage.isForbidden = false;
  await keepPhotos([kept]);
  expect((await readPhotos()).map(isKept)).toEqual([false, true]);
});

test('a picture being shrunk counts, and a move waits for it', async () => {
  stubPhotoStorage();
  const { takePhotos, keepPhotos, movePhotos, forgetPhotos, readPhotos, hasPhotos } = await openTab();
  const { promise, resolve } = Promise.withResolvers<void>();
  takePhotos(promise.then(() => keepPhotos([aWaitingPhoto({ id: 'late', place: 'a-draft' })])));
  await vi.waitFor(() => expect(hasPhotos()).toBe(true));
  expect(await readPhotos()).toEqual([]);
  const moved = movePhotos('a-draft', 'outbox:a-key');
  resolve();
  await moved;
  expect((await readPhotos()).map(({ place }) => place)).toEqual(['outbox:a-key']);
  takePhotos(Promise.resolve().then(() => keepPhotos([aWaitingPhoto({ id: 'later' })])));
  await forgetPhotos(() => true);
  await vi.waitFor(() => expect(hasPhotos()).toBe(false));
  expect(await readPhotos()).toEqual([]);
});

test('a picture that failed waits no more', async () => {
  stubPhotoStorage();
  const { takePhotos, hasPhotos } = await openTab();
  const { promise, resolve } = Promise.withResolvers<void>();
  takePhotos(promise);
  await vi.waitFor(() => expect(hasPhotos()).toBe(true));
  resolve();
  await vi.waitFor(() => expect(hasPhotos()).toBe(false));
});

function Photos({ usePhotos }: { usePhotos: () => WaitingPhoto[] | null }) {
  const photos = usePhotos();
  return <p>{photos?.map(({ alt }) => alt).join(', ') ?? 'A moment'}</p>;
}

test('a screen follows the matching photos, also those of another tab, until it is left', async () => {
  stubPhotoStorage();
  const { keepPhotos, useWaitingPhotos } = await openTab();
  signInAs({ token: 'a-token', userId: 'asha' });
  await keepPhotos([aWaitingPhoto({ place: 'here', alt: 'Mbele' }), aWaitingPhoto({ place: 'else', alt: 'Kando' })]);
  const { unmount } = render(<Photos usePhotos={() => useWaitingPhotos(({ place }) => place === 'here')} />);
  expect(screen.getByText('A moment')).toBeInTheDocument();
  expect(await screen.findByText('Mbele')).toBeInTheDocument();
  await act(() => keepPhotos([aWaitingPhoto({ place: 'here', alt: 'Nyuma' })]));
  expect(await screen.findByText('Mbele, Nyuma')).toBeInTheDocument();
  const other = await openTab();
  await other.forgetPhotos(({ alt }) => alt === 'Mbele');
  expect(screen.getByText('Mbele, Nyuma')).toBeInTheDocument();
  tellOtherTabs('photosHere');
  await waitFor(() => expect(screen.getByText('Nyuma')).toBeInTheDocument());
  unmount();
});

test('a tab is informed about photos in another, also when the storage is cleared, and about nothing else', async () => {
  const { onPhotosChange, notePhotos } = await openTab();
  const heard = vi.fn();
  const stop = onPhotosChange(heard);
  onTestFinished(stop);
  tellOtherTabs('i18nextLng');
  expect(heard).not.toHaveBeenCalled();
  tellOtherTabs('photosHere');
  tellOtherTabs(null);
  expect(heard).toHaveBeenCalledTimes(2);
  notePhotos(1);
  expect(heard).toHaveBeenCalledTimes(3);
  stop();
  tellOtherTabs('photosHere');
  notePhotos(0);
  expect(heard).toHaveBeenCalledTimes(3);
});

test('every change writes the flag again, so that other tabs get an event', async () => {
  const { notePhotos } = await openTab();
  const written = vi.spyOn(Storage.prototype, 'setItem');
  onTestFinished(() => written.mockRestore());
  const clock = vi.spyOn(Date, 'now').mockReturnValueOnce(1).mockReturnValueOnce(2);
  notePhotos(1);
  notePhotos(1);
  clock.mockRestore();
  expect(written.mock.calls).toEqual([
    ['photosHere', '1'],
    ['photosHere', '2'],
  ]);
});

/** Fires the browser's event for another tab's write. */
function tellOtherTabs(key: string | null): void {
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
}
