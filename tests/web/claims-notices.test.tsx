import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import type { ClaimNewsMessage } from '#contract/live-messages.ts';
import { aClaim, serveClaim } from './support/claims.ts';
import { matchMessage, renderLive, serveLive } from './support/live.tsx';
import { aPost } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

vi.mock('canvas-confetti', () => ({
  default: { create: () => Object.assign(() => null, { reset: () => undefined }) },
}));

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
] as const)('%s is told in both languages and leads to its claim', async (type, english, swahili) => {
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
});

test('on the claim’s own page its news opens nothing and is read', async () => {
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

test('that it was handed over is told on the claim’s own page too', async () => {
  const { heard, push } = serveLive();
  await renderLive({ path: '/claims/claim-1' });
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  push({ ...NEWS, type: 'handed_over' });
  expect(await screen.findByRole('dialog', { name: 'You have it back!' })).toBeInTheDocument();
});

test('a notice has the bell count anew, and each claim that waits once', async () => {
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
] as const)('the notices lead to the claims that wait, in %s', async (language, name) => {
  server.use(http.get('*/api/claims', () => HttpResponse.json([aClaim(), aClaim({ id: 'b', status: 'asked' })])));
  await renderScreen('/notices', { language, isSignedIn: true });
  expect(await screen.findByRole('link', { name })).toHaveAttribute('href', '/claims');
});

test.each([
  ['owner', true],
  ['finder', false],
] as const)('whoever has posted as %s can claim what a notice tells of: %s', async (posted_by, isOffered) => {
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
});

test('the menu leads the signed-in to their claims, and no visitor', async () => {
  serveClaim(aClaim());
  const visitor = await renderScreen('/login');
  expect(screen.queryByRole('link', { name: 'Claims' })).toBeNull();
  visitor.unmount();
  await renderScreen('/claims/claim-1', { isSignedIn: true });
  expect(screen.getByRole('link', { name: 'Claims' })).toHaveAttribute('href', '/claims');
  await screen.findByText('Picha ya mwanangu');
});
