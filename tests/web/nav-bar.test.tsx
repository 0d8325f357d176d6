import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { setUnreadNotices } from '#web/lib/unread-notices.ts';
import { showToast } from '#web/ui/toast.tsx';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

afterEach(() => {
  setUnreadNotices(0, 0);
  return changeLanguage('en');
});

async function openMenu() {
  const view = await renderScreen('/login');
  const button = await screen.findByRole('button', { name: 'Open menu' });
  expect(button).toHaveAttribute('aria-expanded', 'false');
  await view.user.click(button);
  expect(button).toHaveAccessibleName('Close menu');
  expect(button).toHaveAttribute('aria-expanded', 'true');
  return { ...view, button };
}

/** What the menu leads to: the name and the address of each link, in their order. */
function linksOf(menu: HTMLElement) {
  return within(menu)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
}

test.each(['Home', 'Login'])('the menu closes when %s is chosen, also from that very screen', async (link) => {
  const { user } = await openMenu();
  await user.click(screen.getByRole('link', { name: link }));
  expect(screen.getByRole('button', { name: 'Open menu' })).toHaveAttribute('aria-expanded', 'false');
});

test('the button of the menu says what it opens, and closes it again', async () => {
  const { user, button } = await openMenu();
  expect(button).toHaveAttribute('aria-controls', screen.getByRole('navigation', { name: 'Main' }).id);
  await user.click(button);
  expect(button).toHaveAccessibleName('Open menu');
  expect(button).toHaveAttribute('aria-expanded', 'false');
});

test('Escape closes the menu and gives the focus back to its button', async () => {
  const { user, button } = await openMenu();
  screen.getByRole('link', { name: 'Communities' }).focus();
  await user.keyboard('a');
  expect(button).toHaveAttribute('aria-expanded', 'true');
  await user.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'Open menu' })).toHaveFocus();
  screen.getByRole('link', { name: 'Communities' }).focus();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('link', { name: 'Communities' })).toHaveFocus();
});

test('Escape that closes the menu leaves a message where it is', async () => {
  const { user } = await openMenu();
  act(() => showToast.error('Something to read'));
  expect(await screen.findByText('Something to read')).toBeInTheDocument();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'Open menu' })).toBeInTheDocument();
  expect(screen.getByText('Something to read')).toBeInTheDocument();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('Something to read')).toBeNull());
});

test.each<[Language, string, string[]]>([
  ['en', 'Main', ['Home', 'Communities', 'My Posts', 'Login', 'Create Account']],
  ['sw', 'Menyu kuu', ['Mwanzo', 'Jumuiya', 'Matangazo Yangu', 'Ingia', 'Fungua akaunti']],
])('a visitor is led to what there is and to an account, in %s', async (language, name, names) => {
  await renderScreen('/login', { language });
  const menu = screen.getByRole('navigation', { name });
  const addresses = ['/', '/communities', '/my-posts', '/login', '/register'];
  expect(linksOf(menu)).toEqual(names.map((one, at) => [one, addresses[at]]));
  expect(within(menu).queryByRole('button')).toBeNull();
  const here = within(menu)
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page');
  expect(here.map(({ textContent }) => textContent)).toEqual([names[3]]);
  expect(screen.getByRole('link', { name: 'Patikana' })).toHaveAttribute('href', '/');
});

test.each<[Language, string[], string]>([
  ['en', ['Home', 'Communities', 'My Posts', 'Claims', 'Account'], 'Logout'],
  ['sw', ['Mwanzo', 'Jumuiya', 'Matangazo Yangu', 'Madai', 'Akaunti'], 'Ondoka'],
])('whoever is signed in is led to what is theirs, and out, in %s', async (language, names, logOut) => {
  await renderScreen('/privacy', { language, isSignedIn: true });
  const menu = screen.getByRole('navigation', { name: language === 'en' ? 'Main' : 'Menyu kuu' });
  const addresses = ['/', '/communities', '/my-posts', '/claims', '/account'];
  expect(linksOf(menu)).toEqual(names.map((one, at) => [one, addresses[at]]));
  expect(within(menu).getByRole('button', { name: logOut })).toBeInTheDocument();
});

test('a platform admin is led to the administration besides', async () => {
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: true })),
  );
  await renderScreen('/privacy', { isSignedIn: true });
  expect(await screen.findByRole('link', { name: 'Administration' })).toHaveAttribute('href', '/admin');
});

test('a visitor has no bell, and whoever is signed in one without a number as long as nothing is unread', async () => {
  const visit = await renderScreen('/privacy');
  expect(screen.queryByRole('link', { name: /^Notices/ })).toBeNull();
  visit.unmount();
  await renderScreen('/privacy', { isSignedIn: true });
  const bell = screen.getByRole('link', { name: 'Notices' });
  expect(bell).toHaveAttribute('href', '/notices');
  expect(bell).toHaveTextContent('');
});

test.each([
  [1, 0, 'Notices: 1 unread', '1'],
  [99, 0, 'Notices: 99 unread', '99'],
  [100, 0, 'Notices: 100 unread', '99+'],
  [2, 1, '3 notices and claims wait for you', '3'],
  [0, 1, '1 notice or claim waits for you', '1'],
])('the bell of %i notices and %i claims is called “%s” and shows %s', async (notices, claims, name, shown) => {
  await renderScreen('/privacy', { isSignedIn: true });
  act(() => setUnreadNotices(notices, claims));
  expect(screen.getByRole('link', { name })).toHaveTextContent(shown);
});

test('the bell says in Swahili what waits', async () => {
  await renderScreen('/privacy', { isSignedIn: true, language: 'sw' });
  expect(screen.getByRole('link', { name: 'Arifa' })).toBeInTheDocument();
  act(() => setUnreadNotices(1, 2));
  expect(screen.getByRole('link', { name: 'Arifa na madai 3 yanakusubiri' })).toBeInTheDocument();
});

test('the other language is offered by its own name, and once chosen the first one in its place', async () => {
  const { user } = await renderScreen('/privacy');
  expect(screen.queryByRole('button', { name: 'English' })).toBeNull();
  const button = screen.getByRole('button', { name: 'Kiswahili' });
  expect(button).toHaveAttribute('lang', 'sw');
  await user.click(button);
  expect(await screen.findByRole('link', { name: 'Mwanzo' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Kiswahili' })).toBeNull();
  const back = screen.getByRole('button', { name: 'English' });
  expect(back).toHaveFocus();
  expect(back).toHaveAttribute('lang', 'en');
  await user.click(back);
  expect(await screen.findByRole('link', { name: 'Home' })).toBeInTheDocument();
});
