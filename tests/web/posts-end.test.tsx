import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { OUTCOMES, type Outcome, type Post } from '#contract/posts.ts';
import { cardOf, MINE } from './support/own-posts.ts';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(serveNothingElse);

/** One's own posts, which end and wake as the server lets them. */
async function openMine(posts: Post[], language: 'en' | 'sw' = 'en') {
  const asked: unknown[] = [];
  let current = posts;
  const change = (id: unknown, changes: Partial<Post>) => {
    current = current.map((post) => (post.id === id ? { ...post, ...changes } : post));
    serveList('/posts/by-owner', current);
    return HttpResponse.json(current.find((post) => post.id === id));
  };
  server.use(
    http.put('*/api/posts/:id/outcome', async ({ request, params }) => {
      const { outcome } = (await request.json()) as { outcome: Outcome };
      asked.push(outcome);
      const isBack = outcome === 'returned' || outcome === 'found_it_myself';
      return change(params.id, { state: isBack ? 'returned' : 'closed', is_found: isBack, rests_at: null });
    }),
    http.post('*/api/posts/:id/wake', ({ params }) => {
      asked.push('wake');
      return change(params.id, { state: 'open', rests_at: inDays(60) });
    }),
  );
  serveList('/posts/by-owner', posts);
  const view = await renderScreen('/my-posts', { language, isSignedIn: true });
  await screen.findByText(posts[0]?.title ?? '');
  return { ...view, asked };
}

function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

const LABELS = {
  en: { owner: 'I am no longer looking for it', finder: 'Nobody came for it' },
  sw: { owner: 'Sikitafuti tena', finder: 'Hakuna aliyekuja kukichukua' },
} as const;

test.each([
  ['en', 'owner'],
  ['en', 'finder'],
  ['sw', 'owner'],
  ['sw', 'finder'],
] as const)(
  'closing asks how it ended, and one tap closes it, in %s for a post of its %s',
  async (language, posted_by) => {
    const { user, asked } = await openMine([aPost({ ...MINE, title: 'Funguo', posted_by })], language);
    await user.click(
      cardOf('Funguo').getByRole('button', { name: language === 'en' ? 'Close the post' : 'Funga tangazo' }),
    );
    const dialog = within(await screen.findByRole('dialog'));
    expect(within(dialog.getByRole('group')).getAllByRole('button')).toHaveLength(OUTCOMES.length);
    await user.click(dialog.getByRole('button', { name: LABELS[language][posted_by] }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(asked).toEqual(['given_up']));
    const open = language === 'en' ? 'Open it again' : 'Lifungue tena';
    await user.click(await cardOf('Funguo').findByRole('button', { name: open }));
    await waitFor(() => expect(cardOf('Funguo').queryByRole('button', { name: open })).toBeNull());
    expect(asked).toEqual(['given_up', 'wake']);
  },
);

test('what one found oneself can be undone as a marking can', async () => {
  const { user } = await openMine([aPost({ ...MINE, title: 'Funguo', posted_by: 'owner' })]);
  await user.click(cardOf('Funguo').getByRole('button', { name: 'Close the post' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'I found it myself' }));
  expect(await cardOf('Funguo').findByRole('button', { name: 'Undo' })).toBeVisible();
});

test('a failure says so and leaves the post as it was', async () => {
  const { user } = await openMine([aPost({ ...MINE, title: 'Funguo' })]);
  server.use(http.put('*/api/posts/:id/outcome', () => refuse(503, 'unavailable')));
  await user.click(cardOf('Funguo').getByRole('button', { name: 'Close the post' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Something else' }));
  expect(await screen.findByText(/The post could not be closed/)).toBeVisible();
  expect(cardOf('Funguo').getByRole('button', { name: 'Close the post' })).toBeVisible();
});

test('a resting post says so, and one tap brings it back', async () => {
  const { user, asked } = await openMine([aPost({ ...MINE, title: 'Funguo', state: 'resting' })], 'sw');
  expect(cardOf('Funguo').getByText('Limepumzika')).toBeVisible();
  expect(cardOf('Funguo').getByText(/siku 60 zimepita/)).toBeVisible();
  await user.click(cardOf('Funguo').getByRole('button', { name: 'Lirudishe' }));
  await waitFor(() => expect(cardOf('Funguo').queryByText('Limepumzika')).toBeNull());
  expect(asked).toEqual(['wake']);
});

test.each([
  [47, false],
  [46, true],
  [1, true],
])('%s days before it rests its author is asked: %s', async (days, isAsked) => {
  const rests_at = inDays(days);
  const { user, asked } = await openMine([aPost({ ...MINE, title: 'Funguo', posted_by: 'owner', rests_at })]);
  const question = cardOf('Funguo').queryByText('Is it still looked for?');
  expect(question !== null).toBe(isAsked);
  if (!isAsked) return;
  await user.click(cardOf('Funguo').getByRole('button', { name: 'Yes, it is still looked for' }));
  await waitFor(() => expect(cardOf('Funguo').queryByText('Is it still looked for?')).toBeNull());
  expect(asked).toEqual(['wake']);
});

test.each([
  [{ posted_by: 'owner', kind: 'document' }, true],
  [{ posted_by: 'owner', kind: 'document', state: 'returned', is_found: true }, false],
  [{ posted_by: 'owner', kind: 'electronics' }, false],
  [{ posted_by: 'finder', kind: 'document' }, false],
] as const)('the way to the police’s loss report stands beside a lost document: %o %s', async (overrides, isThere) => {
  await openMine([aPost({ ...MINE, title: 'Kitambulisho', ...overrides })], 'sw');
  const link = cardOf('Kitambulisho').queryByRole('link', { name: /LORMIS/ });
  expect(link?.getAttribute('href') ?? null).toBe(isThere ? 'https://lormis.tpf.go.tz' : null);
});

test.each([
  [null, null],
  [1234, 'Vitu 1,234 vimesharudi kwa wenyewe.'],
])('the home page says how many things are back, if the server does: %s', async (count, sentence) => {
  let isAsked = false;
  server.use(
    http.get('*/api/returned-things', () => {
      isAsked = true;
      return HttpResponse.json({ count });
    }),
  );
  await renderScreen('/', { language: 'sw' });
  if (sentence) expect(await screen.findByText(sentence)).toBeVisible();
  await waitFor(() => expect(isAsked).toBe(true));
  if (!sentence) expect(screen.queryByText(/vimesharudi/)).toBeNull();
});
