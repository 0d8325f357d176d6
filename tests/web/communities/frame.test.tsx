import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { MemberRole } from '#contract/communities.ts';
import { REQUEST, refuseWith, SCHOOL, serveOwn, serveSchool } from '#tests/web/support/communities.ts';
import { aPost, serveList } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';

const closes_at = '2026-11-29T09:00:00.000Z';
const AS_MEMBER = { member_role: 'member', access_code: undefined } as const;
const open = (path = '/communities/school') => renderScreen(path, { isSignedIn: true });

beforeEach(() => {
  serveList('/posts', []);
  serveOwn([SCHOOL]);
});

test.each(['/communities/school', '/communities/school/desk', '/community-details/school?tab=posts'])(
  'while %s loads the page shows loading, and then the community’s name',
  async (path) => {
    const asked = Promise.withResolvers<void>();
    serveSchool();
    server.use(
      http.get('*/api/communities/school', async () => {
        await asked.promise;
        return HttpResponse.json(SCHOOL);
      }),
      http.get('*/api/posts/by-owner', () => HttpResponse.json([])),
    );
    const { container } = await open(path);
    expect(await screen.findByRole('link', { name: 'Back to communities' })).toBeInTheDocument();
    expect(container.querySelector('main [aria-busy=true]')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    asked.resolve();
    const heading = await screen.findByRole('heading', { level: 1, name: SCHOOL.name });
    expect(heading.parentElement).toHaveTextContent('Admin');
    await waitFor(() => expect(document.title).toContain(SCHOOL.name));
    expect(screen.queryByText(/This community closes/)).toBeNull();
  },
);

test('a signed-out user sees a link to the sign-in that leads back', async () => {
  server.use(http.get('*/api/communities/school', refuseWith(401, { code: 'unauthorized' })));
  const { user, router } = await renderScreen('/community-details/school?tab=members');
  expect(
    await screen.findByRole('heading', { level: 1, name: 'You need to log in to view communities' }),
  ).toBeInTheDocument();
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Log in' }));
  expect(router.state.location).toMatchObject({
    pathname: '/login',
    state: { from: '/community-details/school?tab=members' },
  });
});

test('a community that fails to load shows the reason, and loads on a press', async () => {
  server.use(http.get('*/api/communities/school', refuseWith(403, { detail: 'Huruhusiwi.' })));
  const { user, container } = await open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Huruhusiwi.' })).toBeInTheDocument();
  expect(container.querySelector('main > div > [aria-busy=true]')).toBeNull();
  serveSchool();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { level: 1, name: SCHOOL.name })).toBeInTheDocument();
  expect(screen.queryByText('Huruhusiwi.')).toBeNull();
});

test('a missing community says so, and that it may be for members only', async () => {
  server.use(http.get('*/api/communities/school', refuseWith(404, {})));
  await open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Community not found' })).toBeInTheDocument();
  expect(screen.getByText('It does not exist, or you are not one of its members.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a failed attempt to keep it open shows the reason and can be retried, and a success is confirmed', async () => {
  serveSchool({ ...AS_MEMBER, member_count: 1, closes_at });
  server.use(http.post('*/api/communities/school/reopen', () => HttpResponse.error()));
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Keep it open' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('There was no answer.');
  const answered = Promise.withResolvers<void>();
  let count = 0;
  server.use(
    http.post('*/api/communities/school/reopen', async () => {
      count++;
      await answered.promise;
      return HttpResponse.json(SCHOOL);
    }),
  );
  await user.dblClick(screen.getByRole('button', { name: 'Keep it open' }));
  serveSchool(AS_MEMBER);
  answered.resolve();
  expect(await screen.findByText('The community stays open. Its members are notified.')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText(/This community closes/)).toBeNull());
  expect(count).toBe(1);
});

test('an open community links to its desk and its members’ page, and a pending one does not', async () => {
  serveSchool({ waiting_requests: 1 }, [REQUEST]);
  const approved = await open('/community-details/school?tab=settings');
  expect(await screen.findByRole('link', { name: 'Open the desk' })).toHaveAttribute(
    'href',
    '/communities/school/desk',
  );
  expect(screen.getByRole('link', { name: 'View as a member' })).toHaveAttribute('href', '/communities/school');
  expect(screen.getByRole('tablist', { name: 'Parts of the community' })).toBeInTheDocument();
  expect(screen.getByText('1 person asks to join.', { exact: false })).toBeInTheDocument();
  approved.unmount();
  serveSchool({ approval_status: 0 });
  server.use(http.get('*/api/communities/school/stats', () => delay('infinite')));
  await open('/community-details/school?tab=nothing');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Open the desk' })).toBeNull());
  expect(screen.queryByRole('link', { name: 'View as a member' })).toBeNull();
  expect(screen.queryByText(/asks? to join/)).toBeNull();
});

test('the page shows the description, the date, and that nobody runs it', async () => {
  serveSchool({ ...AS_MEMBER, admins: [], member_count: 1234 });
  await open();
  const about = await screen.findByRole('region', { name: 'About this community' });
  expect(about).toHaveTextContent('On Patikana since 1 November 2026');
  expect(about).toHaveTextContent('1,234 members');
  expect(screen.getByText(/This community has no admin at the moment/)).toBeInTheDocument();
});

test('the latest posts do not repeat the community’s name, and a pending community offers no post', async () => {
  serveSchool({ ...AS_MEMBER, description: '', approval_status: 0, admins: ['Neema', 'Neema'] });
  serveList('/posts', [aPost({ title: 'Daftari', community_name: SCHOOL.name, location: 'Darasani' })]);
  await open();
  const posts = within(await screen.findByRole('region', { name: 'Latest posts' }));
  const link = await posts.findByRole('link', { name: 'Daftari' });
  const row = link.closest('li') as HTMLElement;
  expect(row).not.toHaveTextContent(SCHOOL.name);
  expect(within(row).getByText('Darasani')).toBeInTheDocument();
  expect(posts.queryByText('There is no open post here at the moment.')).toBeNull();
  expect(posts.queryByRole('link', { name: 'Post here' })).toBeNull();
  expect(screen.getAllByText('Neema')).toHaveLength(2);
  expect(screen.queryByText(/This community has no admin/)).toBeNull();
});

test('an unknown role of a newer server has a plain badge', async () => {
  serveSchool({ ...AS_MEMBER, member_role: 'guardian' as MemberRole });
  await open();
  const heading = await screen.findByRole('heading', { level: 1, name: SCHOOL.name });
  expect(heading.parentElement).toHaveTextContent('Other');
  expect(screen.queryByRole('link', { name: 'Run this community' })).toBeNull();
});

test('the only member of a closing community cannot leave it again; others can leave and stay', async () => {
  serveSchool({ member_count: 1, closes_at });
  const alone = await open();
  expect(await screen.findByRole('button', { name: 'Keep it open' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Leave this community' })).toBeNull();
  alone.unmount();
  serveSchool({ admins: ['Neema', 'Salma'], member_count: 3, closes_at });
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.queryByText(/You are the only admin/)).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

const SUSPENDED = { code: 'community_suspended', detail: 'Imesimamishwa.' } as const;

test.each([
  ['en', 'This community is suspended', /You find your own posts under “My Posts”/],
  ['sw', 'Jumuiya hii imesimamishwa', /Matangazo yako yapo kwenye “Matangazo Yangu”/],
] as const)('a member of a suspended community sees the suspension in %s', async (language, title, text) => {
  server.use(http.get('*/api/communities/school', refuseWith(403, SUSPENDED)));
  await renderScreen('/communities/school', { isSignedIn: true, language });
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
  expect(screen.getByText(text)).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a community suspended while a member reads it disappears from the page', async () => {
  serveSchool(AS_MEMBER);
  await open();
  expect(await screen.findByText(SCHOOL.description)).toBeInTheDocument();
  server.use(http.get('*/api/communities/school', refuseWith(403, SUSPENDED)));
  await queryClient.invalidateQueries({ queryKey: queryKeys.communities.all });
  expect(await screen.findByRole('heading', { level: 1, name: 'This community is suspended' })).toBeInTheDocument();
  expect(screen.queryByText(SCHOOL.description)).toBeNull();
});

test.each(['/communities/school', '/community-details/school?tab=posts', '/communities/school/desk'])(
  'the admins of a suspended community read the reason at %s, and can still post',
  async (path) => {
    serveSchool({ is_suspended: true, suspension_reason: 'Matangazo ya biashara' });
    server.use(http.get('*/api/posts/by-owner', () => HttpResponse.json([])));
    await open(path);
    expect(await screen.findByText('Reason: Matangazo ya biashara')).toBeInTheDocument();
    expect(screen.getByText(/Only you and its other admins still see it/)).toBeInTheDocument();
    const wayToPost = { '/communities/school': 'Post here', '/community-details/school?tab=posts': 'Open the desk' }[
      path
    ];
    if (wayToPost) expect(await screen.findByRole('link', { name: wayToPost })).toBeInTheDocument();
    else expect(await screen.findByRole('textbox', { name: /^Title/ })).toBeInTheDocument();
  },
);
