import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { SCHOOL, serveSchool } from './support/communities.ts';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const NAMES: Record<string, string> = { 'Bearer a-token': 'Asha', 'Bearer other-token': 'Baraka' };
const nameOf = (request: Request) => NAMES[request.headers.get('Authorization') ?? ''] ?? 'nobody';

/** Every answer is of whoever asks. */
function serveEach(): void {
  serveNothingElse();
  serveList('/posts', [aPost()]);
  serveSchool();
  server.use(
    http.get('*/api/communities', ({ request }) =>
      HttpResponse.json([{ ...SCHOOL, name: `Shule ya ${nameOf(request)}` }]),
    ),
    http.get('*/api/communities/:id', ({ request }) =>
      HttpResponse.json({
        ...SCHOOL,
        name: `Shule ya ${nameOf(request)}`,
        member_count: 1,
        admins: [],
        waiting_requests: 0,
      }),
    ),
    http.get('*/api/notices', ({ request }) =>
      HttpResponse.json({
        unread_count: 0,
        notices: [
          {
            message: {
              type: 'join_accepted',
              id: nameOf(request),
              community_id: 'c',
              name: `Shule ya ${nameOf(request)}`,
              created_at: '2026-11-01T09:00:00.000Z',
            },
            noticed_at: '2026-11-01T09:00:00.000Z',
            read_at: '2026-11-01T09:00:00.000Z',
            is_open: true,
          },
        ],
      }),
    ),
  );
}

/** What another tab writes, as this one hears of it. */
function signInElsewhere(): void {
  localStorage.setItem('token', 'other-token');
  localStorage.setItem('userID', 'other-user');
  act(() => void fireEvent(window, new StorageEvent('storage', { key: 'userID' })));
}

test.each(['/communities', '/communities/school', '/notices'])(
  'when another tab signs in as somebody else, %s shows nothing of the former person and what is the new one’s',
  async (address) => {
    serveEach();
    await renderScreen(address, { isSignedIn: true });
    await screen.findAllByText(/Shule ya Asha/);
    signInElsewhere();
    expect(screen.queryByText(/Shule ya Asha/)).toBeNull();
    expect(await screen.findAllByText(/Shule ya Baraka/)).not.toHaveLength(0);
  },
);

test('what one person has opened on the screen is closed with it', async () => {
  serveEach();
  const { user } = await renderScreen('/communities/school', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
  expect(screen.getByRole('dialog', { name: 'Leave “Shule ya Asha”?' })).toBeInTheDocument();
  signInElsewhere();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('what a visitor has typed stays when another tab signs in', async () => {
  serveEach();
  const { user } = await renderScreen('/create-post');
  await user.type(await screen.findByLabelText('Title'), 'Pochi ya Asha');
  signInElsewhere();
  expect(screen.getByLabelText('Title')).toHaveValue('Pochi ya Asha');
});
