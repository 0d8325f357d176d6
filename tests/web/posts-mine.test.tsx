import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { somePost } from '#tests/support/some-post.ts';
import type { PendingPost } from '#web/lib/outbox.ts';
import { draftKey, EMPTY_POST, saveDraft } from '#web/posts/post-draft.ts';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

const MINE = { is_mine: true };

function cardOf(title: string) {
  return within(screen.getByText(title).closest('article') as HTMLElement);
}

async function openMyPosts(language: 'en' | 'sw' = 'en') {
  const posts = [aPost({ ...MINE, title: 'Funguo' }), aPost({ ...MINE, title: 'Pochi' })];
  serveList('/posts/by-owner', posts);
  const view = await renderScreen('/my-posts', { language, isSignedIn: true });
  await screen.findByText('Funguo');
  return { ...view, posts };
}

test.each([
  ['en', 'My Posts', 'Update', 'Delete', 'Mark as found'],
  ['sw', 'Matangazo Yangu', 'Hariri', 'Futa', 'Weka kuwa kimepatikana'],
] as const)(
  'one’s own posts can be updated, deleted and marked as found, in %s',
  async (language, heading, ...actions) => {
    await openMyPosts(language);
    expect(screen.getByRole('heading', { level: 1, name: heading })).toBeInTheDocument();
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

test.each([
  ['en', 'Are you sure you want to delete this post?', 'Cancel', 'Delete', 'Post deleted successfully!'],
  ['sw', 'Una uhakika unataka kufuta tangazo hili?', 'Ghairi', 'Futa', 'Tangazo limefutwa!'],
] as const)(
  'deleting asks first, and tells that it is done, in %s',
  async (language, question, cancel, confirm, done) => {
    const { user, posts } = await openMyPosts(language);
    const deleted: string[] = [];
    server.use(
      http.delete('*/api/posts/:id', ({ params }) => {
        deleted.push(String(params.id));
        serveList('/posts/by-owner', posts.slice(1));
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await user.click(cardOf('Funguo').getByRole('button', { name: confirm }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(question)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: cancel }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(deleted).toEqual([]);
    await user.click(cardOf('Funguo').getByRole('button', { name: confirm }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: confirm }));
    expect(await screen.findByText(done)).toBeInTheDocument();
    expect(screen.queryByText('Funguo')).toBeNull();
    expect(screen.getByText('Pochi')).toBeInTheDocument();
    expect(deleted).toEqual([posts[0]?.id]);
  },
);

test.each([
  ['en', 'Delete', 'Error deleting the post.'],
  ['sw', 'Futa', 'Hitilafu imetokea wakati wa kufuta tangazo.'],
] as const)(
  'a post that could not be deleted is back, and the failure is told in %s',
  async (language, button, sentence) => {
    const { user } = await openMyPosts(language);
    server.use(
      http.delete('*/api/posts/:id', async () => {
        await delay(100);
        return refuse(500, 'internal_error', 'Something went wrong.');
      }),
    );
    await user.click(cardOf('Funguo').getByRole('button', { name: button }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: button }));
    await waitFor(() => expect(screen.queryByText('Funguo')).toBeNull());
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(await screen.findByText('Funguo')).toBeInTheDocument();
  },
);

test('a post that is gone already counts as deleted', async () => {
  const { user, posts } = await openMyPosts();
  server.use(http.delete('*/api/posts/:id', () => refuse(404, 'post_not_found', 'This post does not exist.')));
  serveList('/posts/by-owner', posts.slice(1));
  await user.click(cardOf('Funguo').getByRole('button', { name: 'Delete' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Post deleted successfully!')).toBeInTheDocument();
});

test.each([
  ['en', 'Mark as found', 'Found', 'Item marked as retrieved successfuly'],
  ['sw', 'Weka kuwa kimepatikana', 'Kimepatikana', 'Kitu kimewekwa kuwa kimepatikana'],
] as const)(
  'marking as found shows at once, without waiting for the server, in %s',
  async (language, button, badge, done) => {
    const { user, posts } = await openMyPosts(language);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.patch('*/api/posts/:id/found', async () => {
        await answered;
        const found = { ...posts[0], is_found: true };
        serveList('/posts/by-owner', [found as never, posts[1] as never]);
        return HttpResponse.json(found);
      }),
    );
    await user.click(cardOf('Funguo').getByRole('button', { name: button }));
    await waitFor(() => expect(cardOf('Funguo').getByText(badge)).toBeInTheDocument());
    expect(cardOf('Funguo').queryByRole('button', { name: button })).toBeNull();
    expect(cardOf('Funguo').getAllByRole('link').at(-1)).toHaveFocus();
    expect(screen.queryByText(done)).toBeNull();
    answer();
    expect(await screen.findByText(done)).toBeInTheDocument();
    expect(cardOf('Funguo').getByText(badge)).toBeInTheDocument();
  },
);

test.each([
  ['en', 'Mark as found', 'The item could not be marked as found. Please try again.'],
  ['sw', 'Weka kuwa kimepatikana', 'Imeshindikana kuweka kuwa kitu kimepatikana. Tafadhali jaribu tena.'],
] as const)('a mark that failed is taken back, and told of in %s', async (language, button, sentence) => {
  const { user } = await openMyPosts(language);
  server.use(http.patch('*/api/posts/:id/found', () => refuse(500, 'internal_error')));
  await user.click(cardOf('Funguo').getByRole('button', { name: button }));
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(await cardOf('Funguo').findByRole('button', { name: button })).toBeInTheDocument();
});

test('two things at once do not undo each other', async () => {
  const { user, posts } = await openMyPosts();
  server.use(
    http.patch('*/api/posts/:id/found', () => refuse(500, 'internal_error')),
    http.delete('*/api/posts/:id', async () => {
      serveList('/posts/by-owner', posts.slice(0, 1));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await user.click(cardOf('Funguo').getByRole('button', { name: 'Mark as found' }));
  await user.click(cardOf('Pochi').getByRole('button', { name: 'Delete' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Post deleted successfully!')).toBeInTheDocument();
  expect(screen.queryByText('Pochi')).toBeNull();
  expect(await cardOf('Funguo').findByRole('button', { name: 'Mark as found' })).toBeInTheDocument();
});

test('a found post is green and cannot be marked again', async () => {
  serveList('/posts/by-owner', [aPost({ ...MINE, title: 'Kofia', is_found: true })]);
  await renderScreen('/my-posts', { isSignedIn: true });
  expect(await screen.findByText('Found')).toBeInTheDocument();
  expect(screen.getByText('Kofia').closest('article')?.className).toContain('border-found');
  expect(screen.queryByRole('button', { name: 'Mark as found' })).toBeNull();
});

test.each([
  ['en', 'Error loading posts: Something is wrong.'],
  ['sw', 'Hitilafu wakati wa kupakia matangazo: Something is wrong.'],
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
  };
  localStorage.setItem('outbox:a-user', JSON.stringify([pending]));
}

test('a refused post goes back into the form to be corrected', async () => {
  keepRefused('Mwavuli');
  const { user } = await openMyPosts();
  await user.click(screen.getByRole('button', { name: 'Correct it' }));
  expect(await screen.findByLabelText('Title')).toHaveValue('Mwavuli');
  expect(localStorage.getItem('outbox:a-user')).toBeNull();
});

test('a refused post waits where another was begun: neither is lost', async () => {
  keepRefused('Mwavuli');
  saveDraft(draftKey('a-user', null), { values: { ...EMPTY_POST, title: 'Miwani' }, idempotencyKey: 'another-key' });
  const { user } = await openMyPosts();
  await user.click(screen.getByRole('button', { name: 'Correct it' }));
  expect(await screen.findByText('First post or start over what you have begun here.')).toBeInTheDocument();
  expect(await screen.findByLabelText('Title')).toHaveValue('Miwani');
  expect(localStorage.getItem('outbox:a-user')).toContain('Mwavuli');
});
