import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminDay } from '#contract/admin.ts';
import { aCase, aLogEntry, aPerson, aPostPage, JUMA, openAdmin, serveAdmin, servePages } from './support/admin.ts';
import { WAITING_SCHOOL } from './support/communities.ts';
import { aPost } from './support/posts.ts';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

const DAY: AdminDay = { day: '2026-11-22', posts: 1, matches_told: 0, not_this_one: 0, returned: 0, reports: 0 };
const LETTER = {
  id: '1',
  email: 'juma@example.com',
  message: 'Asante',
  created_at: '2026-11-20T09:00:00.000Z',
  done_at: null,
};
const SWITCHES = { registration: true, photos: true, claims: true, whatsapp_notices: true };

const PARTS: [search: string, path: string, answer: unknown, content: string][] = [
  ['', 'communities', [WAITING_SCHOOL], WAITING_SCHOOL.name],
  ['?tab=reports', 'reports', [aCase()], 'Anadai pesa'],
  ['?tab=lookUp&q=juma', 'search', { people: [JUMA], posts: [] }, 'Juma'],
  ['?tab=log', 'log', [aLogEntry({ reason: 'Utapeli' })], 'Utapeli'],
  ['?tab=week', 'week', [DAY], 'Sun 22 Nov'],
  ['?tab=feedback', 'feedback', [LETTER], 'Asante'],
  ['?tab=switches', 'switches', SWITCHES, 'WhatsApp notices'],
  ['?person=juma', 'users/juma', aPerson(), 'juma@example.com'],
  ['?post=simu', 'posts/simu', aPostPage({ post: aPost({ location: 'Mbezi Mwisho' }) }), 'Mbezi Mwisho'],
];

const BUSY = 'main [aria-busy=true]';

test.each(PARTS)('/admin%s says that it loads and that it could not, and loads when tried again', async (...part) => {
  const [search, path, answer, content] = part;
  let next = Promise.withResolvers<Response>();
  server.use(http.get(`*/api/admin/${path}`, () => next.promise as never));
  const { user } = await openAdmin(search);
  await waitFor(() => expect(document.querySelector('.card[aria-busy], [aria-busy=true] .card')).not.toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  next.resolve(HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '60' } }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be done. Please try again.');
  expect(document.querySelector(BUSY)).toBeNull();
  expect(screen.queryByText(content)).toBeNull();
  next = Promise.withResolvers();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  // The message stands until there is something to put in its place.
  expect(screen.getByRole('button', { name: 'Try again' })).toHaveAttribute('aria-busy', 'true');
  next.resolve(HttpResponse.json(answer as never));
  expect(await screen.findByText(content)).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.querySelector(BUSY)).toBeNull();
});

const READ_ANEW = PARTS.filter(([search]) => !search.includes('lookUp'));

test.each(READ_ANEW)('/admin%s is read anew at every visit: another admin may have been there', async (...part) => {
  const [search, path, answer, content] = part;
  let asked = 0;
  server.use(
    http.get('*/api/admin/search', () => HttpResponse.json({ people: [], posts: [] })),
    http.get(`*/api/admin/${path}`, () => {
      asked++;
      return HttpResponse.json(answer as never);
    }),
  );
  const { router } = await openAdmin(search);
  expect(await screen.findByText(content)).toBeInTheDocument();
  await act(() => router.navigate('/admin?tab=lookUp'));
  expect(await screen.findByText(/By name, email/)).toBeInTheDocument();
  expect(asked).toBe(1);
  await act(() => router.navigate(`/admin${search}`));
  expect(await screen.findByText(content)).toBeInTheDocument();
  await waitFor(() => expect(asked).toBe(2));
});

const EMPTY: [search: string, path: string, sentence: string][] = [
  ['', 'communities', 'No community is waiting for approval.'],
  ['?tab=approved', 'communities', 'No community has been approved yet.'],
  ['?search=zzz', 'communities', 'No community matches your search.'],
  ['?tab=reports', 'reports', 'No reported post is waiting.'],
  ['?tab=decidedReports', 'reports', 'No reported post has been decided yet.'],
  ['?tab=log', 'log', 'No action has been taken yet.'],
  ['?tab=feedback', 'feedback', 'No feedback is waiting.'],
];

test.each(EMPTY)('/admin%s says that there is nothing once that is known, and not else', async (...part) => {
  const [search, path, sentence] = part;
  const { promise, resolve } = Promise.withResolvers<Response>();
  server.use(http.get(`*/api/admin/${path}`, () => promise as never));
  await openAdmin(search);
  await waitFor(() => expect(document.querySelector(BUSY)).not.toBeNull());
  expect(screen.queryByText(sentence)).toBeNull();
  resolve(HttpResponse.json([]));
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(screen.queryByText(/With the focus on a post/)).toBeNull();
});

const LONG: [search: string, path: string, pages: unknown[][], first: string, last: string][] = [
  [
    '?tab=approved&search=Shule',
    'communities',
    [
      [{ ...WAITING_SCHOOL, approval_status: 1 }],
      [{ ...WAITING_SCHOOL, id: 'b', name: 'Shule B', approval_status: 1 }],
    ],
    WAITING_SCHOOL.name,
    'Shule B',
  ],
  [
    '?tab=decidedReports',
    'reports',
    [[aCase()], [aCase({ id: 'b', post: aPost({ title: 'Pochi' }) })]],
    'Simu kwa bei nafuu',
    'Pochi',
  ],
  ['?tab=log', 'log', [[aLogEntry({ reason: 'Utapeli' })], [aLogEntry({ reason: 'Matusi' })]], 'Utapeli', 'Matusi'],
  ['?tab=feedback', 'feedback', [[LETTER], [{ ...LETTER, id: '2', message: 'Karibu' }]], 'Asante', 'Karibu'],
];

test.each(LONG)('/admin%s goes on below, of the same kind, as long as there is more', async (...part) => {
  const [search, path, pages, first, last] = part;
  const queries = servePages(path, ...pages);
  const { user } = await openAdmin(search);
  expect(await screen.findByText(first)).toBeInTheDocument();
  expect(screen.queryByText(last)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText(last)).toBeInTheDocument();
  expect(screen.getByText(first)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  for (const text of [/^No /, 'No action has been taken yet.']) expect(screen.queryByText(text)).toBeNull();
  const [before, after] = queries.map((query) => Object.fromEntries(query));
  expect(after).toEqual({ ...before, cursor: '1' });
});
