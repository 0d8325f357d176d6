import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import type { Language } from '#contract/language.ts';
import type { Notice } from '#contract/notices.ts';
import { matchMessage } from './support/live.tsx';
import { aMatch, aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const limitedUntil = (ms: number) => ({
  phone_number: null,
  is_contact_limited: true,
  contact_opens_at: new Date(ms).toISOString(),
});
const LIMITED = limitedUntil(Date.parse('2099-11-22T21:00:00Z'));

beforeEach(serveNothingElse);

/** The screens that show a number, with what they are answered. */
const SCREENS = {
  '/view-posts': () => serveList('/posts', [aPost(LIMITED)]),
  '/posts/post-x': () => server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost(LIMITED)))),
  '/posts/post-x/contact': () => server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost(LIMITED)))),
  '/posts/own-post': () =>
    server.use(
      http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ is_mine: true }))),
      http.get('*/api/posts/:id/matches', () => HttpResponse.json([aMatch({ Post: aPost(LIMITED) })])),
    ),
  '/notices': () => serveNotice(LIMITED),
};

function serveNotice(contact: typeof LIMITED) {
  const message = { ...matchMessage, ...contact };
  const notice: Notice = { message, noticed_at: '2026-11-21T05:05:00.000Z', read_at: null, is_open: true };
  server.use(http.get('*/api/notices', () => HttpResponse.json({ unread_count: 0, notices: [notice] })));
}

const SENTENCES: Record<Language, [sentence: string, link: string]> = {
  en: [
    'You have seen all the phone numbers that one person can see in a day. You can see more from 23 Nov 2099, 00:00.',
    'Confirm your WhatsApp number to see more.',
  ],
  sw: [
    'Umeshaona namba zote za simu ambazo mtu mmoja anaweza kuona kwa siku. Utaweza kuona nyingine kuanzia 23 Nov 2099, 00:00.',
    'Thibitisha namba yako ya WhatsApp ili uone zaidi.',
  ],
};

const CASES = (['en', 'sw'] as const).flatMap((language) =>
  (Object.keys(SCREENS) as (keyof typeof SCREENS)[]).map((path) => [path, language] as const),
);

test.each(CASES)(
  '%s says in %s that the day’s numbers are used up, until when, and how to get more',
  async (path, language) => {
    SCREENS[path]();
    await renderScreen(path, { language, isSignedIn: true });
    const [sentence, link] = SENTENCES[language];
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', '/prove-number');
    expect(document.querySelector('a[href^="tel:"], a[href*="wa.me"]')).toBeNull();
  },
);

test.each([
  ['/view-posts', 1],
  ['/posts/own-post', 1],
  ['/notices', 1],
  ['/posts/post-x', 0],
  ['/posts/post-x/contact', 0],
] as const)('%s has %i ways to the post itself, which shows a few more', async (path, ways) => {
  SCREENS[path]();
  await renderScreen(path, { isSignedIn: true });
  await screen.findByText(SENTENCES.en[0]);
  expect(
    screen.queryAllByRole('link', { name: 'Open the post to see its number. A few more are shown, one at a time.' }),
  ).toHaveLength(ways);
});

test('somebody whose number is proven is not asked to prove it', async () => {
  SCREENS['/view-posts']();
  const me = { id: 'a-user', username: 'Asha', is_platform_admin: false, is_whatsapp_verified: true };
  server.use(http.get('*/api/me', () => HttpResponse.json(me)));
  await renderScreen('/view-posts', { isSignedIn: true });
  await screen.findByText(SENTENCES.en[0]);
  await waitFor(() => expect(screen.queryByRole('link', { name: SENTENCES.en[1] })).toBeNull());
});

test('a notice whose day is over leads to the post, which has the number again', async () => {
  serveNotice(limitedUntil(Date.now() - HOUR_MS));
  await renderScreen('/notices', { isSignedIn: true });
  const link = await screen.findByRole('link', { name: 'You can see numbers again. Open the post.' });
  expect(link).toHaveAttribute('href', `/posts/${matchMessage.post_id}`);
  expect(screen.queryByText(/one person can see/)).toBeNull();
});

test('a visitor is asked to log in all the same', async () => {
  serveList('/posts', [aPost({ phone_number: null })]);
  await renderScreen('/view-posts');
  expect(await screen.findByRole('link', { name: 'Log in to view contact' })).toBeInTheDocument();
});

test('a page of posts has 20', async () => {
  const queries = serveList('/posts', [aPost()]);
  await renderScreen('/view-posts', { isSignedIn: true });
  await screen.findByRole('article');
  expect(queries.map((query) => query.get('limit'))).toEqual(['20']);
});
