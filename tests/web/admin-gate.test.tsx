import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, test } from 'vitest';
import { SWITCHES } from '#contract/operating.ts';
import { aPerson, aPostPage, JUMA, openAdmin, serveAdmin, servePages } from './support/admin.ts';
import { aPost } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));

test('until it is known who asks, the page waits; when that cannot be asked, it says so', async () => {
  let next = Promise.withResolvers<Response>();
  server.use(http.get('*/api/me', async () => (await next.promise).clone()));
  const { user } = await openAdmin('?tab=feedback');
  await waitFor(() => expect(document.querySelector('main [aria-busy=true]')).not.toBeNull());
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
  next.resolve(
    HttpResponse.json({}, { status: 500, headers: { 'Retry-After': '60', 'X-Request-Id': 'kumbukumbu-7' } }),
  );
  expect(await screen.findByRole('heading', { level: 1, name: 'This page could not be shown' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent(/An error occurred\. Please try again later\..*kumbukumbu-7/);
  next = Promise.withResolvers();
  next.resolve(HttpResponse.json({ id: 'a-user', username: 'Neema', is_platform_admin: true }));
  servePages('feedback', []);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No feedback is waiting.')).toBeInTheDocument();
});

test('to whoever is no longer signed in there is nothing at the address', async () => {
  server.use(http.get('*/api/me', () => HttpResponse.json({ code: 'token_invalid' }, { status: 401 })));
  await openAdmin('?tab=feedback');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a visitor is not asked for', async () => {
  let asked = 0;
  server.use(
    http.get('*/api/me', () => {
      asked++;
      return HttpResponse.json({}, { status: 401 });
    }),
  );
  await renderScreen('/admin');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  expect(asked).toBe(0);
});

const PARTS = [
  ['Communities', 'Approved', 'approved', 'No community has been approved yet.'],
  ['Reports', 'Open', 'reports', 'No reported post is waiting.'],
  ['Reports', 'Decided', 'decidedReports', 'No reported post has been decided yet.'],
  ['People', 'Search', 'lookUp', /By name, email/],
  ['People', 'Admins', 'admins', 'These people run the platform. A suspended admin can do nothing until reinstated.'],
  ['Log', null, 'log', 'No action has been taken yet.'],
  ['Settings', 'Switches', 'switches', /A part that is off/],
  ['Settings', 'Feedback', 'feedback', 'No feedback is waiting.'],
  ['Settings', 'Figures', 'week', /The last seven days/],
  ['Settings', 'Passkeys', 'passkeys', 'You have no passkey yet.'],
] as const;

test('each tab shows its part, and replaces the address with its own', async () => {
  serveAdmin();
  for (const path of ['communities', 'reports', 'admins', 'log', 'week', 'feedback']) servePages(path, []);
  server.use(
    http.get('*/api/admin/switches', () => HttpResponse.json(Object.fromEntries(SWITCHES.map((name) => [name, true])))),
    http.get('*/api/me/passkeys', () => HttpResponse.json([])),
  );
  const { user, router } = await openAdmin('');
  expect(await screen.findByRole('heading', { level: 1, name: 'Administration' })).toBeInTheDocument();
  const groups = within(screen.getByRole('tablist', { name: 'Parts of the administration' }));
  expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
  for (const [group, name, tab, content] of PARTS) {
    await user.click(groups.getByRole('tab', { name: group }));
    if (name) await user.click(within(screen.getByRole('tablist', { name: group })).getByRole('tab', { name }));
    expect(router.state.location.search).toBe(`?tab=${tab}`);
    expect(router.state.historyAction).toBe('REPLACE');
    expect(await screen.findByText(content)).toBeInTheDocument();
    expect(screen.getByRole('tabpanel', { name: name ?? group })).toBeInTheDocument();
  }
  await user.click(groups.getByRole('tab', { name: 'Communities' }));
  expect(router.state.location.search).toBe('');
  expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
});

test('the arrow keys move between the groups, and between the parts of one group', async () => {
  serveAdmin();
  for (const path of ['communities', 'reports']) servePages(path, []);
  const { user } = await openAdmin('');
  const tab = (name: string) => screen.getByRole('tab', { name });
  await user.click(await screen.findByRole('tab', { name: 'Communities' }));
  await user.keyboard('{ArrowRight}');
  expect(tab('Reports')).toHaveFocus();
  await user.tab();
  expect(tab('Open')).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(tab('Decided')).toHaveFocus();
  expect(tab('Reports')).toHaveAttribute('aria-selected', 'true');
  expect(await screen.findByText('No reported post has been decided yet.')).toBeInTheDocument();
});

test('an unknown tab in the address leads to what waits', async () => {
  serveAdmin();
  servePages('communities', []);
  await openAdmin('?tab=zamani');
  expect(await screen.findByRole('tab', { name: 'Pending' })).toHaveAttribute('aria-selected', 'true');
});

test('the tab of the browser names what is open, and the administration wherever nothing else is', async () => {
  serveAdmin();
  const held = Promise.withResolvers<Response>();
  server.use(
    http.get('*/api/admin/search', () => HttpResponse.json({ people: [JUMA], posts: [] })),
    http.get('*/api/admin/users/juma', () => held.promise as never),
    http.get('*/api/admin/posts/simu', () => HttpResponse.json(aPostPage({ post: aPost({ title: 'Simu' }) }))),
  );
  const { router } = await openAdmin('?tab=lookUp');
  await waitFor(() => expect(document.title).toBe('Administration · Patikana'));
  await act(() => router.navigate('/admin?person=juma'));
  expect(await screen.findByRole('button', { name: 'Back' })).toBeInTheDocument();
  expect(document.title).toBe('Administration · Patikana');
  held.resolve(HttpResponse.json(aPerson()));
  await waitFor(() => expect(document.title).toBe('Juma · Patikana'));
  await act(() => router.navigate('/admin?post=simu'));
  await waitFor(() => expect(document.title).toBe('Simu · Patikana'));
  await act(() => router.navigate('/admin?tab=lookUp'));
  expect(document.title).toBe('Administration · Patikana');
  // What was read before is named at once.
  await act(() => router.navigate('/privacy'));
  await act(() => router.navigate('/admin?person=juma'));
  await waitFor(() => expect(document.title).toBe('Juma · Patikana'));
});
