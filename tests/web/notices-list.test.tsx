import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Notice } from '#contract/notices.ts';
import { matchMessage, rejectionMessage } from './support/live.tsx';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const noticed = { noticed_at: '2026-11-21T05:05:00.000Z', read_at: null, is_open: true };
const newMatch: Notice = { ...noticed, message: matchMessage };
const closedMatch: Notice = {
  ...noticed,
  message: { ...matchMessage, id: 'notice-3', title: 'Found another card' },
  read_at: '2026-11-21T06:05:00.000Z',
  is_open: false,
};
const rejection: Notice = { ...noticed, message: rejectionMessage };

function serveNotices(notices: Notice[], unread: number) {
  const read: unknown[] = [];
  server.use(
    http.get('*/api/notices', () => HttpResponse.json({ unread_count: unread, notices })),
    http.post('*/api/notices/read', async ({ request }) => {
      read.push(await request.json());
      return HttpResponse.json({ unread_count: 0 });
    }),
  );
  return read;
}

test.each([
  ['en', 'Notices', 'New', 'No longer open', 'Reason: Jina halieleweki.'],
  ['sw', 'Arifa', 'Mpya', 'Haliko wazi tena', 'Sababu: Jina halieleweki.'],
] as const)(
  'past notices are listed in %s, and to open the list is to have read it',
  async (language, title, fresh, closed, reason) => {
    const read = serveNotices([newMatch, closedMatch, rejection], 2);
    await renderScreen('/notices', { language, isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    const cards = await screen.findAllByText(fresh);
    expect(cards).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'Found a NIDA card' })).toHaveAttribute('href', '/posts/found-post');
    const shut = screen.getByText(closed).closest('li') as HTMLElement;
    expect(within(shut).queryByRole('link', { name: 'WhatsApp' })).toBeNull();
    expect(screen.getByText(reason)).toBeInTheDocument();
    await waitFor(() => expect(read).toEqual([{ up_to: 'notice-1' }]));
    expect(screen.getAllByText(fresh)).toHaveLength(2);
  },
);

test.each([
  ['en', /^The author of this post thinks that it is the same item/],
  ['sw', /^Aliyetangaza anadhani/],
] as const)('in %s the list says of a notice that it is somebody’s guess', async (language, sentence) => {
  const guess = { ...newMatch, message: { ...matchMessage, id: 'notice-4', confidence: 'possible' as const } };
  serveNotices([guess, closedMatch], 0);
  await renderScreen('/notices', { language, isSignedIn: true });
  const card = (await screen.findByText(sentence)).closest('li') as HTMLElement;
  expect(within(card).getByRole('link', { name: 'Found a NIDA card' })).toBeInTheDocument();
  expect(screen.getAllByText(sentence)).toHaveLength(1);
});

test('older notices are loaded when they are asked for', async () => {
  serveNotices([], 0);
  server.use(
    http.get('*/api/notices', ({ request }) =>
      new URL(request.url).searchParams.get('cursor') === 'next'
        ? HttpResponse.json({ unread_count: 0, notices: [closedMatch] })
        : HttpResponse.json(
            { unread_count: 0, notices: [newMatch] },
            { headers: { Link: '</api/notices?cursor=next>; rel="next"' } },
          ),
    ),
  );
  const { user } = await renderScreen('/notices', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Show older notices' }));
  expect(await screen.findByRole('link', { name: 'Found another card' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show older notices' })).toBeNull();
});

test('older notices that cannot be loaded are said to be missing, and can be asked for again', async () => {
  server.use(
    http.get('*/api/notices', ({ request }) =>
      new URL(request.url).searchParams.get('cursor') === 'next'
        ? HttpResponse.json({ code: 'forbidden' }, { status: 403 })
        : HttpResponse.json(
            { unread_count: 0, notices: [newMatch] },
            { headers: { Link: '</api/notices?cursor=next>; rel="next"' } },
          ),
    ),
  );
  const { user } = await renderScreen('/notices', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Show older notices' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Your notices could not be loaded.');
  expect(screen.getByRole('link', { name: 'Found a NIDA card' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Show older notices' })).toBeEnabled();
});

test('an empty list says what will come here, and marks nothing read', async () => {
  const read = serveNotices([], 0);
  await renderScreen('/notices', { isSignedIn: true });
  expect(await screen.findByText('No notices yet')).toBeInTheDocument();
  expect(screen.getByText(/^When somebody finds what you lost/)).toBeInTheDocument();
  expect(screen.getByText(/^Posts that match yours/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Post an item' })).toHaveAttribute('href', '/create-post');
  expect(screen.queryByRole('link', { name: /wait for you|waits for you/ })).toBeNull();
  expect(read).toEqual([]);
});

test('a list that cannot be loaded says so and can be tried again', async () => {
  server.use(
    http.get('*/api/notices', () => HttpResponse.json({ code: 'forbidden' }, { status: 403 }), { once: true }),
  );
  const { user } = await renderScreen('/notices', { isSignedIn: true });
  expect(await screen.findByRole('alert')).toHaveTextContent('Your notices could not be loaded.');
  serveNotices([newMatch], 0);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Found a NIDA card' })).toBeInTheDocument();
});

test.each([
  ['en', 'Log in to see your notices.'],
  ['sw', 'Ingia ili uone arifa zako.'],
] as const)('a visitor is asked in %s to log in', async (language, sentence) => {
  const { user, router } = await renderScreen('/notices', { language });
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  const [login] = screen.getAllByRole('link', { name: language === 'en' ? 'Login' : 'Ingia' }).slice(-1);
  await user.click(login as HTMLElement);
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/notices' } });
});

test.each([
  ['en', 'Your password was changed', 'It was not me'],
  ['sw', 'Nenosiri lako limebadilishwa', 'Si mimi'],
] as const)('in %s whoever did not change their password is shown the way to another', async (language, title, way) => {
  const message = { type: 'password_changed' as const, id: 'notice-5', created_at: noticed.noticed_at };
  serveNotices([{ ...noticed, message }], 1);
  await renderScreen('/notices', { language, isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 2, name: title })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: way })).toHaveAttribute('href', '/forgot-password');
  expect(
    screen.getByText(/^A new password was set with a verification code|^Nenosiri jipya limewekwa/),
  ).toBeInTheDocument();
});

test('an empty list leaves the main button to the question that stands above it', async () => {
  serveNotices([], 0);
  await renderScreen('/notices', { isSignedIn: true });
  expect(await screen.findByRole('link', { name: 'Post an item' })).not.toHaveClass('bg-accent');
});

test('a list of which nothing is unread is not marked read', async () => {
  const read = serveNotices([closedMatch], 0);
  await renderScreen('/notices', { isSignedIn: true });
  await screen.findByRole('link', { name: 'Found another card' });
  expect(screen.queryByText('New')).toBeNull();
  expect(read).toEqual([]);
});

test('a list that could not be marked read stands all the same', async () => {
  let tries = 0;
  serveNotices([newMatch], 1);
  server.use(
    http.post('*/api/notices/read', () => {
      tries++;
      return HttpResponse.json({ code: 'unavailable' }, { status: 503 });
    }),
  );
  await renderScreen('/notices', { isSignedIn: true });
  expect(await screen.findByRole('link', { name: 'Found a NIDA card' })).toBeInTheDocument();
  await waitFor(() => expect(tries).toBe(1));
  expect(screen.getByText('New')).toBeInTheDocument();
});

test('notices are asked for twenty at a time', async () => {
  const limits: (string | null)[] = [];
  server.use(
    http.get('*/api/notices', ({ request }) => {
      limits.push(new URL(request.url).searchParams.get('limit'));
      return HttpResponse.json({ unread_count: 0, notices: [newMatch] });
    }),
  );
  await renderScreen('/notices', { isSignedIn: true });
  await screen.findByRole('link', { name: 'Found a NIDA card' });
  expect(new Set(limits)).toEqual(new Set(['20']));
});
