import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

const WORDS = {
  en: { more: 'More: Funguo', report: 'Report this post', block: 'Block this person' },
  sw: { more: 'Zaidi: Funguo', report: 'Ripoti tangazo', block: 'Zuia mtu huyu' },
};

/** Opens the list with one post. */
async function openList(options: Parameters<typeof renderScreen>[1], post = aPost({ title: 'Funguo' })) {
  serveList('/posts', [post]);
  const view = await renderScreen('/view-posts', options);
  return { ...view, card: within(await screen.findByRole('article')) };
}

async function openMore() {
  const view = await openList({ isSignedIn: true });
  const more = view.card.getByRole('button', { name: WORDS.en.more });
  await view.user.click(more);
  expect(more).toHaveAttribute('aria-expanded', 'true');
  return { ...view, more };
}

test.each(['en', 'sw'] as const)('a card shows reporting and blocking behind one button in %s', async (language) => {
  const { more, report, block } = WORDS[language];
  const { user, card } = await openList({ isSignedIn: true, language });
  for (const name of [report, block]) expect(card.queryByRole('button', { name })).toBeNull();
  await user.click(card.getByRole('button', { name: more, expanded: false }));
  for (const name of [report, block]) expect(card.getByRole('button', { name })).toBeVisible();
  await user.click(card.getByRole('button', { name: more, expanded: true }));
  for (const name of [report, block]) expect(card.queryByRole('button', { name })).toBeNull();
});

test('Escape closes the panel and returns the focus', async () => {
  const { user, card, more } = await openMore();
  await user.tab();
  expect(card.getByRole('button', { name: WORDS.en.report })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(card.queryByRole('button', { name: WORDS.en.report })).toBeNull();
  expect(more).toHaveAttribute('aria-expanded', 'false');
  expect(more).toHaveFocus();
});

test('a press outside closes the panel and leaves the focus where it goes', async () => {
  const { user, card } = await openMore();
  const search = screen.getByRole('textbox', { name: 'Search posts' });
  await user.click(search);
  expect(card.queryByRole('button', { name: WORDS.en.report })).toBeNull();
  expect(search).toHaveFocus();
});

test('Tab beyond the last action closes the panel', async () => {
  const { user, card } = await openMore();
  await user.tab();
  await user.tab();
  expect(card.getByRole('button', { name: WORDS.en.block })).toHaveFocus();
  await user.tab();
  expect(card.queryByRole('button', { name: WORDS.en.block })).toBeNull();
  expect(card.getByRole('link', { name: 'Funguo' })).toHaveFocus();
});

test('a report from a card closes the panel, has an address and returns the focus to the button', async () => {
  server.use(http.post('*/api/posts/:id/reports', () => HttpResponse.json({ id: 'ripoti' }, { status: 201 })));
  const { user, card, more, router } = await openMore();
  await user.click(card.getByRole('button', { name: WORDS.en.report }));
  expect(more).toHaveAttribute('aria-expanded', 'false');
  const dialog = within(await screen.findByRole('dialog', { name: WORDS.en.report }));
  expect(router.state.location.search).toMatch(/^\?report=/);
  await user.click(dialog.getByRole('radio', { name: 'Somebody is trying to cheat people' }));
  await user.click(dialog.getByRole('button', { name: 'Send the report' }));
  await dialog.findByText('Thank you. The admins will look at this post.');
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(router.state.location.search).toBe('');
  expect(more).toHaveFocus();
});

test('a block that is not confirmed returns the focus to the button', async () => {
  const { user, card, more } = await openMore();
  await user.click(card.getByRole('button', { name: WORDS.en.block }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Block this person?' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(more).toHaveFocus();
});

test('a visitor can only report, and logs in for it', async () => {
  const { user, card, router } = await openList({}, aPost({ title: 'Funguo', phone_number: null }));
  await user.click(card.getByRole('button', { name: WORDS.en.more }));
  expect(card.queryByRole('button', { name: WORDS.en.block })).toBeNull();
  await user.click(card.getByRole('link', { name: WORDS.en.report }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/view-posts' } });
});

test('the reader’s own post has no such button', async () => {
  const { card } = await openList({ isSignedIn: true }, aPost({ title: 'Funguo', is_mine: true }));
  expect(card.queryByRole('button', { name: WORDS.en.more })).toBeNull();
});
