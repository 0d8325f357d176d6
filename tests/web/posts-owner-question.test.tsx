import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
});

const NAMES = {
  en: { question: 'Are you the owner of this item?', yes: 'Yes, I lost it', no: 'No, I found it' },
  sw: { question: 'Je, wewe ndiye mwenye kitu hiki?', yes: 'Ndiyo, nimekipoteza', no: 'Hapana, nimekiokota' },
};

function ownerQuestion(language: keyof typeof NAMES = 'en') {
  const { question, yes, no } = NAMES[language];
  const group = within(screen.getByRole('group', { name: question }));
  return {
    yes: group.getByRole('radio', { name: yes }),
    no: group.getByRole('radio', { name: no }),
    meaning: group.getByRole('status'),
  };
}

function expectAnswer(answer: 'yes' | 'no' | null) {
  const { yes, no } = ownerQuestion();
  expect([yes, no].map((radio) => (radio as HTMLInputElement).checked)).toEqual([answer === 'yes', answer === 'no']);
}

test.each(['en', 'sw'] as const)(
  'the form first asks who posts, once, and answers nothing itself, in %s',
  async (language) => {
    const { user, field } = await openForm(language);
    const { yes, no } = ownerQuestion(language);
    expect(document.querySelector('form input')).toBe(yes);
    expect(document.querySelectorAll('[name=posted_by], [name=is_owner]')).toHaveLength(2);
    await user.type(field('title'), language === 'en' ? 'I lost my wallet' : 'Nimepoteza pochi yangu');
    expect(yes).not.toBeChecked();
    expect(no).not.toBeChecked();
  },
);

test.each([
  ['Yes, I lost it', 'owner'],
  ['No, I found it', 'finder'],
  [null, 'finder'],
])('the answer “%s” makes a post of its %s', async (answer, postedBy) => {
  const sent = serveSubmit();
  const { user, fill, submit } = await openForm();
  if (answer) await user.click(screen.getByRole('radio', { name: answer }));
  await fill('Lost wallet');
  await submit();
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ title: 'Lost wallet', posted_by: postedBy }));
});

test('the hints follow the answer, and only an owner is offered their own name', async () => {
  const { user, field } = await openForm();
  const { yes, no, meaning } = ownerQuestion();
  const firstName = screen.getByLabelText('First name');
  const lastName = screen.getByLabelText('Last name');
  const names = screen.getByRole('group', { name: /^Name on it/ });
  expect(meaning).toHaveTextContent('Without an answer, your post is shown as found.');
  expect(field('location')).toHaveAccessibleDescription('Where was it lost or found?');
  await user.click(yes);
  expect(meaning).toHaveTextContent('You are notified when somebody posts it as found.');
  expect(field('location')).toHaveAccessibleDescription('Where did you lose it?');
  expect(screen.getByLabelText(/^Description/)).toHaveAccessibleDescription('Colour, marks, and when you last had it.');
  expect(names).toHaveAccessibleDescription(/^Your name/);
  expect(firstName).toHaveAttribute('autocomplete', 'given-name');
  expect(lastName).toHaveAttribute('autocomplete', 'family-name');
  await user.click(no);
  expect(meaning).toHaveTextContent('Its owner is notified if they have posted it as lost.');
  expect(field('location')).toHaveAccessibleDescription('Where did you find it?');
  expect(screen.getByLabelText(/^Description/)).toHaveAccessibleDescription(/Keep one detail secret/);
  expect(names).toHaveAccessibleDescription(/Not your own/);
  expect(firstName).toHaveAttribute('autocomplete', 'off');
  expect(lastName).toHaveAttribute('autocomplete', 'off');
});

test('the arrow keys change the answer', async () => {
  const { user } = await openForm();
  ownerQuestion().yes.focus();
  await user.keyboard(' ');
  expectAnswer('yes');
  await user.keyboard('{ArrowRight}');
  expectAnswer('no');
});

test.each([
  ['Report Item', null],
  ['Post what you found', 'no'],
] as const)('the home page link “%s” opens the form with the answer %s', async (name, answer) => {
  const { user } = await renderScreen('/', { isSignedIn: true });
  await user.click(await screen.findByRole('link', { name }));
  await screen.findByLabelText('Title');
  expectAnswer(answer);
});

test('“Post what you lost” after an empty search opens the form as an owner’s', async () => {
  const { user } = await renderScreen('/view-posts?search=kitambulisho', { isSignedIn: true });
  await user.click(await screen.findByRole('link', { name: 'Post what you lost' }));
  await screen.findByLabelText('Title');
  expectAnswer('yes');
});

test('a reload keeps the answer, and a missing answer', async () => {
  const first = await openForm();
  await first.user.click(ownerQuestion().yes);
  await first.user.type(first.field('title'), 'Begi');
  first.unmount();
  const second = await openForm();
  expectAnswer('yes');
  await second.user.click(screen.getByRole('button', { name: 'Start over' }));
  expectAnswer(null);
  await second.user.type(second.field('title'), 'Kofia');
  second.unmount();
  await openForm();
  expectAnswer(null);
});

test('an update starts with the side of the post', async () => {
  const post = aPost({ posted_by: 'owner', title: 'Pochi', is_mine: true });
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  await openForm('en', { state: { mode: 'update', post } });
  expectAnswer('yes');
});
