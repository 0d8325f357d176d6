import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from './support/render-screen.tsx';

async function openMenu() {
  const view = await renderScreen('/login');
  await view.user.click(await screen.findByRole('button', { name: 'Open menu' }));
  expect(screen.getByRole('button', { name: 'Close menu' })).toHaveAttribute('aria-expanded', 'true');
  return view;
}

test.each(['Home', 'Login'])('the menu closes when %s is chosen, also from that very screen', async (link) => {
  const { user } = await openMenu();
  await user.click(screen.getByRole('link', { name: link }));
  expect(screen.getByRole('button', { name: 'Open menu' })).toHaveAttribute('aria-expanded', 'false');
});

test('Escape closes the menu and gives the focus back to its button', async () => {
  const { user } = await openMenu();
  screen.getByRole('link', { name: 'Communities' }).focus();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'Open menu' })).toHaveFocus();
});
