import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminPerson } from '#contract/admin.ts';
import { aLogEntry, aPerson, openAdmin, serveAdmin } from './support/admin.ts';
import { aPost } from './support/posts.ts';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

function serve(person: Partial<AdminPerson> = {}): void {
  server.use(
    http.get('*/api/admin/users/:id', ({ params }) =>
      params.id === 'juma'
        ? HttpResponse.json(aPerson(person))
        : HttpResponse.json(aPerson({ id: 'neema', username: 'Neema' })),
    ),
  );
}

/** What the list of facts says under that name. */
async function factOf(name: string) {
  return (await screen.findByText(name, { selector: 'dt' })).nextElementSibling;
}

function sectionOf(heading: string) {
  return within(screen.getByRole('heading', { level: 2, name: heading }).closest('section') as HTMLElement);
}

const BLAMED = { reason: 'scam', text: 'Anadai pesa', post_id: 'simu' } as const;
const REPORTS = [
  { ...BLAMED, reporter_id: 'asha', created_at: '2026-11-20T09:00:00.000Z' },
  { ...BLAMED, reason: 'other', text: null, reporter_id: null, created_at: '2026-11-19T09:00:00.000Z' },
] as const;

test('a person’s page says what is known of them, and names the tab', async () => {
  serve({ post_count: 1_200, reports_against: 2, reports_made: 7 });
  await openAdmin('?person=juma');
  expect(await screen.findByRole('heading', { level: 1, name: 'Juma' })).toHaveAttribute('dir', 'auto');
  expect(document.title).toBe('Juma · Patikana');
  expect(
    screen
      .getAllByRole('term')
      .map((name, index) => [name.textContent, screen.getAllByRole('definition')[index]?.textContent]),
  ).toEqual([
    ['Email', 'juma@example.com'],
    ['Number', '+255712345678, not confirmed'],
    ['Account since', '1 November 2026'],
    ['Posts', '1,200'],
    ['Reports on their posts', '2'],
    ['Reports they made', '7'],
  ]);
  expect(await factOf('Email')).toHaveAttribute('dir', 'auto');
  expect(screen.queryByText('Suspended')).toBeNull();
});

test.each([
  ['en', 'Number', '+255712345678, confirmed', 'Role', 'Platform admin'],
  ['sw', 'Namba', '+255712345678, imethibitishwa', 'Jukumu', 'Msimamizi wa jukwaa'],
] as const)('a proven number and an admin are named as such, in %s', async (language, number, proven, role, admin) => {
  serve({ is_number_proven: true, is_platform_admin: true });
  await openAdmin('?person=juma', language);
  expect(await factOf(number)).toHaveTextContent(proven);
  expect(await factOf(role)).toHaveTextContent(admin);
});

test('an account whose number somebody else has proven has none', async () => {
  serve({ whatsapp_number: null });
  await openAdmin('?person=juma');
  expect(await factOf('Number')).toHaveTextContent('None: somebody else has confirmed it');
});

test('of somebody without a past, it says so', async () => {
  serve();
  await openAdmin('?person=juma');
  expect(await screen.findByText('This person has no posts.')).toBeInTheDocument();
  expect(sectionOf('Reports').getByText('There are no reports.')).toBeInTheDocument();
  expect(sectionOf('Actions taken').getByText('No action has been taken yet.')).toBeInTheDocument();
});

test('their posts, the reports on them and what was done lead on', async () => {
  serve({
    posts: [aPost({ id: 'simu', title: 'Simu', is_hidden: true })],
    reports: [...REPORTS],
    log: [
      aLogEntry({
        action: 'hide',
        target_type: 'post',
        target_id: 'simu',
        target_name: 'Simu',
        reason: 'Ni utapeli',
        created_at: '2026-11-21T09:00:00.000Z',
      }),
    ],
  });
  await openAdmin('?person=juma');
  expect(await screen.findByRole('link', { name: 'Simu' })).toHaveAttribute('href', '/admin?post=simu');
  expect(screen.queryByText('This person has no posts.')).toBeNull();
  const reports = sectionOf('Reports');
  const [byAsha, byGone] = reports.getAllByRole('listitem').map((row) => within(row));
  expect(reports.queryByText('There are no reports.')).toBeNull();
  expect(byAsha?.getByText('Scam')).toBeInTheDocument();
  expect(byAsha?.getByText('Anadai pesa')).toHaveAttribute('dir', 'auto');
  expect(byAsha?.getByText('20 Nov 2026, 12:00')).toBeInTheDocument();
  expect(byAsha?.getByRole('link', { name: 'Open the post' })).toHaveAttribute('href', '/admin?post=simu');
  expect(byAsha?.getByRole('link', { name: 'Who reported it' })).toHaveAttribute('href', '/admin?person=asha');
  expect(byGone?.getByText('Something else')).toBeInTheDocument();
  expect(byGone?.queryByRole('link', { name: 'Who reported it' })).toBeNull();
  const done = sectionOf('Actions taken');
  expect(done.queryByText('No action has been taken yet.')).toBeNull();
  expect(done.getByRole('listitem')).toHaveTextContent('Neema hid the post “Simu”: Ni utapeli');
});

test('from one person to the next, each page is their own', async () => {
  serve({ log: [aLogEntry({ action: 'reinstate' })] });
  const { user } = await openAdmin('?person=juma');
  await user.click(await screen.findByRole('button', { name: 'Suspend' }));
  expect(screen.getByRole('dialog', { name: 'Suspend Juma?' })).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Neema' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Neema' })).toBeInTheDocument();
  await waitFor(() => expect(document.title).toBe('Neema · Patikana'));
  expect(screen.queryByRole('dialog')).toBeNull();
});
