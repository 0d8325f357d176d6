import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '#web/lib/query-client.ts';
import { MEMBERS, noteSteps, refuse, SCHOOL, serveOwn, serveSchool } from './support/communities.ts';
import { aPost, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const AS_MEMBER = { member_role: 'member', access_code: undefined } as const;
const open = (language: 'en' | 'sw' = 'en') => renderScreen('/communities/school', { isSignedIn: true, language });

beforeEach(() => {
  serveList('/posts', []);
  serveOwn([]);
});

test('a member reads what the community is about, who runs it and what was posted last', async () => {
  serveSchool(AS_MEMBER);
  const queries = serveList('/posts', [aPost({ title: 'Daftari la hesabu', community_code: SCHOOL.community_code })]);
  await open();
  expect(await screen.findByRole('heading', { level: 1, name: SCHOOL.name })).toBeInTheDocument();
  expect(screen.getByText('Wazazi na walimu')).toBeInTheDocument();
  expect(screen.getByText('2 members')).toBeInTheDocument();
  expect(within(screen.getByRole('region', { name: 'Who runs it' })).getByText('Neema')).toBeInTheDocument();
  expect(await screen.findByRole('link', { name: 'Daftari la hesabu' })).toBeInTheDocument();
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({ community_code: 'MBEZ2345', limit: '5' });
  expect(screen.getByRole('link', { name: 'See and search all posts' })).toHaveAttribute(
    'href',
    '/view-posts?community_code=MBEZ2345',
  );
  expect(screen.queryByRole('link', { name: 'Run this community' })).toBeNull();
});

test('a community without posts says so', async () => {
  serveSchool(AS_MEMBER);
  await open();
  expect(await screen.findByText('Nothing has been posted here yet.')).toBeInTheDocument();
});

test('an admin finds the way to run it there', async () => {
  serveSchool();
  await open();
  expect(await screen.findByRole('link', { name: 'Run this community' })).toHaveAttribute(
    'href',
    '/community-details/school',
  );
});

test('posting from there has the community chosen', async () => {
  serveSchool(AS_MEMBER);
  serveOwn([SCHOOL]);
  const { user } = await open();
  await user.click(await screen.findByRole('link', { name: 'Post here' }));
  expect(await screen.findByRole('combobox', { name: 'Community' })).toHaveValue('MBEZ2345');
});

test('a member leaves after being told what becomes of their posts', async () => {
  serveSchool(AS_MEMBER);
  const steps = noteSteps();
  const { user, router } = await open();
  await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
  const dialog = within(screen.getByRole('dialog', { name: `Leave “${SCHOOL.name}”?` }));
  expect(dialog.getByText(/Your own posts in it stay/)).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/communities'));
  expect(steps).toEqual([['DELETE', '/members/me']]);
});

test('the last admin is told to make somebody else one, and leaves nothing behind', async () => {
  serveSchool();
  const steps = noteSteps();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(/You are the only admin of this community/)).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: 'Leave' })).toBeNull();
  expect(dialog.getByRole('link', { name: 'See the members' })).toHaveAttribute(
    'href',
    '/community-details/school?tab=members',
  );
  expect(steps).toEqual([]);
});

test('whoever is alone is told that leaving closes it, and stays to take that back', async () => {
  serveSchool({ member_count: 1 });
  const steps = noteSteps(() => HttpResponse.json({ closes_at: '2026-11-29T09:00:00.000Z' }, { status: 202 }));
  const { user, router } = await open();
  await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(/the community closes seven days after you leave/)).toBeInTheDocument();
  serveSchool({ member_count: 1, closes_at: '2026-11-29T09:00:00.000Z' });
  await user.click(dialog.getByRole('button', { name: 'Close it' }));
  expect(await screen.findByText(/This community closes on 29 November 2026/)).toBeInTheDocument();
  expect(router.state.location.pathname).toBe('/communities/school');
  expect(steps).toEqual([['DELETE', '/members/me']]);
});

test.each([
  ['en', /^This community closes on 29 November 2026/, 'Keep it open'],
  ['sw', /^Jumuiya hii itafungwa tarehe 29 Novemba 2026/, 'Usiifunge'],
] as const)(
  'in %s all members read when it closes, and its admins alone take it back',
  async (language, text, button) => {
    serveSchool({ ...AS_MEMBER, closes_at: '2026-11-29T09:00:00.000Z' });
    const members = await open(language);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: button })).toBeNull();
    members.unmount();
    queryClient.clear();

    serveSchool({ closes_at: '2026-11-29T09:00:00.000Z' });
    const steps = noteSteps(() => HttpResponse.json(SCHOOL));
    const { user } = await renderScreen('/community-details/school?tab=settings', { isSignedIn: true, language });
    await waitFor(() => expect(screen.getByRole('button', { name: button })).toBeInTheDocument());
    serveSchool();
    await user.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    expect(steps).toEqual([['POST', '/reopen']]);
  },
);

test('what the server refuses stands in the dialog', async () => {
  serveSchool(AS_MEMBER);
  server.use(http.delete('*/api/communities/school/members/me', refuse(409, { detail: 'Hangebaki msimamizi.' })));
  const { user, router } = await open();
  await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Leave' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Hangebaki msimamizi.');
  expect(router.state.location.pathname).toBe('/communities/school');
});

test('a community whose posts cannot be read says so and goes on', async () => {
  serveSchool(AS_MEMBER, [], MEMBERS);
  server.use(http.get('*/api/posts', refuse(403, { detail: 'Hapana' })));
  await open();
  expect(await screen.findByText('The posts could not be loaded.')).toBeInTheDocument();
  expect(screen.getByText('Wazazi na walimu')).toBeInTheDocument();
});
