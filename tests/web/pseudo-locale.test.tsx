import { act, screen } from '@testing-library/react';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { toPseudo } from '#tests/support/pseudo-locale.ts';
import { testimonials } from '#web/home/testimonials.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

/** What no translation touches: names, numbers, addresses, and the languages by their own names. */
const AS_THEY_ARE = new Set(['Patikana', 'English', 'Kiswahili', 'WhatsApp', ...testimonials.map(({ name }) => name)]);

const SCREENS = [
  ['/', false],
  ['/login', false],
  ['/register', false],
  ['/forgot-password', false],
  ['/view-posts', false],
  ['/view-posts', true],
  ['/my-posts', true],
  ['/create-post', true],
  ['/communities', true],
  ['/communities', false],
  ['/hakuna', false],
] as const;

const english = structuredClone(i18next.getDataByLanguage('en') ?? {}) as Record<string, object>;

afterEach(() => {
  for (const [namespace, texts] of Object.entries(english)) i18next.addResourceBundle('en', namespace, texts);
});

test.each(SCREENS)('every text of %s is translated (signed in: %s)', async (path, isSignedIn) => {
  server.use(http.all('*/api/*', () => HttpResponse.json([])));
  await renderScreen(path, { isSignedIn });
  await screen.findByRole('heading', { level: 1 });
  for (const [namespace, texts] of Object.entries(english)) {
    i18next.addResourceBundle('en', namespace, toPseudo(texts));
  }
  // Choosing the language again renders every text again.
  await act(() => i18next.changeLanguage('en'));
  expect(findUntranslated(document.body)).toEqual([]);
});

/** The texts and the names that hold a word without an accent. */
function findUntranslated(root: HTMLElement): string[] {
  const texts: string[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement?.closest('svg')) texts.push(node.textContent ?? '');
  }
  for (const element of root.querySelectorAll('[aria-label], [placeholder], [alt], [title]')) {
    for (const name of ['aria-label', 'placeholder', 'alt', 'title']) texts.push(element.getAttribute(name) ?? '');
  }
  return texts
    .map((text) => text.trim())
    .filter((text) => /\p{L}{2}/u.test(text) && !AS_THEY_ARE.has(text) && !/^⟦.*⟧$/su.test(text));
}
