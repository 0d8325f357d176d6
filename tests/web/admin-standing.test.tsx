import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminPerson } from '#contract/admin.ts';
import { aLogEntry, aPerson, minutesAgo, openAdmin, serveAdmin } from './support/admin.ts';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

const SUSPENDED = {
  is_suspended: true,
  suspended_at: '2026-11-20T09:00:00.000Z',
  suspension_reason: 'Anatapeli watu',
} as const;

/** Juma's page, which changes as he is suspended and reinstated. @returns what was asked. */
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

test('a person is suspended for a reason, and for ten minutes that is undone and done again by a press', async () => {
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
] as const)('a suspension says since when and why, in %s', async (language, badge, since, why, reinstate) => {
  serve({ ...SUSPENDED, log: [aLogEntry({ created_at: minutesAgo(11) })] });
  await openAdmin('?person=juma', language);
  expect(await screen.findByText(since)).toBeInTheDocument();
  expect(screen.getByText(why)).toBeInTheDocument();
  expect(screen.getByText(badge)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: reinstate })).toBeInTheDocument();
});

test.each([
  ['for nine minutes', [aLogEntry({ created_at: minutesAgo(9) })], 'Undo the suspension'],
  ['not after eleven', [aLogEntry({ created_at: minutesAgo(11) })], 'Reinstate'],
  [
    'whatever was done to a post since',
    [aLogEntry({ action: 'hide', target_type: 'post' }), aLogEntry({ created_at: minutesAgo(9) })],
    'Undo the suspension',
  ],
  ['not if nobody knows when', [], 'Reinstate'],
])('a suspension is there to be undone %s', async (_when, log, name) => {
  serve({ ...SUSPENDED, log });
  await openAdmin('?person=juma');
  expect(await screen.findByRole('button', { name })).toBeInTheDocument();
});

const BEFORE = aLogEntry({ reason: 'Ni tapeli', created_at: minutesAgo(60) });

test.each([
  ['within ten minutes', [aLogEntry({ action: 'reinstate', created_at: minutesAgo(9) }), BEFORE], true],
  ['not later', [aLogEntry({ action: 'reinstate', created_at: minutesAgo(11) }), BEFORE], false],
  ['not where its reason is not known', [aLogEntry({ action: 'reinstate' })], false],
  [
    'not for the reason of a reinstatement',
    [aLogEntry({ action: 'reinstate' }), aLogEntry({ action: 'reinstate', reason: 'Haikuwa yeye' })],
    false,
  ],
  ['not of somebody who was only suspended', [BEFORE], false],
])('a reinstatement is undone %s', async (_when, log, isOffered) => {
  serve({ log });
  await openAdmin('?person=juma');
  expect(await screen.findByRole('button', { name: 'Suspend' })).toBeInTheDocument();
  expect(screen.queryAllByRole('button', { name: 'Suspend again' })).toHaveLength(isOffered ? 1 : 0);
});

test('while it is on its way nothing else can be pressed', async () => {
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

test('a reinstatement on its way cannot be sent twice', async () => {
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

test('a suspension that fails says so in its dialog until it is tried again, and can be given up', async () => {
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
])('once somebody is %s, lists of posts that were read before are read anew', async (_what, person, name) => {
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
});
