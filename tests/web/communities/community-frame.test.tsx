import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JoinRequest, MemberRole } from '#contract/communities.ts';
import {
  aMember,
  MEMBERS,
  noteSteps,
  REQUEST,
  refuseWith,
  SCHOOL,
  serveOwn,
  serveSchool,
} from '#tests/web/support/communities.ts';
import { aPost, serveList } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { signInAs } from '#web/api/session.ts';

describe('the shared layout of a community’s pages', () => {
  const closes_at = '2026-11-29T09:00:00.000Z';
  const AS_MEMBER = { member_role: 'member', access_code: undefined } as const;
  const open = (path = '/communities/school') => renderScreen(path, { isSignedIn: true });

  beforeEach(() => {
    serveList('/posts', []);
    serveOwn([SCHOOL]);
  });

  test.each(['/communities/school', '/communities/school/desk', '/community-details/school?tab=posts'])(
    'the page %s first shows that it is loading, and then the community’s name',
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

  test('a signed-out user sees a link to the sign-in, and returns to the same page after signing in', async () => {
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

  test('if a community fails to load, its page shows the reason, and “Try again” loads the community', async () => {
    server.use(http.get('*/api/communities/school', refuseWith(403, { detail: 'Huruhusiwi.' })));
    const { user, container } = await open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Huruhusiwi.' })).toBeInTheDocument();
    expect(container.querySelector('main > div > [aria-busy=true]')).toBeNull();
    serveSchool();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: SCHOOL.name })).toBeInTheDocument();
    expect(screen.queryByText('Huruhusiwi.')).toBeNull();
  });

  test('if a community is not found, the message names two causes: no such community, or the user is not a member', async () => {
    server.use(http.get('*/api/communities/school', refuseWith(404, {})));
    await open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Community not found' })).toBeInTheDocument();
    expect(screen.getByText('It does not exist, or you are not one of its members.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('if “Keep it open” fails for a community that is due to close, the page shows the reason, and a second press succeeds', async () => {
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

  test('an admin sees the links “Open the desk” and “View as a member” only if the community is approved', async () => {
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

  test('the page of a community without an admin says that there is no admin, and shows the creation date and number of members', async () => {
    serveSchool({ ...AS_MEMBER, admins: [], member_count: 1234 });
    await open();
    const about = await screen.findByRole('region', { name: 'About this community' });
    expect(about).toHaveTextContent('On Patikana since 1 November 2026');
    expect(about).toHaveTextContent('1,234 members');
    expect(screen.getByText(/This community has no admin at the moment/)).toBeInTheDocument();
  });

  test('the list of latest posts omits the community’s name, and has no link “Post here” before the community is approved', async () => {
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

  test('a member’s role that this version of the app does not know is shown as “Other”', async () => {
    serveSchool({ ...AS_MEMBER, member_role: 'guardian' as MemberRole });
    await open();
    const heading = await screen.findByRole('heading', { level: 1, name: SCHOOL.name });
    expect(heading.parentElement).toHaveTextContent('Other');
    expect(screen.queryByRole('link', { name: 'Run this community' })).toBeNull();
  });

  test('in a community that is due to close, a member can leave only if the community has other members', async () => {
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
    ['en', 'This community is suspended', /Your own posts are under “My Posts”/],
    ['sw', 'Jumuiya hii imesimamishwa', /Matangazo yako yapo kwenye “Matangazo Yangu”/],
  ] as const)('a member reads in the language %s that the community is suspended', async (language, title, text) => {
    server.use(http.get('*/api/communities/school', refuseWith(403, SUSPENDED)));
    await renderScreen('/communities/school', { isSignedIn: true, language });
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('if a community is suspended while a member has its page open, the page stops showing the community’s content', async () => {
    serveSchool(AS_MEMBER);
    await open();
    expect(await screen.findByText(SCHOOL.description)).toBeInTheDocument();
    server.use(http.get('*/api/communities/school', refuseWith(403, SUSPENDED)));
    await queryClient.invalidateQueries({ queryKey: queryKeys.communities.all });
    expect(await screen.findByRole('heading', { level: 1, name: 'This community is suspended' })).toBeInTheDocument();
    expect(screen.queryByText(SCHOOL.description)).toBeNull();
  });

  test.each(['/communities/school', '/community-details/school?tab=posts', '/communities/school/desk'])(
    'on the page %s an admin of a suspended community sees the reason for the suspension, and can still post',
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
});

describe('members of a community', () => {
  const SALMA = aMember({ user_id: '5', username: 'Salma', joined_at: '2026-11-03T00:00:00.000Z' });
  const TWO_ADMINS = { admins: ['Neema', 'Salma'], member_count: 3 };

  beforeEach(() => {
    serveOwn([SCHOOL]);
    serveSchool(TWO_ADMINS, [], [...MEMBERS, SALMA]);
  });

  /** Opens the tab of members as Neema. The school has two admins, Neema and Salma. */
  function open() {
    signInAs({ token: 'a-token', userId: '1' });
    return renderScreen('/community-details/school?tab=members');
  }

  type User = Awaited<ReturnType<typeof open>>['user'];
  async function manage(user: User, name: string) {
    await user.click(await screen.findByRole('button', { name: `Change what ${name} may do` }));
    return within(screen.getByRole('dialog', { name }));
  }
  const choicesIn = (dialog: Awaited<ReturnType<typeof manage>>) =>
    dialog.getAllByRole('button').map((button) => button.textContent || button.getAttribute('aria-label'));

  test('the actions offered on a member depend on the member’s role and on the user’s own role', async () => {
    const { user } = await open();
    const member = await manage(user, 'Juma Hassan');
    expect(choicesIn(member)).toEqual([
      'Close',
      'Make an admin',
      'Hand the community over',
      'Remove from the community',
      'Close',
    ]);
    await user.click(member.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    expect(screen.queryByRole('dialog')).toBeNull();
    const admin = await manage(user, 'Salma');
    expect(choicesIn(admin)).toEqual(['Close', 'Make an ordinary member', 'Remove from the community', 'Close']);
    await user.click(admin.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    const self = await manage(user, 'Neema');
    expect(choicesIn(self)).toEqual(['Close', 'Step down as an admin', 'Close']);
    expect(self.queryByText(/You are the only admin/)).toBeNull();
  });

  test('in a suspended community nobody can be made an admin', async () => {
    serveSchool({ ...TWO_ADMINS, is_suspended: true }, [], [...MEMBERS, SALMA]);
    const { user } = await open();
    expect(choicesIn(await manage(user, 'Juma Hassan'))).toEqual(['Close', 'Remove from the community', 'Close']);
  });

  test('an admin can make another admin an ordinary member, and the confirmation can be cancelled', async () => {
    const steps = noteSteps(() => HttpResponse.json({ ...SALMA, role: 'member' }));
    const { user } = await open();
    await user.click((await manage(user, 'Salma')).getByRole('button', { name: 'Make an ordinary member' }));
    const question = within(screen.getByRole('dialog', { name: 'Make Salma an ordinary member?' }));
    expect(question.getByText('Salma stays a member, but no longer runs this community.')).toBeInTheDocument();
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click((await manage(user, 'Salma')).getByRole('button', { name: 'Make an ordinary member' }));
    serveSchool({}, [], [...MEMBERS, { ...SALMA, role: 'member' }]);
    await user.click(screen.getByRole('button', { name: 'Remove as an admin' }));
    expect(await screen.findByText('Salma is an ordinary member now.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getAllByRole('listitem').at(-1)).toHaveTextContent(/Salma.*Member/));
    expect(steps).toEqual([['PUT', '/members/5/role', { role: 'member' }]]);
  });

  test('an admin who steps down is taken to the page that ordinary members of the community see', async () => {
    const steps = noteSteps(() => HttpResponse.json({ ...MEMBERS[0], role: 'member' }));
    serveList('/posts', []);
    const { user, router } = await open();
    await user.click((await manage(user, 'Neema')).getByRole('button', { name: 'Step down as an admin' }));
    const question = within(screen.getByRole('dialog', { name: 'Step down as an admin?' }));
    serveSchool({ member_role: 'member', admins: ['Salma'] });
    await user.click(question.getByRole('button', { name: 'Step down' }));
    expect(await screen.findByText('You are an ordinary member now.')).toBeInTheDocument();
    await waitFor(() => expect(router.state.location.pathname).toBe('/communities/school'));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Run this community' })).toBeNull());
    expect(steps).toEqual([['PUT', '/members/me/role', { role: 'member' }]]);
  });

  test('a double press on a dialog’s button sends one HTTP request, and the dialog shows why the server refused it', async () => {
    const taken = Promise.withResolvers<void>();
    let count = 0;
    server.use(
      http.put('*/api/communities/school/members/2/role', async () => {
        count++;
        await taken.promise;
        return refuseWith(409, { detail: 'Si mwanachama tena.' })();
      }),
    );
    const { user } = await open();
    await user.click((await manage(user, 'Juma Hassan')).getByRole('button', { name: 'Make an admin' }));
    const question = within(screen.getByRole('dialog', { name: 'Make Juma Hassan an admin?' }));
    await user.dblClick(question.getByRole('button', { name: 'Make an admin' }));
    expect(question.getByRole('button', { name: 'Make an admin' })).toHaveAttribute('aria-disabled', 'true');
    taken.resolve();
    expect(await question.findByRole('alert')).toHaveTextContent('Si mwanachama tena.');
    expect(count).toBe(1);
  });

  test('an admin who has removed a member can cancel the dialog that offers a new access code', async () => {
    const steps = noteSteps();
    const { user } = await open();
    await user.click((await manage(user, 'Juma Hassan')).getByRole('button', { name: 'Remove from the community' }));
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    const offer = within(await screen.findByRole('dialog', { name: 'Make a new access code?' }));
    expect(screen.getByText('Juma Hassan has been removed.')).toBeInTheDocument();
    await user.click(offer.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toContainElement(screen.getByRole('textbox', { name: 'Search by username' }));
    expect(steps).toEqual([['DELETE', '/members/2']]);
  });

  test('a list of members that fails to load shows an error until it loads', async () => {
    server.use(http.get('*/api/communities/school/members', refuseWith(404, {})));
    const { user } = await open();
    expect(await screen.findByText('The members could not be loaded.')).toBeInTheDocument();
    serveSchool(TWO_ADMINS);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Juma Hassan')).toBeInTheDocument();
    expect(screen.queryByText('The members could not be loaded.')).toBeNull();
  });

  test('spaces around the username in the search for members are ignored, and the search can be cleared', async () => {
    const { user } = await open();
    await screen.findByText('Salma');
    const box = screen.getByRole('textbox', { name: 'Search by username' });
    await user.type(box, ' juma ');
    expect(screen.queryByText('Salma')).toBeNull();
    expect(screen.getByText('Juma Hassan')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(screen.getByText('Salma')).toBeInTheDocument();
  });
});

describe('requests to join', () => {
  const THREE_DAYS_AGO = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString();
  const ASKED: JoinRequest = { ...REQUEST, created_at: THREE_DAYS_AGO };
  const OTHER: JoinRequest = { ...REQUEST, user_id: '4', username: 'Baraka', message: null };

  beforeEach(() => serveSchool({ waiting_requests: 2 }, [ASKED, OTHER]));

  async function open() {
    const view = await renderScreen('/community-details/school?tab=members', { isSignedIn: true });
    const region = await screen.findByRole('region', { name: 'Requests to join' });
    await within(region).findByText('Rehema');
    const [rehema, baraka] = within(region).getAllByRole('listitem');
    if (!rehema || !baraka) throw new Error('A request is missing');
    return { ...view, region, rehema: within(rehema), baraka: within(baraka) };
  }

  test('the tab with the requests to join shows the age of each request, and no banner about waiting requests', async () => {
    const { region, rehema, baraka } = await open();
    expect(within(region).getByRole('heading', { level: 2, name: 'Requests to join' })).toBeInTheDocument();
    expect(rehema.getByText('Asked 3 days ago')).toBeInTheDocument();
    expect(baraka.getByRole('heading', { name: 'Baraka' }).parentElement?.children).toHaveLength(2);
    expect(screen.queryByText(/2 people ask to join/)).toBeNull();
  });

  test.each([
    ['Accept', 'Rehema is a member now, and has been notified.'],
    ['Decline', 'Rehema was declined, and may ask again in seven days.'],
  ])(
    'the button “%s” of a request to join shows the result, and the buttons of the other requests stay usable',
    async (button, sentence) => {
      noteSteps();
      const { user, region, rehema } = await open();
      serveSchool({ waiting_requests: 1 }, [OTHER]);
      await user.click(rehema.getByRole('button', { name: button }));
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      await waitFor(() => expect(region).not.toHaveTextContent('Rehema'));
      await waitFor(() => expect(region).toHaveFocus());
      expect(within(region).getByRole('button', { name: button })).not.toHaveAttribute('aria-disabled');
    },
  );

  test('while the answer to a request to join is sent, no other answer to the request can be sent', async () => {
    const answered = Promise.withResolvers<void>();
    const asked: string[] = [];
    server.use(
      http.post('*/api/communities/school/join-requests/:userId/:answer', async ({ params }) => {
        asked.push(`${params.userId} ${params.answer}`);
        await answered.promise;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user, region, rehema, baraka } = await open();
    await user.click(rehema.getByRole('button', { name: 'Decline' }));
    await user.click(rehema.getByRole('button', { name: 'Accept' }));
    await user.click(rehema.getByRole('button', { name: 'Decline' }));
    expect(baraka.getByRole('button', { name: 'Accept' })).not.toHaveAttribute('aria-disabled');
    serveSchool({}, [OTHER]);
    answered.resolve();
    await waitFor(() => expect(region).not.toHaveTextContent('Rehema'));
    expect(asked).toEqual(['3 decline']);
    expect(await screen.findByText('Rehema was declined, and may ask again in seven days.')).toBeInTheDocument();
  });

  test.each(['Accept', 'Decline'])(
    'if the server refuses the answer “%s”, the request to join stays in the list and shows the reason',
    async (button) => {
      server.use(http.post('*/api/communities/school/join-requests/3/:answer', refuseWith(409, { detail: 'Tayari.' })));
      const { user, rehema, baraka } = await open();
      await user.click(rehema.getByRole('button', { name: button }));
      expect(await rehema.findByRole('alert')).toHaveTextContent('Tayari.');
      expect(baraka.queryByRole('alert')).toBeNull();
      expect(rehema.getByRole('button', { name: 'Accept' })).not.toHaveAttribute('aria-disabled');
    },
  );

  test('a press on “Show more requests” adds the next page to the list of requests to join', async () => {
    const pages: (string | null)[] = [];
    server.use(
      http.get('*/api/communities/school/join-requests', ({ request }) => {
        const cursor = new URL(request.url).searchParams.get('cursor');
        pages.push(cursor);
        if (cursor) return HttpResponse.json([OTHER]);
        const next = '</api/communities/school/join-requests?cursor=9>; rel="next"';
        return HttpResponse.json([REQUEST], { headers: { Link: next } });
      }),
    );
    const { user } = await renderScreen('/community-details/school?tab=members', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Show more requests' }));
    expect(await screen.findByText('Baraka')).toBeInTheDocument();
    expect(screen.getByText('Rehema')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show more requests' })).toBeNull();
    expect(pages.at(-1)).toBe('9');
  });

  test('a request to join that another admin has answered is missing when the user opens the tab “Members” again', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('tab', { name: 'Settings' }));
    serveSchool({}, []);
    await user.click(screen.getByRole('tab', { name: 'Members' }));
    await waitFor(() => expect(screen.queryByText('Rehema')).toBeNull());
    expect(screen.queryByRole('heading', { name: 'Requests to join' })).toBeNull();
  });

  test('in a suspended community requests to join can only be declined', async () => {
    serveSchool({ waiting_requests: 2, is_suspended: true, suspension_reason: 'Utapeli' }, [ASKED, OTHER]);
    const { region, rehema } = await open();
    expect(region).toHaveTextContent('Nobody can join while the community is suspended.');
    expect(rehema.getByRole('button', { name: 'Decline' })).toBeInTheDocument();
    expect(rehema.queryByRole('button', { name: 'Accept' })).toBeNull();
  });
});
