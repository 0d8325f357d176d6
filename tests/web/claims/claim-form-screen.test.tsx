import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import type { Post } from '#contract/posts.ts';
import { aClaim } from '#tests/web/support/claims.ts';
import { aPost, refuse, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

describe('claim form', () => {
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
  ] as const)(
    'in the language %s the form shows the finder’s question and what the claimant must not write',
    async (language, asks, ...texts) => {
      serve({ claim_question: 'Ndani kuna nini?' });
      await open(language);
      expect(screen.getByRole('region', { name: asks })).toHaveTextContent('Ndani kuna nini?');
      for (const text of texts) expect(screen.getByText(text)).toBeInTheDocument();
    },
  );

  test('the claimant’s answer is sent once for repeated presses, and then the claim’s page opens', async () => {
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

  test('without a server response, the claimant’s answer stays in the form; a retry with the same text reuses the idempotency key', async () => {
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
  ] as const)(
    'a claim refused with status %i and code %s shows the server’s own sentence',
    async (status, code, detail) => {
      serve({}, () => refuse(status, code, detail));
      const { user, answer, send } = await open('sw');
      await user.type(answer, 'Picha');
      await user.click(send);
      expect(await screen.findByText(detail)).toBeInTheDocument();
      expect(screen.queryByRole('link', { name: 'Tazama madai yangu' }) !== null).toBe(code === 'claim_exists');
      expect(answer).toHaveValue('Picha');
    },
  );

  test('a user at the daily limit of claims sees when they can claim again', async () => {
    const headers = { 'Retry-After': '3600' };
    serve({}, () => HttpResponse.json({ code: 'too_many_requests', detail: 'Wait' }, { status: 429, headers }));
    const { user, answer, send } = await open();
    await user.type(answer, 'Picha');
    await user.click(send);
    expect(await screen.findByText(/You can claim again from .*\d:\d\d/)).toBeInTheDocument();
  });

  test.each([{ is_mine: true }, { posted_by: 'owner' }, { is_found: true }] as const)(
    'the form for a post with %o says that the post cannot be claimed',
    async (post) => {
      serve(post);
      await renderScreen('/posts/post-1/claim', { isSignedIn: true });
      expect(await screen.findByRole('heading', { name: 'This post cannot be claimed' })).toBeInTheDocument();
    },
  );

  test('a visitor who presses “This is mine” signs in first and then reaches the claim form', async () => {
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
  ] as const)(
    'only another person’s found post that is not returned has the button “This is mine” (post with %o)',
    async (post, isOffered) => {
      serve(post);
      await renderScreen('/posts/post-1', { isSignedIn: true });
      await screen.findByRole('heading', { name: 'Pochi' });
      expect(screen.queryByRole('link', { name: 'This is mine' }) !== null).toBe(isOffered);
    },
  );

  test.each([
    ['en', /^The finder asks for proof/, /Your number is shown only to the person you choose/],
    ['sw', /^Aliyekiokota anataka uthibitisho/, /Namba yako itaonyeshwa kwa utakayemchagua tu/],
  ] as const)(
    'if only a claim can answer a post, texts in the language %s explain this rule to the post’s finder and to possible claimants',
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
});

function serveClaims(...pages: Claim[][]) {
  server.use(
    http.get('*/api/claims', ({ request }) => {
      const index = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
      const headers = new Headers();
      if (index + 1 < pages.length) headers.set('Link', `</api/claims?cursor=${index + 1}>; rel="next"`);
      return HttpResponse.json(pages[index] ?? [], { headers });
    }),
  );
}

function titlesIn(section: string): string[] {
  const links = within(screen.getByRole('region', { name: section })).getAllByRole('link');
  return links.map((link) => link.textContent);
}

const ANSWERED = aClaim({ id: 'a', post_title: 'Funguo', status: 'asked' });
const WAITING = aClaim({ id: 'b', post_title: 'Simu' });
const QUESTION = aClaim({ id: 'c', post_title: 'Begi', role: 'claimant', status: 'asked' });
const READ = aClaim({ id: 'd', post_title: 'Kadi', role: 'claimant', status: 'waiting' });

test.each([
  ['en', 'What you found', 'What you say is yours', 'Waits for you', 'The finder asks you something'],
  ['sw', 'Ulivyookota', 'Unavyosema ni vyako', 'Linakusubiri', 'Aliyekiokota anakuuliza swali'],
] as const)(
  'in the language %s, claims are grouped by the user’s role (finder or claimant); those that wait for the user come first',
  async (language, found, claimed, waits, asked) => {
    serveClaims([READ, ANSWERED, WAITING, QUESTION]);
    await renderScreen('/claims', { language, isSignedIn: true });
    expect(await screen.findByText(asked)).toBeInTheDocument();
    expect(titlesIn(found)).toEqual(['Simu', 'Funguo']);
    expect(titlesIn(claimed)).toEqual(['Begi', 'Kadi']);
    expect(screen.getAllByText(waits)).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'Simu' })).toHaveAttribute('href', '/claims/b');
  },
);

test('“Show older claims” loads more claims, and a claim that changed since the first load is listed once', async () => {
  serveClaims([WAITING], [WAITING, ANSWERED]);
  const { user } = await renderScreen('/claims', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Show older claims' }));
  expect(await screen.findByRole('link', { name: 'Funguo' })).toBeInTheDocument();
  expect(screen.getAllByRole('link', { name: 'Simu' })).toHaveLength(1);
});

test.each([
  ['en', 'No claims yet', 'Browse the posts'],
  ['sw', 'Bado hakuna madai', 'Pitia matangazo'],
] as const)('a user without claims sees an explanation, in the language %s', async (language, title, link) => {
  serveClaims([]);
  await renderScreen('/claims', { language, isSignedIn: true });
  expect(await screen.findByText(title)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', '/view-posts');
});

test('a list of claims that failed to load can be retried', async () => {
  server.use(http.get('*/api/claims', () => refuse(403, 'forbidden')));
  const { user } = await renderScreen('/claims', { isSignedIn: true });
  expect(await screen.findByRole('alert')).toHaveTextContent('Your claims could not be loaded.');
  serveClaims([WAITING]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Simu' })).toBeInTheDocument();
});

test('a visitor is led from the list of claims to the sign-in and back', async () => {
  const { user, router } = await renderScreen('/claims');
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Log in' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/claims' } });
});

test('a claim in the list stays readable after its post and the other person’s account were deleted', async () => {
  serveClaims([aClaim({ post_title: null, other_name: null, status: 'closed' })]);
  await renderScreen('/claims', { isSignedIn: true });
  expect(await screen.findByRole('link', { name: 'A post that no longer exists' })).toBeInTheDocument();
  expect(screen.getByText('Somebody who deleted their account')).toBeInTheDocument();
});

test('the list of claims is refetched when its browser tab becomes visible', async () => {
  serveClaims([WAITING]);
  await renderScreen('/claims', { isSignedIn: true });
  await screen.findByRole('link', { name: 'Simu' });
  serveClaims([ANSWERED]);
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await waitFor(() => expect(screen.getByRole('link', { name: 'Funguo' })).toBeInTheDocument());
});

test('in the list of claims, a claim that is paused because its post is hidden shows “Paused” and not “Waits for you”', async () => {
  serveClaims([{ ...WAITING, is_paused: true }]);
  await renderScreen('/claims', { isSignedIn: true });
  expect(await screen.findByText('Paused: the post is hidden')).toBeInTheDocument();
  expect(screen.queryByText('Waits for you')).toBeNull();
});
