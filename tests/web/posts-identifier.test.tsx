import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { aMatch, aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const LABEL = { en: /ID number, IMEI or plate number/, sw: /Namba ya kitambulisho, IMEI au namba ya usajili/ };

beforeEach(() => {
  serveNothingElse();
  serveList('/posts/by-owner', []);
  serveList('/posts', []);
});

test('one field takes a number, a phone has a second one, and both are sent', async () => {
  const sent = serveSubmit();
  const { user, fill, submit } = await openForm();
  await fill('Funguo');
  expect(screen.queryByLabelText(/Second IMEI/)).toBeNull();
  await user.clear(screen.getByLabelText('Title'));
  await user.type(screen.getByLabelText('Title'), 'Simu ya Tecno');
  await user.type(screen.getByLabelText(LABEL.en), '35-693803');
  await user.type(screen.getByLabelText(/Second IMEI/), '35-693811');
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body.identifiers).toEqual(['35-693803', '35-693811']);
});

test('the number of a new post is said to be shown to nobody, and there is none to remove', async () => {
  await openForm();
  expect(screen.getByLabelText(LABEL.en)).toHaveAccessibleDescription(/^We show it to nobody/);
  expect(screen.getByLabelText(LABEL.en)).toHaveAttribute('dir', 'ltr');
  expect(screen.queryByLabelText('Remove the number from my post')).toBeNull();
});

test('an invalid number is reported at the field; an empty one is not sent', async () => {
  const sent = serveSubmit();
  const { user, fill, submit } = await openForm('sw');
  await fill('Funguo');
  await user.type(screen.getByLabelText(LABEL.sw), 'AB12');
  await submit();
  expect(screen.getByLabelText(LABEL.sw)).toBeInvalid();
  expect(screen.getByText(/angalau tarakimu 3/)).toBeVisible();
  await user.clear(screen.getByLabelText(LABEL.sw));
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).not.toHaveProperty('identifiers');
});

test.each([
  ['left as it is', false, undefined],
  ['removed', true, null],
] as const)('an identifier given before is not shown, and is %s', async (_name, removes, expected) => {
  const post = aPost({ is_mine: true, title: 'Funguo', has_identifiers: true });
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  const sent = serveSubmit();
  const { user } = await openForm('en', { state: { mode: 'update', post } });
  expect(screen.getByLabelText(LABEL.en)).toHaveValue('');
  expect(screen.getByLabelText(LABEL.en)).toHaveAccessibleDescription(/^Your post has a number/);
  if (removes) await user.click(screen.getByRole('checkbox', { name: 'Remove the number from my post' }));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body.identifiers).toBe(expected);
});

const LOOK_UP = { en: 'Look this number up', sw: 'Tafuta namba hii' };

/** Types into the search box and presses what is offered below it. */
async function lookUp(identifier: string, language: 'en' | 'sw' = 'en') {
  const view = await renderScreen('/view-posts', { language, isSignedIn: true });
  const box = screen.getByRole('textbox', { name: language === 'en' ? 'Search posts' : 'Tafuta kwenye matangazo' });
  await view.user.type(box, identifier);
  const button = await screen.findByRole('button', { name: LOOK_UP[language] });
  await view.user.click(button);
  return { ...view, box, button };
}

test.each([
  ['a NIDA number', '19900101-12345-00001-23'],
  ['a plate number', 't 123 abc'],
  ['an IMEI with spaces', ' 35 693803 564380 9 '],
])('%s in the search box can be looked up', async (_what, typed) => {
  const { user } = await renderScreen('/view-posts', { isSignedIn: true });
  await user.type(screen.getByRole('textbox', { name: 'Search posts' }), typed);
  expect(await screen.findByRole('button', { name: LOOK_UP.en })).toHaveAccessibleDescription(
    /^We show the number to nobody/,
  );
});

test.each([
  ['nothing', ''],
  ['words with letters that look like digits', 'simu nyeusi bosi'],
  ['words and a year', 'begi jekundu 2024'],
  ['a model', 'iPhone 13 Pro 256'],
  ['a number that is too short', 'AB123'],
  ['a number that is too long', '1'.repeat(41)],
])('%s in the search box is only searched for', async (_what, typed) => {
  const { user } = await renderScreen('/view-posts', { isSignedIn: true });
  // The offer's code is here from then on.
  await user.type(screen.getByRole('textbox', { name: 'Search posts' }), 'TZ-555123');
  await screen.findByRole('button', { name: LOOK_UP.en });
  await user.clear(screen.getByRole('textbox', { name: 'Search posts' }));
  if (typed) await user.type(screen.getByRole('textbox', { name: 'Search posts' }), typed);
  expect(screen.queryByRole('button', { name: LOOK_UP.en })).toBeNull();
});

test.each([
  [true, /somebody has posted a found item/],
  [false, /Nobody yet/],
])('asked whether anyone has found it, the answer %s leads to a lost post with the number', async (found, sentence) => {
  const asked: unknown[] = [];
  server.use(
    http.post('*/api/identifiers/lookup', async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ found });
    }),
  );
  const { user, router } = await lookUp('TZ-555123');
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Post it with this number' })).toHaveFocus();
  expect(asked).toEqual([{ identifier: 'TZ-555123' }]);
  await user.click(screen.getByRole('link', { name: 'Post it with this number' }));
  expect(await screen.findByLabelText(LABEL.en)).toHaveValue('TZ-555123');
  expect(screen.getByLabelText('Yes, I lost it')).toBeChecked();
  const { pathname, search, hash } = router.state.location;
  expect([pathname, search, hash]).toEqual(['/create-post', '', '']);
});

test.each([
  [403, 'number_not_proven', /waliothibitisha namba zao/],
  [429, 'too_many_requests', /Uliza tena kesho/],
  [503, 'unavailable', /Seva haijajibu/],
])('a refused look-up says why: %s', async (status, code, sentence) => {
  server.use(http.post('*/api/identifiers/lookup', () => refuse(status, code)));
  await lookUp('TZ-555123', 'sw');
  expect(await screen.findByText(sentence)).toBeVisible();
  const prove = screen.queryByRole('link', { name: 'Thibitisha namba yangu' });
  expect(prove !== null).toBe(status === 403);
  if (prove) expect(prove).toHaveAttribute('href', '/prove-number');
});

test('a visitor is not offered to look a number up', async () => {
  const { user } = await renderScreen('/view-posts');
  await user.type(screen.getByRole('textbox', { name: 'Search posts' }), 'TZ-555123');
  await screen.findByText('No items found. Try adjusting your search criteria.');
  expect(screen.queryByRole('button', { name: LOOK_UP.en })).toBeNull();
});

test('an answer is about the number that was asked for, and goes with it', async () => {
  const answer = Promise.withResolvers<Response>();
  const asked: string[] = [];
  server.use(
    http.post('*/api/identifiers/lookup', () => {
      asked.push('asked');
      return answer.promise as never;
    }),
  );
  const { user, box, button } = await lookUp('TZ-555123');
  expect(button).toHaveAttribute('aria-busy', 'true');
  await user.click(button);
  const regions = screen.getAllByRole('status');
  answer.resolve(HttpResponse.json({ found: false }));
  const sentence = await screen.findByText(/^Nobody yet/);
  // In an element that was there before: what comes into the page together with its text is not read out.
  expect(regions.some((region) => region.contains(sentence))).toBe(true);
  expect(asked).toHaveLength(1);
  await user.type(box, '4');
  expect(screen.queryByText(/^Nobody yet/)).toBeNull();
  expect(screen.getByRole('button', { name: LOOK_UP.en })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Post it with this number' })).toBeNull();
});

test.each([
  ['owner', true],
  ['finder', false],
] as const)(
  'beside a match of an %s’s post with the same number the finder is warned: %s',
  async (posted_by, isWarned) => {
    const other = aPost({ posted_by, title: 'Ya mwingine' });
    const own = aPost({ is_mine: true, posted_by: posted_by === 'owner' ? 'finder' : 'owner' });
    server.use(
      http.get('*/api/posts/:id', () => HttpResponse.json(own)),
      http.get('*/api/posts/:id/matches', () =>
        HttpResponse.json([aMatch({ Post: other, reasons: [{ kind: 'same_identifier', en: 'x', sw: 'x' }] })]),
      ),
    );
    await renderScreen(`/posts/${own.id}`, { isSignedIn: true });
    expect(await screen.findByText('Both posts give the same ID number, IMEI or plate number.')).toBeVisible();
    const warning = screen.queryByText('They know the number. That alone does not prove that it is theirs.');
    expect(warning !== null).toBe(isWarned);
  },
);
