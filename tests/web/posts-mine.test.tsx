import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { somePost } from '#tests/support/some-post.ts';
import type { PendingPost } from '#web/lib/outbox.ts';
import { draftKey, EMPTY_POST, saveDraft } from '#web/posts/post-draft.ts';
import { cardOf, MINE, openMyPosts } from './support/own-posts.ts';
import { fillStorage } from './support/phone.ts';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

test.each([
  ['en', 'My Posts', 'Update', 'Delete', 'Mark as found'],
  ['sw', 'Matangazo Yangu', 'Hariri', 'Futa', 'Nimekipata tena'],
] as const)(
  'one’s own posts can be updated, deleted and marked as found, in %s',
  async (language, heading, ...actions) => {
    await openMyPosts(language);
    expect(screen.getByRole('heading', { level: 1, name: heading })).toBeInTheDocument();
    expect(screen.getByRole('region', { name: heading })).toBeInTheDocument();
    const card = cardOf('Funguo');
    expect(card.getByRole('link', { name: actions[0] })).toBeInTheDocument();
    for (const name of actions.slice(1)) expect(card.getByRole('button', { name })).toBeInTheDocument();
  },
);

test('the back button goes home', async () => {
  const { user, router } = await openMyPosts();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(router.state.location.pathname).toBe('/');
});

test.each([
  ['en', "You don't have any post"],
  ['sw', 'Huna tangazo lolote'],
] as const)('without posts it says so in %s', async (language, sentence) => {
  serveList('/posts/by-owner', []);
  await renderScreen('/my-posts', { language, isSignedIn: true });
  expect(await screen.findByText(sentence)).toBeInTheDocument();
});

test('a visitor is asked to log in, and comes back', async () => {
  const { user, router } = await renderScreen('/my-posts');
  const main = within(screen.getByRole('main'));
  expect(main.queryByRole('link', { name: 'Report Item' })).toBeNull();
  await user.click(await main.findByRole('link', { name: 'Log in' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/my-posts' } });
});

test('updating leads to the form with the post', async () => {
  const { user, router, posts } = await openMyPosts();
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(posts[0])));
  await user.click(cardOf('Funguo').getByRole('link', { name: 'Update' }));
  expect(router.state.location).toMatchObject({
    pathname: '/create-post',
    state: { mode: 'update', post: { id: posts[0]?.id } },
  });
});

test('a found post is green and cannot be marked again', async () => {
  serveList('/posts/by-owner', [aPost({ ...MINE, title: 'Kofia', is_found: true })]);
  await renderScreen('/my-posts', { isSignedIn: true });
  expect(await screen.findByText('Found and returned')).toBeInTheDocument();
  expect(screen.getByText('Kofia').closest('article')?.className).toContain('border-found');
  expect(screen.queryByRole('button', { name: 'Mark as returned' })).toBeNull();
});

test.each([
  ['en', 'Error loading posts: Something is wrong.'],
  ['sw', 'Imeshindikana kuonyesha matangazo: Something is wrong.'],
] as const)('posts of one’s own that cannot be loaded are told of in %s', async (language, sentence) => {
  server.use(http.get('*/api/posts/by-owner', () => refuse(403, 'forbidden', 'Something is wrong.')));
  await renderScreen('/my-posts', { language, isSignedIn: true });
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
});

test('older posts of one’s own come page by page', async () => {
  serveList('/posts/by-owner', [aPost({ ...MINE, title: 'Mpya' })], [aPost({ ...MINE, title: 'Ya zamani' })]);
  const { user } = await renderScreen('/my-posts', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
  expect(await screen.findByText('Ya zamani')).toBeInTheDocument();
});

/** A post that was written without a network, and that the Worker then refused. */
function keepRefused(title: string): void {
  const pending: PendingPost = {
    idempotencyKey: 'a-key',
    input: { ...somePost, title },
    writtenAt: '2026-11-20T09:00:00.000Z',
    refusal: 'Phone number is required',
    sendAfter: null,
  };
  localStorage.setItem('outbox:a-user', JSON.stringify([pending]));
}

test('a refused post goes back into the form to be corrected', async () => {
  keepRefused('Mwavuli');
  const { user } = await openMyPosts();
  await user.click(screen.getByRole('button', { name: 'Edit the post' }));
  expect(await screen.findByLabelText('Title')).toHaveValue('Mwavuli');
  expect(localStorage.getItem('outbox:a-user')).toBeNull();
  // Where the key has made a post after all, no second one is made unseen.
  const draft = JSON.parse(localStorage.getItem(draftKey('a-user', null)) ?? '{}') as { idempotencyKey: string };
  expect(draft.idempotencyKey).toBe('a-key');
});

test.each([
  ['en', 'Edit the post', 'This phone is full. Free some space and try again; your post waits here.'],
  ['sw', 'Hariri tangazo', 'Simu hii imejaa. Futa baadhi ya vitu kisha ujaribu tena; tangazo lako linasubiri hapa.'],
] as const)(
  'a refused post that the phone cannot keep as a draft waits, and that is said in %s',
  async (language, correct, said) => {
    keepRefused('Mwavuli');
    const { user, router } = await openMyPosts(language);
    fillStorage();
    await user.click(screen.getByRole('button', { name: correct }));
    expect(await screen.findByText(said)).toBeInTheDocument();
    expect(router.state.location.pathname).toBe('/my-posts');
    expect(localStorage.getItem('outbox:a-user')).toContain('Mwavuli');
  },
);

test('its photos go back into the form with it, and those of another post do not', async () => {
  const { forgetPhotos, keepPhotos, readPhotos } = await import('#web/lib/waiting-photos.ts');
  keepRefused('Mwavuli');
  const photo = { userId: 'a-user', order: 1, alt: '', picture: new Blob(), refusal: null };
  await keepPhotos([
    { ...photo, id: 'one', place: 'outbox:a-key' },
    { ...photo, id: 'two', place: 'outbox:another' },
  ]);
  const { user } = await openMyPosts();
  await user.click(screen.getByRole('button', { name: 'Edit the post' }));
  await screen.findByLabelText('Title');
  expect((await readPhotos()).map(({ place }) => place)).toEqual([draftKey('a-user', null), 'outbox:another']);
  await forgetPhotos(() => true);
});

test('a refused post waits where another was begun: neither is lost', async () => {
  keepRefused('Mwavuli');
  saveDraft(draftKey('a-user', null), { values: { ...EMPTY_POST, title: 'Miwani' }, idempotencyKey: 'another-key' });
  const { user } = await openMyPosts();
  await user.click(screen.getByRole('button', { name: 'Edit the post' }));
  expect(await screen.findByText('First post what you have started here, or start over.')).toBeInTheDocument();
  expect(await screen.findByLabelText('Title')).toHaveValue('Miwani');
  expect(localStorage.getItem('outbox:a-user')).toContain('Mwavuli');
});
