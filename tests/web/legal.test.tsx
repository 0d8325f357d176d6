import { act, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';
import english from '#locales/en/legal.json';
import swahili from '#locales/sw/legal.json';
import { changeLanguage } from '#web/lib/i18n.ts';
import { supportAddresses } from '#web/lib/support-addresses.ts';
import { renderScreen } from './support/render-screen.tsx';

afterEach(async () => {
  Object.assign(supportAddresses, { email: '', post: '' });
  await changeLanguage('en');
});

const TITLES = {
  privacy: { en: 'Privacy', sw: 'Faragha' },
  terms: { en: 'Terms of use', sw: 'Masharti ya matumizi' },
} as const;
const PAGES = ['privacy', 'terms'] as const;

test.each(PAGES)('/%s reads in both languages, and names whom to write to', async (page) => {
  Object.assign(supportAddresses, { email: 'help@patikana.test', post: 'P.O. Box 1\nDodoma' });
  await renderScreen(`/${page}`);
  for (const language of LANGUAGES) {
    await act(() => changeLanguage(language));
    expect(await screen.findByRole('heading', { level: 1, name: TITLES[page][language] })).toBeVisible();
    const words = { en: english, sw: swahili }[language];
    for (const section of words[page].sections) {
      const heading = screen.getByRole('heading', { level: 2, name: section.title });
      expect(heading).toBeVisible();
      const { text, points = [] }: { text?: string; points?: string[] } = section;
      const part = within(heading.parentElement as HTMLElement);
      const paragraphs = part.queryAllByText(/./, { selector: 'p' }).map(({ textContent }) => textContent);
      expect(paragraphs).toEqual(text ? [text] : []);
      expect(part.queryAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(points);
      expect(part.queryAllByRole('list')).toHaveLength(points.length > 0 ? 1 : 0);
    }
    for (const sentence of [words[page].lead, words.changed]) expect(screen.getByText(sentence)).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: words.contactTitle })).toBeVisible();
    const link = screen.getByRole('link', { name: 'help@patikana.test' });
    expect(link).toHaveAttribute('href', 'mailto:help@patikana.test');
    const byPost = screen.getByRole('heading', { level: 3, name: words.addressTitle });
    expect(byPost.nextElementSibling?.textContent).toBe('P.O. Box 1\nDodoma');
  }
});

test.each([
  [{ email: 'help@patikana.test' }, ['help@patikana.test'], 0],
  [{ post: 'P.O. Box 1' }, [], 1],
])('with only %j the privacy page shows no other address', async (configured, links, byPost) => {
  Object.assign(supportAddresses, configured);
  await renderScreen('/privacy');
  await screen.findByRole('heading', { level: 2, name: english.contactTitle });
  const main = within(screen.getByRole('main'));
  expect(main.queryAllByRole('link').map(({ textContent }) => textContent)).toEqual(links);
  expect(main.queryAllByRole('heading', { level: 3 })).toHaveLength(byPost);
});

test('the privacy page names nobody when no address is configured', async () => {
  await renderScreen('/privacy');
  await screen.findByRole('heading', { level: 1, name: 'Privacy' });
  expect(screen.queryByRole('heading', { name: english.contactTitle })).toBeNull();
  expect(within(screen.getByRole('main')).queryByRole('link')).toBeNull();
});

test.each(PAGES)('of /%s both languages say the same, point by point', (page) => {
  const shapeOf = ({ sections }: (typeof english)[typeof page]) =>
    sections.map(({ points }: { points?: string[] }) => points?.length ?? 0);
  expect(shapeOf(swahili[page])).toEqual(shapeOf(english[page]));
});

test('the home page and the registration lead to both', async () => {
  for (const path of ['/', '/register']) {
    const { unmount } = await renderScreen(path);
    expect(await screen.findByRole('link', { name: 'Terms of use' })).toHaveAttribute('href', '/terms');
    expect(screen.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
    unmount();
  }
});

test('whoever registers is told what they agree to, and loses nothing that they typed by reading it', async () => {
  await renderScreen('/register');
  expect(await screen.findByText(/^By creating an account you agree to the terms of use/)).toBeVisible();
  for (const name of ['Terms of use', 'Privacy'])
    expect(screen.getByRole('link', { name })).toHaveAttribute('target', '_blank');
});
