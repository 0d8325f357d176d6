import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import { LOCATION_MAX_CHARS } from '#contract/limits.ts';
import { POST_KINDS } from '#contract/post-kinds.ts';
import { aPost, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';

async function openPanel(search = '', language: Language = 'en') {
  serveList('/posts', [aPost()]);
  const view = await renderScreen(`/view-posts${search}`, { language });
  const button = await screen.findByRole('button', { name: language === 'en' ? /^Filters/ : /^Vichujio|^Chuja/ });
  return { ...view, button };
}

test('the filters are behind a button that says whether they are open', async () => {
  const { user, button } = await openPanel();
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('region', { name: 'Filters for the posts' })).toBeNull();
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'true');
  const panel = screen.getByRole('region', { name: 'Filters for the posts' });
  expect(button).toHaveAttribute('aria-controls', panel.id);
  expect(await within(panel).findByRole('textbox', { name: 'Place' })).toBeInTheDocument();
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('textbox', { name: 'Place' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull();
});

test('the panel has every choice by its name, and lets each be taken back', async () => {
  const { user, button, router } = await openPanel('?posted_by=owner&kind=key&days=7&open=1');
  await user.click(button);
  const panel = within(screen.getByRole('region', { name: 'Filters for the posts' }));
  const group = within(await panel.findByRole('group', { name: 'Lost or found?' }));
  expect(group.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).checked)).toEqual([false, true, false]);
  const kind = panel.getByRole('combobox', { name: 'Kind of item' });
  expect(
    within(kind)
      .getAllByRole('option')
      .map((option) => (option as HTMLOptionElement).value),
  ).toEqual(['', ...POST_KINDS]);
  expect(within(kind).getByRole('option', { name: 'All kinds' })).toBeInTheDocument();
  const time = panel.getByRole('combobox', { name: 'Posted' });
  expect(
    within(time)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['At any time', 'Today', 'In the last 7 days', 'In the last 30 days']);
  const place = panel.getByRole('textbox', { name: 'Place' });
  expect(place).toHaveAccessibleDescription('Part of its name, for example Mwenge.');
  expect(place).toHaveAttribute('maxlength', `${LOCATION_MAX_CHARS}`);
  await user.click(group.getByRole('radio', { name: 'Found' }));
  expect(router.state.location.search).toBe('?posted_by=finder&kind=key&days=7&open=1');
  await user.click(group.getByRole('radio', { name: 'Both' }));
  await user.selectOptions(kind, 'All kinds');
  await user.selectOptions(time, 'At any time');
  await user.click(screen.getByRole('switch', { name: 'Only open ones' }));
  expect(router.state.location.search).toBe('');
});

test('what is typed as a place is written either way, and reaches the address', async () => {
  const { user, button, router } = await openPanel();
  await user.click(button);
  const place = await screen.findByRole('textbox', { name: 'Place' });
  expect(place).toHaveAttribute('dir', 'auto');
  fireEvent.change(place, { target: { value: 'Mwenge' } });
  await waitFor(() => expect(router.state.location.search).toBe('?place=Mwenge'));
});
