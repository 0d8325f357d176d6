import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
});

const QUESTION = /^Your question to people who claim it/;
const MARKS = /^What only you have seen/;

test.each([
  ['en', 'Found a NIDA card', /^Many people ask about items like this/, 'Hide my number'],
  ['en', 'Black Tecno phone', /^Many people ask about items like this/, 'Hide my number'],
  ['sw', 'Nimeokota kitambulisho', /^Watu wengi huulizia vitu kama hiki/, 'Ficha namba yangu'],
  ['sw', 'Simu ya Tecno', /^Watu wengi huulizia vitu kama hiki/, 'Ficha namba yangu'],
] as const)(
  'in %s, “%s” only suggests to hide the number: without a press the number is shown',
  async (language, title, suggestion, hide) => {
    const sent = serveSubmit();
    const { fill, submit } = await openForm(language);
    expect(screen.queryByText(suggestion)).toBeNull();
    await fill(title);
    expect(screen.getByText(suggestion)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: hide })).toBeInTheDocument();
    await submit();
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ contact: 'number' }));
    expect(sent[0]?.body).not.toHaveProperty('claim_question');
  },
);

test('the button of the suggestion hides the number and shows it again, and keeps the focus', async () => {
  const { user, field } = await openForm();
  await user.type(field('title'), 'Found a phone');
  expect(field('phone')).toHaveAccessibleDescription('Shown only to people who are logged in.');
  await user.click(screen.getByRole('button', { name: 'Hide my number' }));
  const back = screen.getByRole('button', { name: 'Show my number' });
  expect(back).toHaveFocus();
  expect(field('phone')).toHaveAccessibleDescription('Shown only to the person you choose.');
  expect(screen.getByRole('radio', { name: /^Through Patikana/ })).toBeChecked();
  expect(screen.getByLabelText(QUESTION)).toBeVisible();
  await user.click(back);
  expect(screen.getByRole('button', { name: 'Hide my number' })).toHaveFocus();
  expect(screen.getByRole('radio', { name: /^By phone/ })).toBeChecked();
  expect(screen.queryByLabelText(QUESTION)).toBeNull();
});

test.each([
  ['Funguo za gari', 'No, I found it'],
  ['Nimepoteza simu', 'Yes, I lost it'],
])('“%s” with the answer “%s” suggests nothing', async (title, answer) => {
  const { user, field } = await openForm();
  await user.click(screen.getByRole('radio', { name: answer }));
  await user.type(field('title'), title);
  expect(screen.queryByRole('button', { name: 'Hide my number' })).toBeNull();
});

test('a finder’s question and marks are sent with a post that hides the number', async () => {
  const sent = serveSubmit();
  const { user, fill, submit } = await openForm();
  await fill('Found a phone');
  await user.click(screen.getByRole('button', { name: 'Hide my number' }));
  await user.type(screen.getByLabelText(QUESTION), 'What is on its back?');
  await user.type(screen.getByLabelText(MARKS), 'A crack');
  await submit();
  await waitFor(() =>
    expect(sent[0]?.body).toMatchObject({
      contact: 'claim',
      claim_question: 'What is on its back?',
      private_marks: 'A crack',
    }),
  );
});

test('“More details” offers both ways to a finder, and neither to an owner', async () => {
  const { user } = await openForm();
  await user.click(screen.getByText('More details'));
  expect(screen.getByRole('radio', { name: /^By phone/ })).toBeChecked();
  expect(screen.queryByLabelText(MARKS)).toBeNull();
  await user.click(screen.getByRole('radio', { name: /^Through Patikana/ }));
  expect(screen.getByLabelText(MARKS)).toHaveAccessibleDescription(/Nobody else reads this/);
  expect(screen.getByLabelText(QUESTION)).toHaveAccessibleDescription(/^Ask what only its owner/);
  await user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
  expect(screen.queryByRole('radio', { name: /^By phone/ })).toBeNull();
  expect(screen.queryByLabelText(MARKS)).toBeNull();
});

test('an update starts with the post’s question and marks, and reports that sealed ones cannot change', async () => {
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
  const marks = await screen.findByLabelText(MARKS);
  expect(marks).toHaveValue('Ufa');
  expect(screen.getByLabelText(QUESTION)).toHaveValue('Nini?');
  await user.type(marks, ' kubwa');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Somebody has claimed this post.')).toBeInTheDocument();
  expect(sent).toMatchObject([{ contact: 'claim', claim_question: 'Nini?', private_marks: 'Ufa kubwa' }]);
});
