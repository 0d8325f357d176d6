import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import { aClaim } from './support/claims.ts';
import { refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

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
  'claims stand by role, with what waits for the reader first, in %s',
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

test('older claims come when they are asked for, and one that moved meanwhile stands once', async () => {
  serveClaims([WAITING], [WAITING, ANSWERED]);
  const { user } = await renderScreen('/claims', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Show older claims' }));
  expect(await screen.findByRole('link', { name: 'Funguo' })).toBeInTheDocument();
  expect(screen.getAllByRole('link', { name: 'Simu' })).toHaveLength(1);
});

test.each([
  ['en', 'No claims yet', 'Browse the posts'],
  ['sw', 'Bado hakuna madai', 'Pitia matangazo'],
] as const)('who has no claims reads what they are, in %s', async (language, title, link) => {
  serveClaims([]);
  await renderScreen('/claims', { language, isSignedIn: true });
  expect(await screen.findByText(title)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', '/view-posts');
});

test('what could not be loaded can be asked for again', async () => {
  server.use(http.get('*/api/claims', () => refuse(403, 'forbidden')));
  const { user } = await renderScreen('/claims', { isSignedIn: true });
  expect(await screen.findByRole('alert')).toHaveTextContent('Your claims could not be loaded.');
  serveClaims([WAITING]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Simu' })).toBeInTheDocument();
});

test('a visitor is led to the sign-in and back', async () => {
  const { user, router } = await renderScreen('/claims');
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Login' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/claims' } });
});

test('a claim of people and posts that are gone still reads well', async () => {
  serveClaims([aClaim({ post_title: null, other_name: null, status: 'closed' })]);
  await renderScreen('/claims', { isSignedIn: true });
  expect(await screen.findByRole('link', { name: 'A post that no longer exists' })).toBeInTheDocument();
  expect(screen.getByText('Somebody who deleted their account')).toBeInTheDocument();
});

test('the list is asked for again when its tab is looked at', async () => {
  serveClaims([WAITING]);
  await renderScreen('/claims', { isSignedIn: true });
  await screen.findByRole('link', { name: 'Simu' });
  serveClaims([ANSWERED]);
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await waitFor(() => expect(screen.getByRole('link', { name: 'Funguo' })).toBeInTheDocument());
});

test('a paused claim says so in the list, and does not wait for its finder', async () => {
  serveClaims([{ ...WAITING, is_paused: true }]);
  await renderScreen('/claims', { isSignedIn: true });
  expect(await screen.findByText('Paused: the post is hidden')).toBeInTheDocument();
  expect(screen.queryByText('Waits for you')).toBeNull();
});
