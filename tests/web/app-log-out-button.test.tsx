import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import { somePost } from '#tests/support/some-post.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { emptyOutbox, keepForSending } from '#web/lib/outbox-changes.ts';
import { getSession } from '#web/lib/session.ts';
import { atPost, forgetPhotos, keepPhotos } from '#web/lib/waiting-photos.ts';
import { renderScreen } from './support/render-screen.tsx';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/offline/log-out-dialog.tsx'));
afterEach(async () => {
  await forgetPhotos(() => true);
  await changeLanguage('en');
});

async function open(language: Language = 'en') {
  const view = await renderScreen('/privacy', { isSignedIn: true, language });
  const logOut = () => view.user.click(screen.getByRole('button', { name: language === 'en' ? 'Logout' : 'Ondoka' }));
  return { ...view, logOut };
}

function write(title: string): void {
  keepForSending({ input: { ...somePost, title }, idempotencyKey: `key-of-${title}` }, { retryAfterMs: null });
}

const aPhoto = {
  id: 'a-photo',
  place: atPost('my-post'),
  userId: 'a-user',
  order: 1,
  alt: '',
  picture: new Blob(['a picture']),
  refusal: null,
};

test('whoever has nothing that waits is signed out at once', async () => {
  const { logOut } = await open();
  await logOut();
  expect(getSession()).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Login' })).toBeInTheDocument();
});

test.each([
  ['en', '1 post has not been sent yet', 'Stay logged in'],
  ['sw', 'Tangazo 1 bado halijatumwa', 'Usiondoke bado'],
] as const)('whoever has a post that waits is asked first, in %s, and may stay', async (language, title, stay) => {
  const { logOut, user } = await open(language);
  act(() => write('Simu nyeusi'));
  await logOut();
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  expect(dialog.getByText('Simu nyeusi')).toBeInTheDocument();
  expect(getSession()).not.toBeNull();
  await user.click(dialog.getByRole('button', { name: stay }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(getSession()).not.toBeNull();
  await logOut();
  expect(await screen.findByRole('dialog', { name: title })).toBeInTheDocument();
});

test('whoever gives up what waits is signed out', async () => {
  const { logOut, user } = await open();
  act(() => {
    write('Simu nyeusi');
    write('Pochi');
  });
  await logOut();
  const dialog = within(await screen.findByRole('dialog', { name: '2 posts have not been sent yet' }));
  await user.click(dialog.getByRole('button', { name: 'Delete and log out' }));
  await expect.poll(getSession).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('what was sent while the question stood lets its reader go', async () => {
  const { logOut } = await open();
  act(() => write('Simu nyeusi'));
  await logOut();
  await screen.findByRole('dialog');
  await act(async () => emptyOutbox());
  await expect.poll(getSession).toBeNull();
});

test('photos that wait are asked about as well', async () => {
  const { logOut } = await open();
  await act(() => keepPhotos([aPhoto]));
  await logOut();
  expect(await screen.findByRole('dialog')).toBeInTheDocument();
  expect(getSession()).not.toBeNull();
});
