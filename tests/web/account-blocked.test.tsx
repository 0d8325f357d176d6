import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Block } from '#contract/blocks.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { ME, serveAccount, serveWrite } from './support/account.ts';
import { refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';
import { keepAnswers } from './support/stale.ts';

const BAG: Block = { id: 'bag', name: 'Begi jekundu', created_at: '2026-11-02T09:00:00.000Z' };
const KEYS: Block = { id: 'keys', name: 'Funguo', created_at: '2026-11-03T09:00:00.000Z' };

async function open(language: 'en' | 'sw' = 'en') {
  const view = await renderScreen('/account', { language, isSignedIn: true });
  await screen.findByText('Begi jekundu', { selector: 'p' });
  return view;
}

test.each([
  ['en', 'Unblock Begi jekundu', 'People you have blocked', 'Blocked on 2 November 2026', /^Unblocked\. You see/],
  ['sw', 'Ondoa kizuizi Begi jekundu', 'Watu uliowazuia', /2 Novemba 2026/, /^Kizuizi kimeondolewa/],
] as const)(
  'in %s somebody is let back in once for two presses, which is said, and the focus stays there',
  async (language, button, title, since, done) => {
    serveAccount({}, { blocks: [BAG, KEYS] });
    const ended = serveWrite('delete', '/me/blocks/bag');
    const { user } = await open(language);
    expect(screen.getByText('Begi jekundu', { selector: 'p' }).closest('li')).toHaveTextContent(since);
    serveAccount({}, { blocks: [KEYS] });
    await user.dblClick(screen.getByRole('button', { name: button }));
    expect(await screen.findByText(done)).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('Begi jekundu', { selector: 'p' })).toBeNull());
    expect(screen.getByRole('heading', { name: title })).toHaveFocus();
    expect(screen.getByText('Funguo', { selector: 'p' })).toBeInTheDocument();
    expect(ended).toHaveLength(1);
  },
);

test('who was let back in elsewhere is gone without an error, and then there is nobody', async () => {
  serveAccount({}, { blocks: [BAG] });
  serveWrite('delete', '/me/blocks/bag', () => refuse(404, 'not_found'));
  const { user } = await open();
  serveAccount();
  await user.click(screen.getByRole('button', { name: 'Unblock Begi jekundu' }));
  expect(await screen.findByText('You have not blocked anyone.')).toBeInTheDocument();
  expect(screen.queryByText('This person could not be unblocked. Please try again.')).toBeNull();
});

test('what does not work is said, and can be tried again', async () => {
  serveAccount({}, { blocks: [BAG] });
  serveWrite('delete', '/me/blocks/bag', () => refuse(409, 'conflict'));
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Unblock Begi jekundu' }));
  expect(await screen.findByText('This person could not be unblocked. Please try again.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Unblock Begi jekundu' })).not.toHaveAttribute('aria-disabled');
  expect(screen.queryByText('You have not blocked anyone.')).toBeNull();
});

test('what there is of whom the reader sees again is asked for anew', async () => {
  serveAccount({}, { blocks: [BAG] });
  serveWrite('delete', '/me/blocks/bag');
  serveNothingElse();
  const queries = serveList('/posts', []);
  const { user, router } = await open();
  await router.navigate('/view-posts');
  await waitFor(() => expect(queries).toHaveLength(1));
  await router.navigate('/account');
  const known = [queryKeys.matches.counts, queryKeys.notices];
  const stale = keepAnswers(...known);
  await user.click(await screen.findByRole('button', { name: 'Unblock Begi jekundu' }));
  await screen.findByText(/^Unblocked/);
  expect(stale()).toEqual(known);
  await router.navigate('/view-posts');
  await waitFor(() => expect(queries).toHaveLength(2));
});

test('a list that does not come is said to be missing, and comes on a press', async () => {
  serveAccount({}, { blocks: [BAG] });
  server.use(http.get('*/api/me/blocks', () => refuse(400, 'malformed_request'), { once: true }));
  const { user } = await renderScreen('/account', { isSignedIn: true });
  const failure = await screen.findByText('The people you have blocked could not be loaded.');
  expect(screen.queryByText('You have not blocked anyone.')).toBeNull();
  await user.click(within(failure.closest('[role=alert]') as HTMLElement).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Unblock Begi jekundu' })).toBeInTheDocument();
  expect(failure).not.toBeInTheDocument();
});

test.each([
  ['en', 'Your account is suspended', /nobody else sees your open posts/, 'Reason: Matangazo ya uongo'],
  ['sw', 'Akaunti yako imesimamishwa', /hakuna mwingine anayeona matangazo yako/, 'Sababu: Matangazo ya uongo'],
] as const)(
  'in %s who is suspended reads so on every screen, with the reason',
  async (language, title, text, reason) => {
    serveAccount({ is_suspended: true, suspension_reason: 'Matangazo ya uongo' });
    await renderScreen('/notices', { language, isSignedIn: true });
    const bar = (await screen.findByText(title)).closest('[role=status]') as HTMLElement;
    expect(bar).toHaveTextContent(text);
    expect(within(bar).getByText(reason)).toHaveAttribute('dir', 'auto');
  },
);

test('a suspension without a reason names none, and one that has ended is not spoken of any more', async () => {
  serveAccount({ is_suspended: true });
  await renderScreen('/notices', { isSignedIn: true });
  expect(await screen.findByText('Your account is suspended')).toBeInTheDocument();
  expect(screen.queryByText(/^Reason/)).toBeNull();
  server.use(http.get('*/api/me', () => HttpResponse.json(ME)));
  await act(() => queryClient.refetchQueries({ queryKey: queryKeys.me }));
  await waitFor(() => expect(screen.queryByText('Your account is suspended')).toBeNull());
});
