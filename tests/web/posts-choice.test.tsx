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
  en: { what: 'What happened?', lost: 'I lost something', found: 'I found something' },
  sw: { what: 'Nini kimetokea?', lost: 'Nimepoteza kitu', found: 'Nimeokota kitu' },
};

function choice(language: keyof typeof NAMES = 'en') {
  const { what, lost, found } = NAMES[language];
  const group = within(screen.getByRole('group', { name: what }));
  return {
    lost: group.getByRole('radio', { name: lost }),
    found: group.getByRole('radio', { name: found }),
    owner: screen.getByRole('checkbox', { name: /owner of this item|mmiliki/ }),
  };
}

function expectChosen(chosen: 'lost' | 'found' | null) {
  const { lost, found, owner } = choice();
  expect([lost, found].map((radio) => (radio as HTMLInputElement).checked)).toEqual([
    chosen === 'lost',
    chosen === 'found',
  ]);
  if (chosen === 'lost') expect(owner).toBeChecked();
  else expect(owner).not.toBeChecked();
}

test.each(['en', 'sw'] as const)(
  'what happened is asked first in %s, and nothing is chosen unless it is known',
  async (language) => {
    await openForm(language);
    const { lost, found, owner } = choice(language);
    expect(lost).not.toBeChecked();
    expect(found).not.toBeChecked();
    expect(owner).not.toBeChecked();
    expect(document.querySelector('form input')).toBe(lost);
  },
);

test('the checkbox follows the choice, and the choice the checkbox', async () => {
  const { user } = await openForm();
  const { lost, found, owner } = choice();
  const explained = within(screen.getByRole('group', { name: 'What happened?' })).getByRole('status');
  const nameOfOwner = screen.getByLabelText(/^Owner's first name/);
  expect(explained).toHaveTextContent('If you choose neither, it is posted as found.');
  expect(screen.getByLabelText('Location')).toHaveAccessibleDescription('Where was it lost or found?');
  await user.click(lost);
  expectChosen('lost');
  expect(explained).toHaveTextContent('You are told as soon as somebody posts it as found.');
  expect(screen.getByLabelText('Location')).toHaveAccessibleDescription('Where did you lose it?');
  expect(screen.getByLabelText(/^Description/)).toHaveAccessibleDescription('Colour, marks, and when you last had it.');
  expect(nameOfOwner).toHaveAttribute('autocomplete', 'given-name');
  expect(screen.getByLabelText(/^Owner's last name/)).toHaveAttribute('autocomplete', 'family-name');
  await user.click(found);
  expectChosen('found');
  expect(explained).toHaveTextContent('Its owner is told if they have posted it as lost.');
  expect(screen.getByLabelText(/^Description/)).toHaveAccessibleDescription(/Keep one detail back/);
  // One's own name is not that of whoever lost it.
  expect(nameOfOwner).toHaveAttribute('autocomplete', 'off');
  expect(screen.getByLabelText(/^Owner's last name/)).toHaveAttribute('autocomplete', 'off');
  expect(screen.getByLabelText('Location')).toHaveAccessibleDescription('Where did you find it?');
  await user.click(owner);
  expectChosen('lost');
  await user.click(owner);
  expectChosen('found');
});

test('the arrow keys choose', async () => {
  const { user } = await openForm();
  choice().lost.focus();
  await user.keyboard(' ');
  expectChosen('lost');
  await user.keyboard('{ArrowRight}');
  expectChosen('found');
});

test.each([
  ['Report Item', 'found'],
  ['Post what you found', 'found'],
] as const)('whoever comes from the home page by “%s” has found something', async (name, chosen) => {
  const { user } = await renderScreen('/', { isSignedIn: true });
  await user.click(await screen.findByRole('link', { name }));
  await screen.findByLabelText('Title');
  expectChosen(chosen);
});

test('whoever looked for their thing in vain posts what they lost', async () => {
  const { user } = await renderScreen('/view-posts?search=kitambulisho', { isSignedIn: true });
  await user.click(await screen.findByRole('link', { name: 'Post what you lost' }));
  await screen.findByLabelText('Title');
  expectChosen('lost');
});

test.each([
  ['Nimepoteza kitambulisho', 'lost', 'owner'],
  ['Found: keys', 'found', 'finder'],
] as const)('“%s” says by itself that it was %s, as long as nothing is chosen', async (title, chosen, postedBy) => {
  const sent = serveSubmit();
  const { user, field, fill, submit } = await openForm();
  await user.type(field('title'), title);
  expectChosen(chosen);
  expect(screen.getByText('Taken from your title. Change it if it is wrong.')).toBeInTheDocument();
  await user.clear(field('title'));
  expectChosen(null);
  await fill(title);
  await submit();
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ title, posted_by: postedBy }));
});

test.each([
  ['I found it', 'found', 'finder'],
  ['I lost it', 'lost', 'owner'],
] as const)(
  'a title that says the other thing is asked about, and “%s” settles it',
  async (answer, chosen, postedBy) => {
    const sent = serveSubmit();
    const question = 'Your title says that you lost it, but “I found something” is chosen. Which is right?';
    const { user, fill, submit } = await openForm();
    await user.click(choice().found);
    await fill('Nimepoteza funguo');
    const group = screen.getByRole('group', { name: question });
    expect(screen.queryByRole('alert')).toBeNull();
    await submit();
    expect(within(group).getByRole('button', { name: 'I lost it' })).toHaveFocus();
    expect(sent).toEqual([]);
    await user.click(within(group).getByRole('button', { name: answer }));
    expectChosen(chosen);
    expect(choice()[chosen]).toHaveFocus();
    expect(screen.queryByText(question)).toBeNull();
    await submit();
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ posted_by: postedBy }));
  },
);

test('the other way round it is asked in Swahili as well', async () => {
  const { user, field } = await openForm('sw');
  await user.click(choice('sw').lost);
  await user.type(field('title'), 'Nimeokota funguo');
  const question = 'Kichwa cha tangazo kinasema umekiokota, lakini umechagua “Nimepoteza kitu”. Lipi ni sahihi?';
  const group = within(screen.getByRole('group', { name: question }));
  await user.click(group.getByRole('button', { name: 'Nimekiokota' }));
  expect(choice('sw').found).toBeChecked();
});

test('a reload keeps the choice, and a choice that was not made', async () => {
  const first = await openForm();
  await first.user.click(choice().lost);
  await first.user.type(first.field('title'), 'Begi');
  first.unmount();
  const second = await openForm();
  expectChosen('lost');
  await second.user.click(screen.getByRole('button', { name: 'Start over' }));
  expectChosen(null);
  await second.user.type(second.field('title'), 'Kofia');
  second.unmount();
  await openForm();
  expectChosen(null);
});

test('an update starts with what the post is', async () => {
  const post = aPost({ posted_by: 'owner', title: 'Pochi', is_mine: true });
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  await openForm('en', { state: { mode: 'update', post } });
  expectChosen('lost');
});
