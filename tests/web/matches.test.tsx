import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import type { PostMatch } from '#contract/posts.ts';
import { aMatch, aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const MINE = aPost({ title: 'Nimepoteza begi', posted_by: 'owner', is_mine: true });
const SURE = aMatch({ Post: aPost({ title: 'Found a bag with books', phone_number: '0754000001' }) });
const POSSIBLE = aMatch({
  confidence: 'possible',
  Post: aPost({ title: 'Found some bag', phone_number: '0754000002' }),
  reasons: [{ kind: 'item', en: 'bag', sw: 'begi' }],
});

beforeEach(serveNothingElse);

/** The server's side of one post's matches. @returns what was said of which pair. */
function serveMatches(matches: PostMatch[]): string[] {
  const said: string[] = [];
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(MINE)),
    http.get('*/api/posts/:id/matches', () => HttpResponse.json(matches)),
    http.get('*/api/matches/counts', () => HttpResponse.json(matches.length > 0 ? { [MINE.id]: matches.length } : {})),
    http.post('*/api/matches/:pairId/:answer', ({ params }) => {
      said.push(`${params.answer} ${params.pairId}`);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return said;
}

async function openPost(language: Language = 'en') {
  const view = await renderScreen(`/posts/${MINE.id}`, { language, isSignedIn: true });
  const list = within(
    await screen.findByRole('region', { name: language === 'en' ? 'These might be it' : 'Huenda ni hiki' }),
  );
  return { ...view, list };
}

function cardOf({ Post }: PostMatch) {
  return within(screen.getByRole('link', { name: Post.title }).closest('li') as HTMLElement);
}

test.each([
  ['en', 'Matches well', 'Possible', 'It is this one', 'Not this one', 'It is the same kind of item: bag.'],
  ['sw', 'Linafanana sana', 'Huenda', 'Ni hiki', 'Si hiki', 'Ni kitu cha aina ileile: begi.'],
] as const)(
  'under one’s own post stand sure and possible matches, each with why and what to say, in %s',
  async (language, sure, possible, isThis, notThis, reason) => {
    serveMatches([SURE, POSSIBLE]);
    const { list } = await openPost(language);
    expect(list.getAllByRole('link', { name: /^Found/ }).map((link) => link.textContent)).toEqual([
      SURE.Post.title,
      POSSIBLE.Post.title,
    ]);
    expect(cardOf(SURE).getByText(sure)).toBeInTheDocument();
    expect(cardOf(POSSIBLE).getByText(possible)).toBeInTheDocument();
    expect(cardOf(POSSIBLE).getByText(reason)).toBeInTheDocument();
    expect(list.getAllByRole('button', { name: notThis })).toHaveLength(2);
    expect(cardOf(POSSIBLE).getByRole('button', { name: isThis })).toBeInTheDocument();
    expect(cardOf(SURE).getByRole('link', { name: /This is mine|Ni changu/ })).toBeInTheDocument();
    expect(cardOf(SURE).queryByRole('button', { name: isThis })).toBeNull();
    expect(cardOf(SURE).getByRole('link', { name: /WhatsApp/ })).toBeInTheDocument();
    expect(cardOf(POSSIBLE).queryByRole('link', { name: /WhatsApp/ })).toBeNull();
  },
);

test.each([
  ['en', 'It is this one', 'Call', 'We have notified the author of that post. You can also call or write to them.'],
  ['sw', 'Ni hiki', 'Piga simu', 'Tumemjulisha aliyetangaza. Unaweza pia kumpigia simu au kumwandikia.'],
] as const)(
  'to say "it is this one" tells the other person, and shows how to reach them, in %s',
  async (language, button, call, done) => {
    const said = serveMatches([POSSIBLE]);
    const { user } = await openPost(language);
    const pressed = cardOf(POSSIBLE).getByRole('button', { name: button });
    await user.dblClick(pressed);
    expect(await screen.findByText(done)).toBeInTheDocument();
    expect(said).toEqual([`confirm ${POSSIBLE.pair_id}`]);
    expect(cardOf(POSSIBLE).getByRole('link', { name: call })).toHaveAttribute('href', 'tel:0754000002');
    expect(pressed).toHaveFocus();
    await user.click(pressed);
    expect(said).toHaveLength(1);
  },
);

test.each([
  ['en', 'Not this one', 'Done. We will not show you that post as a match again.'],
  ['sw', 'Si hiki', 'Sawa. Hatutakuonyesha tena kuwa tangazo hilo linafanana na lako.'],
] as const)(
  '"not this one" takes the card away, says so and keeps the reader’s place, in %s',
  async (language, button, done) => {
    const said = serveMatches([SURE, POSSIBLE]);
    const { user } = await openPost(language);
    await user.dblClick(cardOf(POSSIBLE).getByRole('button', { name: button }));
    expect(await screen.findByText(done)).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: POSSIBLE.Post.title })).toBeNull();
    expect(screen.getByRole('link', { name: SURE.Post.title })).toBeInTheDocument();
    expect(said).toEqual([`dismiss ${POSSIBLE.pair_id}`]);
    expect(screen.getByRole('region', { name: /These might be it|Huenda ni hiki/ })).toHaveFocus();
  },
);

test('what could not be said stays, and can be said again', async () => {
  serveMatches([POSSIBLE]);
  server.use(http.post('*/api/matches/:pairId/:answer', () => HttpResponse.error(), { once: true }));
  const { user } = await openPost();
  await user.click(cardOf(POSSIBLE).getByRole('button', { name: 'Not this one' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Your answer could not be saved. Please try again.');
  await user.click(cardOf(POSSIBLE).getByRole('button', { name: 'Not this one' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: POSSIBLE.Post.title })).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([404, 409])('a match that is gone by now (%d) leaves the list and says so', async (status) => {
  serveMatches([POSSIBLE]);
  server.use(http.post('*/api/matches/:pairId/confirm', () => refuse(status, 'wrong_state')));
  const { user } = await openPost();
  await user.click(cardOf(POSSIBLE).getByRole('button', { name: 'It is this one' }));
  expect(await screen.findByText('That post is no longer open, so it was removed from this list.')).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: POSSIBLE.Post.title })).toBeNull();
});

test.each([
  ['en', 'No post matches this one yet. When one does, you see it here.'],
  ['sw', 'Bado hakuna tangazo linalofanana na hili. Likipatikana, utaliona hapa.'],
] as const)('without any match one’s own post says so, in %s', async (language, sentence) => {
  serveMatches([]);
  await openPost(language);
  expect(screen.getByText(sentence)).toBeInTheDocument();
});

test('matches that cannot be loaded are asked for again', async () => {
  serveMatches([SURE]);
  server.use(http.get('*/api/posts/:id/matches', () => refuse(422, 'validation_failed'), { once: true }));
  const { user } = await renderScreen(`/posts/${MINE.id}`, { isSignedIn: true });
  expect(await screen.findByText('The posts that might match could not be loaded.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: SURE.Post.title })).toBeInTheDocument();
});

test.each([
  ['somebody else’s', { is_mine: false }],
  ['a returned', { is_found: true, state: 'returned' }],
])('under %s post stand no matches', async (_whose, changes) => {
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json({ ...MINE, ...changes })));
  await renderScreen(`/posts/${MINE.id}`, { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1 })).toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'These might be it' })).toBeNull();
});

test('under My posts the last match is dismissed in its dialog, and the focus stays on the card', async () => {
  const matches = [POSSIBLE];
  serveMatches(matches);
  serveList('/posts/by-owner', [MINE]);
  server.use(
    http.post('*/api/matches/:pairId/dismiss', () => {
      matches.pop();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderScreen('/my-posts', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: '1 possible match' }));
  const dialog = within(screen.getByRole('dialog', { name: 'These might be it' }));
  await user.click(await dialog.findByRole('button', { name: 'Not this one' }));
  expect(await dialog.findByText('No other post matches this one for now.')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('button', { name: '1 possible match' })).toBeNull());
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.getByRole('link', { name: 'Update' })).toHaveFocus();
  expect(screen.queryByRole('button', { name: /possible match/ })).toBeNull();
});
