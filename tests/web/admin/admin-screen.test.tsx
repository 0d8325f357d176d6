import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdminCommunity, AdminDay, FeedbackEntry } from '#contract/admin.ts';
import { WEEK_COUNT_MAX } from '#contract/limits.ts';
import { openAdmin, serveAdmin, servePages } from '#tests/web/support/admin.ts';
import { refuseWith, WAITING_SCHOOL as WAITING } from '#tests/web/support/communities.ts';
import { keepAnswers, renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryKeys } from '#web/api/query-keys.ts';

const THANKS: FeedbackEntry = {
  id: '1',
  email: 'juma@example.com',
  message: 'Asante\nsana',
  created_at: '2026-11-20T09:00:00.000Z',
  done_at: null,
};

/** Serves a user who is a platform admin or not, and records the decisions. */
function serve(isAdmin: boolean, communities: AdminCommunity[] = [WAITING]) {
  const decided: unknown[] = [];
  const queries: string[] = [];
  const done: unknown[] = [];
  let left = communities;
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: isAdmin })),
    http.get('*/api/admin/communities', ({ request }) => {
      const query = new URL(request.url).searchParams;
      queries.push(query.toString());
      const status = query.get('status') === 'approved' ? 1 : 0;
      return HttpResponse.json(left.filter((community) => community.approval_status === status));
    }),
    http.post('*/api/admin/communities/:id/:verb', async ({ request, params }) => {
      const text = await request.text();
      decided.push([params.id, params.verb, ...(text ? [JSON.parse(text)] : [])]);
      left = [];
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('*/api/admin/feedback', ({ request }) => {
      const isDone = new URL(request.url).searchParams.get('state') === 'done';
      return HttpResponse.json(
        isDone === (done.at(-1) === THANKS.id) ? [{ ...THANKS, done_at: isDone ? THANKS.created_at : null }] : [],
      );
    }),
    http.post('*/api/admin/feedback/:id/done', ({ params }) => {
      done.push(params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { decided, queries, done };
}

test('the administration shows "Page not found" to visitors and to users who are not admins', async () => {
  const visit = await renderScreen('/admin');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  visit.unmount();
  serve(false);
  await renderScreen('/admin', { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  expect(screen.queryByRole('tab')).toBeNull();
});

test('an admin approves a pending community', async () => {
  const { decided } = serve(true);
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  const card = within((await screen.findByRole('heading', { name: WAITING.name })).closest('li') as HTMLElement);
  expect(card.getByText('Created by Neema on 1 November 2026')).toBeInTheDocument();
  await user.click(card.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
  expect(
    await screen.findByText(`“${WAITING.name}” has been approved. Its creator has been notified.`),
  ).toBeInTheDocument();
  expect(decided).toEqual([['school', 'approve', { name: WAITING.name }]]);
});

test('rejecting a community needs a reason', async () => {
  const { decided } = serve(true);
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Reject' }));
  const dialog = within(screen.getByRole('dialog', { name: `Reject “${WAITING.name}”?` }));
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  expect(dialog.getByText('Reason is required')).toBeInTheDocument();
  expect(decided).toEqual([]);
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Jina halieleweki');
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(decided).toEqual([['school', 'reject', { reason: 'Jina halieleweki' }]]);
});

test('if rejecting a community fails, the dialog shows an error and keeps the typed reason', async () => {
  serve(true);
  server.use(http.post('*/api/admin/communities/:id/reject', refuseWith(503, {})));
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Reject' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Jina halieleweki');
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('This could not be done. Please try again.');
  expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue('Jina halieleweki');
});

test('approving a community that another admin has already approved shows the server’s message', async () => {
  serve(true);
  server.use(http.post('*/api/admin/communities/:id/approve', refuseWith(409, { detail: 'Already approved.' })));
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('Already approved.')).toBeInTheDocument();
});

test('admins can search the list of approved communities, which has no button “Approve”', async () => {
  const { queries } = serve(true, [{ ...WAITING, approval_status: 1, member_count: 40 }]);
  const { user, router } = await renderScreen('/admin', { isSignedIn: true });
  await user.click(await screen.findByRole('tab', { name: 'Approved' }));
  expect(router.state.location.search).toBe('?tab=approved');
  expect(await screen.findByText('Members: 40')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Search communities' }), 'mbezi');
  await expect.poll(() => queries.at(-1)).toBe('status=approved&search=mbezi');
});

test.each([
  ['communities', '/admin', WAITING],
  ['feedback', '/admin?tab=feedback', THANKS],
])('if the next page of the admins’ list of %s fails to load, an error appears', async (name, address, row) => {
  serve(true);
  server.use(
    http.get(`*/api/admin/${name}`, ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json({}, { status: 403 })
        : HttpResponse.json([row], { headers: { Link: `</api/admin/${name}?cursor=next>; rel="next"` } }),
    ),
  );
  const { user } = await renderScreen(address, { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be done. Please try again.');
  expect(screen.getByRole('button', { name: 'Show more' })).toBeEnabled();
});

test('in Swahili, the feedback inbox shows the text and date of a message and an e-mail link to its sender', async () => {
  serve(true);
  await renderScreen('/admin?tab=feedback', { isSignedIn: true, language: 'sw' });
  expect(await screen.findByRole('tab', { name: 'Maoni' })).toHaveAttribute('aria-selected', 'true');
  const message = await screen.findByText(/Asante/);
  expect(message).toHaveTextContent('Asante sana');
  expect(message).toHaveAttribute('dir', 'auto');
  expect(screen.getByText('20 Nov 2026, 12:00')).toHaveAttribute('datetime', '2026-11-20T09:00:00.000Z');
  expect(screen.getByRole('link', { name: 'juma@example.com' })).toHaveAttribute('href', 'mailto:juma@example.com');
});

test('a pending community shows who created it, whom to call and earlier rejections', async () => {
  const rejection = { name: 'Shule', reason: 'Jina fupi mno.', rejected_at: '2026-10-20T09:00:00.000Z' };
  serve(true, [{ ...WAITING, earlier_rejections: [rejection] }]);
  await renderScreen('/admin', { isSignedIn: true });
  const card = within((await screen.findByRole('heading', { name: WAITING.name })).closest('li') as HTMLElement);
  expect(card.getByText('On Patikana since 1 October 2026')).toBeInTheDocument();
  expect(card.getByText('Number confirmed')).toBeInTheDocument();
  expect(card.getByText('2 posts')).toBeInTheDocument();
  expect(card.getByText('Wazazi na walimu')).toBeInTheDocument();
  expect(card.getByRole('link', { name: 'Call +255712345678' })).toHaveAttribute('href', 'tel:+255712345678');
  expect(card.getByText('“Shule”, on 20 October 2026')).toBeInTheDocument();
  expect(card.getByText('Jina fupi mno.')).toBeInTheDocument();
});

test('an admin decides on a community’s new name separately from the community itself', async () => {
  const { decided } = serve(true, [{ ...WAITING, pending_name: 'Shule ya Mbezi Juu' }]);
  const { user } = await renderScreen('/admin', { isSignedIn: true });
  expect(await screen.findByText('New name: “Shule ya Mbezi Juu”')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Reject the name' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Reject the name “Shule ya Mbezi Juu”?' }));
  expect(dialog.getByText(/The community keeps the name it has/)).toBeInTheDocument();
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Lina makosa');
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  await expect.poll(() => decided).toEqual([['school', 'reject', { reason: 'Lina makosa' }]]);
});

test('a platform admin makes a member the admin of a community without admins', async () => {
  const { decided, queries } = serve(true, [{ ...WAITING, approval_status: 1, has_admin: false }]);
  server.use(
    http.get('*/api/admin/communities/school/members', () =>
      HttpResponse.json([{ user_id: 'u2', username: 'Juma', role: 'member', joined_at: '2026-11-02T00:00:00.000Z' }]),
    ),
  );
  const { user } = await renderScreen('/admin?tab=approved&search=Mbezi', { isSignedIn: true });
  expect(await screen.findByText(/This community has no admin/)).toBeInTheDocument();
  expect(queries[0]).toContain('search=Mbezi');
  await user.click(screen.getByRole('button', { name: 'Choose an admin' }));
  await user.click(await screen.findByRole('button', { name: 'Appoint Juma' }));
  await expect.poll(() => decided).toEqual([['school', 'admins', { user_id: 'u2' }]]);
});

test('feedback marked as done moves to the list of done feedback, which has its own URL', async () => {
  const { done } = serve(true);
  const { user, router } = await renderScreen('/admin?tab=feedback', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Mark as done' }));
  expect(await screen.findByText('No feedback is waiting.')).toBeInTheDocument();
  expect(screen.getByText('The feedback is marked as done.')).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Feedback' })).toHaveFocus();
  expect(done).toEqual(['1']);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Done');
  expect(router.state.location.search).toBe('?tab=feedback&state=done');
  expect(await screen.findByText('Done on 20 Nov 2026, 12:00')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Mark as done' })).toBeNull();
});

test('suspending an approved community needs a reason, and reinstating it needs none', async () => {
  let community: AdminCommunity = { ...WAITING, approval_status: 1 };
  const { decided } = serve(true);
  server.use(
    http.get('*/api/admin/communities', () => HttpResponse.json([community])),
    http.post('*/api/admin/communities/:id/:verb', async ({ request, params }) => {
      const body = (await request.json()) as { reason: string | null };
      decided.push([params.verb, body]);
      const isSuspended = params.verb === 'suspend';
      community = {
        ...community,
        suspended_at: isSuspended ? '2026-11-20T09:00:00.000Z' : null,
        suspension_reason: isSuspended ? body.reason : null,
      };
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderScreen('/admin?tab=approved', { isSignedIn: true });
  const button = await screen.findByRole('button', { name: `Suspend ${WAITING.name}` });
  await user.click(button);
  const dialog = within(screen.getByRole('dialog', { name: `Suspend the community “${WAITING.name}”?` }));
  await user.click(dialog.getByRole('button', { name: 'Suspend' }));
  expect(decided).toEqual([]);
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Utapeli');
  await user.click(dialog.getByRole('button', { name: 'Suspend' }));
  expect(await screen.findByText('Suspended since 20 Nov 2026, 12:00')).toBeInTheDocument();
  expect(screen.getByText('Reason: Utapeli')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  // The button with the new label is the same element, to which the closed dialog returned the focus.
  expect(screen.getByRole('button', { name: `Reinstate ${WAITING.name}` })).toBe(button);
  const stale = keepAnswers(queryKeys.posts.own('a-user'), queryKeys.communities.one('a-community'));
  await user.click(screen.getByRole('button', { name: `Reinstate ${WAITING.name}` }));
  expect(await screen.findByRole('button', { name: `Suspend ${WAITING.name}` })).toBeInTheDocument();
  expect(stale()).toEqual([queryKeys.posts.own('a-user'), queryKeys.communities.one('a-community')]);
  expect(decided).toEqual([
    ['suspend', { reason: 'Utapeli' }],
    ['reinstate', { reason: null }],
  ]);
});

test('a pending community cannot be suspended', async () => {
  serve(true);
  await renderScreen('/admin', { isSignedIn: true });
  expect(await screen.findByRole('button', { name: 'Approve' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Suspend/ })).toBeNull();
});

describe('the admins’ table of the last seven days', () => {
  // Loads the screen in advance: on a busy machine, loading it on demand takes longer than a test waits.
  beforeAll(() => import('#web/admin/admin-screen.tsx'));
  beforeEach(serveAdmin);

  const TODAY: AdminDay = {
    day: '2026-11-22',
    posts: 1_200,
    matches_told: 2,
    not_this_one: 3,
    returned: 4,
    reports: 5,
  };
  const YESTERDAY: AdminDay = {
    day: '2026-11-21',
    posts: 10,
    matches_told: 20,
    not_this_one: 30,
    returned: 40,
    reports: 0,
  };

  function cellsOf(table: HTMLElement): (string | null)[][] {
    return within(table)
      .getAllByRole('row')
      .map((row) => Array.from(row.children, ({ textContent }) => textContent));
  }

  test('has one row a day, and a row of totals below', async () => {
    servePages('week', [TODAY, YESTERDAY]);
    await openAdmin('?tab=week');
    const table = await screen.findByRole('table', {
      name: 'The last seven days, from midnight to midnight in Tanzania.',
    });
    expect(cellsOf(table)).toEqual([
      ['Day', 'Posts', 'Match notices', 'Not this one', 'Found and returned', 'Reports'],
      ['Sun 22 Nov', '1,200', '2', '3', '4', '5'],
      ['Sat 21 Nov', '10', '20', '30', '40', '0'],
      ['Total', '1,210', '22', '33', '44', '5'],
    ]);
    const columns = screen.getAllByRole('columnheader');
    expect(columns).toHaveLength(6);
    for (const column of columns) expect(column).toHaveAttribute('scope', 'col');
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      'Sun 22 Nov',
      'Sat 21 Nov',
      'Total',
    ]);
  });

  test('shows “10,000+” for a count that has reached its maximum, in Swahili too', async () => {
    servePages('week', [{ ...TODAY, posts: WEEK_COUNT_MAX, matches_told: WEEK_COUNT_MAX - 1 }]);
    await openAdmin('?tab=week', 'sw');
    expect(await screen.findByRole('cell', { name: '10,000+' })).toBeInTheDocument();
    expect(screen.getAllByRole('cell', { name: '9,999' })).toHaveLength(2);
    expect(screen.getByRole('columnheader', { name: 'Vilivyorudishwa' })).toBeInTheDocument();
  });
});

describe('the feature switches', () => {
  // Loads the screen in advance: on a busy machine, loading it on demand takes longer than a test waits.
  beforeAll(() => import('#web/admin/admin-screen.tsx'));

  /** Serves a platform admin who may change the switches, and records the changes. */
  function serve(mayTurn?: Promise<void>) {
    let switches = { registration: true, photos: true, claims: true, whatsapp_notices: true };
    const turned: unknown[] = [];
    server.use(
      http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: true })),
      http.get('*/api/admin/switches', () => HttpResponse.json(switches)),
      http.put('*/api/admin/switches', async ({ request }) => {
        await mayTurn;
        switches = (await request.json()) as typeof switches;
        turned.push(switches);
        return HttpResponse.json(switches);
      }),
    );
    return turned;
  }

  async function rowOf(name: string) {
    return within((await screen.findByRole('heading', { name: new RegExp(`^${name}`) })).closest('li') as HTMLElement);
  }

  test('change one feature at a time, and leave the other features unchanged', async () => {
    const turned = serve();
    const { user } = await renderScreen('/admin?tab=switches', { isSignedIn: true });
    await user.click((await rowOf('Claims')).getByRole('button', { name: 'Switch off' }));
    expect(await screen.findByText('Claims were switched off')).toBeInTheDocument();
    expect(await (await rowOf('Claims')).findByText('Off')).toBeInTheDocument();
    expect((await rowOf('Photos')).getByText('On')).toBeInTheDocument();
    await user.click((await rowOf('Claims')).getByRole('button', { name: 'Switch on' }));
    expect(await screen.findByText('Claims were switched on')).toBeInTheDocument();
    const on = { registration: true, photos: true, claims: true, whatsapp_notices: true };
    expect(turned).toEqual([{ ...on, claims: false }, on]);
  });

  test('switching one feature does not undo another admin’s change to a different feature', async () => {
    const turned = serve();
    const { user } = await renderScreen('/admin?tab=switches', { isSignedIn: true });
    const photos = await rowOf('Photos');
    const off = { registration: true, photos: true, claims: false, whatsapp_notices: true };
    await fetch('/api/admin/switches', { method: 'PUT', body: JSON.stringify(off) });
    await user.click(photos.getByRole('button', { name: 'Switch off' }));
    expect(await screen.findByText('Photos were switched off')).toBeInTheDocument();
    expect(turned.at(-1)).toEqual({ ...off, photos: false });
    expect(await (await rowOf('Claims')).findByText('Off')).toBeInTheDocument();
  });

  test('change both features if an admin presses a second switch before the first change is saved', async () => {
    const { promise: mayTurn, resolve: turn } = Promise.withResolvers<void>();
    const turned = serve(mayTurn);
    const { user } = await renderScreen('/admin?tab=switches', { isSignedIn: true });
    const buttons = [await rowOf('Photos'), await rowOf('Claims')].map((row) =>
      row.getByRole('button', { name: 'Switch off' }),
    );
    for (const button of buttons) await user.click(button);
    for (const button of buttons) expect(button).toHaveAttribute('aria-busy', 'true');
    // Waits as long as a request takes. If the second change did not wait for the first one, it would read the switches
    // now.
    await fetch('/api/admin/switches');
    turn();
    expect(await screen.findByText('Claims were switched off')).toBeInTheDocument();
    expect(turned.at(-1)).toMatchObject({ photos: false, claims: false });
  });

  test('explain their features, and each button is labelled with its feature', async () => {
    serve();
    await renderScreen('/admin?tab=switches', { isSignedIn: true });
    expect(await screen.findByText(/^A part that is off accepts nothing new/)).toBeInTheDocument();
    for (const [name, text] of [
      ['New accounts', /^Whether people can create accounts/],
      ['Photos', /^Whether photos can be added/],
      ['Claims', /^Whether items can be claimed/],
      ['WhatsApp notices', /^Whether notices are sent by WhatsApp/],
    ] as const) {
      const row = await rowOf(name);
      expect(row.getByText(text)).toBeInTheDocument();
      expect(row.getByRole('button', { name: 'Switch off' })).toHaveAccessibleDescription(new RegExp(`^${name} ?On$`));
    }
  });

  test('send one request for a double press, and show an error if the server refuses the change', async () => {
    serve();
    const { promise, resolve } = Promise.withResolvers<Response>();
    let asked = 0;
    server.use(
      http.put('*/api/admin/switches', () => {
        asked++;
        return promise as never;
      }),
    );
    const { user } = await renderScreen('/admin?tab=switches', { isSignedIn: true });
    const button = (await rowOf('Photos')).getByRole('button', { name: 'Switch off' });
    await user.dblClick(button);
    expect(button).toHaveAttribute('aria-busy', 'true');
    resolve(HttpResponse.json({ detail: 'Haiwezekani.' }, { status: 403 }));
    expect(await screen.findByText('Haiwezekani.')).toBeInTheDocument();
    expect((await rowOf('Photos')).getByText('On')).toBeInTheDocument();
    expect(asked).toBe(1);
  });
});
