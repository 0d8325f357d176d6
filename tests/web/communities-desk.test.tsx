import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { readOutbox } from '#web/lib/outbox.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { thingNumber } from '#web/lib/thing-number.ts';
import { SCHOOL, serveSchool } from './support/communities.ts';
import { loseNetwork } from './support/phone.ts';
import { aPost, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const CODE = SCHOOL.community_code;
let own: Post[] = [];

beforeEach(() => {
  serveSchool();
  own = [aPost({ community_code: CODE, is_mine: true }), aPost({ is_mine: true })];
  server.use(http.get('*/api/posts/by-owner', () => HttpResponse.json(own.map((post) => ({ Post: post })))));
});

/** Makes a post of whatever is sent, and keeps it. */
function servePosting() {
  const sent: { body: Record<string, unknown>; key: string | null }[] = [];
  server.use(
    http.post('*/api/posts', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      sent.push({ body, key: request.headers.get('Idempotency-Key') });
      const post = aPost({ ...body, id: `made-${sent.length}`, is_mine: true });
      own = [post, ...own];
      return HttpResponse.json(post, { status: 201 });
    }),
  );
  return sent;
}

const open = (language: 'en' | 'sw' = 'en') => renderScreen('/communities/school/desk', { isSignedIn: true, language });
const field = (name: string | RegExp) => screen.getByRole('textbox', { name });

test('one thing after the other is posted: place and number stay, the title is next', async () => {
  const sent = servePosting();
  const { user } = await open();
  expect(await screen.findByText('1 posted today')).toBeInTheDocument();
  expect(field('Title')).toHaveFocus();
  await user.type(field('Title'), 'Begi la bluu');
  await user.type(field('Location'), 'Uwanjani');
  await user.type(field(/Where is it now/), 'Ofisi ya mwalimu mkuu');
  await user.type(field('Phone number'), '0712345678{Enter}');
  expect(
    await screen.findByText(`“Begi la bluu” is posted. Write the number ${thingNumber('made-1')} on it.`),
  ).toBeInTheDocument();
  expect(await screen.findByText('2 posted today')).toBeInTheDocument();
  expect(field('Title')).toHaveValue('');
  expect(field('Title')).toHaveFocus();
  expect(field('Location')).toHaveValue('Uwanjani');
  await user.type(field('Title'), 'Funguo{Enter}');
  expect(await screen.findByText(/“Funguo” is posted/)).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toMatchObject(
    ['Begi la bluu', 'Funguo'].map((title) => ({
      title,
      location: 'Uwanjani',
      kept_at: 'Ofisi ya mwalimu mkuu',
      phone_number: '0712345678',
      community_code: CODE,
      posted_by: 'finder',
    })),
  );
  expect(sent[0]?.key).not.toBe(sent[1]?.key);
});

test('what is typed survives a reload, in Swahili too', async () => {
  const first = await open('sw');
  await first.user.type(await screen.findByRole('textbox', { name: 'Kichwa cha tangazo' }), 'Kofia');
  first.unmount();
  await open('sw');
  expect(await screen.findByRole('textbox', { name: 'Kichwa cha tangazo' })).toHaveValue('Kofia');
});

test('without a network a thing waits on the phone, and the next can be typed', async () => {
  server.use(http.post('*/api/posts', () => HttpResponse.error()));
  loseNetwork();
  const { user } = await open();
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi');
  await user.type(field('Location'), 'Uwanjani');
  await user.type(field('Phone number'), '0712345678{Enter}');
  expect(await screen.findByText(/“Begi” is saved on this phone/)).toBeInTheDocument();
  expect(field('Title')).toHaveFocus();
  expect(readOutbox().map(({ input }) => input)).toMatchObject([{ title: 'Begi', community_code: CODE }]);
});

test('a refusal says why and keeps what was typed', async () => {
  server.use(http.post('*/api/posts', () => HttpResponse.json({ detail: 'Umetangaza mno leo.' }, { status: 429 })));
  const { user } = await open();
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi');
  await user.type(field('Location'), 'Uwanjani');
  await user.type(field('Phone number'), '0712345678{Enter}');
  expect(await screen.findByText('Umetangaza mno leo.')).toBeInTheDocument();
  expect(field('Title')).toHaveValue('Begi');
});

test('the list of what is open is printed with the number of each thing, and no telephone number', async () => {
  const bag = aPost({ id: 'bag', title: 'Begi', kept_at: 'Rafu ya 2', community_name: SCHOOL.name });
  const hidden = aPost({ title: 'Imefichwa', is_hidden: true });
  const queries = serveList('/posts', [bag, hidden]);
  window.print = vi.fn();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Print the list' }));
  expect(await screen.findByText('1 item is on the list.')).toBeInTheDocument();
  await waitFor(() => expect(window.print).toHaveBeenCalledOnce());
  const sheet = document.querySelector<HTMLElement>('body > .desk-sheet');
  for (const text of [SCHOOL.name, thingNumber('bag'), 'Begi', 'Rafu ya 2']) expect(sheet).toHaveTextContent(text);
  expect(sheet).not.toHaveTextContent(/Imefichwa|0712/);
  expect(Object.fromEntries(queries[0] ?? [])).toMatchObject({ community_code: CODE, open: '1', posted_by: 'finder' });
});

test('the desk is for its admins, once the community is open', async () => {
  serveSchool({ member_role: 'member' });
  const members = await open();
  expect(await screen.findByText('Only the admins of this community can see this page.')).toBeInTheDocument();
  members.unmount();
  queryClient.clear();
  serveSchool({ approval_status: 0 });
  await renderScreen('/communities/school/desk', { isSignedIn: true });
  expect(await screen.findByText(/The desk opens once it is approved/)).toBeInTheDocument();
});

test('a number is the same each time, and of six digits', () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => thingNumber(`${index}-9f1c`));
  expect(new Set(numbers).size).toBe(1000);
  expect(numbers.every((number) => /^\d{3} \d{3}$/.test(number))).toBe(true);
  expect(thingNumber('0-9f1c')).toBe(numbers[0]);
});
