import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import type { LogEntry } from '#contract/moderation.ts';
import { SWITCHES } from '#contract/operating.ts';
import { AN_ADMIN, aLogEntry, openAdmin, serveAdmin, servePages } from './support/admin.ts';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(() => {
  serveAdmin();
  servePages('admins', [AN_ADMIN]);
});

/** The rows of the log, in its order. */
async function openLog(entries: LogEntry[], language: Language = 'en') {
  servePages('log', entries);
  await openAdmin('?tab=log', language);
  const panel = within(await screen.findByRole('tabpanel'));
  await panel.findByRole('list');
  const rows = await panel.findAllByRole('listitem');
  return rows.map((row) => within(row));
}

const MARKET = { target_type: 'community', target_id: 'market', target_name: 'Soko la Kariakoo' } as const;
const PHONE = { target_type: 'post', target_id: 'simu', target_name: 'Simu' } as const;
const ALONE = { actor_id: null, actor_name: null } as const;
const GONE = { target_id: null, target_name: null } as const;

const SENTENCES: [Partial<LogEntry>, string, string][] = [
  [
    { ...MARKET, reason: 'utapeli' },
    'Neema suspended the community “Soko la Kariakoo”: utapeli',
    'Neema amesimamisha jumuiya “Soko la Kariakoo”: utapeli',
  ],
  [{ reason: 'utapeli' }, 'Neema suspended Juma: utapeli', 'Neema amemsimamisha Juma: utapeli'],
  [{ ...PHONE, action: 'restore' }, 'Neema restored the post “Simu”', 'Neema ameonyesha tena tangazo “Simu”'],
  [
    { ...PHONE, ...ALONE, action: 'hide', reason: 'scam' },
    'the post “Simu” was hidden: Scam',
    'tangazo “Simu” limefichwa: Utapeli',
  ],
  [
    { ...PHONE, ...ALONE, action: 'post_deleted', target_name: null },
    'the open reports on a post that no longer exists were closed',
    'ripoti zilizo wazi kuhusu tangazo ambalo halipo tena zimefungwa',
  ],
  [{ ...GONE }, 'Neema suspended a person whose account was deleted', 'Neema amemsimamisha mtu aliyefuta akaunti yake'],
  [{ ...ALONE, action: 'grant_admin' }, 'Juma was made a platform admin', 'Juma amepewa usimamizi wa jukwaa'],
  [{ action: 'revoke_admin' }, 'Neema revoked the admin role of Juma', 'Neema amemwondolea Juma usimamizi wa jukwaa'],
  [
    { action: 'feedback_done', target_type: 'feedback', target_id: 'f', target_name: 'a@b.tz' },
    'Neema marked the feedback of a@b.tz as done',
    'Neema ameshughulikia maoni ya a@b.tz',
  ],
];

test.each([
  ['en', 1],
  ['sw', 2],
] as const)('each action is one sentence in %s', async (language, column) => {
  const rows = await openLog(
    SENTENCES.map(([entry]) => aLogEntry(entry)),
    language,
  );
  expect(rows.map((row) => row.getAllByRole('paragraph')[0]?.textContent)).toEqual(
    SENTENCES.map((sentence) => sentence[column]),
  );
});

test('an entry says when, and links to its actor and to its object', async () => {
  const [person, post, community, deleted] = await openLog([
    aLogEntry({ created_at: '2026-11-20T09:00:00.000Z' }),
    aLogEntry({ ...PHONE, ...ALONE, action: 'hide' }),
    aLogEntry({ ...MARKET, action: 'approve_name' }),
    aLogEntry({ ...PHONE, target_name: null, action: 'hide' }),
  ]);
  const linksOf = (row = person) => row?.queryAllByRole('link').map((link) => link.getAttribute('href'));
  expect(person?.getByText('20 Nov 2026, 12:00')).toHaveAttribute('datetime', '2026-11-20T09:00:00.000Z');
  expect(person?.queryByText(/By the system/)).toBeNull();
  expect(linksOf(person)).toEqual(['/admin?person=neema', '/admin?person=juma']);
  expect(post?.getByText('By the system, or by a deleted account')).toBeInTheDocument();
  expect(linksOf(post)).toEqual(['/admin?post=simu']);
  expect(linksOf(community)).toEqual(['/admin?person=neema', '/admin?tab=approved&search=Soko+la+Kariakoo']);
  expect(linksOf(deleted)).toEqual(['/admin?person=neema']);
});

test('each switch is named, also one that no longer exists', async () => {
  const rows = await openLog([
    ...SWITCHES.map((target_id) => aLogEntry({ action: 'switch_off', target_type: 'switch', target_id })),
    aLogEntry({ action: 'switch_on', target_type: 'switch', target_id: 'zamani' }),
  ]);
  expect(rows.map((row) => row.getAllByRole('paragraph')[0]?.textContent)).toEqual([
    'Neema switched off: New accounts',
    'Neema switched off: Photos',
    'Neema switched off: Claims',
    'Neema switched off: WhatsApp notices',
    'Neema switched on: zamani',
  ]);
});

test('the log is filtered by action and by admin, and the address holds both', async () => {
  const queries = servePages('log', [aLogEntry()]);
  const { user, router } = await openAdmin('?tab=log');
  const lastQuery = () => Object.fromEntries(queries.at(-1) ?? []);
  await user.selectOptions(await screen.findByRole('combobox', { name: 'What was done' }), '– Community suspended');
  await expect.poll(lastQuery).toMatchObject({ action: 'suspend', target_type: 'community' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'What was done' }), 'All about posts');
  await expect.poll(lastQuery).toMatchObject({ target_type: 'post' });
  expect(lastQuery()).not.toHaveProperty('action');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Done by' }), AN_ADMIN.username);
  await expect.poll(lastQuery).toMatchObject({ target_type: 'post', actor_id: AN_ADMIN.id });
  expect(router.state.location.search).toBe(`?tab=log&what=post&by=${AN_ADMIN.id}`);
  expect(router.state.historyAction).toBe('REPLACE');
});

test('a filter from the address that matches nothing says so, and can be cleared', async () => {
  const queries: URLSearchParams[] = [];
  server.use(
    http.get('*/api/admin/log', ({ request }) => {
      const query = new URL(request.url).searchParams;
      queries.push(query);
      return HttpResponse.json(query.has('actor_id') ? [] : [aLogEntry()]);
    }),
  );
  const { user, router } = await openAdmin('?tab=log&what=hide&by=former');
  expect(await screen.findByText('No action matches this filter.')).toBeInTheDocument();
  expect(Object.fromEntries(queries[0] ?? [])).toMatchObject({ action: 'hide', actor_id: 'former' });
  expect(screen.getByRole('combobox', { name: 'Done by' })).toHaveDisplayValue('The person in the address');
  await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
  expect(await screen.findByRole('listitem')).toHaveTextContent('Neema suspended Juma');
  expect(router.state.location.search).toBe('?tab=log');
});
