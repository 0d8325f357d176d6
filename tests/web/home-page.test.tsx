import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { supportAddresses } from '#web/lib/support-addresses.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const NONE = { email: '', socialProfile: '', post: '' };
afterEach(() => void Object.assign(supportAddresses, NONE));

test.each([
  ['Report Item', '/create-post', null],
  ['Post what you found', '/create-post', { posted_by: 'finder' }],
  ['Search Lost Items', '/view-posts', null],
  ['Browse the posts', '/view-posts', null],
] as const)('"%s" leads to %s with the state %j', async (name, pathname, state) => {
  server.use(http.get('*/api/*', () => HttpResponse.json([])));
  const { user, router } = await renderScreen('/');
  const link = await screen.findByRole('link', { name });
  expect(link).toHaveAttribute('href', pathname);
  await user.click(link);
  expect(router.state.location).toMatchObject({ pathname, state });
});

test.each([
  ['en', 'Found something? Post it.', 'Lost something? Browse the posts.', /^Say what it is/, /^Search by name/],
  ['sw', 'Umeokota kitu? Kitangaze.', 'Umepoteza kitu? Pitia matangazo.', /^Eleza ni kitu gani/, /^Tafuta kwa jina/],
] as const)(
  'in %s each way is three steps in their order, whose numbers are not read out',
  async (language, found, lost, foundFirst, lostFirst) => {
    await renderScreen('/', { language });
    await screen.findByRole('heading', { level: 1 });
    const ways = screen.getAllByRole('article');
    expect(ways).toHaveLength(2);
    for (const [at, title, first] of [
      [0, found, foundFirst],
      [1, lost, lostFirst],
    ] as const) {
      const way = within(ways[at] as HTMLElement);
      const steps = way.getAllByRole('listitem');
      expect(steps.map((step) => step.querySelector('[aria-hidden="true"]')?.textContent)).toEqual(['1', '2', '3']);
      expect(new Set(steps.map(({ textContent }) => textContent)).size).toBe(3);
      expect(way.getByRole('heading', { level: 3, name: title })).toBeInTheDocument();
      expect(steps[0]?.lastElementChild).toHaveTextContent(first);
    }
  },
);

test.each([
  ['en', 'A kanga with the saying “Wema hauozi”.', /^Goodness never rots/],
  ['sw', 'Kanga yenye maneno “Wema hauozi”.', /^Wema hauozi: ujumbe/],
] as const)('in %s the picture says what it shows to those who do not see it', async (language, name, meaning) => {
  await renderScreen('/', { language });
  expect(await screen.findByRole('img', { name })).toBeInTheDocument();
  expect(screen.getByRole('figure')).toHaveTextContent(meaning);
});

test('the footer shows the configured addresses, and what to beware of', async () => {
  Object.assign(supportAddresses, { email: 'help@patikana.test', socialProfile: 'https://social.test/patikana' });
  await renderScreen('/');
  const foot = within(await screen.findByRole('contentinfo'));
  expect(foot.getByRole('link', { name: 'help@patikana.test' })).toHaveAttribute('href', 'mailto:help@patikana.test');
  const social = foot.getByRole('link', { name: 'Follow Patikana on social media' });
  expect(social).toHaveAttribute('href', 'https://social.test/patikana');
  expect(social).toHaveAttribute('target', '_blank');
  expect(social).toHaveAttribute('rel', 'noopener noreferrer');
  expect(foot.getByText(/^Meet in a public place/)).toBeInTheDocument();
  expect(foot.getByText(/^Made in Tanzania/)).toBeInTheDocument();
  for (const name of ['Tell us what you think', 'Contact us'])
    expect(foot.getByRole('heading', { level: 2, name })).toBeInTheDocument();
  for (const name of ['Terms of use', 'Privacy'])
    expect(foot.getByRole('link', { name })).not.toHaveAttribute('target');
});

test('the footer omits addresses that are not configured', async () => {
  await renderScreen('/');
  const foot = within(await screen.findByRole('contentinfo'));
  expect(foot.getByText(/^Meet in a public place/)).toBeInTheDocument();
  expect(foot.queryByRole('heading', { name: 'Contact us' })).toBeNull();
  expect(foot.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Terms of use', 'Privacy']);
});
