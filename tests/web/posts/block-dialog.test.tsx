import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { serveAccount } from '#tests/web/support/account.ts';
import { aPost, refuse, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen, type User } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

const WORDS = {
  en: {
    open: 'Block this person',
    title: 'Block this person?',
    means: /this person no longer see/,
    confirm: 'Block',
    done: "This person is blocked. You no longer see each other's posts.",
  },
  sw: {
    open: 'Zuia mtu huyu',
    title: 'Umzuie mtu huyu?',
    means: /hamtaona tena matangazo/,
    confirm: 'Zuia',
    done: 'Mtu huyu amezuiwa. Hamwoni tena matangazo ya kila mmoja wenu.',
  },
};

beforeEach(serveNothingElse);

/** Serves a post whose author can be blocked, and records the blocks and their removals. */
function serve(
  post = aPost({ title: 'Funguo' }),
  answer: () => Response | Promise<Response> = () => HttpResponse.json(null),
) {
  const asked: string[] = [];
  const block = (id: string, name: string) => ({ id, name, created_at: '2026-11-20T09:00:00.000Z' });
  serveList('/posts', [post, aPost({ title: 'Pochi' })]);
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(post)),
    http.post('*/api/posts/:id/block-author', ({ params }) => {
      asked.push(`block ${params.id}`);
      return answer() as never;
    }),
    http.get('*/api/me/blocks', () => HttpResponse.json([block('earlier', 'Kofia'), block('latest', post.title)])),
    http.delete('*/api/me/blocks/:id', ({ params }) => {
      asked.push(`unblock ${params.id}`);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { asked, post };
}

async function openDialog(user: User, language: 'en' | 'sw' = 'en') {
  const { open, title } = WORDS[language];
  // In a list, the button appears after a press on the card's "More" button.
  const [more] = screen.queryAllByRole('button', { name: /^More: / });
  if (more) await user.click(more);
  await user.click(await screen.findByRole('button', { name: open }));
  return within(await screen.findByRole('dialog', { name: title }));
}

async function block(user: User) {
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole('button', { name: 'Block' }));
  await dialog.findByText(WORDS.en.done);
  return dialog;
}

/** Returns the button at the end of the dialog, not the cross at the top. */
function closeButton(dialog: Awaited<ReturnType<typeof openDialog>>): HTMLElement {
  return dialog.getAllByRole('button', { name: /^(Close|Funga)$/ }).at(-1) as HTMLElement;
}

test.each(['en', 'sw'] as const)(
  'in the language %s the user reads what a block means, blocks the author, and returns from the post to the list',
  async (language) => {
    const answered = Promise.withResolvers<Response>();
    const { asked, post } = serve(undefined, () => answered.promise);
    const { user, router } = await renderScreen('/view-posts', { language, isSignedIn: true });
    await user.click(await screen.findByRole('link', { name: 'Funguo' }));
    const dialog = await openDialog(user, language);
    expect(dialog.getByText('Funguo')).toHaveAttribute('dir', 'auto');
    expect(dialog.getByText(WORDS[language].means)).toBeVisible();
    expect(dialog.queryByText(WORDS[language].done)).toBeNull();
    expect(asked).toEqual([]);
    await user.dblClick(dialog.getByRole('button', { name: WORDS[language].confirm }));
    expect(dialog.getByRole('button', { name: WORDS[language].confirm })).toHaveAttribute('aria-busy', 'true');
    answered.resolve(HttpResponse.json(null));
    expect(await dialog.findByText(WORDS[language].done)).toBeVisible();
    expect(dialog.queryByText(WORDS[language].means)).toBeNull();
    expect(asked).toEqual([`block ${post.id}`]);
    await user.click(closeButton(dialog));
    await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/view-posts', search: '' }));
    expect(router.state.historyAction).toBe('REPLACE');
    expect(screen.queryByRole('dialog')).toBeNull();
  },
);

test.each([
  ['“Cancel”', (dialog: ReturnType<typeof within>) => dialog.getByRole('button', { name: 'Cancel' })],
  ['the cross', (dialog: ReturnType<typeof within>) => dialog.getByRole('button', { name: 'Close' })],
])(
  'pressing %s closes the block dialog without blocking the author, and the user stays on the post’s page',
  async (_way, find) => {
    const { asked, post } = serve();
    const { user, router } = await renderScreen(`/posts/${post.id}`, { isSignedIn: true });
    const dialog = await openDialog(user);
    await user.click(find(dialog));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location).toMatchObject({ pathname: `/posts/${post.id}`, search: '' });
    expect(asked).toEqual([]);
  },
);

test('pressing “Undo” after a block removes only the latest block', async () => {
  const { asked, post } = serve();
  const { user, router } = await renderScreen(`/posts/${post.id}`, { isSignedIn: true });
  const dialog = await block(user);
  await user.dblClick(dialog.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toEqual([`block ${post.id}`, 'unblock latest']);
  expect(router.state.location.pathname).toBe(`/posts/${post.id}`);
  expect(screen.getByRole('heading', { level: 1, name: 'Funguo' })).toBeVisible();
});

test('undoing a block succeeds if the block was already removed elsewhere', async () => {
  const { asked, post } = serve();
  server.use(http.get('*/api/me/blocks', () => HttpResponse.json([])));
  const { user } = await renderScreen(`/posts/${post.id}`, { isSignedIn: true });
  const dialog = await block(user);
  await user.click(dialog.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toEqual([`block ${post.id}`]);
});

test('if a block fails, the dialog shows the reason, and the user can retry the block', async () => {
  let failures = 0;
  const { asked, post } = serve(undefined, () =>
    failures++ === 0 ? refuse(503, 'unavailable') : HttpResponse.json(null),
  );
  const { user, router } = await renderScreen(`/posts/${post.id}`, { isSignedIn: true });
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole('button', { name: 'Block' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('This person could not be blocked. Please try again.');
  await user.click(dialog.getByRole('button', { name: 'Block' }));
  expect(await dialog.findByText(WORDS.en.done)).toBeVisible();
  expect(dialog.queryByRole('alert')).toBeNull();
  server.use(http.delete('*/api/me/blocks/:id', () => refuse(429, 'too_many_requests', 'Please wait a while.')));
  await user.click(dialog.getByRole('button', { name: 'Undo' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Please wait a while.');
  expect(asked).toHaveLength(2);
  await user.click(closeButton(dialog));
  await waitFor(() => expect(router.state.location.pathname).toBe('/view-posts'));
});

test('after a block, closing the dialog removes the author’s post from the list, focuses the main content and refetches the matches', async () => {
  serve();
  const asked: string[] = [];
  const { user, router } = await renderScreen(
    { pathname: '/view-posts', state: { posted: 'just-posted' } },
    { isSignedIn: true },
  );
  await screen.findByText('Funguo');
  const dialog = await block(user);
  const hold = (name: string) => () => {
    asked.push(name);
    return new Promise<never>(() => undefined);
  };
  server.use(http.get('*/api/posts/just-posted/matches', hold('matches')), http.get('*/api/posts', hold('posts')));
  await user.click(closeButton(dialog));
  await waitFor(() => expect(screen.queryByText('Funguo')).toBeNull());
  expect(screen.getByText('Pochi')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(router.state.location).toMatchObject({ pathname: '/view-posts', search: '' });
  expect(screen.getByRole('main')).toHaveFocus();
  await waitFor(() => expect(asked.toSorted()).toEqual(['matches', 'posts']));
});

test('after a block, leaving the dialog with Back removes the author’s post from the list', async () => {
  serve();
  const { user, router } = await renderScreen('/view-posts', { isSignedIn: true });
  await screen.findByText('Funguo');
  await block(user);
  expect(screen.getByRole('link', { name: 'Funguo' })).toBeInTheDocument();
  serveList('/posts', [aPost({ title: 'Pochi' })]);
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.queryByText('Funguo')).toBeNull());
  expect(screen.getByText('Pochi')).toBeVisible();
});

test('if the user presses Back while a block is being sent, the blocked author’s post disappears after the server’s response', async () => {
  const answered = Promise.withResolvers<Response>();
  serve(undefined, () => answered.promise);
  const { user, router } = await renderScreen('/view-posts', { isSignedIn: true });
  await screen.findByText('Funguo');
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole('button', { name: 'Block' }));
  await act(() => router.navigate(-1));
  expect(screen.getByText('Funguo')).toBeVisible();
  serveList('/posts', [aPost({ title: 'Pochi' })]);
  answered.resolve(HttpResponse.json(null));
  await waitFor(() => expect(screen.queryByText('Funguo')).toBeNull());
});

test('a block refetches the notices and the list of blocked people, even if the app has just loaded them', async () => {
  const { post } = serve();
  serveAccount();
  const asked: string[] = [];
  server.use(
    http.get('*/api/notices', () => {
      asked.push('notices');
      return HttpResponse.json({ unread_count: 0, notices: [] });
    }),
    http.get('*/api/me/blocks', () => {
      asked.push('blocks');
      return HttpResponse.json([]);
    }),
  );
  const { user, router } = await renderScreen('/account', { isSignedIn: true });
  await waitFor(() => expect(asked).toContain('blocks'));
  await act(() => router.navigate('/notices'));
  await waitFor(() => expect(asked).toContain('notices'));
  await act(() => router.navigate(`/posts/${post.id}`));
  const dialog = await block(user);
  asked.length = 0;
  await user.click(closeButton(dialog));
  await act(() => router.navigate('/account'));
  await waitFor(() => expect(asked).toContain('blocks'));
  await act(() => router.navigate('/notices'));
  await waitFor(() => expect(asked).toContain('notices'));
});

test.each([
  ['the author of the post', true, { is_mine: true }],
  ['a visitor', false, { phone_number: null }],
] as const)(
  'the screen of a post has no block button for a viewer who cannot block the author (viewer: %s)',
  async (_whose, isSignedIn, changes) => {
    const { post } = serve(aPost({ title: 'Funguo', ...changes }));
    await renderScreen(`/posts/${post.id}`, { isSignedIn });
    await screen.findByRole('heading', { level: 1, name: 'Funguo' });
    expect(screen.queryByRole('button', { name: WORDS.en.open })).toBeNull();
  },
);
