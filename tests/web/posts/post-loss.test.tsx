import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aPost, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';

const SEARCH = '/view-posts?search=simu+nyeusi&place=Mwenge';
const tellMe = { name: 'Tell me when it turns up' };
const postIt = { name: 'Post what you lost' };

async function expectFilled(title: string, location: string) {
  expect(await screen.findByRole('radio', { name: 'Yes, I lost it' })).toBeChecked();
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue(title);
  expect(screen.getByRole('textbox', { name: 'Location' })).toHaveValue(location);
}

test('a search with results offers a lost post with the searched words', async () => {
  serveList('/posts', [aPost()]);
  const { user, router } = await renderScreen(SEARCH);
  await screen.findByRole('article');
  expect(screen.queryByRole('link', postIt)).toBeNull();
  await user.click(screen.getByRole('link', tellMe));
  expect(router.state.location.pathname).toBe('/create-post');
  await expectFilled('simu nyeusi', 'Mwenge');
});

test('a search without results shows the offer once', async () => {
  serveList('/posts', []);
  const { user } = await renderScreen(SEARCH);
  const link = await screen.findByRole('link', postIt);
  expect(screen.getByText('Post it as lost. You are notified when somebody posts it as found.')).toBeVisible();
  // It keeps its place, so that the list does not move.
  expect(screen.getByText(tellMe.name)).toHaveClass('invisible');
  await user.click(link);
  await expectFilled('simu nyeusi', 'Mwenge');
});

test('the offer appears with the first letter, and a list without a search has none', async () => {
  serveList('/posts', [aPost()]);
  const { user } = await renderScreen('/view-posts');
  await screen.findByRole('article');
  expect(screen.queryByText(tellMe.name)).toBeNull();
  await user.type(screen.getByLabelText('Search posts'), 's');
  expect(screen.getByRole('link', tellMe)).toBeVisible();
});

test('both offers are translated to Swahili', async () => {
  serveList('/posts', [aPost()]);
  await renderScreen('/view-posts?search=simu', { language: 'sw' });
  expect(await screen.findByRole('link', { name: 'Nijulishe kikipatikana' })).toBeVisible();
});

test('a searched number does not become the title', async () => {
  serveList('/posts', []);
  const { user } = await renderScreen('/view-posts?search=19900101-12345-00001-23');
  await user.click(await screen.findByRole('link', postIt));
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('');
});

test('the look-up of a number replaces the offer', async () => {
  serveNothingElse();
  serveList('/posts', [aPost()]);
  await renderScreen('/view-posts?search=19900101-12345-00001-23', { isSignedIn: true });
  expect(await screen.findByRole('button', { name: 'Look this number up' })).toBeVisible();
  expect(screen.queryByText(tellMe.name)).toBeNull();
});

test('a visitor gets the filled form after signing in', async () => {
  serveNothingElse();
  serveList('/posts', [aPost()]);
  const { user, router, unmount } = await renderScreen(SEARCH);
  await user.click(await screen.findByRole('link', tellMe));
  await user.click(within(await screen.findByRole('main')).getByRole('link', { name: 'Log in' }));
  const { pathname, state } = router.state.location;
  expect(pathname).toBe('/login');
  unmount();
  await renderScreen({ pathname: state.from, state: state.fromState }, { isSignedIn: true });
  await expectFilled('simu nyeusi', 'Mwenge');
});

test('an existing draft wins over the searched words, and starting over uses them', async () => {
  serveList('/posts', [aPost()]);
  const first = await renderScreen('/create-post');
  await first.user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi jekundu');
  first.unmount();
  const { user } = await renderScreen(SEARCH);
  await user.click(await screen.findByRole('link', tellMe));
  await expectFilled('Begi jekundu', 'Mwenge');
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  await expectFilled('simu nyeusi', 'Mwenge');
});
