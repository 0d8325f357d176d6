import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { aClaim } from './support/claims.ts';
import { aPost, refuse, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

type Sent = { body: unknown; key: string | null };

function serve(post: Partial<Post> = {}, answer: () => Response = made) {
  const sent: Sent[] = [];
  server.use(
    http.get('*/api/posts/:id', () =>
      HttpResponse.json(aPost({ id: 'post-1', title: 'Pochi', claim_question: null, ...post })),
    ),
    http.get('*/api/claims/:id', () => HttpResponse.json(aClaim({ role: 'claimant' }))),
    http.post('*/api/posts/:id/claims', async ({ request }) => {
      sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return answer();
    }),
  );
  return sent;
}

function made() {
  return HttpResponse.json(aClaim({ role: 'claimant' }), { status: 201 });
}

async function open(language: 'en' | 'sw' = 'en') {
  const view = await renderScreen('/posts/post-1/claim', { language, isSignedIn: true });
  const answer = await screen.findByLabelText(language === 'en' ? 'Your answer' : 'Jibu lako');
  const send = screen.getByRole('button', { name: language === 'en' ? 'Send to the finder' : 'Mtumie aliyekiokota' });
  return { ...view, answer, send };
}

test.each([
  ['en', 'The finder asks', /^Phone numbers/, /^Anything about money/, /You cannot change your answer/],
  ['sw', 'Aliyekiokota anauliza', /^Namba za simu wala/, /kuhusu pesa/, /huwezi kulibadilisha/],
] as const)('the form says what is asked, and what not to write, in %s', async (language, asks, ...texts) => {
  serve({ claim_question: 'Ndani kuna nini?' });
  await open(language);
  expect(screen.getByRole('region', { name: asks })).toHaveTextContent('Ndani kuna nini?');
  for (const text of texts) expect(screen.getByText(text)).toBeInTheDocument();
});

test('an answer is sent once, however often the button is pressed, and leads to the claim', async () => {
  const sent = serve();
  const { user, router, answer, send } = await open();
  await user.click(send);
  expect(answer).toHaveFocus();
  expect(answer).toHaveAccessibleDescription(/required/);
  expect(sent).toEqual([]);
  await user.type(answer, 'Picha ya mtoto');
  await user.type(screen.getByLabelText(/^Another phone number/), '0754 321-987');
  await user.dblClick(send);
  await waitFor(() => expect(router.state.location.pathname).toBe('/claims/claim-1'));
  expect(sent.map(({ body }) => body)).toEqual([{ answer: 'Picha ya mtoto', phone_number: '0754321987' }]);
  expect(Object.keys(localStorage).filter((key) => key.startsWith('claimDraft'))).toEqual([]);
});

test('what got no answer is kept, and is the same request until other words are written', async () => {
  let isDown = true;
  const sent = serve({}, () => (isDown ? HttpResponse.error() : made()));
  const first = await open();
  await first.user.type(first.answer, 'Picha');
  await first.user.click(first.send);
  expect(await screen.findByRole('alert')).toHaveTextContent(/^There was no answer/);
  first.unmount();

  const again = await open();
  expect(again.answer).toHaveValue('Picha');
  await again.user.click(again.send);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.key).toBe(sent[0]?.key);
  isDown = false;
  await again.user.type(again.answer, ' ya mtoto');
  await again.user.click(again.send);
  await waitFor(() => expect(again.router.state.location.pathname).toBe('/claims/claim-1'));
  expect(sent[2]?.key).not.toBe(sent[0]?.key);
});

test.each([
  [409, 'claim_exists', 'Dai lako liko wazi.'],
  [409, 'no_tries_left', 'Umeshadai mara mbili.'],
  [403, 'suspended', 'Akaunti yako imesimamishwa.'],
  [403, 'number_needed', 'Ongeza kwanza namba.'],
  [404, 'post_not_found', 'Tangazo hili halipo.'],
] as const)('%i %s is said in the server’s own words', async (status, code, detail) => {
  serve({}, () => refuse(status, code, detail));
  const { user, answer, send } = await open('sw');
  await user.type(answer, 'Picha');
  await user.click(send);
  expect(await screen.findByText(detail)).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Tazama madai yangu' }) !== null).toBe(code === 'claim_exists');
  expect(answer).toHaveValue('Picha');
});

test('the day’s claims are used up: when the next is possible is said', async () => {
  const headers = { 'Retry-After': '3600' };
  serve({}, () => HttpResponse.json({ code: 'too_many_requests', detail: 'Wait' }, { status: 429, headers }));
  const { user, answer, send } = await open();
  await user.type(answer, 'Picha');
  await user.click(send);
  expect(await screen.findByText(/You can claim again from .*\d:\d\d/)).toBeInTheDocument();
});

test.each([{ is_mine: true }, { posted_by: 'owner' }, { is_found: true }] as const)(
  '%o cannot be claimed',
  async (post) => {
    serve(post);
    await renderScreen('/posts/post-1/claim', { isSignedIn: true });
    expect(await screen.findByRole('heading', { name: 'This post cannot be claimed' })).toBeInTheDocument();
  },
);

test('a visitor goes through the sign-in to the form', async () => {
  serve();
  const { user, router } = await renderScreen('/posts/post-1');
  await user.click(await screen.findByRole('link', { name: 'This is mine' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/posts/post-1/claim' } });
});

test.each([
  [{ contact: 'claim', phone_number: null }, true],
  [{ contact: 'number' }, true],
  [{ contact: 'number', posted_by: 'owner' }, false],
  [{ contact: 'claim', phone_number: null, is_found: true }, false],
  [{ contact: 'claim', is_mine: true }, false],
] as const)('whether %o can be claimed from its page: %s', async (post, isOffered) => {
  serve(post);
  await renderScreen('/posts/post-1', { isSignedIn: true });
  await screen.findByRole('heading', { name: 'Pochi' });
  expect(screen.queryByRole('link', { name: 'This is mine' }) !== null).toBe(isOffered);
});

test.each([
  ['en', /^The finder asks for proof/, /Your number is shown only to the person you choose/],
  ['sw', /^Aliyekiokota anataka uthibitisho/, /Namba yako itaonyeshwa kwa utakayemchagua tu/],
] as const)(
  'a post that is reached by a claim says so to others and to its author, in %s',
  async (language, toOthers, toAuthor) => {
    serve({ contact: 'claim', phone_number: null });
    const view = await renderScreen('/posts/post-1/contact', { language, isSignedIn: true });
    expect(await screen.findByText(toOthers)).toBeInTheDocument();
    view.unmount();
    serve({ id: 'mine', contact: 'claim', is_mine: true });
    await renderScreen('/posts/mine', { language, isSignedIn: true });
    expect(await screen.findByText(toAuthor)).toBeInTheDocument();
  },
);
