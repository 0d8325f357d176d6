import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ComponentType } from 'react';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Language } from '#contract/language.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { signInAs, signOut } from '#web/api/session.ts';
import { SignedInPart } from '#web/app/signed-in-part.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { late } from '#web/lib/late.ts';
import { setUnreadNotices } from '#web/lib/notice-signals.ts';
import { showToast } from '#web/ui/toast.tsx';

const Bar = () => <p>The bar</p>;

/** Records the positions to which the window scrolls, oldest first. */
function watchScrolling() {
  const spy = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  onTestFinished(() => {
    spy.mockRestore();
    window.scrollY = 0;
  });
  return {
    taken: spy.mock.calls,
    read(y: number) {
      window.scrollY = y;
      fireEvent.scroll(window);
    },
  };
}

async function open(address: string) {
  const { router } = await renderScreen(address);
  const go = (to: string | number) => act(() => router.navigate(to as string));
  return { go };
}

test('the first tab stop is the link that skips the menu', async () => {
  const { user } = await renderScreen('/privacy');
  await user.tab();
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
  expect(document.activeElement).toHaveAttribute('href', `#${screen.getByRole('main').id}`);
  expect(screen.getByRole('main').id).toBe('content');
});

test('navigation moves the focus to the start of the new screen, but the first screen of a visit takes no focus', async () => {
  const { go } = await open('/privacy');
  const focus = vi.spyOn(screen.getByRole('main'), 'focus');
  expect(document.body).toHaveFocus();
  await go('/privacy?size=large');
  expect(document.body).toHaveFocus();
  await go('/terms');
  expect(screen.getByRole('main')).toHaveFocus();
  // Without `preventScroll` the focus would scroll the window.
  expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true });
  screen.getByRole('link', { name: 'Home' }).focus();
  await go('/privacy');
  expect(screen.getByRole('main')).toHaveFocus();
});

test('a screen starts at its top, and going back restores its scroll position', async () => {
  const { taken, read } = watchScrolling();
  const { go } = await open('/privacy');
  expect(taken).toEqual([]);
  read(700);
  await go('/terms');
  expect(taken).toEqual([[0, 0]]);
  read(300);
  await go(-1);
  expect(taken.at(-1)).toEqual([0, 700]);
  read(650);
  await go(1);
  expect(taken.at(-1)).toEqual([0, 300]);
  await go(-1);
  expect(taken.at(-1)).toEqual([0, 650]);
  expect(taken).toHaveLength(4);
});

test('scrolling to the next screen’s top does not change the stored scroll position of the previous screen', async () => {
  const { taken, read } = watchScrolling();
  vi.mocked(window.scrollTo).mockImplementation(() => {
    window.scrollY = 0;
    window.dispatchEvent(new Event('scroll'));
  });
  const { go } = await open('/privacy');
  read(700);
  await go('/terms');
  await go(-1);
  expect(taken).toEqual([
    [0, 0],
    [0, 700],
  ]);
});

test('going back to a screen that the user had not scrolled shows the top of that screen', async () => {
  const { taken, read } = watchScrolling();
  const { go } = await open('/privacy');
  await go('/terms');
  read(300);
  await go(-1);
  expect(taken.at(-1)).toEqual([0, 0]);
  expect(taken).toHaveLength(2);
});

test('changing only the URL’s query or anchor, or opening another screen at an anchor, does not scroll to the top', async () => {
  const { taken, read } = watchScrolling();
  const { go } = await open('/privacy');
  read(700);
  await go('/privacy?size=large');
  await go('/privacy#rights');
  expect(taken).toEqual([]);
  await go('/terms#rules');
  expect(taken).toEqual([]);
  await go('/terms');
  expect(taken).toEqual([]);
  await go('/privacy');
  expect(taken).toEqual([[0, 0]]);
});

test('closing a dialog does not scroll the window', async () => {
  const { taken, read } = watchScrolling();
  const { go } = await open('/privacy');
  read(700);
  await go('/privacy?size=large');
  await go('/privacy?size=large&dialog=name');
  await go(-1);
  expect(taken).toEqual([[0, 700]]);
});

describe('the menu', () => {
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

  /** Returns the name and URL of each link in the menu, in order. */
  function linksOf(menu: HTMLElement) {
    return within(menu)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);
  }

  test.each(['Home', 'Login'])(
    'closes when the link %s is pressed, even if it leads to the current screen',
    async (link) => {
      const { user } = await openMenu();
      await user.click(screen.getByRole('link', { name: link }));
      expect(screen.getByRole('button', { name: 'Open menu' })).toHaveAttribute('aria-expanded', 'false');
    },
  );

  test('is closed by its button, whose label changes to “Open menu”', async () => {
    const { user, button } = await openMenu();
    expect(button).toHaveAttribute('aria-controls', screen.getByRole('navigation', { name: 'Main' }).id);
    await user.click(button);
    expect(button).toHaveAccessibleName('Open menu');
    expect(button).toHaveAttribute('aria-expanded', 'false');
  });

  test('closes on Escape and gives the focus back to its button', async () => {
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

  test('closes on the first press of Escape, and an open toast closes only on the second press', async () => {
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
  ])(
    'shows a visitor the public links and the links to sign in and to register (language: %s)',
    async (language, name, names) => {
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
    },
  );

  test.each<[Language, string[], string]>([
    ['en', ['Home', 'Communities', 'My Posts', 'Claims', 'Account'], 'Logout'],
    ['sw', ['Mwanzo', 'Jumuiya', 'Matangazo Yangu', 'Madai', 'Akaunti'], 'Ondoka'],
  ])('shows signed-in users their links and a log-out button (language: %s)', async (language, names, logOut) => {
    await renderScreen('/privacy', { language, isSignedIn: true });
    const menu = screen.getByRole('navigation', { name: language === 'en' ? 'Main' : 'Menyu kuu' });
    const addresses = ['/', '/communities', '/my-posts', '/claims', '/account'];
    expect(linksOf(menu)).toEqual(names.map((one, at) => [one, addresses[at]]));
    expect(within(menu).getByRole('button', { name: logOut })).toBeInTheDocument();
  });

  test('shows a platform admin a link to the administration', async () => {
    server.use(
      http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: true })),
    );
    await renderScreen('/privacy', { isSignedIn: true });
    expect(await screen.findByRole('link', { name: 'Administration' })).toHaveAttribute('href', '/admin');
  });

  test('has no bell for a visitor, and a bell without a count if nothing is unread', async () => {
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
  ])(
    'with %i unread notices and %i waiting claims has a bell that is labelled “%s” and shows the count %s',
    async (notices, claims, name, shown) => {
      await renderScreen('/privacy', { isSignedIn: true });
      act(() => setUnreadNotices(notices, claims));
      expect(screen.getByRole('link', { name })).toHaveTextContent(shown);
    },
  );

  test('has a bell whose label is translated to Swahili', async () => {
    await renderScreen('/privacy', { isSignedIn: true, language: 'sw' });
    expect(screen.getByRole('link', { name: 'Arifa' })).toBeInTheDocument();
    act(() => setUnreadNotices(1, 2));
    expect(screen.getByRole('link', { name: 'Arifa na madai 3 yanakusubiri' })).toBeInTheDocument();
  });

  test('has a button that switches the language, labelled “Kiswahili” in the English app and “English” in the Swahili app', async () => {
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
});

describe('the part of the app for signed-in users', () => {
  /** Returns a lazily loaded component, and the promises with which the test lets its code load or fail. */
  function serveCode() {
    const answers: PromiseWithResolvers<ComponentType>[] = [];
    function load(): Promise<ComponentType> {
      const answer = Promise.withResolvers<ComponentType>();
      answers.push(answer);
      return answer.promise;
    }
    return { answers, part: late(load) };
  }

  const fail = (answer?: PromiseWithResolvers<ComponentType>) =>
    act(async () => answer?.reject(new TypeError('Failed to fetch')));
  const come = (answer?: PromiseWithResolvers<ComponentType>) => act(async () => answer?.resolve(Bar));
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const signIn = () => act(async () => signInAs({ token: 'a-token', userId: 'a-user' }));

  afterEach(() => vi.useRealTimers());

  test('is not loaded for a visitor, and loads at the sign-in', async () => {
    const { answers, part } = serveCode();
    render(<SignedInPart part={part} />);
    expect(answers).toEqual([]);
    await signIn();
    expect(answers).toHaveLength(1);
    expect(screen.queryByText('The bar')).toBeNull();
    await come(answers[0]);
    expect(screen.getByText('The bar')).toBeInTheDocument();
    expect(answers).toHaveLength(1);
  });

  test('is requested again five seconds after each failed request, until it has loaded', async () => {
    vi.useFakeTimers();
    const { answers, part } = serveCode();
    await signIn();
    render(<SignedInPart part={part} />);
    await fail(answers[0]);
    await pass(4_900);
    expect(answers).toHaveLength(1);
    await pass(200);
    expect(answers).toHaveLength(2);
    await fail(answers[1]);
    await pass(5_100);
    await come(answers[2]);
    expect(screen.getByText('The bar')).toBeInTheDocument();
    await pass(60_000);
    expect(answers).toHaveLength(3);
  });

  test('is not requested again after the sign-out, even if its code failed to load', async () => {
    vi.useFakeTimers();
    const { answers, part } = serveCode();
    await signIn();
    render(<SignedInPart part={part} />);
    await fail(answers[0]);
    await act(async () => signOut());
    await pass(60_000);
    expect(answers).toHaveLength(1);
    await signIn();
    await act(async () => signOut());
    await fail(answers[1]);
    await pass(60_000);
    expect(answers).toHaveLength(2);
  });

  test('is not shown if it loads after the sign-out', async () => {
    const { answers, part } = serveCode();
    await signIn();
    render(<SignedInPart part={part} />);
    await act(async () => signOut());
    await come(answers[0]);
    expect(screen.queryByText('The bar')).toBeNull();
  });
});
