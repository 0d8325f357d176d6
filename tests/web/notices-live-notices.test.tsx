import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Notice } from '#contract/notices.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { signOut } from '#web/lib/session.ts';
import { aClaim } from './support/claims.ts';
import { matchMessage, rejectionMessage, renderLive, serveLive } from './support/live.tsx';
import { stubPushBrowser } from './support/push-browser.ts';
import { servePush } from './support/push-server.ts';
import { server } from './support/setup.ts';

const NOTICE: Notice = {
  message: rejectionMessage,
  noticed_at: rejectionMessage.created_at,
  read_at: null,
  is_open: true,
};

async function connected(heard: { connections: unknown[] }) {
  await waitFor(() => expect(heard.connections).toHaveLength(1));
}

const bell = (name: string) => screen.findByRole('link', { name, hidden: true });

test('the bell follows what is read, and keeps what could not be marked read', async () => {
  const { heard, push } = serveLive({ unread: 2 });
  const { user } = await renderLive();
  await connected(heard);
  push(rejectionMessage);
  push({ ...rejectionMessage, id: 'notice-3' });
  const close = async () => {
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  };
  await screen.findByText('1 more notice is waiting');
  server.use(
    http.post('*/api/notices/read', () => HttpResponse.json({ code: 'unavailable' }, { status: 503 }), { once: true }),
  );
  await close();
  await waitFor(() => expect(screen.queryByText('1 more notice is waiting')).toBeNull());
  expect(await bell('Notices: 2 unread')).toBeInTheDocument();
  server.use(http.post('*/api/notices/read', () => HttpResponse.json({ unread_count: 1 })));
  await close();
  expect(await bell('Notices: 1 unread')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('whoever logs out has no number on the bell, and hears nothing more', async () => {
  const { heard } = serveLive({ unread: 3 });
  const { unmount } = await renderLive();
  await connected(heard);
  await bell('Notices: 3 unread');
  signOut();
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Notices/ })).toBeNull());
  unmount();
  serveLive({ unread: 0 });
  await renderLive();
  expect(await bell('Notices')).toBeInTheDocument();
});

test('a claim that waits counts beside the notices, unless one of them tells of it', async () => {
  const { heard } = serveLive();
  const told: Notice = {
    ...NOTICE,
    message: {
      type: 'claim_received',
      id: 'notice-5',
      claim_id: 'told',
      post_id: 'post-1',
      title: 'Pochi',
      created_at: NOTICE.noticed_at,
    },
  };
  const read: Notice = {
    ...told,
    read_at: NOTICE.noticed_at,
    message: { ...told.message, claim_id: 'untold' } as never,
  };
  server.use(
    http.get('*/api/notices', () => HttpResponse.json({ unread_count: 1, notices: [told, read] })),
    http.get('*/api/claims', () => HttpResponse.json([aClaim({ id: 'told' }), aClaim({ id: 'untold' })])),
  );
  await renderLive();
  await connected(heard);
  expect(await bell('2 notices and claims wait for you')).toBeInTheDocument();
});

test('what has been read elsewhere leaves the lock screen, and nothing else does', async () => {
  const { seen } = stubPushBrowser({ permission: 'granted' });
  servePush();
  const { heard } = serveLive();
  const notices = [NOTICE, { ...NOTICE, read_at: NOTICE.noticed_at, message: { ...rejectionMessage, id: 'notice-7' } }];
  server.use(http.get('*/api/notices', () => HttpResponse.json({ unread_count: 1, notices })));
  await renderLive();
  await connected(heard);
  await waitFor(() => expect(seen.posted).toContainEqual({ type: 'notices-ended', ids: ['notice-7'] }));
  expect(JSON.stringify(seen.posted)).not.toContain(rejectionMessage.id);
});

test.each([
  ['notices', queryKeys.notices],
  ['the account', queryKeys.me],
  ['claims', queryKeys.claims.list],
  ['matches', queryKeys.matches.counts],
  ['communities', queryKeys.communities.own('')],
  ['posts', queryKeys.posts.own('a-user')],
] as const)('a notice makes stale what is known of %s', async (_what, queryKey) => {
  const { heard, push } = serveLive();
  await renderLive();
  await connected(heard);
  if (queryKey !== queryKeys.notices && queryKey !== queryKeys.claims.list) queryClient.setQueryData(queryKey, {});
  await waitFor(() => expect(queryClient.getQueryState(queryKey)?.dataUpdateCount).toBe(1));
  push(rejectionMessage);
  await waitFor(() => {
    const state = queryClient.getQueryState(queryKey);
    expect(state?.isInvalidated || (state?.dataUpdateCount ?? 0) > 1).toBe(true);
  });
  expect(await screen.findByRole('dialog')).toBeInTheDocument();
});

test('what was read elsewhere has the list asked for anew only while something in it is unread', async () => {
  const { heard, push } = serveLive();
  let [asked, unread] = [0, 0];
  server.use(
    http.get('*/api/notices', () => {
      asked++;
      return HttpResponse.json({ unread_count: unread, notices: [NOTICE] });
    }),
  );
  await renderLive();
  await connected(heard);
  await waitFor(() => expect(asked).toBe(1));
  push({ type: 'notices_ended', ids: ['notice-2'] });
  unread = 1;
  push({ ...matchMessage, confidence: 'possible' });
  expect(await bell('Notices: 1 unread')).toBeInTheDocument();
  expect(asked).toBe(2);
  unread = 0;
  push({ type: 'notices_ended', ids: ['notice-2'] });
  expect(await bell('Notices')).toBeInTheDocument();
  expect(asked).toBe(3);
});
