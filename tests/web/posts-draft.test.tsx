import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { getSession, signInAs } from '#web/lib/session.ts';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
});

async function open({ isSignedIn = true } = {}) {
  const view = await renderScreen('/create-post', { isSignedIn });
  return { ...view, title: await screen.findByLabelText('Title') };
}

/** Closes the page as a reload would, and opens it again with nothing but what was stored. */
async function reload(view: { unmount: () => void }) {
  view.unmount();
  queryClient.clear();
  const opened = await renderScreen('/create-post');
  return { ...opened, title: await screen.findByLabelText('Title') };
}

test('a reload keeps what was typed, and says so', async () => {
  const before = await open();
  await before.user.type(before.title, 'Funguo za gari');
  await before.user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
  const after = await reload(before);
  expect(after.title).toHaveValue('Funguo za gari');
  expect(screen.getByRole('radio', { name: 'Yes, I lost it' })).toBeChecked();
  expect(screen.getByText(/This is what you typed last time\./)).toBeInTheDocument();
  await after.user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(screen.getByLabelText('Title')).toHaveValue('');
  expect(screen.getByLabelText('Title')).toHaveFocus();
  expect((await reload(after)).title).toHaveValue('');
  expect(screen.queryByText(/This is what you typed/)).toBeNull();
});

test('a form that starts over has nothing of what was wrong before', async () => {
  const before = await open();
  await before.user.type(before.title, 'Begi');
  const { user } = await reload(before);
  await user.click(screen.getByRole('button', { name: 'Post item' }));
  expect(screen.getByText('Location is required')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(screen.queryByText('Location is required')).toBeNull();
});

test('a draft that another tab has posted is a post of its own in this one', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/posts', async ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return HttpResponse.json(aPost((await request.json()) as Partial<Post>));
    }),
  );
  const { user, title } = await open();
  await user.type(title, 'Begi');
  const draft = Object.keys(localStorage).find((key) => key.startsWith('postDraft')) ?? '';
  const { idempotencyKey } = JSON.parse(localStorage.getItem(draft) ?? '{}') as { idempotencyKey: string };
  localStorage.removeItem(draft);
  fireEvent(window, new StorageEvent('storage', { key: draft, newValue: null }));
  await user.type(screen.getByLabelText('Location'), 'Moshi');
  await user.type(screen.getByLabelText('Phone number'), '0712345678');
  await user.click(screen.getByRole('button', { name: 'Post item' }));
  await waitFor(() => expect(keys).toEqual([expect.any(String)]));
  expect(keys).not.toEqual([idempotencyKey]);
});

test('what was typed and taken out again is no draft', async () => {
  const before = await open();
  await before.user.type(before.title, 'Begi');
  await before.user.clear(before.title);
  await reload(before);
  expect(screen.queryByText(/This is what you typed/)).toBeNull();
});

test('a form that nobody typed into keeps nothing', async () => {
  await reload(await open());
  expect(screen.queryByText(/This is what you typed/)).toBeNull();
  expect(Object.keys(localStorage).filter((key) => key.startsWith('postDraft'))).toEqual([]);
});

test('a session that expires on submit keeps the draft for its own account, through the sign-in', async () => {
  server.use(http.post('*/api/posts', () => refuse(401, 'unauthorized', 'You need to log in to do this.')));
  const before = await open();
  await before.user.type(before.title, 'Pochi yangu');
  await before.user.type(screen.getByLabelText('Location'), 'Moshi');
  await before.user.type(screen.getByLabelText('Phone number'), '0712345678');
  await before.user.click(screen.getByRole('button', { name: 'Post item' }));
  await waitFor(() => expect(getSession()).toBeNull());
  expect((await screen.findAllByText('To create a post make sure you have logged in.')).length).toBeGreaterThan(0);
  before.unmount();
  act(() => signInAs({ token: 'another-token', userId: 'somebody-else' }));
  const other = await renderScreen('/create-post');
  expect(await screen.findByLabelText('Title')).toHaveValue('');
  other.unmount();
  act(() => signInAs({ token: 'a-new-token', userId: 'a-user' }));
  await renderScreen('/create-post');
  expect(await screen.findByLabelText('Title')).toHaveValue('Pochi yangu');
  expect(screen.getByLabelText('Phone number')).toHaveValue('0712345678');
});

test('a post that was made leaves no draft', async () => {
  server.use(
    http.post('*/api/posts', async ({ request }) => HttpResponse.json(aPost((await request.json()) as object))),
  );
  const { user, title } = await open();
  await user.type(title, 'Kofia');
  await user.type(screen.getByLabelText('Location'), 'Moshi');
  await user.type(screen.getByLabelText('Phone number'), '0712345678');
  expect(Object.keys(localStorage).filter((key) => key.startsWith('postDraft'))).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Post item' }));
  expect((await screen.findAllByText('Post created successfully!')).length).toBeGreaterThan(0);
  expect(Object.keys(localStorage).filter((key) => key.startsWith('postDraft'))).toEqual([]);
});

test('the drafts of two posts that are updated, and of a new one, are three', async () => {
  const posts = [aPost({ title: 'Pochi' }), aPost({ title: 'Kofia' })];
  server.use(http.get('*/api/posts/:id', ({ params }) => HttpResponse.json(posts.find(({ id }) => id === params.id))));
  for (const post of posts) {
    const view = await renderScreen(
      { pathname: '/create-post', state: { mode: 'update', post } },
      { isSignedIn: true },
    );
    await view.user.type(await screen.findByDisplayValue(post.title), ' mpya');
    view.unmount();
  }
  for (const post of posts) {
    const view = await renderScreen(
      { pathname: '/create-post', state: { mode: 'update', post } },
      { isSignedIn: true },
    );
    expect(await screen.findByDisplayValue(`${post.title} mpya`)).toBeInTheDocument();
    view.unmount();
  }
  expect((await open()).title).toHaveValue('');
});

test('a draft that cannot be read is no draft', async () => {
  localStorage.setItem('postDraft:a-user:new', '{"values":');
  expect((await open()).title).toHaveValue('');
});
