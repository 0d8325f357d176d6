import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdminCommunity } from '#contract/admin.ts';
import type { CommunityMember } from '#contract/communities.ts';
import { openAdmin, serveAdmin, servePages } from '#tests/web/support/admin.ts';
import { MEMBERS, WAITING_SCHOOL as WAITING, WAITING_SCHOOL } from '#tests/web/support/communities.ts';
import { serveNothingElse } from '#tests/web/support/posts.ts';
import { server } from '#tests/web/support/setup.ts';

// Loaded in advance: on a busy machine, loading on demand takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

const RENAMED = { ...WAITING, approval_status: 1, pending_name: 'Mbezi Juu' } as const;
const SECOND = { ...WAITING, id: 'market', name: 'Soko la Ilala' } as const;

/** Serves the pending communities until each is decided, and records the requests. */
function serve(communities: AdminCommunity[], answer?: () => Response | Promise<Response>): unknown[] {
  let left = communities;
  const asked: unknown[] = [];
  server.use(
    http.get('*/api/admin/communities', () => HttpResponse.json(left)),
    http.post('*/api/admin/communities/:id/:verb', async ({ request, params }) => {
      asked.push([params.id, params.verb, await request.json()]);
      const refused = await answer?.();
      if (refused) return refused as never;
      left = left.filter(({ id }) => id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return asked;
}

async function cardOf(name: string) {
  return within((await screen.findByRole('heading', { level: 2, name })).closest('li') as HTMLElement);
}

function region() {
  return screen.getByRole('region', { name: 'Pending' });
}

test('after an admin decides on a community, a message appears and the focus moves to the list of communities', async () => {
  const asked = serve([WAITING, SECOND]);
  const { user } = await openAdmin('');
  await user.click((await cardOf(WAITING.name)).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: WAITING.name })).toBeNull());
  expect(region()).toHaveFocus();
  await user.click((await cardOf(SECOND.name)).getByRole('button', { name: 'Reject' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Reject “Soko la Ilala”?' }));
  expect(dialog.getByText(/The community will be removed/)).toBeInTheDocument();
  const reason = dialog.getByRole('textbox', { name: 'Reason' });
  expect(reason).toHaveAccessibleDescription('Say what is wrong and what would be better.');
  await user.type(reason, 'Halieleweki');
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  expect(
    await screen.findByText('“Soko la Ilala” has been rejected. Its creator has been notified.'),
  ).toBeInTheDocument();
  expect(region()).toHaveFocus();
  expect(asked).toEqual([
    ['school', 'approve', { name: WAITING.name }],
    ['market', 'reject', { reason: 'Halieleweki' }],
  ]);
});

test.each([
  ['en', 'Approve the name', 'The community is now called “Mbezi Juu”. Its admins have been notified.'],
  ['sw', 'Idhinisha jina', 'Jumuiya sasa inaitwa “Mbezi Juu”. Wasimamizi wake wamejulishwa.'],
] as const)(
  'approving a community’s new name sends the name that the admin saw (language: %s)',
  async (language, name, sentence) => {
    const asked = serve([RENAMED]);
    const { user } = await openAdmin('?tab=approved', language);
    await user.click(await screen.findByRole('button', { name }));
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(asked).toEqual([['school', 'approve', { name: 'Mbezi Juu' }]]);
  },
);

test('an admin who rejects a community’s new name sees that the community’s admins have been notified', async () => {
  serve([RENAMED]);
  const { user } = await openAdmin('');
  const card = await cardOf(RENAMED.name);
  expect(card.getByText('Members: 1')).toBeInTheDocument();
  expect(card.getByText('Created by Neema on 1 November 2026')).toBeInTheDocument();
  expect(card.getByText('New name: “Mbezi Juu”')).toBeInTheDocument();
  expect(card.getByRole('link', { name: 'Neema' })).toHaveAttribute('href', '/admin?person=neema');
  await user.click(card.getByRole('button', { name: 'Reject the name' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Lina makosa');
  await user.click(dialog.getByRole('button', { name: 'Reject' }));
  expect(
    await screen.findByText('The name “Mbezi Juu” has been rejected. Its admins have been notified.'),
  ).toBeInTheDocument();
});

test('an admin sees that a pending community lacks a description and that its creator lacks a phone number', async () => {
  serve([{ ...WAITING, description: '', asker_whatsapp_number: null }]);
  await openAdmin('');
  const card = await cardOf(WAITING.name);
  expect(card.getByText('No description was given.')).toBeInTheDocument();
  expect(card.getByText('No number to call: somebody else has confirmed it.')).toBeInTheDocument();
  expect(card.queryByRole('link', { name: /^Call/ })).toBeNull();
  expect(card.getByRole('heading', { level: 3, name: 'Requested by: Neema' })).toBeInTheDocument();
  for (const text of [/^Members/, /^Closes on/, /^New name/, /This community has no admin/, 'Rejected before'])
    expect(card.queryByText(text)).toBeNull();
});

test('in the list for admins, an approved community has only the button “Suspend”, and a closing community its closing date', async () => {
  const approved = { ...WAITING, approval_status: 1, member_count: 1_200 } as const;
  serve([
    { ...approved, description: '', closes_at: '2026-11-29T09:00:00.000Z' },
    { ...approved, id: 'b', name: 'Soko', description: 'Wauzaji wote' },
  ]);
  await openAdmin('?tab=approved');
  const [closing, going] = [await cardOf(WAITING.name), await cardOf('Soko')];
  expect(closing.getByText('Closes on 29 November 2026')).toBeInTheDocument();
  expect(closing.getByText('Members: 1,200')).toBeInTheDocument();
  expect(closing.queryByText('No description was given.')).toBeNull();
  expect(going.queryByText(/^Closes on/)).toBeNull();
  for (const name of ['Soko', 'Wauzaji wote']) expect(screen.getByText(name)).toHaveAttribute('dir', 'auto');
  for (const card of [closing, going]) expect(card.getByRole('button')).toHaveTextContent('Suspend');
  expect(screen.queryByText(/^Requested by/)).toBeNull();
});

test('earlier rejections of the creator’s communities are listed with the community’s name, the date and the reason', async () => {
  const at = (rejected_at: string, name: string, reason: string) => ({ rejected_at, name, reason });
  const earlier_rejections = [at('2026-10-20T09:00:00.000Z', 'B', 'Fupi'), at('2026-10-19T09:00:00.000Z', 'A', 'Refu')];
  serve([{ ...WAITING, earlier_rejections }]);
  await openAdmin('');
  const list = (await screen.findByRole('heading', { level: 3, name: 'Rejected before' })).nextElementSibling;
  expect(Array.from(list?.children ?? [], ({ textContent }) => textContent)).toEqual([
    '“B”, on 20 October 2026Fupi',
    '“A”, on 19 October 2026Refu',
  ]);
  expect(screen.getByText('Fupi')).toHaveAttribute('dir', 'auto');
});

test('while the approval of a community is being sent, further presses on its buttons “Approve” and “Reject” have no effect', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const asked = serve([WAITING], () => promise);
  const { user } = await openAdmin('');
  const card = await cardOf(WAITING.name);
  const approve = card.getByRole('button', { name: 'Approve' });
  await user.dblClick(approve);
  expect(approve).toHaveAttribute('aria-busy', 'true');
  await user.click(card.getByRole('button', { name: 'Reject' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(asked).toHaveLength(1);
  server.use(http.get('*/api/admin/communities', () => HttpResponse.json([SECOND])));
  resolve(HttpResponse.json({ detail: 'Already approved.' }, { status: 409 }));
  expect(await screen.findByText('Already approved.')).toBeInTheDocument();
  expect(await cardOf(SECOND.name)).toBeDefined();
  expect(screen.queryByRole('heading', { name: WAITING.name })).toBeNull();
});

test('a double press on “Reject” sends one request, and an error in the dialog disappears at the next try', async () => {
  let next = Promise.withResolvers<Response>();
  const asked = serve([WAITING], () => next.promise);
  const { user } = await openAdmin('');
  await user.click((await cardOf(WAITING.name)).getByRole('button', { name: 'Reject' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Halieleweki');
  const button = dialog.getByRole('button', { name: 'Reject' });
  await user.dblClick(button);
  expect(button).toHaveAttribute('aria-busy', 'true');
  expect(asked).toHaveLength(1);
  next.resolve(HttpResponse.json({ detail: 'Haiwezekani.' }, { status: 403 }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Haiwezekani.');
  next = Promise.withResolvers();
  await user.click(button);
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(dialog.queryByRole('alert')).toBeNull();
  next.resolve(HttpResponse.json({}, { status: 403 }));
  await dialog.findByRole('alert');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('spaces around a search for communities are removed, and the earlier results stay until the next response', async () => {
  const queries = servePages('communities', [{ ...WAITING, approval_status: 1 }]);
  const { user } = await openAdmin('?tab=approved');
  const card = await cardOf(WAITING.name);
  expect(card.getByText('Wazazi na walimu')).toBeInTheDocument();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const next: string[] = [];
  server.use(
    http.get('*/api/admin/communities', ({ request }) => {
      next.push(new URL(request.url).search);
      return promise as never;
    }),
  );
  fireEvent.change(screen.getByRole('textbox', { name: 'Search communities' }), { target: { value: ' soko ' } });
  await waitFor(() => expect(next).toEqual(['?status=approved&search=soko']));
  expect(screen.getByRole('heading', { name: WAITING.name })).toBeInTheDocument();
  expect(document.querySelector('ul[aria-busy=true]')).not.toBeNull();
  resolve(HttpResponse.json({}, { status: 403 }));
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: WAITING.name })).toBeNull();
  expect(screen.queryByText('No community matches your search.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(await screen.findByRole('heading', { name: WAITING.name })).toBeInTheDocument();
  // The earlier response is still in the cache.
  expect(queries).toHaveLength(1);
});

test.each(['Approve', 'Reject'])(
  'after a press on “%s” for a community, the list of the admin’s own communities is refetched',
  async (name) => {
    serve([WAITING]);
    serveNothingElse();
    let asked = 0;
    server.use(
      http.get('*/api/communities', () => {
        asked++;
        return HttpResponse.json([]);
      }),
    );
    const { user, router } = await openAdmin('');
    await act(() => router.navigate('/communities'));
    await waitFor(() => expect(asked).toBe(1));
    await act(() => router.navigate('/admin'));
    await user.click((await cardOf(WAITING.name)).getByRole('button', { name }));
    if (name === 'Reject') {
      const dialog = within(screen.getByRole('dialog'));
      await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Halieleweki');
      await user.click(dialog.getByRole('button', { name }));
    }
    expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
    await act(() => router.navigate('/communities'));
    await waitFor(() => expect(asked).toBe(2));
  },
);

describe('the dialog to appoint an admin', () => {
  const [NEEMA, JUMA] = MEMBERS as [CommunityMember, CommunityMember];
  const ORPHAN = { ...WAITING_SCHOOL, approval_status: 1, has_admin: false } as const;
  const MEMBERS_PATH = 'communities/school/members';

  /** Serves a community without an admin, until one is appointed. @returns the appointed members. */
  function serve(answer?: () => Response | Promise<Response>): unknown[] {
    let hasAdmin = false;
    const asked: unknown[] = [];
    server.use(
      http.get('*/api/admin/communities', () => HttpResponse.json([{ ...ORPHAN, has_admin: hasAdmin }])),
      http.post('*/api/admin/communities/:id/admins', async ({ request, params }) => {
        asked.push([params.id, await request.json()]);
        const refused = await answer?.();
        if (refused) return refused as never;
        hasAdmin = true;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    return asked;
  }

  async function openDialog() {
    const view = await openAdmin('?tab=approved');
    await view.user.click(await screen.findByRole('button', { name: 'Choose an admin' }));
    return { ...view, dialog: within(screen.getByRole('dialog', { name: `Who should run “${ORPHAN.name}”?` })) };
  }

  test('lists the members with their date of joining, page by page, and appoints one', async () => {
    const asked = serve();
    const queries = servePages(MEMBERS_PATH, [NEEMA], [JUMA]);
    const { dialog, user } = await openDialog();
    expect(dialog.getByText('The member becomes its admin at once. Call them first.')).toBeInTheDocument();
    expect(await dialog.findByText('Neema')).toHaveAttribute('dir', 'auto');
    expect(dialog.getByText('Joined on 1 October 2026')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Show more' }));
    await user.click(await dialog.findByRole('button', { name: 'Appoint Juma Hassan' }));
    expect(await screen.findByText(`“${ORPHAN.name}” has an admin again.`)).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(screen.queryByText(/This community has no admin/)).toBeNull());
    expect(queries.map((query) => query.get('cursor') ?? '')).toEqual(['', '1']);
    expect(asked).toEqual([['school', { user_id: '2' }]]);
  });

  test('shows an error if the members fail to load, and refetches the members whenever the dialog opens', async () => {
    serve();
    let next = Promise.withResolvers<Response>();
    server.use(http.get(`*/api/admin/${MEMBERS_PATH}`, () => next.promise as never));
    const { dialog, user } = await openDialog();
    const isBusy = () => screen.getByRole('dialog').querySelector('div[aria-busy=true]') !== null;
    expect(isBusy()).toBe(true);
    next.resolve(HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '60' } }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('This could not be done. Please try again.');
    expect(isBusy()).toBe(false);
    next = Promise.withResolvers();
    next.resolve(HttpResponse.json(MEMBERS));
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByText('Neema')).toBeInTheDocument();
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(isBusy()).toBe(false);
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    // A member may have joined or left since the list was loaded.
    servePages(MEMBERS_PATH, [JUMA]);
    await user.click(screen.getByRole('button', { name: 'Choose an admin' }));
    expect(await screen.findByText('Juma Hassan')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Appoint Neema' })).toBeNull());
  });

  test('sends the appointment once, and shows a failure in the dialog', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const asked = serve(() => promise);
    servePages(MEMBERS_PATH, MEMBERS);
    const { dialog, user } = await openDialog();
    await user.dblClick(await dialog.findByRole('button', { name: 'Appoint Neema' }));
    const other = dialog.getByRole('button', { name: 'Appoint Juma Hassan' });
    expect(other).toHaveAttribute('aria-busy', 'true');
    await user.click(other);
    expect(asked).toHaveLength(1);
    resolve(HttpResponse.json({ detail: 'Ameondoka.' }, { status: 409 }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Ameondoka.');
    expect(other).not.toHaveAttribute('aria-busy');
  });

  test('closes after an appointment before the page’s list is reloaded; the signed-in admin’s own communities are refetched', async () => {
    serve();
    servePages(MEMBERS_PATH, MEMBERS);
    let asked = 0;
    server.use(
      http.get('*/api/communities', () => {
        asked++;
        return HttpResponse.json([]);
      }),
    );
    const { user, router } = await openDialog();
    await act(() => router.navigate('/communities'));
    await waitFor(() => expect(asked).toBe(1));
    await act(() => router.navigate('/admin?tab=approved'));
    await user.click(await screen.findByRole('button', { name: 'Choose an admin' }));
    const appoint = await screen.findByRole('button', { name: 'Appoint Neema' });
    server.use(http.get('*/api/admin/communities', () => new Promise<never>(() => undefined)));
    await user.click(appoint);
    expect(await screen.findByText(/has an admin again/)).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
    await act(() => router.navigate('/communities'));
    await waitFor(() => expect(asked).toBe(2));
  });
});
