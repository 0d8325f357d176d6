import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdminPerson, AdminPost } from '#contract/admin.ts';
import type { Post } from '#contract/posts.ts';
import {
  aLogEntry,
  aPerson,
  aPostPage,
  JUMA,
  minutesAgo,
  openAdmin,
  serveAdmin,
  servePages,
} from '#tests/web/support/admin.ts';
import { aPost, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { server } from '#tests/web/support/setup.ts';

describe('person page', () => {
  // Loads the admin screen before the tests: on a busy machine, loading it in a test takes longer than the test waits.
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

  /** Returns the element with the value beside the given name. */
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

  test('shows the person’s account details, and titles the browser tab with the person’s name', async () => {
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
  ] as const)(
    'in the language %s, the account details show that the phone number is proven and the person is an admin',
    async (language, number, proven, role, admin) => {
      serve({ is_number_proven: true, is_platform_admin: true });
      await openAdmin('?person=juma', language);
      expect(await factOf(number)).toHaveTextContent(proven);
      expect(await factOf(role)).toHaveTextContent(admin);
    },
  );

  test('shows no phone number for an account whose number another person has proven', async () => {
    serve({ whatsapp_number: null });
    await openAdmin('?person=juma');
    expect(await factOf('Number')).toHaveTextContent('None: somebody else has confirmed it');
  });

  test('shows three empty states: for the person’s posts, for reports against the person, and for admins’ actions about the person', async () => {
    serve();
    await openAdmin('?person=juma');
    expect(await screen.findByText('This person has no posts.')).toBeInTheDocument();
    expect(sectionOf('Reports').getByText('There are no reports.')).toBeInTheDocument();
    expect(sectionOf('Actions taken').getByText('No action has been taken yet.')).toBeInTheDocument();
  });

  test('lists the person’s posts and reports against the person, both with links, and admins’ actions about the person', async () => {
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

  test('after the admin opens another person’s page, only that person’s data is shown', async () => {
    serve({ log: [aLogEntry({ action: 'reinstate' })] });
    const { user } = await openAdmin('?person=juma');
    await user.click(await screen.findByRole('button', { name: 'Suspend' }));
    expect(screen.getByRole('dialog', { name: 'Suspend Juma?' })).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Neema' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Neema' })).toBeInTheDocument();
    await waitFor(() => expect(document.title).toBe('Neema · Patikana'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('suspending and reinstating', () => {
  // Loads the admin screen before the tests: on a busy machine, loading it in a test takes longer than the test waits.
  beforeAll(() => import('#web/admin/admin-screen.tsx'));
  beforeEach(serveAdmin);

  const SUSPENDED = {
    is_suspended: true,
    suspended_at: '2026-11-20T09:00:00.000Z',
    suspension_reason: 'Anatapeli watu',
  } as const;

  /** Serves Juma's data, and changes the data when a request suspends or reinstates him. @returns these requests. */
  function serve(first: Partial<AdminPerson>, answer?: () => Response | Promise<Response>): unknown[] {
    let person = aPerson(first);
    const asked: unknown[] = [];
    server.use(
      http.get('*/api/admin/users/juma', () => HttpResponse.json(person)),
      http.post('*/api/admin/users/:id/:verb', async ({ request, params }) => {
        const { reason } = (await request.json()) as { reason: string | null };
        asked.push([params.id, params.verb, reason]);
        const refused = await answer?.();
        if (refused) return refused as never;
        const action = params.verb === 'suspend' ? 'suspend' : 'reinstate';
        const log = [aLogEntry({ action, reason }), ...person.log];
        const standing =
          action === 'suspend'
            ? { ...SUSPENDED, suspension_reason: reason }
            : { is_suspended: false, suspended_at: null, suspension_reason: null };
        person = { ...person, ...standing, log };
        return new HttpResponse(null, { status: 204 });
      }),
    );
    return asked;
  }

  test('a suspension needs a reason, and “Suspend again” after an undo sends the same reason again', async () => {
    const asked = serve({});
    const { user } = await openAdmin('?person=juma');
    expect(await screen.findByText('They may read and write.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Suspend again' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Suspend' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Suspend Juma?' }));
    expect(dialog.getByText(/They are notified and read your reason/)).toBeInTheDocument();
    const reason = dialog.getByRole('textbox', { name: 'Reason' });
    expect(reason).toHaveAccessibleDescription('Say what was wrong.');
    await user.click(dialog.getByRole('button', { name: 'Suspend' }));
    expect(dialog.getByText('Reason is required')).toBeInTheDocument();
    expect(asked).toEqual([]);
    await user.type(reason, 'Ni tapeli');
    await user.click(dialog.getByRole('button', { name: 'Suspend' }));
    expect(await screen.findByText('Juma is suspended and has been notified.')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText('Reason: Ni tapeli')).toHaveAttribute('dir', 'auto');
    expect(screen.queryByText('They may read and write.')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Undo the suspension' }));
    expect(await screen.findByText('Juma may write again and has been notified.')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Suspend again' }));
    expect(await screen.findByRole('button', { name: 'Undo the suspension' })).toBeInTheDocument();
    expect(asked).toEqual([
      ['juma', 'suspend', 'Ni tapeli'],
      ['juma', 'reinstate', null],
      ['juma', 'suspend', 'Ni tapeli'],
    ]);
  });

  test.each([
    ['en', 'Suspended', /^Suspended since 20 Nov 2026, 12:00\./, 'Reason: Anatapeli watu', 'Reinstate'],
    ['sw', 'Amesimamishwa', /^Amesimamishwa tangu 20 Nov 2026/, 'Sababu: Anatapeli watu', 'Fungua tena akaunti'],
  ] as const)(
    'in the language %s, a suspended person’s page shows when and why the person was suspended',
    async (language, badge, since, why, reinstate) => {
      serve({ ...SUSPENDED, log: [aLogEntry({ created_at: minutesAgo(11) })] });
      await openAdmin('?person=juma', language);
      expect(await screen.findByText(since)).toBeInTheDocument();
      expect(screen.getByText(why)).toBeInTheDocument();
      expect(screen.getByText(badge)).toBeInTheDocument();
      expect(screen.getByRole('button', { name: reinstate })).toBeInTheDocument();
    },
  );

  test.each([
    ['made nine minutes ago can be undone', [aLogEntry({ created_at: minutesAgo(9) })], 'Undo the suspension'],
    ['made eleven minutes ago cannot be undone', [aLogEntry({ created_at: minutesAgo(11) })], 'Reinstate'],
    [
      'can be undone even if a post was hidden afterwards',
      [aLogEntry({ action: 'hide', target_type: 'post' }), aLogEntry({ created_at: minutesAgo(9) })],
      'Undo the suspension',
    ],
    ['of unknown age cannot be undone', [], 'Reinstate'],
  ])('a suspension %s', async (_when, log, name) => {
    serve({ ...SUSPENDED, log });
    await openAdmin('?person=juma');
    expect(await screen.findByRole('button', { name })).toBeInTheDocument();
  });

  const BEFORE = aLogEntry({ reason: 'Ni tapeli', created_at: minutesAgo(60) });

  test.each([
    [
      'made nine minutes ago can be undone',
      [aLogEntry({ action: 'reinstate', created_at: minutesAgo(9) }), BEFORE],
      true,
    ],
    [
      'made eleven minutes ago cannot be undone (the limit is ten minutes)',
      [aLogEntry({ action: 'reinstate', created_at: minutesAgo(11) }), BEFORE],
      false,
    ],
    ['of a suspension that the log lacks cannot be undone', [aLogEntry({ action: 'reinstate' })], false],
    [
      'cannot be undone if the log has an earlier reinstatement with a reason but no suspension',
      [aLogEntry({ action: 'reinstate' }), aLogEntry({ action: 'reinstate', reason: 'Haikuwa yeye' })],
      false,
    ],
    ['that is missing in the log cannot be undone', [BEFORE], false],
  ])('a reinstatement %s', async (_when, log, isOffered) => {
    serve({ log });
    await openAdmin('?person=juma');
    expect(await screen.findByRole('button', { name: 'Suspend' })).toBeInTheDocument();
    expect(screen.queryAllByRole('button', { name: 'Suspend again' })).toHaveLength(isOffered ? 1 : 0);
  });

  test('while the request of “Suspend again” runs, presses on “Suspend again” and “Suspend” have no effect', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const wait = async () => {
      await isReleased;
      return HttpResponse.json({ detail: 'Haiwezekani.' }, { status: 403 });
    };
    const asked = serve({ log: [aLogEntry({ action: 'reinstate' }), BEFORE] }, wait);
    const { user } = await openAdmin('?person=juma');
    const again = await screen.findByRole('button', { name: 'Suspend again' });
    await user.dblClick(again);
    expect(again).toHaveAttribute('aria-busy', 'true');
    await user.click(screen.getByRole('button', { name: 'Suspend' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(asked).toHaveLength(1);
    release();
    expect(await screen.findByText('Haiwezekani.')).toBeInTheDocument();
    await waitFor(() => expect(again).not.toHaveAttribute('aria-busy'));
  });

  test('a double press on Reinstate sends one request', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const asked = serve(SUSPENDED, async () => {
      await isReleased;
      return HttpResponse.json({}, { status: 403 });
    });
    const { user } = await openAdmin('?person=juma');
    const reinstate = await screen.findByRole('button', { name: 'Reinstate' });
    await user.dblClick(reinstate);
    expect(reinstate).toHaveAttribute('aria-busy', 'true');
    expect(asked).toHaveLength(1);
    release();
    expect(await screen.findByText('This could not be done. Please try again.')).toBeInTheDocument();
  });

  test('the dialog of a failed suspension shows an error until the next try, and can be closed', async () => {
    let next = Promise.withResolvers<Response>();
    const asked = serve({}, () => next.promise);
    const { user } = await openAdmin('?person=juma');
    await user.click(await screen.findByRole('button', { name: 'Suspend' }));
    const dialog = within(screen.getByRole('dialog'));
    const button = dialog.getByRole('button', { name: 'Suspend' });
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Ni tapeli');
    await user.click(button);
    expect(button).toHaveAttribute('aria-busy', 'true');
    next.resolve(HttpResponse.json({ detail: 'Ni msimamizi.' }, { status: 403 }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Ni msimamizi.');
    next = Promise.withResolvers();
    await user.click(button);
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(dialog.queryByRole('alert')).toBeNull();
    next.resolve(HttpResponse.json({}, { status: 403 }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('This could not be done. Please try again.');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test.each([
    ['suspended', {}, 'Suspend'],
    ['reinstated', SUSPENDED, 'Reinstate'],
    ['suspended again', { log: [aLogEntry({ action: 'reinstate' }), BEFORE] }, 'Suspend again'],
  ])(
    'after a person was %s, lists of posts are refetched instead of read from the cache',
    async (_what, person, name) => {
      serve(person);
      serveNothingElse();
      const queries = serveList('/posts', [aPost({ title: 'Begi' })]);
      const { user, router } = await openAdmin('?person=juma');
      await act(() => router.navigate('/view-posts'));
      await screen.findByText('Begi');
      expect(queries).toHaveLength(1);
      await act(() => router.navigate('/admin?person=juma'));
      await user.click(await screen.findByRole('button', { name }));
      if (name === 'Suspend') {
        const dialog = within(screen.getByRole('dialog'));
        await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Ni tapeli');
        await user.click(dialog.getByRole('button', { name }));
      }
      expect(await screen.findByText(/has been notified/)).toBeInTheDocument();
      await act(() => router.navigate('/view-posts'));
      await waitFor(() => expect(queries).toHaveLength(2));
    },
  );
});

describe('an admin’s page of a post', () => {
  // Loads the admin screen before the tests: on a busy machine, loading it in a test takes longer than the test waits.
  beforeAll(() => import('#web/admin/admin-screen.tsx'));
  beforeEach(serveAdmin);
  afterEach(() => window.history.replaceState(null, ''));

  function serve(post: Partial<Post>, page: Partial<AdminPost> = {}): void {
    server.use(
      http.get('*/api/admin/posts/simu', () =>
        HttpResponse.json(aPostPage({ post: aPost({ id: 'simu', title: 'Simu', ...post }), ...page })),
      ),
    );
  }

  test('shows the post’s place, time and author, with links', async () => {
    serve({ created_at: '2026-11-20T09:00:00.000Z', location: 'Mbezi Mwisho', community_name: 'Shule ya Mbezi' });
    await openAdmin('?post=simu');
    expect(await screen.findByRole('heading', { level: 1, name: 'Simu' })).toHaveAttribute('dir', 'auto');
    expect(screen.getByText('Posted on 20 November 2026')).toBeInTheDocument();
    for (const text of ['Mbezi Mwisho', 'Shule ya Mbezi', 'Ina kava la bluu', 'Juma'])
      expect(screen.getByText(text)).toHaveAttribute('dir', 'auto');
    expect(screen.getByText('0712345678')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See it in the app' })).toHaveAttribute('href', '/posts/simu');
    expect(screen.getByRole('heading', { level: 2, name: 'Posted by' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Juma' })).toHaveAttribute('href', '/admin?person=juma');
    expect(screen.getByText('Account since 1 November 2026')).toBeInTheDocument();
    for (const text of ['Suspended', /^Hidden/]) expect(screen.queryByText(text)).toBeNull();
    expect(screen.getByText('There are no reports.')).toBeInTheDocument();
  });

  test('names every reason for which the post is hidden, and says if its author is suspended', async () => {
    serve(
      { is_hidden: true, hidden_by: ['reports', 'suspension'] },
      {
        author: { ...JUMA, is_suspended: true },
        log: [aLogEntry({ action: 'hide', target_type: 'post', target_name: 'Simu', reason: 'Ni utapeli' })],
      },
    );
    await openAdmin('?post=simu', 'sw');
    expect(await screen.findByText('Limefichwa na ripoti')).toBeInTheDocument();
    expect(screen.getByText('Limefichwa kwa sababu aliyelitangaza amesimamishwa')).toBeInTheDocument();
    expect(screen.getByText('Amesimamishwa')).toBeInTheDocument();
    expect(screen.getByText('Ni utapeli').closest('li')).toHaveTextContent(
      'Neema amelificha tangazo “Simu”: Ni utapeli',
    );
  });

  test('shows no empty lines for details that the post lacks', async () => {
    serve({ location: 'Mbezi Mwisho', phone_number: null, description: '', community_name: null });
    await openAdmin('?post=simu');
    const card = (await screen.findByText('Mbezi Mwisho')).parentElement as HTMLElement;
    expect(
      within(card)
        .getAllByRole('paragraph')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringMatching(/^Posted on /), 'Mbezi Mwisho']);
  });

  test('has a Back button to the previous screen, or to the administration if there is no previous screen', async () => {
    serve({});
    servePages('log', [aLogEntry({ action: 'hide', target_type: 'post', target_id: 'simu', target_name: 'Simu' })]);
    servePages('communities', []);
    server.use(http.get('*/api/admin/users/:id', () => HttpResponse.json(aPerson())));
    const { user, router } = await openAdmin('');
    await act(() => router.navigate('/admin?tab=log'));
    await user.click(await screen.findByRole('link', { name: 'the post “Simu”' }));
    await screen.findByRole('heading', { level: 1, name: 'Simu' });
    // The browser's router stores a history entry's index as `idx` in the entry's state. The tests' router does not.
    window.history.replaceState({ idx: 1 }, '');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(router.state.location.search).toBe('?tab=log'));
    await user.click(await screen.findByRole('link', { name: 'the post “Simu”' }));
    window.history.replaceState({ idx: 0 }, '');
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('tab', { name: 'Pending' })).toHaveAttribute('aria-selected', 'true');
    expect(router.state.location).toMatchObject({ pathname: '/admin', search: '' });
  });
});
