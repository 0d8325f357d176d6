import { act, fireEvent, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { renderScreen } from './support/render-screen.tsx';

/** Where the window was taken to since, oldest first. */
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

test('the first thing that the keyboard reaches leads past the menu', async () => {
  const { user } = await renderScreen('/privacy');
  await user.tab();
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
  expect(document.activeElement).toHaveAttribute('href', `#${screen.getByRole('main').id}`);
  expect(screen.getByRole('main').id).toBe('content');
});

test('another screen has the focus at its beginning, and the first one where the browser puts it', async () => {
  const { go } = await open('/privacy');
  const focus = vi.spyOn(screen.getByRole('main'), 'focus');
  expect(document.body).toHaveFocus();
  await go('/privacy?size=large');
  expect(document.body).toHaveFocus();
  await go('/terms');
  expect(screen.getByRole('main')).toHaveFocus();
  // The window is elsewhere taken to where it belongs.
  expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true });
  screen.getByRole('link', { name: 'Home' }).focus();
  await go('/privacy');
  expect(screen.getByRole('main')).toHaveFocus();
});

test('a screen begins at its top, and going back leads to where one was in it', async () => {
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

test('the way to the top of the next screen is not remembered as a place in the one before', async () => {
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

test('going back to where nothing was scrolled leads to the top', async () => {
  const { taken, read } = watchScrolling();
  const { go } = await open('/privacy');
  await go('/terms');
  read(300);
  await go(-1);
  expect(taken.at(-1)).toEqual([0, 0]);
  expect(taken).toHaveLength(2);
});

test('what changes the same screen leaves the window where it is, and so does a place within another', async () => {
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

test('what stands over the same screen, as a dialog does, leaves it where it is when it goes', async () => {
  const { taken, read } = watchScrolling();
  const { go } = await open('/privacy');
  read(700);
  await go('/privacy?size=large');
  await go('/privacy?size=large&dialog=name');
  await go(-1);
  expect(taken).toEqual([[0, 700]]);
});
