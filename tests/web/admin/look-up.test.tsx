import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AdminDay, type AdminFound, SWITCHES } from '#contract/admin.ts';
import type { Language } from '#contract/language.ts';
import type { LogEntry } from '#contract/moderation.ts';
import {
  AN_ADMIN,
  ASHA,
  aCase,
  aLogEntry,
  aPerson,
  aPostPage,
  JUMA,
  openAdmin,
  serveAdmin,
  servePages,
} from '#tests/web/support/admin.ts';
import { WAITING_SCHOOL } from '#tests/web/support/communities.ts';
import { aPost } from '#tests/web/support/posts.ts';
import { server } from '#tests/web/support/setup.ts';

describe('the admins’ search', () => {
  // Loaded in advance: on a busy machine, loading on demand takes longer than a test waits.
  beforeAll(() => import('#web/admin/admin-screen.tsx'));
  beforeEach(serveAdmin);

  const POST = aPost({ title: 'Simu nyeusi', created_at: '2026-11-20T09:00:00.000Z' });

  /** Answers each search with the results that `found` has for its text, or with none. @returns the searched texts. */
  function serveFound(found: Record<string, Partial<AdminFound>>): (string | null)[] {
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/admin/search', ({ request }) => {
        const q = new URL(request.url).searchParams.get('q');
        asked.push(q);
        return HttpResponse.json({ people: [], posts: [], ...found[q ?? ''] });
      }),
    );
    return asked;
  }

  function box() {
    return screen.findByRole('textbox', { name: 'Search for a person or a post' });
  }

  test('sends no request before the admin types, and puts the typed text into the page’s URL', async () => {
    const asked = serveFound({ juma: { people: [JUMA] } });
    const { user, router } = await openAdmin('?tab=lookUp');
    expect(await screen.findByText('By name, email, number or id, or by words of a post.')).toBeInTheDocument();
    expect(document.querySelector('[aria-busy=true]')).toBeNull();
    expect(screen.queryByText('No person or post matches your search.')).toBeNull();
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
    await user.type(await box(), ' juma ');
    expect(await screen.findByRole('link', { name: 'Juma' })).toHaveAttribute('href', '/admin?person=juma');
    expect(asked).toEqual(['juma']);
    expect(screen.queryByText(/By name, email/)).toBeNull();
    expect(new URLSearchParams(router.state.location.search).get('q')?.trim()).toBe('juma');
    // The results disappear with their search.
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await screen.findByText(/By name, email/)).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Juma' })).toBeNull();
  });

  test('lists people and posts under separate headings with their dates, and marks suspended people and hidden posts', async () => {
    const people = [{ ...JUMA, is_suspended: true }, ASHA];
    const posts = [POST, aPost({ title: 'Pochi', is_hidden: true })];
    serveFound({ simu: { people, posts } });
    await openAdmin('?tab=lookUp&q=simu');
    expect(await box()).toHaveValue('simu');
    expect(await screen.findByRole('heading', { level: 2, name: 'People' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 2, name: 'Posts' })).toBeInTheDocument();
    expect(screen.queryByText('No person or post matches your search.')).toBeNull();
    const rowOf = (name: string) => within(screen.getByRole('link', { name }).closest('li') as HTMLElement);
    expect(rowOf('Juma').getByText('Suspended')).toBeInTheDocument();
    expect(rowOf('Juma').getByText('Account since 1 November 2026')).toBeInTheDocument();
    expect(rowOf('Asha').queryByText('Suspended')).toBeNull();
    expect(rowOf('Pochi').getByText('Hidden')).toBeInTheDocument();
    expect(rowOf('Simu nyeusi').queryByText('Hidden')).toBeNull();
    expect(rowOf('Simu nyeusi').getByText('20 November 2026')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Simu nyeusi' })).toHaveAttribute('href', `/admin?post=${POST.id}`);
    for (const name of ['Juma', 'Pochi']) expect(screen.getByRole('link', { name })).toHaveAttribute('dir', 'auto');
  });

  test('shows the headings “People” and “Posts” only above results, and a message if nothing is found', async () => {
    serveFound({ simu: { posts: [POST] }, juma: { people: [JUMA] } });
    const { user } = await openAdmin('?tab=lookUp&q=simu');
    expect(await screen.findByRole('heading', { name: 'Posts' })).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'People' })).toBeNull();
    expect(screen.queryByText('No person or post matches your search.')).toBeNull();
    await user.clear(await box());
    await user.type(await box(), 'juma');
    expect(await screen.findByRole('heading', { name: 'People' })).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Posts' })).toBeNull();
    expect(screen.queryByText('No person or post matches your search.')).toBeNull();
    await user.type(await box(), 'x');
    expect(await screen.findByText('No person or post matches your search.')).toBeInTheDocument();
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
  });

  test('shows the previous results until the response to a new search, and removes these results if the new search fails', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    serveFound({ juma: { people: [JUMA] } });
    const { user } = await openAdmin('?tab=lookUp&q=juma');
    expect(await screen.findByRole('link', { name: 'Juma' })).toBeInTheDocument();
    let isAsked = false;
    server.use(
      http.get('*/api/admin/search', async () => {
        isAsked = true;
        await isReleased;
        return HttpResponse.json({ detail: 'Haiwezekani.' }, { status: 403 });
      }),
    );
    await user.type(await box(), 'n');
    await waitFor(() => expect(isAsked).toBe(true));
    expect(screen.getByRole('link', { name: 'Juma' })).toBeInTheDocument();
    release();
    expect(await screen.findByRole('alert')).toHaveTextContent('Haiwezekani.');
    expect(screen.queryByRole('link', { name: 'Juma' })).toBeNull();
  });

  test('is restored with its results when the admin returns from the page of a person in the results', async () => {
    serveFound({ juma: { people: [JUMA] } });
    server.use(http.get('*/api/admin/users/juma', () => HttpResponse.json(aPerson())));
    const { user, router } = await openAdmin('?tab=lookUp&q=juma');
    await user.click(await screen.findByRole('link', { name: 'Juma' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Juma' })).toBeInTheDocument();
    await router.navigate(-1);
    expect(await box()).toHaveValue('juma');
    expect(screen.getByRole('link', { name: 'Juma' })).toBeInTheDocument();
  });
});

describe('the tabs and pages of /admin', () => {
  // Loaded in advance: on a busy machine, loading on demand takes longer than a test waits.
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

  test.each(PARTS)('/admin%s shows a loading state, then an error, and the content after a retry', async (...part) => {
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
    // The message stays until data replaces it.
    expect(screen.getByRole('button', { name: 'Try again' })).toHaveAttribute('aria-busy', 'true');
    next.resolve(HttpResponse.json(answer as never));
    expect(await screen.findByText(content)).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.querySelector(BUSY)).toBeNull();
  });

  const READ_ANEW = PARTS.filter(([search]) => !search.includes('lookUp'));

  test.each(READ_ANEW)(
    'the content of /admin%s is refetched on every visit, because another admin may have changed it',
    async (...part) => {
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
    },
  );

  const EMPTY: [search: string, path: string, sentence: string][] = [
    ['', 'communities', 'No community is waiting for approval.'],
    ['?tab=approved', 'communities', 'No community has been approved yet.'],
    ['?search=zzz', 'communities', 'No community matches your search.'],
    ['?tab=reports', 'reports', 'No reported post is waiting.'],
    ['?tab=decidedReports', 'reports', 'No reported post has been decided yet.'],
    ['?tab=log', 'log', 'No action has been taken yet.'],
    ['?tab=feedback', 'feedback', 'No feedback is waiting.'],
  ];

  test.each(EMPTY)('the list on /admin%s is shown as empty only after the server has responded', async (...part) => {
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

  test.each(LONG)('the list on /admin%s loads further pages with “Show more”, up to the last', async (...part) => {
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
});

describe('the log of admin actions', () => {
  // Loaded in advance: on a busy machine, loading on demand takes longer than a test waits.
  beforeAll(() => import('#web/admin/admin-screen.tsx'));
  beforeEach(() => {
    serveAdmin();
    servePages('admins', [AN_ADMIN]);
  });

  /** Returns the log's rows in order. */
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
    [
      { ...GONE },
      'Neema suspended a person whose account was deleted',
      'Neema amemsimamisha mtu aliyefuta akaunti yake',
    ],
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
  ] as const)('describes each action in one sentence in the language %s', async (language, column) => {
    const rows = await openLog(
      SENTENCES.map(([entry]) => aLogEntry(entry)),
      language,
    );
    expect(rows.map((row) => row.getAllByRole('paragraph')[0]?.textContent)).toEqual(
      SENTENCES.map((sentence) => sentence[column]),
    );
  });

  test('shows an entry’s time, and links to the admin and to the post, person or community concerned', async () => {
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

  test('names the feature that an admin switched on or off, also a feature whose switch no longer exists', async () => {
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

  test('is filtered by action and by admin, and the page’s URL contains both filters', async () => {
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

  test('shows a message if no action matches the filter in the URL, and offers to clear the filter', async () => {
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
});
