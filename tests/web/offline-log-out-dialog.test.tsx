import { act, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { somePost } from '#tests/support/some-post.ts';
import { LogOutButton } from '#web/app/log-out-button.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { readOutbox, writeOutbox } from '#web/lib/outbox.ts';
import { keepForSending } from '#web/lib/outbox-changes.ts';
import { getSession, signInAs } from '#web/lib/session.ts';
import { forgetPhotos, keepPhotos, readPhotos } from '#web/lib/waiting-photos.ts';
import { aWaitingPhoto } from './support/photos.ts';
import './support/setup.ts';
import { startUser } from './support/user.ts';

beforeEach(async () => {
  await changeLanguage('en');
  signInAs({ token: 'a-token', userId: 'a-user' });
});
afterEach(() => forgetPhotos(() => true));

function write(...titles: string[]): void {
  for (const title of titles)
    keepForSending({ input: { ...somePost, title }, idempotencyKey: `key-of-${title}` }, { retryAfterMs: null });
}

async function logOut(name = 'Logout') {
  const user = startUser();
  render(<LogOutButton />);
  await user.click(screen.getByRole('button', { name }));
  return user;
}

test('whoever has nothing waiting on this phone is signed out at once', async () => {
  await logOut();
  expect(getSession()).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['en', 'Logout', '2 posts have not been sent yet', '2 photos have not been sent yet.', 'Stay logged in'],
  ['sw', 'Ondoka', 'Matangazo 2 bado hayajatumwa', 'Picha 2 bado hazijatumwa.', 'Usiondoke bado'],
] as const)(
  'posts and photos that wait are named in %s before they are lost, and stay with who stays',
  async (language, button, title, photos, stay) => {
    await changeLanguage(language);
    write('Funguo', 'Pochi');
    await keepPhotos([aWaitingPhoto({ userId: 'a-user' }), aWaitingPhoto({ userId: 'a-user' })]);
    const user = await logOut(button);
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    const items = dialog.getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['Funguo', 'Pochi']);
    for (const item of items) expect(item).toHaveAttribute('dir', 'auto');
    expect(dialog.getByText(photos)).toBeInTheDocument();
    expect(dialog.getByText(/^(If you log out now|Ukiondoka sasa)/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: stay }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(getSession()?.userId).toBe('a-user');
    expect([readOutbox().length, (await readPhotos()).length]).toEqual([2, 2]);
  },
);

test('closing the question is staying', async () => {
  write('Funguo');
  const user = await logOut();
  const dialog = within(await screen.findByRole('dialog', { name: '1 post has not been sent yet' }));
  expect(dialog.queryByText(/photos? ha/)).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(readOutbox()).toHaveLength(1);
});

test('whoever logs out all the same takes what is theirs off the phone, and nothing else', async () => {
  write('Funguo');
  const drafts = aWaitingPhoto({ userId: null, place: 'postDraft:visitor:new' });
  const others = aWaitingPhoto({ userId: 'another-user' });
  await keepPhotos([aWaitingPhoto({ userId: 'a-user', place: 'outbox:key-of-Funguo' }), drafts, others]);
  const user = await logOut();
  const dialog = within(await screen.findByRole('dialog', { name: '1 post has not been sent yet' }));
  expect(dialog.getByText('One photo has not been sent yet.')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Delete and log out' }));
  await waitFor(() => expect(getSession()).toBeNull());
  expect((await readPhotos()).map(({ id }) => id)).toEqual([drafts.id, others.id]);
  signInAs({ token: 'a-token', userId: 'a-user' });
  expect(readOutbox()).toEqual([]);
});

test('photos alone are asked about too', async () => {
  await keepPhotos([aWaitingPhoto({ userId: 'a-user' })]);
  await logOut();
  const dialog = within(await screen.findByRole('dialog', { name: 'Photos have not been sent yet' }));
  expect(dialog.getByText('One photo has not been sent yet.')).toBeInTheDocument();
  expect(dialog.queryByRole('listitem')).toBeNull();
  expect(getSession()).not.toBeNull();
});

test('photos of somebody else, or of a draft, are no reason to ask', async () => {
  await keepPhotos([aWaitingPhoto({ userId: 'another-user' }), aWaitingPhoto({ userId: null })]);
  await logOut();
  await waitFor(() => expect(getSession()).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await readPhotos()).toHaveLength(2);
});

test('what is sent while the question stands lets its writer go', async () => {
  write('Funguo');
  await logOut();
  await screen.findByRole('dialog');
  expect(getSession()).not.toBeNull();
  act(() => void writeOutbox([]));
  await waitFor(() => expect(getSession()).toBeNull());
});

const DRAFTS = {
  'postDraft:a-user:new': { values: { title: 'Simu yangu', contact: 'number' } },
  'claimDraft:a-user:some-claim:answer': { values: { text: 'Ina ufa nyuma' } },
  'deskDraft:a-user:school': { values: { title: '', description: 'Koti la bluu', location: 'Ofisi' } },
};
const OTHERS = {
  'postDraft:visitor:new': { values: { title: 'Pochi' } },
  'postDraft:another-user:new': { values: { title: 'Begi' } },
};

function keepDrafts(drafts: Record<string, unknown>): void {
  for (const [key, draft] of Object.entries(drafts)) localStorage.setItem(key, JSON.stringify(draft));
}

test('logging out lists the drafts of posts, claims and the desk, and deletes them', async () => {
  keepDrafts({ ...DRAFTS, ...OTHERS });
  const user = await logOut();
  const dialog = within(await screen.findByRole('dialog', { name: 'What you typed has not been sent yet' }));
  const texts = dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts.sort()).toEqual(['Ina ufa nyuma', 'Koti la bluu', 'Simu yangu']);
  expect(getSession()).not.toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Delete and log out' }));
  await waitFor(() => expect(getSession()).toBeNull());
  expect(Object.keys(localStorage).filter((key) => key.includes('Draft:'))).toEqual(Object.keys(OTHERS));
});

test('a user who stays logged in keeps the drafts', async () => {
  keepDrafts(DRAFTS);
  const user = await logOut();
  await user.click(await screen.findByRole('button', { name: 'Stay logged in' }));
  expect(getSession()).not.toBeNull();
  expect(Object.keys(localStorage)).toEqual(expect.arrayContaining(Object.keys(DRAFTS)));
});

test('the place that a desk keeps for the next thing is deleted without a question', async () => {
  keepDrafts({ 'deskDraft:a-user:school': { values: { title: '', location: 'Ofisi' } } });
  await logOut();
  await waitFor(() => expect(getSession()).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(localStorage.getItem('deskDraft:a-user:school')).toBeNull();
});

test('the photos of a deleted draft are deleted with it', async () => {
  keepDrafts(DRAFTS);
  await keepPhotos([aWaitingPhoto({ userId: null, place: 'postDraft:a-user:new' })]);
  const user = await logOut();
  await user.click(await screen.findByRole('button', { name: 'Delete and log out' }));
  await waitFor(async () => expect(await readPhotos()).toEqual([]));
});
