import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { atStep } from './support/at-step.ts';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

function servePost(post: ReturnType<typeof aPost>) {
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
}

/** What WhatsApp opens with. */
function typedText(): string {
  const { href } = screen.getByRole<HTMLAnchorElement>('link', { name: 'WhatsApp' });
  return new URL(href).searchParams.get('text') ?? '';
}

test.each([
  ['en', 'Contact poster', 'Call', 'Meet safely', ['public place', 'daylight', 'police post', 'Never pay first']],
  [
    'sw',
    'Wasiliana na aliyetangaza',
    'Piga simu',
    'Kutaneni kwa usalama',
    ['mahali penye watu', 'mchana', 'Kituo cha polisi', 'Kamwe usilipe kwanza'],
  ],
] as const)(
  'who posted can be called or written to, with how to meet safely, in %s',
  async (language, title, call, safety, advice) => {
    servePost(aPost({ title: 'Funguo & pete', phone_number: '0712345678' }));
    await renderScreen('/posts/post-x/contact', { language, isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    expect(document.title).toBe(`${title} · Patikana`);
    expect(screen.getByText('0712345678')).toBeInTheDocument();
    const post = screen.getByRole('link', { name: 'Funguo & pete' });
    expect(post).toHaveAttribute('href', expect.stringMatching(/^\/posts\/post-\d+$/));
    expect(post).toHaveAttribute('dir', 'auto');
    expect(screen.getByRole('link', { name: call })).toHaveAttribute('href', 'tel:0712345678');
    const whatsapp = screen.getByRole('link', { name: 'WhatsApp' });
    expect(whatsapp.getAttribute('href')).toMatch(/^https:\/\/wa\.me\/255712345678\?text=.*Funguo%20%26%20pete/);
    expect(whatsapp.getAttribute('rel')).toContain('noreferrer');
    for (const words of advice) expect(screen.getByRole('region', { name: safety })).toHaveTextContent(words);
  },
);

const IN_ENGLISH = 'Hello, I saw your post on Patikana: ';
const IN_SWAHILI = 'Habari, nimeona tangazo lako kwenye Patikana: ';

test.each([
  ['Lost my black wallet', '', `${IN_ENGLISH}Lost my black wallet`],
  ['Pochi nyeusi imeokotwa', '', `${IN_SWAHILI}Pochi nyeusi imeokotwa`],
  ['iPhone 12', 'It was found at the bus station.', `${IN_ENGLISH}iPhone 12`],
  ['iPhone 12', 'Imeokotwa kwenye stendi ya basi.', `${IN_SWAHILI}iPhone 12`],
  ['iPhone 12 $& {title}', '', `${IN_ENGLISH}iPhone 12 $& {title}\n${IN_SWAHILI}iPhone 12 $& {title}`],
])('a message about "%s" ("%s") begins in the language it was written in', async (title, description, text) => {
  servePost(aPost({ title, description }));
  for (const language of ['en', 'sw'] as const) {
    const { unmount } = await renderScreen('/posts/post-x/contact', { language, isSignedIn: true });
    await screen.findByRole('heading', { level: 1 });
    expect(typedText()).toBe(text);
    unmount();
  }
});

test('a number too short for WhatsApp can be called', async () => {
  servePost(aPost({ phone_number: '112' }));
  await renderScreen('/posts/post-x/contact', { isSignedIn: true });
  expect(await screen.findByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:112');
  expect(screen.queryByRole('link', { name: 'WhatsApp' })).toBeNull();
});

test('a visitor is asked to log in, and comes back to it', async () => {
  servePost(aPost({ phone_number: null }));
  const { user, router } = await renderScreen('/posts/post-x/contact');
  await user.click(await screen.findByRole('link', { name: 'Log in to view contact' }));
  expect(router.state.location.state).toMatchObject({ from: '/posts/post-x/contact' });
});

test.each([
  [{ phone_number: null }, 'The number of this post is not shown to you.'],
  [{ is_mine: true }, 'This is your own post.'],
])('of a post with %j there is nobody to call', async (overrides, sentence) => {
  servePost(aPost(overrides));
  await renderScreen('/posts/post-x/contact', { isSignedIn: true });
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(document.querySelector('a[href^="tel:"], a[href*="wa.me"]')).toBeNull();
});

test('a post that is gone says what the server says', async () => {
  server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found', 'This post does not exist.')));
  await renderScreen('/posts/post-x/contact', { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'This post does not exist.' })).toBeInTheDocument();
});

test('back leads to where one came from, or to the post', async () => {
  const post = aPost({ title: 'Funguo' });
  serveList('/posts', [post]);
  servePost(post);
  const list = await renderScreen('/view-posts?search=fun', { isSignedIn: true });
  await list.user.click(await screen.findByRole('link', { name: 'Contact poster' }));
  atStep(1);
  await list.user.click(await screen.findByRole('button', { name: 'Back' }));
  expect(list.router.state.location).toMatchObject({ pathname: '/view-posts', search: '?search=fun' });
  list.unmount();

  atStep(0);
  const { user, router } = await renderScreen(`/posts/${post.id}/contact`, { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  expect(router.state.location.pathname).toBe(`/posts/${post.id}`);
});

test.each([
  ['en', "Somebody else's number", 'This number has not been confirmed yet.'],
  ['sw', 'Namba ya mtu mwingine', 'Namba hii bado haijathibitishwa.'],
] as const)(
  'whose number it is, and whether it was proven, is said beside it, in %s',
  async (language, other, unproven) => {
    const cases = [
      [{ on_behalf: true, is_author_proven: true }, other],
      [{ on_behalf: true, is_author_proven: false }, other],
      [{ on_behalf: false, is_author_proven: false }, unproven],
      [{ on_behalf: false, is_author_proven: true }, null],
    ] as const;
    for (const [post, said] of cases) {
      servePost(aPost(post));
      const { unmount } = await renderScreen('/posts/post-x/contact', { language, isSignedIn: true });
      await screen.findByRole('link', { name: 'WhatsApp' });
      for (const text of [other, unproven]) expect(screen.queryByText(text) !== null).toBe(text === said);
      unmount();
    }
  },
);

test('whoever hears of claims first sees on their own post their number, and that others do not', async () => {
  servePost(aPost({ is_mine: true, contact: 'claim', phone_number: '0754000111' }));
  await renderScreen('/posts/post-x', { isSignedIn: true });
  expect(await screen.findByText('0754000111')).not.toHaveAttribute('href');
  expect(
    screen.getByText(/^People write to you here. Your number is shown only to the person you choose/),
  ).toBeVisible();
  expect(screen.queryByRole('link', { name: 'This is mine' })).toBeNull();
});

test('a post by claim shows others no number, with an account or without, and one by number says nothing of claims', async () => {
  for (const isSignedIn of [true, false]) {
    servePost(aPost({ title: 'Leseni', contact: 'claim', phone_number: '0754000111' }));
    const { unmount } = await renderScreen('/posts/post-x', { isSignedIn });
    expect(await screen.findByRole('link', { name: 'This is mine' })).toBeVisible();
    expect(screen.getByText(/^The finder asks for proof that it is yours/)).toBeVisible();
    expect(screen.queryByText('0754000111')).toBeNull();
    unmount();
  }
  servePost(aPost({ title: 'Begi', is_mine: true, phone_number: '0754000111' }));
  await renderScreen('/posts/post-y', { isSignedIn: true });
  await screen.findByText('0754000111');
  expect(screen.queryByText(/^People write to you here/)).toBeNull();
});
