import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { MatchReason, PostEntry } from '#contract/posts.ts';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { aFoundEntry, aPost, serveSearch } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

const PHONE: MatchReason = { kind: 'item', en: 'phone', sw: 'simu' };
const BLACK: MatchReason = { kind: 'colour', en: 'black', sw: 'nyeusi' };

function byWords(title: string): PostEntry {
  return { Post: aPost({ title }), found_by: 'words' };
}

function cardOf(title: string) {
  return within(screen.getByText(title).closest('article') as HTMLElement);
}

const headings = () =>
  within(screen.getByRole('region', { name: /Posts|Matangazo/ }))
    .getAllByRole('heading')
    .map(({ textContent }) => textContent);

test.each([
  ['en', 'The same in other words', 'Close to it', '1 by these words, 2 in other words, 1 close to it'],
  [
    'sw',
    'Kitu hicho hicho kwa maneno mengine',
    'Yanayokaribiana na ulichotafuta',
    'Matangazo 1 kwa maneno haya, 2 kwa maneno mengine, 1 yanayokaribiana',
  ],
] as const)(
  'in %s the parts of a search have headings and are counted for screen readers',
  async (language, same, close, counted) => {
    serveSearch([
      byWords('Black phone'),
      aFoundEntry('meaning', 'Simu ya Tecno'),
      aFoundEntry('meaning', 'Simu ya Itel'),
      aFoundEntry('near', 'Kava la simu'),
    ]);
    await renderScreen('/view-posts?search=phone', { language });
    await screen.findByText('Black phone');
    expect(headings()).toEqual(['Black phone', same, 'Simu ya Tecno', 'Simu ya Itel', close, 'Kava la simu']);
    expect(screen.getByText(counted)).toHaveAttribute('role', 'status');
  },
);

test('a search that finds only its words has no headings', async () => {
  serveSearch([byWords('Black phone')]);
  await renderScreen('/view-posts?search=phone');
  await screen.findByText('Black phone');
  expect(headings()).toEqual(['Black phone']);
  expect(screen.getByText('1 post shown')).toHaveAttribute('role', 'status');
});

test.each([
  ['en', 'simu = phone · black'],
  ['sw', 'simu = phone · nyeusi'],
] as const)(
  'in %s a card names the word of its post beside the one searched for, else the reason',
  async (language, line) => {
    serveSearch([byWords('Black phone'), aFoundEntry('meaning', 'Simu ya Tecno', [PHONE, BLACK])]);
    await renderScreen('/view-posts?search=phones', { language });
    await screen.findByText('Simu ya Tecno');
    expect(cardOf('Simu ya Tecno').getByText(line)).toBeInTheDocument();
    expect(cardOf('Black phone').queryByText(/phone ·|=/)).toBeNull();
  },
);

test('a post in English names its word beside the Swahili one', async () => {
  serveSearch([aFoundEntry('meaning', 'Black phone', [PHONE, BLACK])]);
  await renderScreen('/view-posts?search=simu nyeusi');
  expect(
    (await screen.findByText('Black phone')) && cardOf('Black phone').getByText('phone = simu · black = nyeusi'),
  ).toBeInTheDocument();
});

test('the next page continues the last one, with each part under one heading', async () => {
  const queries = serveSearch(
    [byWords('Black phone'), aFoundEntry('meaning', 'Simu ya Tecno')],
    [aFoundEntry('meaning', 'Simu ya Itel'), aFoundEntry('near', 'Kava la simu')],
  );
  const { user } = await renderScreen('/view-posts?search=phone');
  await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
  await screen.findByText('Kava la simu');
  expect(headings()).toEqual([
    ...['Black phone', 'The same in other words', 'Simu ya Tecno', 'Simu ya Itel', 'Close to it', 'Kava la simu'],
  ]);
  expect(queries.map((query) => query.get('cursor'))).toEqual([null, '1']);
});

test('while a search loads, the posts that the last one found by meaning stay', async () => {
  serveSearch([byWords('Black phone'), aFoundEntry('meaning', 'Simu ya Tecno', [PHONE])]);
  const { user } = await renderScreen('/view-posts?search=phone');
  await screen.findByText('Simu ya Tecno');
  const before = headings();
  let isAsked = false;
  server.use(
    http.get('*/api/posts', () => {
      isAsked = true;
      return new Promise(() => undefined);
    }),
  );
  const box = screen.getByLabelText('Search posts');
  await user.clear(box);
  await user.type(box, 'black');
  await waitFor(() => expect(isAsked).toBe(true));
  expect(headings()).toEqual(before);
  expect(cardOf('Simu ya Tecno').getByText('simu = phone')).toBeInTheDocument();
});

test('without a network a search covers the words of seen posts, in one part', async () => {
  serveSearch([byWords('Simu nyeupe'), aFoundEntry('meaning', 'Black phone', [PHONE])]);
  const { user } = await renderScreen('/view-posts?search=simu');
  await screen.findByText('Black phone');
  loseNetwork();
  server.use(http.get('*/api/posts', () => HttpResponse.error()));
  const box = screen.getByLabelText('Search posts');
  await user.clear(box);
  await user.type(box, 'BLACK ph');
  expect(await screen.findByText('1 post shown')).toHaveAttribute('role', 'status');
  expect(headings()).toEqual(['Black phone']);
  expect(screen.getByText(/^Saved on this phone, last updated/)).toBeVisible();
});
