import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { proposesClaim } from '#web/posts/proposes-claim.ts';
import { aPost, refuse, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

test.each([
  'Nimeokota simu nyeusi ya Tecno',
  'Found a NIDA card',
  'Kitambulisho cha mpiga kura',
  'Leseni ya udereva, Juma',
  'Cheti cha kuzaliwa',
  'Kadi ya benki ya CRDB',
  'Driving licence found',
  'Laptop ya HP',
  'Power bank nyeupe',
  'Smart TV',
  'Found an iPhone',
  'A passport in a taxi',
  'Student ID of UDSM',
])('a claim is proposed for "%s"', (title) => expect(proposesClaim(title)).toBe(true));

test.each([
  'Funguo za gari',
  'Pochi ya ngozi nyekundu',
  'Keys on a red ribbon',
  'Mbuzi mweupe',
  'Begi la shule',
  'Koti la mvua',
  'A school bag with books',
])('none is for "%s"', (title) => expect(proposesClaim(title)).toBe(false));

async function openForm(language: 'en' | 'sw' = 'en') {
  const sent: Record<string, unknown>[] = [];
  serveNothingElse();
  server.use(
    http.get('*/api/posts/by-owner', () => HttpResponse.json([])),
    http.post('*/api/posts', async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>);
      return refuse(503, 'unavailable', 'Later');
    }),
  );
  const { user } = await renderScreen(
    { pathname: '/create-post', state: { posted_by: 'finder' } },
    { language, isSignedIn: true },
  );
  return { user, sent };
}

test.each([
  ['en', 'Through Patikana', /your number is shown to the one you choose/, /^We propose this/],
  ['sw', 'Kupitia Patikana', /namba yako huonyeshwa kwa utakayemchagua/, /^Tunapendekeza hivi/],
] as const)(
  'the form proposes a claim for a phone, says why and what it means, in %s',
  async (language, name, means, why) => {
    const { user } = await openForm(language);
    const claim = screen.getByRole('radio', { name: new RegExp(name) });
    expect(claim).not.toBeChecked();
    await user.type(document.querySelector('[name=title]') as HTMLElement, 'Simu ya Tecno');
    expect(claim).toBeChecked();
    expect(screen.getByText(means)).toBeInTheDocument();
    expect(screen.getByText(why)).toBeInTheDocument();
  },
);

test('a finder’s question and marks go with the post; by phone, nothing of them', async () => {
  const { user, sent } = await openForm();
  await user.type(screen.getByLabelText('Title'), 'Found a phone');
  await user.type(screen.getByLabelText('Location'), 'Moshi');
  await user.type(screen.getByLabelText('Phone number'), '0712345678');
  await user.type(screen.getByLabelText(/^Your question to whoever/), 'What is on its back?');
  await user.type(screen.getByLabelText(/^What only you have seen/), 'A crack');
  await user.click(screen.getByRole('button', { name: 'Post item' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ contact: 'claim', claim_question: 'What is on its back?', private_marks: 'A crack' });
});

test('what its finder chooses stands, and an owner is reached by phone', async () => {
  const { user } = await openForm();
  await user.type(screen.getByLabelText('Title'), 'Tecno phone');
  await user.click(screen.getByRole('radio', { name: /^By phone/ }));
  await user.type(screen.getByLabelText('Title'), ' and NIDA card');
  expect(screen.getByRole('radio', { name: /^By phone/ })).toBeChecked();
  expect(screen.queryByText(/^We propose this/)).toBeNull();
  expect(screen.queryByLabelText(/^What only you have seen/)).toBeNull();
  await user.click(screen.getByRole('radio', { name: /^Through Patikana/ }));
  expect(screen.getByRole('radio', { name: /^Through Patikana/ })).toBeChecked();
  expect(screen.getByLabelText(/^What only you have seen/)).toHaveAccessibleDescription(/Nobody else reads this/);
  expect(screen.getByLabelText(/^Your question to whoever/)).toHaveAccessibleDescription(/^Ask what only its owner/);
  await user.click(screen.getByRole('radio', { name: /^I lost something/ }));
  expect(screen.queryByRole('radio', { name: /^By phone/ })).toBeNull();
});

test('an update starts with what the post has, and says why what is sealed cannot change', async () => {
  serveNothingElse();
  const sent: unknown[] = [];
  const post = aPost({ id: 'p', is_mine: true, contact: 'claim', claim_question: 'Nini?', private_marks: 'Ufa' });
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(post)),
    http.put('*/api/posts/:id', async ({ request }) => {
      sent.push(await request.json());
      return refuse(409, 'sealed', 'Somebody has claimed this post.');
    }),
  );
  const { user } = await renderScreen(
    { pathname: '/create-post', state: { mode: 'update', post } },
    { isSignedIn: true },
  );
  const marks = await screen.findByLabelText(/^What only you have seen/);
  expect(marks).toHaveValue('Ufa');
  expect(screen.getByLabelText(/^Your question to whoever/)).toHaveValue('Nini?');
  await user.type(marks, ' kubwa');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Somebody has claimed this post.')).toBeInTheDocument();
  expect(sent).toMatchObject([{ contact: 'claim', claim_question: 'Nini?', private_marks: 'Ufa kubwa' }]);
});
