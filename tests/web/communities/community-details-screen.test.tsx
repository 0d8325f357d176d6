import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CommunityMember, CommunityStats } from '#contract/communities.ts';
import {
  MEMBERS,
  noteSteps,
  refuseWith,
  SCHOOL,
  STATS,
  serveOwn,
  serveSchool,
} from '#tests/web/support/communities.ts';
import { aPost, serveList } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { toFileName } from '#web/communities/run/qr-dialog.tsx';

describe('a community’s page', () => {
  const AS_MEMBER = { member_role: 'member', access_code: undefined } as const;
  const open = (language: 'en' | 'sw' = 'en') => renderScreen('/communities/school', { isSignedIn: true, language });

  beforeEach(() => {
    serveList('/posts', []);
    serveOwn([]);
  });

  test('a member sees the description, the admins and the newest posts', async () => {
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

  test('the page of a community without posts says that nothing has been posted', async () => {
    serveSchool(AS_MEMBER);
    await open();
    expect(await screen.findByText('Nothing has been posted here yet.')).toBeInTheDocument();
  });

  test('an admin of the community sees the link “Run this community”', async () => {
    serveSchool();
    await open();
    expect(await screen.findByRole('link', { name: 'Run this community' })).toHaveAttribute(
      'href',
      '/community-details/school',
    );
  });

  test('the link “Post here” opens the post form with the community selected', async () => {
    serveSchool(AS_MEMBER);
    serveOwn([SCHOOL]);
    const { user } = await open();
    await user.click(await screen.findByRole('link', { name: 'Post here' }));
    expect(await screen.findByRole('combobox', { name: 'Community' })).toHaveValue('MBEZ2345');
  });

  test('a member leaves after a dialog has said that the member’s posts stay in the community', async () => {
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

  test('the last admin must appoint another admin before leaving', async () => {
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

  test('the only member reads that leaving closes the community, and then sees the closing date', async () => {
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
    'in the language %s, an admin can cancel the closing of the community; an ordinary member sees only the closing date',
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

  test('the server’s refusal to let a member leave is shown in the dialog', async () => {
    serveSchool(AS_MEMBER);
    server.use(http.delete('*/api/communities/school/members/me', refuseWith(409, { detail: 'Hangebaki msimamizi.' })));
    const { user, router } = await open();
    await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Leave' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Hangebaki msimamizi.');
    expect(router.state.location.pathname).toBe('/communities/school');
  });

  test('if the posts fail to load, the page shows an error instead of the posts', async () => {
    serveSchool(AS_MEMBER, [], MEMBERS);
    server.use(http.get('*/api/posts', refuseWith(403, { detail: 'Hapana' })));
    await open();
    expect(await screen.findByText('The posts could not be loaded.')).toBeInTheDocument();
    expect(screen.getByText('Wazazi na walimu')).toBeInTheDocument();
  });
});

const BUSY: CommunityStats = {
  ...STATS,
  total_members: 1234,
  total_posts: 12,
  found_items: 8,
  lost_items: 4,
  resolved_posts: 5,
  active_posts: 7,
  posts_last_7_days: 3,
  most_active_location: 'Ubungo',
};
function serve({ stats = BUSY, members = MEMBERS }: { stats?: CommunityStats; members?: CommunityMember[] } = {}) {
  serveSchool({}, [], members);
  server.use(
    http.get('*/api/communities/school/stats', () => HttpResponse.json(stats)),
    http.get('*/api/communities/school/qrcode/base64', () => HttpResponse.json({ qr_code: 'iVBORw0KGgo=' })),
  );
}

const openDetails = (search = '') => renderScreen(`/community-details/school${search}`, { isSignedIn: true });

function statOf(label: string): string {
  const term = screen.getAllByRole('term').find((element) => element.textContent === label);
  return term?.nextElementSibling?.textContent ?? '';
}

test('the dashboard of a community shows each statistic on a card', async () => {
  serve();
  await openDetails();
  expect(await screen.findByRole('heading', { level: 1, name: SCHOOL.name })).toBeInTheDocument();
  await screen.findByText('Recent (7d)');
  expect(statOf('Members')).toBe('1,234');
  expect(statOf('Total Posts')).toBe('12Found:\u00a08 · Lost:\u00a04');
  expect(statOf('Resolved')).toBe('5Active: 7');
  expect(statOf('Recent (7d)')).toBe('3');
  expect(statOf('Active Location')).toBe('Ubungo');
  expect(statOf('Admin')).toBe('Neema');
  expect(screen.getByRole('textbox', { name: 'Access code' })).toHaveValue('ABCDE23456');
  expect(screen.getByRole('textbox', { name: 'Access code' })).toHaveAttribute('readonly');
  expect(screen.getByRole('link', { name: 'Back to communities' })).toHaveAttribute('href', '/communities');
});

test('the dashboard of a community omits the most active location if none is known, and shows an unknown admin as “Unknown”', async () => {
  serve({ stats: { ...BUSY, most_active_location: null, admin_username: null } });
  await openDetails();
  await screen.findByText('Recent (7d)');
  expect(screen.queryByText('Active Location')).toBeNull();
  expect(statOf('Admin')).toBe('Unknown');
});

test('the tabs of a community have the ARIA roles of tabs, and the URL contains the open tab', async () => {
  serve();
  serveList('/posts', []);
  const { user, router } = await openDetails();
  const tab = async (name: string) => screen.findByRole('tab', { name });
  expect(await tab('Dashboard')).toHaveAttribute('aria-selected', 'true');
  await user.click(await tab('Members'));
  expect(router.state.location.search).toBe('?tab=members');
  expect(screen.getByRole('tabpanel', { name: 'Members' })).toBeInTheDocument();
  await user.keyboard('{ArrowRight}');
  expect(router.state.location.search).toBe('?tab=posts');
  expect(await tab('Posts')).toHaveFocus();
  expect(await screen.findByText('Nothing has been posted here yet.')).toBeInTheDocument();
  await user.keyboard('{End}');
  expect(screen.getByRole('heading', { name: 'Name and description' })).toBeInTheDocument();
  await user.keyboard('{ArrowRight}');
  expect(router.state.location.search).toBe('');
  expect(screen.getAllByRole('tab').filter((element) => element.tabIndex === 0)).toHaveLength(1);
});

test('the dialog with a community’s QR code downloads the code under the community’s name, prints it, and can be closed', async () => {
  serve();
  const { user } = await openDetails();
  await user.click(await screen.findByRole('button', { name: 'Generate QR' }));
  const dialog = await screen.findByRole('dialog', { name: 'QR code' });
  expect(within(dialog).getByRole('img')).toHaveAttribute('src', 'data:image/png;base64,iVBORw0KGgo=');
  expect(within(dialog).getByRole('img')).toHaveAttribute('width', '256');
  expect(dialog).toHaveTextContent('Scan this code to join');
  expect(dialog).toHaveTextContent(SCHOOL.name);
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  vi.stubGlobal('print', vi.fn());
  await user.click(within(dialog).getByRole('button', { name: 'Download' }));
  await user.click(within(dialog).getByRole('button', { name: 'Print' }));
  expect(saved).toEqual([`${SCHOOL.name}.png`]);
  expect(window.print).toHaveBeenCalledOnce();
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the printed sheet has the community’s name, QR code and access code, and says in both languages how to join', async () => {
  serve();
  const { user } = await openDetails();
  await user.click(await screen.findByRole('button', { name: 'Generate QR' }));
  await screen.findByRole('dialog', { name: 'QR code' });
  const poster = document.querySelector<HTMLElement>('body > .qr-poster');
  for (const text of ['Patikana', 'localhost:8787', SCHOOL.name, SCHOOL.access_code])
    expect(poster).toHaveTextContent(text as string);
  expect(poster?.querySelector('img')).toHaveAttribute('src', 'data:image/png;base64,iVBORw0KGgo=');
  const [swahili, english] = ['sw', 'en'].map((language) => poster?.querySelector(`section[lang="${language}"]`));
  expect(swahili).toHaveTextContent('Au fungua localhost:8787/communities na uandike msimbo huu wa kujiunga.');
  expect(english).toHaveTextContent('Or open localhost:8787/communities and type this access code.');
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  expect(document.querySelector('.qr-poster')).toBeNull();
});

test('the dialog with a pending community’s QR code has no Print button and says that the community is not approved', async () => {
  serve();
  server.use(http.get('*/api/communities/school', () => HttpResponse.json({ ...SCHOOL, approval_status: 0 })));
  const { user } = await openDetails();
  await user.click(await screen.findByRole('button', { name: 'Generate QR' }));
  const dialog = await screen.findByRole('dialog', { name: 'QR code' });
  expect(
    within(dialog)
      .getByText(/This community has not been approved yet/)
      .closest('[role=status]'),
  ).not.toBeNull();
  expect(within(dialog).queryByRole('button', { name: 'Print' })).toBeNull();
  expect(document.querySelector('.qr-poster')).toBeNull();
});

test('a failure to load a community’s QR code is logged, and shows no error on the screen', async () => {
  serve();
  server.use(http.get('*/api/communities/school/qrcode/base64', refuseWith(403, { detail: 'Hapana' })));
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { user } = await openDetails();
  await user.click(await screen.findByRole('button', { name: 'Generate QR' }));
  await waitFor(() => expect(log).toHaveBeenCalledOnce());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByText('Hapana')).toBeNull();
});

test('the Copy button copies the access code, and the Share button shares a link for joining', async () => {
  serve();
  const { user } = await openDetails();
  const share = vi.fn(async () => {});
  Object.assign(navigator, { share });
  await user.click(await screen.findByRole('button', { name: 'Copy' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe('ABCDE23456');
  await user.click(screen.getByRole('button', { name: 'Share' }));
  expect(share).toHaveBeenCalledWith({
    text: `Join “${SCHOOL.name}” on Patikana: http://localhost:8787/communities?join=ABCDE23456`,
  });
});

test('a search finds members by a part of their name, in upper or lower case', async () => {
  serve();
  const { user } = await openDetails('?tab=members');
  expect(await screen.findByText('Joined on 2 November 2026')).toBeInTheDocument();
  const rows = () => screen.queryAllByRole('listitem').map((row) => row.textContent);
  expect(rows()).toEqual(['NeemaJoined on 1 October 2026Admin', 'Juma HassanJoined on 2 November 2026Member']);
  await user.type(screen.getByRole('textbox', { name: 'Search by username' }), 'HASS');
  expect(rows()).toEqual(['Juma HassanJoined on 2 November 2026Member']);
  await user.type(screen.getByRole('textbox', { name: 'Search by username' }), 'x');
  expect(screen.getByText('No members found matching your search.')).toBeInTheDocument();
});

test('the list of members shows five skeleton rows until it loads, and an empty list has a message', async () => {
  serve({ members: [] });
  let answer = () => {};
  server.use(
    http.get('*/api/communities/school/members', async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return HttpResponse.json([]);
    }),
  );
  await openDetails('?tab=members');
  const skeleton = await screen.findByRole('list', { name: 'Loading members…' });
  expect(within(skeleton).getAllByRole('listitem')).toHaveLength(5);
  await waitFor(() => expect(answer).not.toBe(undefined));
  await vi.waitFor(() => {
    answer();
    expect(screen.getByText('No members have joined this community yet.')).toBeInTheDocument();
  });
});

test('a search for members covers every page of the list', async () => {
  serve();
  server.use(
    http.get('*/api/communities/school/members', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([MEMBERS[1]])
        : HttpResponse.json([MEMBERS[0]], {
            headers: { Link: '</api/communities/school/members?cursor=1.1>; rel="next"' },
          }),
    ),
  );
  const { user } = await openDetails('?tab=members');
  expect(await screen.findByRole('button', { name: 'Show more members' })).toBeInTheDocument();
  await user.type(screen.getByRole('textbox', { name: 'Search by username' }), 'juma');
  expect(await screen.findByText('Juma Hassan')).toBeInTheDocument();
});

test('a search for members announces the number of results, also if there are none', async () => {
  serve();
  const { user } = await openDetails('?tab=members');
  const announced = await screen.findByText('2 members shown');
  await user.type(screen.getByRole('textbox', { name: 'Search by username' }), 'zzz');
  expect(announced).toHaveTextContent('0 members shown');
  expect(announced).toBeInTheDocument();
});

test('a search for members that fails to load a page of the list shows an error, and does not say that nobody was found', async () => {
  serve();
  server.use(
    http.get('*/api/communities/school/members', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json({}, { status: 403 })
        : HttpResponse.json([MEMBERS[0]], {
            headers: { Link: '</api/communities/school/members?cursor=1.1>; rel="next"' },
          }),
    ),
  );
  const { user } = await openDetails('?tab=members');
  await user.type(await screen.findByRole('textbox', { name: 'Search by username' }), 'juma');
  expect(await screen.findByRole('alert')).toHaveTextContent('The members could not be loaded.');
  expect(screen.queryByText('No members found matching your search.')).toBeNull();
  expect(screen.getByRole('button', { name: 'Show more members' })).toBeEnabled();
});

test('the dashboard of a community that the user may not see shows “Community not found”', async () => {
  server.use(http.get('*/api/communities/school', refuseWith(404, { detail: 'Community not found' })));
  await openDetails();
  expect(await screen.findByRole('heading', { name: 'Community not found' })).toBeInTheDocument();
});

test('an ordinary member who opens a community’s dashboard sees that the page is for admins only', async () => {
  const { access_code: _secret, ...community } = SCHOOL;
  server.use(http.get('*/api/communities/school', () => HttpResponse.json({ ...community, member_role: 'member' })));
  await openDetails();
  expect(await screen.findByText('Only the admins of this community can see this page.')).toBeInTheDocument();
  expect(screen.queryByRole('tab')).toBeNull();
  expect(screen.getByRole('link', { name: 'Open the community' })).toHaveAttribute('href', '/communities/school');
});

test.each([
  ['Shule ya Msingi', 'Shule ya Msingi.png'],
  ['A/B: "C"?', 'A-B- -C--.png'],
  ['..', 'community.png'],
])('the QR code of the community “%s” is downloaded as the file %s', (name, file) => {
  expect(toFileName(name)).toBe(file);
});
