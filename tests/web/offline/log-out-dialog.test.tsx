import '#tests/web/support/setup.ts';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import { somePost } from '#tests/support/posts.ts';
import { aWaitingPhoto } from '#tests/web/support/photos.ts';
import { renderScreen, startUser } from '#tests/web/support/render-screen.tsx';
import { getSession, signInAs } from '#web/api/session.ts';
import { LogOutButton } from '#web/app/nav-bar.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { readOutbox } from '#web/offline/outbox.ts';
import { emptyOutbox, keepForSending, writeOutbox } from '#web/offline/outbox-changes.ts';
import { atPost, forgetPhotos, keepPhotos, readPhotos } from '#web/offline/photo-queue.ts';

describe('logging out', () => {
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

  test('a user without unsent posts or photos is signed out at once, without a confirmation', async () => {
    await logOut();
    expect(getSession()).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test.each([
    ['en', 'Logout', '2 posts have not been sent yet', '2 photos have not been sent yet.', 'Stay logged in'],
    ['sw', 'Ondoka', 'Matangazo 2 bado hayajatumwa', 'Picha 2 bado hazijatumwa.', 'Usiondoke bado'],
  ] as const)(
    'the dialog lists unsent posts and counts unsent photos in the language %s, and keeps both if the user cancels',
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

  test('closing the log-out dialog does not delete the post that waits to be sent', async () => {
    write('Funguo');
    const user = await logOut();
    const dialog = within(await screen.findByRole('dialog', { name: '1 post has not been sent yet' }));
    expect(dialog.queryByText(/photos? ha/)).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(readOutbox()).toHaveLength(1);
  });

  test('confirming the log-out deletes only this user’s data from the phone', async () => {
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

  test('the user must confirm the log-out even if only photos, and no posts, wait to be sent', async () => {
    await keepPhotos([aWaitingPhoto({ userId: 'a-user' })]);
    await logOut();
    const dialog = within(await screen.findByRole('dialog', { name: 'Photos have not been sent yet' }));
    expect(dialog.getByText('One photo has not been sent yet.')).toBeInTheDocument();
    expect(dialog.queryByRole('listitem')).toBeNull();
    expect(getSession()).not.toBeNull();
  });

  test('logging out asks for no confirmation if all unsent photos belong to another user or to a draft', async () => {
    await keepPhotos([aWaitingPhoto({ userId: 'another-user' }), aWaitingPhoto({ userId: null })]);
    await logOut();
    await waitFor(() => expect(getSession()).toBeNull());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await readPhotos()).toHaveLength(2);
  });

  test('if the last unsent post is sent while the confirmation is open, the user is signed out without a further press', async () => {
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

  test('the dialog lists the user’s drafts of posts, of claims and at lost-property desks, and deletes them on confirmation', async () => {
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

  test('a user who cancels the log-out keeps the drafts', async () => {
    keepDrafts(DRAFTS);
    const user = await logOut();
    await user.click(await screen.findByRole('button', { name: 'Stay logged in' }));
    expect(getSession()).not.toBeNull();
    expect(Object.keys(localStorage)).toEqual(expect.arrayContaining(Object.keys(DRAFTS)));
  });

  test('a lost-property desk’s draft that contains only the previous post’s location is deleted without a confirmation', async () => {
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
});

describe('the log-out button', () => {
  // Loaded in advance: on a busy machine, loading on demand takes longer than a test waits.
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

  test('signs out at once, without a confirmation, if no posts or photos wait to be sent', async () => {
    const { logOut } = await open();
    // A draft of another person who used this phone.
    localStorage.setItem('postDraft:juma:new', JSON.stringify({ values: { title: 'Pochi' } }));
    await logOut();
    expect(getSession()).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Login' })).toBeInTheDocument();
  });

  test.each([
    ['en', '1 post has not been sent yet', 'Stay logged in'],
    ['sw', 'Tangazo 1 bado halijatumwa', 'Usiondoke bado'],
  ] as const)(
    'asks for confirmation in the language %s if a post waits to be sent, and the user can cancel',
    async (language, title, stay) => {
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
    },
  );

  test('signs out after the user has confirmed that the unsent posts are deleted', async () => {
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

  test('opens a dialog that signs the user out as soon as the last unsent post is sent', async () => {
    const { logOut } = await open();
    act(() => write('Simu nyeusi'));
    await logOut();
    await screen.findByRole('dialog');
    await act(async () => emptyOutbox());
    await expect.poll(getSession).toBeNull();
  });

  test('asks for a confirmation if photos wait to be sent', async () => {
    const { logOut } = await open();
    await act(() => keepPhotos([aPhoto]));
    await logOut();
    expect(await screen.findByRole('dialog')).toBeInTheDocument();
    expect(getSession()).not.toBeNull();
  });
});
