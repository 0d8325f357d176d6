import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import type { CommunityMember, CommunityStats } from '#contract/communities.ts';
import { toFileName } from '#web/communities/qr-dialog.tsx';
import { MEMBERS, refuse, SCHOOL, serveSchool } from './support/communities.ts';
import { serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const STATS: CommunityStats = {
  total_members: 1234,
  total_posts: 12,
  found_items: 8,
  lost_items: 4,
  resolved_posts: 5,
  active_posts: 7,
  posts_last_7_days: 3,
  most_active_location: 'Ubungo',
  admin_username: 'Neema',
};
function serve({ stats = STATS, members = MEMBERS }: { stats?: CommunityStats; members?: CommunityMember[] } = {}) {
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

test('the dashboard shows every card', async () => {
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

test('without a location there is no card for it, and without an admin the name is unknown', async () => {
  serve({ stats: { ...STATS, most_active_location: null, admin_username: null } });
  await openDetails();
  await screen.findByText('Recent (7d)');
  expect(screen.queryByText('Active Location')).toBeNull();
  expect(statOf('Admin')).toBe('Unknown');
});

test('the tabs are tabs, and the address says which one is open', async () => {
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

test("the code is shown, downloaded under the community's name, printed, and closed", async () => {
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
  window.print = vi.fn();
  await user.click(within(dialog).getByRole('button', { name: 'Download' }));
  await user.click(within(dialog).getByRole('button', { name: 'Print' }));
  expect(saved).toEqual([`${SCHOOL.name}.png`]);
  expect(window.print).toHaveBeenCalledOnce();
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('what is printed says in both languages what it is, where, the code in letters, and what to do', async () => {
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

test('the code of a community that waits says that it is not open yet, and is not printed', async () => {
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

test('a code that could not be made is logged and no more', async () => {
  serve();
  server.use(http.get('*/api/communities/school/qrcode/base64', refuse(403, { detail: 'Hapana' })));
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { user } = await openDetails();
  await user.click(await screen.findByRole('button', { name: 'Generate QR' }));
  await waitFor(() => expect(log).toHaveBeenCalledOnce());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByText('Hapana')).toBeNull();
});

test('the code is copied and shared as a link', async () => {
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

test('members are searched by a part of their name in any case', async () => {
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

test('five rows stand in for the members until they are here, and an empty list says so', async () => {
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

test('a search looks through the members of every page', async () => {
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

test('how many members a search has left is announced, none as well', async () => {
  serve();
  const { user } = await openDetails('?tab=members');
  const announced = await screen.findByText('2 members shown');
  await user.type(screen.getByRole('textbox', { name: 'Search by username' }), 'zzz');
  expect(announced).toHaveTextContent('0 members shown');
  expect(announced).toBeInTheDocument();
});

test('a search that cannot read on says so, and not that there is nobody', async () => {
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

test('what is hidden from the reader was not found', async () => {
  server.use(http.get('*/api/communities/school', refuse(404, { detail: 'Community not found' })));
  await openDetails();
  expect(await screen.findByRole('heading', { name: 'Community not found' })).toBeInTheDocument();
});

test('a member who is no admin sees the name and nothing that is for admins', async () => {
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
])('the PNG of %s is called %s', (name, file) => {
  expect(toFileName(name)).toBe(file);
});
