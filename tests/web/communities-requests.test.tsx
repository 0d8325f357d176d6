import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { JoinRequest } from '#contract/communities.ts';
import { noteSteps, REQUEST, refuse, serveSchool } from './support/communities.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const OTHER: JoinRequest = { ...REQUEST, user_id: '4', username: 'Baraka', message: null };

beforeEach(() => serveSchool({ waiting_requests: 2 }, [REQUEST, OTHER]));

async function open() {
  const view = await renderScreen('/community-details/school?tab=members', { isSignedIn: true });
  const region = await screen.findByRole('region', { name: 'Requests to join' });
  await within(region).findByText('Rehema');
  const [rehema, baraka] = within(region).getAllByRole('listitem');
  if (!rehema || !baraka) throw new Error('A request is missing');
  return { ...view, region, rehema: within(rehema), baraka: within(baraka) };
}

test('who asks is listed with how long they wait, and said nowhere else on their own tab', async () => {
  const { region, rehema, baraka } = await open();
  expect(within(region).getByRole('heading', { level: 2, name: 'Requests to join' })).toBeInTheDocument();
  expect(rehema.getByText(/^Asked .*(ago|November)/)).toBeInTheDocument();
  expect(baraka.getByRole('heading', { name: 'Baraka' }).parentElement?.children).toHaveLength(2);
  expect(screen.queryByText(/2 people ask to join/)).toBeNull();
});

test.each([
  ['Accept', 'Rehema is a member now, and has been notified.'],
  ['Decline', 'Rehema was declined, and may ask again in seven days.'],
])('%s says what it brought, and leaves the others their buttons', async (button, sentence) => {
  noteSteps();
  const { user, region, rehema } = await open();
  serveSchool({ waiting_requests: 1 }, [OTHER]);
  await user.click(rehema.getByRole('button', { name: button }));
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  await waitFor(() => expect(region).not.toHaveTextContent('Rehema'));
  await waitFor(() => expect(region).toHaveFocus());
  expect(within(region).getByRole('button', { name: button })).not.toHaveAttribute('aria-disabled');
});

test('while one answer is on its way the other cannot be given', async () => {
  const answered = Promise.withResolvers<void>();
  const asked: string[] = [];
  server.use(
    http.post('*/api/communities/school/join-requests/:userId/:answer', async ({ params }) => {
      asked.push(`${params.userId} ${params.answer}`);
      await answered.promise;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user, region, rehema, baraka } = await open();
  await user.click(rehema.getByRole('button', { name: 'Decline' }));
  await user.click(rehema.getByRole('button', { name: 'Accept' }));
  await user.click(rehema.getByRole('button', { name: 'Decline' }));
  expect(baraka.getByRole('button', { name: 'Accept' })).not.toHaveAttribute('aria-disabled');
  serveSchool({}, [OTHER]);
  answered.resolve();
  await waitFor(() => expect(region).not.toHaveTextContent('Rehema'));
  expect(asked).toEqual(['3 decline']);
});

test.each(['Accept', 'Decline'])('%s that is refused says why beside who asked, who stays', async (button) => {
  server.use(http.post('*/api/communities/school/join-requests/3/:answer', refuse(409, { detail: 'Tayari.' })));
  const { user, rehema, baraka } = await open();
  await user.click(rehema.getByRole('button', { name: button }));
  expect(await rehema.findByRole('alert')).toHaveTextContent('Tayari.');
  expect(baraka.queryByRole('alert')).toBeNull();
  expect(rehema.getByRole('button', { name: 'Accept' })).not.toHaveAttribute('aria-disabled');
});

test('those who wait longer come first, and the others after a press', async () => {
  const pages: (string | null)[] = [];
  server.use(
    http.get('*/api/communities/school/join-requests', ({ request }) => {
      const cursor = new URL(request.url).searchParams.get('cursor');
      pages.push(cursor);
      if (cursor) return HttpResponse.json([OTHER]);
      const next = '</api/communities/school/join-requests?cursor=9>; rel="next"';
      return HttpResponse.json([REQUEST], { headers: { Link: next } });
    }),
  );
  const { user } = await renderScreen('/community-details/school?tab=members', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Show more requests' }));
  expect(await screen.findByText('Baraka')).toBeInTheDocument();
  expect(screen.getByText('Rehema')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show more requests' })).toBeNull();
  expect(pages.at(-1)).toBe('9');
});

test('whom another admin has let in meanwhile is gone when the tab is opened again', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('tab', { name: 'Settings' }));
  serveSchool({}, []);
  await user.click(screen.getByRole('tab', { name: 'Members' }));
  await waitFor(() => expect(screen.queryByText('Rehema')).toBeNull());
  expect(screen.queryByRole('heading', { name: 'Requests to join' })).toBeNull();
});

test('while the community is suspended requests can only be declined', async () => {
  serveSchool({ waiting_requests: 2, is_suspended: true, suspension_reason: 'Utapeli' }, [REQUEST, OTHER]);
  const { region, rehema } = await open();
  expect(region).toHaveTextContent('Nobody can join while the community is suspended.');
  expect(rehema.getByRole('button', { name: 'Decline' })).toBeInTheDocument();
  expect(rehema.queryByRole('button', { name: 'Accept' })).toBeNull();
});
