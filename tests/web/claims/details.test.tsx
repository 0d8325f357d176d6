import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ClaimNewsMessage } from '#contract/live-messages.ts';
import { aClaim, openClaim, serveClaim, step } from '#tests/web/support/claims.ts';
import { matchMessage, renderLive, serveLive } from '#tests/web/support/notices.tsx';
import { aPost, refuse, serveNothingElse } from '#tests/web/support/posts.ts';
import { keepAnswers, renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';

const { posts, matches, notices, blocks, claims } = queryKeys;
const IN_AN_HOUR = { 'Retry-After': '3600' };

/** Stops the clock at noon in Tanzania. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T09:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
}

async function sendAnswer(answer: () => Response) {
  serveNothingElse();
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'post-1', claim_question: null }))),
    http.post('*/api/posts/:id/claims', () => answer() as never),
  );
  const { user } = await renderScreen('/posts/post-1/claim', { isSignedIn: true });
  await user.type(await screen.findByLabelText('Your answer'), 'Picha');
  await user.click(screen.getByRole('button', { name: 'Send to the finder' }));
  return screen.findByRole('alert');
}

test('a claimant at the daily limit sees when they can claim again', async () => {
  stopClock();
  const headers = IN_AN_HOUR;
  const said = await sendAnswer(() => HttpResponse.json({ code: 'too_many_requests' }, { status: 429, headers }));
  expect(said).toHaveTextContent(/You can claim again from 22 Nov 2026, 13:00\.$/);
});

test('a claim refused by a busy server is not reported as over the daily limit, even if the server names a waiting time', async () => {
  const headers = IN_AN_HOUR;
  const said = await sendAnswer(() => HttpResponse.json({ code: 'unavailable' }, { status: 503, headers }));
  expect(said).toHaveTextContent('This could not be saved. Please try again.');
});

test('a finder whose attempts at the hand-over code are locked sees the time of the next possible attempt', async () => {
  stopClock();
  serveClaim(aClaim({ status: 'accepted' }), {
    'hand-over': () => HttpResponse.json({ code: 'code_locked' }, { status: 429, headers: IN_AN_HOUR }),
  });
  const { user } = await openClaim();
  expect(await screen.findByText('Call or write to Asha Mwenye, and agree where to meet.')).toBeInTheDocument();
  await user.type(screen.getByLabelText('The owner’s hand-over code'), '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(/You can try again from 22 Nov 2026, 13:00\.$/);
});

test('a claim’s page shows the finder the times of their private marks (secret details), of the claimant’s answer and of each step', async () => {
  const created_at = '2026-11-22T05:00:00.000Z';
  serveClaim(aClaim({ created_at, history: [step('claim', 'claimant', '2026-11-22T06:10:00.000Z')] }));
  const { unmount } = await openClaim();
  expect(await screen.findByText('Unchanged since 22 Nov 2026, 08:00')).toBeInTheDocument();
  expect(screen.getByText('Sent 22 Nov 2026, 08:00')).toBeInTheDocument();
  expect(screen.getByText('They said that it is theirs').nextElementSibling).toHaveTextContent('22 Nov 2026, 09:10');
  unmount();
  serveClaim(aClaim({ id: 'claim-2', private_marks: null, created_at }));
  await renderScreen('/claims/claim-2', { isSignedIn: true });
  expect(await screen.findByText('You did not write down any private marks.')).toBeInTheDocument();
  expect(screen.queryByText(/^Unchanged since/)).toBeNull();
});

test('a visitor is asked to log in on a claim’s page, on the claim form and in the list of claims', async () => {
  const name = 'Log in to see your claims.';
  for (const path of ['/claims/claim-1', '/posts/post-1/claim']) {
    const { unmount } = await renderScreen(path);
    expect(await screen.findByRole('heading', { level: 1, name })).toBeInTheDocument();
    unmount();
  }
  await renderScreen('/claims');
  expect(await screen.findByRole('heading', { level: 1, name: 'Claims' })).toBeInTheDocument();
  expect(screen.getAllByRole('heading')).toHaveLength(1);
});

test('the claim form of a post that cannot be claimed shows the reason and a link to the post', async () => {
  serveNothingElse();
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'post-1', is_mine: true }))));
  await renderScreen('/posts/post-1/claim', { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'This post cannot be claimed' })).toBeInTheDocument();
  expect(screen.getByText(/^The post is your own, it is about a lost item/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'See the post' })).toHaveAttribute('href', '/posts/post-1');
});

test('the claim form for a post that does not exist shows only the server’s message', async () => {
  serveNothingElse();
  server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found', 'Tangazo hili halipo.')));
  await renderScreen('/posts/post-1/claim', { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'Tangazo hili halipo.' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toBeInTheDocument();
});

test('the list of claims is refetched on every visit', async () => {
  let asked = 0;
  server.use(
    http.get('*/api/claims', () => {
      asked++;
      return HttpResponse.json([aClaim()]);
    }),
  );
  serveClaim(aClaim());
  const { router } = await renderScreen('/claims', { isSignedIn: true });
  await screen.findByRole('link', { name: 'Pochi ya ngozi' });
  await act(() => router.navigate('/privacy'));
  await act(() => router.navigate('/claims'));
  await waitFor(() => expect(asked).toBe(2));
});

test.each([
  ['withdrawn', { role: 'claimant' }, 'Withdraw my claim', 'Withdraw the claim', [claims.list]],
  ['handed over', { status: 'accepted' }, null, 'I have handed it over', [claims.list, posts.own('a-user')]],
] as const)(
  'a claim’s change to the status “%s” invalidates the cached lists that contain the claim or its post',
  async (_how, claim, open, confirm, lists) => {
    serveClaim(aClaim(claim), { withdraw: { status: 'withdrawn' }, 'hand-over': { status: 'handed_over' } });
    const { user } = await openClaim();
    await screen.findByText('Picha ya mwanangu');
    const stale = keepAnswers(claims.list, posts.own('a-user'));
    if (open) await user.click(screen.getByRole('button', { name: open }));
    else await user.type(screen.getByLabelText('The owner’s hand-over code'), '042931');
    await user.click(screen.getByRole('button', { name: confirm }));
    await waitFor(() => expect(stale()).toEqual(lists));
  },
);

test('blocking the other party of a claim invalidates all cached data about this party', async () => {
  serveClaim(aClaim(), { block: () => new HttpResponse(null, { status: 204 }) });
  const { user } = await openClaim();
  await screen.findByText('Picha ya mwanangu');
  const known = [claims.one('claim-2'), posts.own('a-user'), matches.counts, notices, blocks];
  const stale = keepAnswers(...known);
  await user.click(screen.getByRole('button', { name: 'Block this person' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Block this person?' }));
  await user.click(dialog.getByRole('button', { name: 'Block' }));
  await dialog.findByText('This person is blocked.');
  expect(stale()).toEqual(known);
});

test('after the hand-over the owner sees no confetti on the claim’s page, because the hand-over notice shows confetti', async () => {
  const { change } = serveClaim(aClaim({ role: 'claimant', status: 'accepted', handover_code: '042931' }));
  const { container } = await openClaim();
  await screen.findByRole('region', { name: 'Your hand-over code' });
  change({ status: 'handed_over' });
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  expect(await screen.findByText('You have it back. Remember to thank the finder.')).toBeInTheDocument();
  expect(container.querySelector('canvas')).toBeNull();
});

describe('the hand-over', () => {
  afterEach(() => vi.restoreAllMocks());

  const ACCEPTED = aClaim({ status: 'accepted', phone_number: '0754321987' });
  const DONE = {
    status: 'handed_over',
    history: [step('claim', 'claimant'), step('accept', 'finder'), step('hand-over', 'finder', '2026-11-22T09:30:00Z')],
  } as const satisfies Partial<typeof ACCEPTED>;

  test('a hand-over code pasted with spaces is accepted and sent once, and then a receipt and confetti appear', async () => {
    const { taken } = serveClaim(ACCEPTED, { 'hand-over': { ...DONE, history: [...DONE.history] } });
    const { user, container } = await openClaim();
    const field = await screen.findByLabelText('The owner’s hand-over code');
    await user.click(field);
    await user.paste(' 042 931 ');
    expect(field).toHaveValue('042931');
    await user.dblClick(screen.getByRole('button', { name: 'I have handed it over' }));
    expect(await screen.findByText('Thank you! You returned it to its owner.')).toBeInTheDocument();
    expect(container.querySelectorAll('canvas')).toHaveLength(1);
    expect(taken).toEqual([{ name: 'hand-over', body: { code: '042931' } }]);
  });

  test('an incomplete hand-over code is marked as invalid and not sent', async () => {
    const { taken } = serveClaim(ACCEPTED);
    const { user } = await openClaim();
    const field = await screen.findByLabelText('The owner’s hand-over code');
    await user.type(field, 'abc12{Enter}');
    expect(field).toHaveValue('12');
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(taken).toEqual([]);
  });

  test.each([
    ['en', 'The owner’s hand-over code', /^The hand-over code is wrong: .*After five wrong attempts/],
    ['sw', 'Namba ya makabidhiano ya mwenyewe', /^Namba ya makabidhiano si sahihi: .*Ukikosea mara tano/],
  ] as const)(
    'in the language %s the error for a wrong hand-over code mentions the limit of five attempts',
    async (language, label, text) => {
      serveClaim(ACCEPTED, { 'hand-over': () => refuse(400, 'invalid_code', 'Not right.') });
      const { user } = await openClaim(language);
      await user.type(await screen.findByLabelText(label), '000000{Enter}');
      expect(await screen.findByRole('alert')).toHaveTextContent(text);
    },
  );

  test('after the error code_locked an alert shows the time from which the finder can enter a hand-over code again', async () => {
    const headers = { 'Retry-After': '3600' };
    serveClaim(ACCEPTED, {
      'hand-over': () => HttpResponse.json({ code: 'code_locked', detail: 'In an hour.' }, { status: 429, headers }),
    });
    const { user } = await openClaim();
    await user.type(await screen.findByLabelText('The owner’s hand-over code'), '000000{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(/You can try again from .*\d:\d\d/);
  });

  test.each([
    ['en', 'finder', ['Item', 'Handed over', 'Found at', 'Found by', 'Given back to'], 'You', 'Asha Mwenye'],
    [
      'sw',
      'claimant',
      ['Kitu', 'Kilikabidhiwa', 'Kiliokotwa wapi', 'Aliyekiokota', 'Aliyerudishiwa'],
      'Asha Mwenye',
      'Wewe',
    ],
  ] as const)(
    'in the language %s the %s sees the thing, time, place and people on the receipt of the hand-over',
    async (language, role, labels, finder, claimant) => {
      serveClaim(aClaim({ role, ...DONE, history: [...DONE.history] }));
      const { container } = await openClaim(language);
      await screen.findByText('Mbezi Mwisho');
      expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(labels);
      const values = screen.getAllByRole('definition').map((value) => value.textContent);
      expect(values).toEqual([
        'Pochi ya ngozi',
        expect.stringMatching(/2026.*12:30/),
        'Mbezi Mwisho',
        finder,
        claimant,
      ]);
      expect(container.querySelector('canvas')).toBeNull();
    },
  );

  test('after the hand-over only the owner sees a link to their own posts', async () => {
    serveClaim(aClaim({ role: 'claimant', ...DONE, history: [...DONE.history] }));
    const { unmount } = await openClaim();
    expect(await screen.findByRole('link', { name: 'See your posts' })).toHaveAttribute('href', '/my-posts');
    unmount();
    serveClaim(aClaim({ ...DONE, history: [...DONE.history] }));
    await openClaim();
    await screen.findByRole('button', { name: 'Print' });
    expect(screen.queryByRole('link', { name: 'See your posts' })).toBeNull();
  });

  test.each([
    ['finder', 'Hello, this is about the claim on Patikana: Pochi ya ngozi'],
    ['claimant', 'Habari, ni kuhusu dai kwenye Patikana: Pochi ya ngozi'],
  ] as const)(
    'the %s sees a WhatsApp link with a prepared message about the claim, in the language of the other party',
    async (role, text) => {
      serveClaim({ ...ACCEPTED, role, answer: 'A photo of my child is inside' });
      await openClaim();
      const chat = await screen.findByRole('link', { name: 'WhatsApp' });
      expect(new URL(chat.getAttribute('href') ?? '').searchParams.get('text')).toBe(text);
    },
  );

  test('a user can share the receipt of a hand-over as text, and can print the receipt', async () => {
    const print = vi.fn();
    vi.stubGlobal('print', print);
    serveClaim(aClaim({ ...DONE, history: [...DONE.history] }));
    const { user } = await openClaim();
    await screen.findByText('Mbezi Mwisho');
    const written = vi.spyOn(navigator.clipboard, 'writeText');
    await user.click(screen.getByRole('button', { name: 'Share' }));
    await waitFor(() => expect(written).toHaveBeenCalledOnce());
    expect(written.mock.calls[0]?.[0]).toMatch(/^Item: Pochi ya ngozi\nHanded over: .*\nFound at: Mbezi Mwisho\n/);
    await user.click(screen.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });

  test('a finished claim without the other party’s phone number shows that party’s name, and no link to call', async () => {
    serveClaim(aClaim({ ...DONE, history: [...DONE.history], phone_number: null }));
    await openClaim();
    expect(within(await screen.findByRole('article')).getByText('Asha Mwenye')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Call' })).toBeNull();
  });

  test.each([
    ['finder', 'It is not theirs after all'],
    ['claimant', 'Withdraw my claim'],
  ] as const)(
    'while the post is hidden, the %s sees no hand-over code and no code field; when the post is restored, the other person’s phone number appears',
    async (role, end) => {
      const paused = aClaim({ status: 'accepted', role, is_paused: true });
      const { change } = serveClaim(paused);
      await openClaim();
      const region = within(await screen.findByRole('region', { name: 'Paused: the post is hidden' }));
      expect(region.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([end]);
      expect(screen.queryByLabelText('The owner’s hand-over code')).toBeNull();
      expect(screen.queryByText('Your hand-over code')).toBeNull();
      change({ is_paused: false, phone_number: '0754321987', handover_code: role === 'claimant' ? '042931' : null });
      await queryClient.invalidateQueries({ queryKey: queryKeys.claims.all });
      expect(await screen.findByText('0754321987')).toBeInTheDocument();
      expect(screen.queryByText('Paused: the post is hidden')).toBeNull();
    },
  );
});

const NEWS: ClaimNewsMessage = {
  type: 'claim_received',
  id: 'notice-9',
  claim_id: 'claim-1',
  post_id: 'post-1',
  title: 'Pochi ya ngozi',
  created_at: '2026-11-22T05:00:00.000Z',
};

test.each([
  ['claim_received', 'Somebody says it is theirs', 'Kuna mtu anasema ni chake'],
  ['claim_asked', 'The finder has a question', 'Aliyekiokota ana swali'],
  ['claim_replied', 'Your question was answered', 'Swali lako limejibiwa'],
  ['claim_accepted', 'The finder says it is yours', 'Aliyekiokota anasema ni chako'],
  ['claim_declined', 'The finder says it is not yours', 'Aliyekiokota anasema si chako'],
  ['claim_withdrawn', 'A claim was withdrawn', 'Dai limeondolewa'],
  ['claim_closed', 'This item can no longer be claimed', 'Kitu hiki hakidaiwi tena'],
  ['handed_over', 'You have it back!', 'Umekipata tena!'],
] as const)(
  'the claim notice of type %s has a text in both languages and links to its claim',
  async (type, english, swahili) => {
    for (const [language, title, open] of [
      ['en', english, 'Open the claim'],
      ['sw', swahili, 'Fungua dai'],
    ] as const) {
      const { heard, push } = serveLive();
      const { unmount } = await renderLive({ language });
      await waitFor(() => expect(heard.connections).toHaveLength(1));
      push({ ...NEWS, type, id: `${type}-${language}` });
      const notice = await screen.findByRole('dialog', { name: title });
      expect(within(notice).getByText('Pochi ya ngozi')).toBeInTheDocument();
      expect(within(notice).getByRole('link', { name: open })).toHaveAttribute('href', '/claims/claim-1');
      expect(notice.querySelector('canvas') !== null).toBe(type === 'handed_over');
      unmount();
    }
  },
);

test('while a claim’s page is open, a notice about the claim opens no modal and is marked as read', async () => {
  const { heard, push } = serveLive();
  await renderLive({ path: '/claims/claim-1' });
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  push({ ...NEWS, type: 'claim_asked', id: 'asked-here' });
  await waitFor(() => expect(heard.read).toEqual([{ ids: ['asked-here'] }]));
  expect(heard.acknowledged).toContain('asked-here');
  expect(screen.queryByRole('dialog')).toBeNull();
  push({ ...NEWS, type: 'claim_asked', id: 'asked-elsewhere', claim_id: 'claim-2' });
  expect(await screen.findByRole('dialog', { name: 'The finder has a question' })).toBeInTheDocument();
});

test('a notice of a hand-over is shown in a modal even on the claim’s own page', async () => {
  const { heard, push } = serveLive();
  await renderLive({ path: '/claims/claim-1' });
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  push({ ...NEWS, type: 'handed_over' });
  expect(await screen.findByRole('dialog', { name: 'You have it back!' })).toBeInTheDocument();
});

test('a claim notice updates the bell, which counts a waiting claim and its notice as one', async () => {
  const { heard, push } = serveLive();
  await renderLive();
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  expect(await screen.findByRole('link', { name: 'Notices' })).toBeInTheDocument();
  const read = { message: NEWS, noticed_at: NEWS.created_at, is_open: true };
  server.use(
    http.get('*/api/notices', () => HttpResponse.json({ unread_count: 1, notices: [{ ...read, read_at: null }] })),
    http.get('*/api/claims', () =>
      HttpResponse.json([
        aClaim(),
        aClaim({ id: 'claim-2', role: 'claimant', status: 'asked' }),
        aClaim({ id: 'claim-3', role: 'claimant' }),
      ]),
    ),
  );
  push(NEWS);
  expect(
    await screen.findByRole('link', { name: '2 notices and claims wait for you', hidden: true }),
  ).toBeInTheDocument();
});

test.each([
  ['en', '1 claim waits for you'],
  ['sw', 'Dai 1 linakusubiri'],
] as const)(
  'on the screen of notices, a link in the language %s shows how many claims wait for the user',
  async (language, name) => {
    server.use(http.get('*/api/claims', () => HttpResponse.json([aClaim(), aClaim({ id: 'b', status: 'asked' })])));
    await renderScreen('/notices', { language, isSignedIn: true });
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', '/claims');
  },
);

test.each([
  ['owner', true],
  ['finder', false],
] as const)(
  'the dialog of a match notice has the link “This is mine” only for an owner (recipient: %s, has the link: %s)',
  async (posted_by, isOffered) => {
    const { heard, push } = serveLive();
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ posted_by, is_mine: true }))));
    await renderLive();
    await waitFor(() => expect(heard.connections).toHaveLength(1));
    push({ ...matchMessage, phone_number: null });
    await screen.findByRole('dialog', { name: 'A Matching Post Found!' });
    if (isOffered) {
      const link = await screen.findByRole('link', { name: 'This is mine' });
      expect(link).toHaveAttribute('href', '/posts/found-post/claim');
    } else {
      expect(screen.queryByRole('link', { name: 'This is mine' })).toBeNull();
    }
  },
);

test('the menu links signed-in users, but not visitors, to their claims', async () => {
  serveClaim(aClaim());
  const visitor = await renderScreen('/login');
  expect(screen.queryByRole('link', { name: 'Claims' })).toBeNull();
  visitor.unmount();
  await renderScreen('/claims/claim-1', { isSignedIn: true });
  expect(screen.getByRole('link', { name: 'Claims' })).toHaveAttribute('href', '/claims');
  await screen.findByText('Picha ya mwanangu');
});
