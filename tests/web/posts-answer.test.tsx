import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { readOutbox } from '#web/lib/outbox.ts';
import { loseNetwork } from './support/phone.ts';
import { serveSubmit } from './support/post-form.tsx';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(() => {
  serveNothingElse();
  serveList('/posts/by-owner', []);
  serveList('/posts', []);
});

function serveLost(overrides: Partial<Post> = {}): Post {
  const lost = aPost({ title: 'Pochi nyekundu', posted_by: 'owner', ...overrides });
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(lost)));
  return lost;
}

test('from a lost post the shortened form makes a found one that answers it', async () => {
  const lost = serveLost({ community_code: 'ABCD2345', community_name: 'Shule ya Mbezi' });
  const sent = serveSubmit();
  const { user, router } = await renderScreen(`/posts/${lost.id}`, { isSignedIn: true });
  await user.click(await screen.findByRole('link', { name: 'I found this' }));
  expect(await screen.findByText('Pochi nyekundu')).toHaveAttribute('dir', 'auto');
  expect(screen.getByText(/the owner is notified at once/)).toBeVisible();
  expect(router.state.location.search).toBe(`?answers=${lost.id}`);
  for (const left of ['Yes, I lost it', 'No, I found it', 'First name', 'Last name'])
    expect(screen.queryByLabelText(left)).toBeNull();
  await user.type(screen.getByLabelText('Title'), 'Pochi');
  await user.type(screen.getByLabelText('Location'), 'Moshi');
  await user.clear(screen.getByLabelText('Phone number'));
  await user.type(screen.getByLabelText('Phone number'), '0712345678');
  await user.click(screen.getByRole('button', { name: 'Post item' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ title: 'Pochi', posted_by: 'finder', answers_post_id: lost.id });
  expect(sent[0]?.body).toMatchObject({ community_code: 'ABCD2345' });
});

test('without a network it waits in the outbox, and still answers', async () => {
  const lost = serveLost();
  const { user } = await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
  await user.type(await screen.findByLabelText('Title'), 'Pochi');
  await user.type(screen.getByLabelText('Location'), 'Moshi');
  await user.clear(screen.getByLabelText('Phone number'));
  await user.type(screen.getByLabelText('Phone number'), '0712345678');
  server.use(http.post('*/api/posts', () => HttpResponse.error()));
  loseNetwork();
  await user.click(screen.getByRole('button', { name: 'Post item' }));
  await waitFor(() => expect(readOutbox()).toHaveLength(1));
  expect(readOutbox()[0]?.input).toMatchObject({ answers_post_id: lost.id, posted_by: 'finder' });
});

test.each([{ is_mine: true }, { posted_by: 'finder' }, { state: 'returned', is_found: true }] as const)(
  'what is not to be answered has no such button, and its form says so: %o',
  async (overrides) => {
    const lost = serveLost(overrides);
    const { unmount } = await renderScreen(`/posts/${lost.id}`, { isSignedIn: true });
    await screen.findByRole('heading', { name: lost.title });
    expect(screen.queryByRole('link', { name: 'I found this' })).toBeNull();
    unmount();
    const { user, router } = await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
    expect(await screen.findByText('This post is no longer open.')).toBeVisible();
    expect(screen.queryByLabelText('Title')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Post what you found' }));
    expect(await screen.findByLabelText('Title')).toHaveValue('');
    expect(router.state.location).toMatchObject({ pathname: '/create-post', search: '' });
    expect(router.state.historyAction).toBe('REPLACE');
  },
);

test('a visitor signs in first and comes back to the form', async () => {
  const lost = serveLost({ phone_number: null, is_author_proven: null });
  const { user, router } = await renderScreen(`/posts/${lost.id}`, { language: 'sw' });
  await user.click(await screen.findByRole('link', { name: 'Nimekiokota' }));
  expect(router.state.location).toMatchObject({
    pathname: '/login',
    state: { from: `/create-post?answers=${lost.id}` },
  });
});

test('a visitor who opens the form itself is asked to log in, and comes back to it', async () => {
  const lost = serveLost({ phone_number: null, is_author_proven: null });
  const { user, router } = await renderScreen(`/create-post?answers=${lost.id}`);
  expect(await screen.findByText('Log in to tell the owner that you found it.')).toBeVisible();
  expect(screen.queryByLabelText('Title')).toBeNull();
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Log in' }));
  expect(router.state.location).toMatchObject({
    pathname: '/login',
    state: { from: `/create-post?answers=${lost.id}` },
  });
});

test('each answer has a draft of its own, apart from that of a new post', async () => {
  const lost = serveLost();
  const first = await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
  await first.user.type(await screen.findByLabelText('Title'), 'Pochi');
  first.unmount();
  const form = await renderScreen('/create-post', { isSignedIn: true });
  expect(await screen.findByLabelText('Title')).toHaveValue('');
  form.unmount();
  const other = await renderScreen(`/create-post?answers=${serveLost().id}`, { isSignedIn: true });
  expect(await screen.findByLabelText('Title')).toHaveValue('');
  other.unmount();
  serveLost({ id: lost.id });
  await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
  expect(await screen.findByLabelText('Title')).toHaveValue('Pochi');
});

test('a lost post that was closed meanwhile is said, and the post can go on without it', async () => {
  const lost = serveLost();
  const { user } = await renderScreen(`/create-post?answers=${lost.id}`, { isSignedIn: true });
  const detail = 'The post that you answer is no longer open.';
  const errors = [{ field: 'answers_post_id', message: detail }];
  server.use(http.post('*/api/posts', () => refuse(422, 'validation_failed', 'Some fields are not right.', errors)));
  await user.type(await screen.findByLabelText('Title'), 'Pochi');
  await user.type(screen.getByLabelText('Location'), 'Moshi');
  await user.clear(screen.getByLabelText('Phone number'));
  await user.type(screen.getByLabelText('Phone number'), '0712345678');
  await user.click(screen.getByRole('button', { name: 'Post item' }));
  expect(await screen.findByText(detail)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'It is another item' }));
  expect(screen.getByLabelText('No, I found it')).toBeChecked();
});
