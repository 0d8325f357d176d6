import type { Language } from '#contract/language.ts';
import { newAdmin, newCommunity } from '#tests/support/e2e-communities.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { newPost, type Person } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/find-violations.ts';

/** What axe looks for lies in the words of a language or in the width of a screen, hardly in both at once. */
const languageAt = (isMobile: boolean): Language => (isMobile ? 'sw' : 'en');

const DIALOGS = [
  {
    name: 'delete a post',
    opener: { en: 'Delete', sw: 'Futa' },
    path: async (person: Person) => {
      await newPost(person, { title: 'Mkoba' });
      return '/my-posts';
    },
  },
  {
    name: 'mark a post as found',
    opener: { en: 'Mark as returned', sw: 'Nimekirudisha' },
    path: async (person: Person) => {
      await newPost(person, { title: 'Mkoba' });
      return '/my-posts';
    },
  },
  {
    name: 'create a community',
    opener: { en: 'Create a community', sw: 'Anzisha jumuiya' },
    path: async () => '/communities',
  },
  { name: 'scan a code', opener: { en: 'Scan QR code', sw: 'Skani msimbo wa QR' }, path: async () => '/communities' },
  {
    name: 'the QR code',
    opener: { en: 'Generate QR', sw: 'Tengeneza QR' },
    path: async (person: Person) => `/community-details/${(await newCommunity(person, 'Soko la Kilombero')).id}`,
  },
];

for (const { name, opener, path } of DIALOGS) {
  test(`axe finds nothing in the dialog "${name}", in either theme`, async ({ person, openAs, isMobile }) => {
    const language = languageAt(isMobile);
    const somebody = await person();
    const page = await openAs(somebody, await path(somebody), { language });
    // The last: in Swahili the form beside the list has a button of the same name.
    await page.getByRole('button', { name: opener[language], exact: true }).last().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
  });
}

test('axe finds nothing in a notice of a match, in either theme', async ({ person, openAs, isMobile }) => {
  const [owner, finder] = [await person(), await person()];
  const name = { owner_first_name: 'Tumainieli', owner_last_name: `Mwakibete${owner.id.slice(0, 3)}` };
  await newPost(owner, { ...name, title: 'Nimepoteza pasipoti', posted_by: 'owner', description: '' });
  await newPost(finder, { ...name, title: 'Passport found', posted_by: 'finder', description: '' });
  const page = await openAs(owner, '/my-posts', { language: languageAt(isMobile) });
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
});

test('axe finds nothing on any tab of the administration, in either theme', async ({ person, openAs, isMobile }) => {
  // Ten screens in one.
  test.slow();
  const admin = await newAdmin(person);
  await newCommunity(admin, 'Soko la Kilombero');
  const page = await openAs(admin, '/admin', { language: languageAt(isMobile) });
  const bar = page.getByRole('tablist').first();
  const groups = bar.getByRole('tab');
  await expect(groups).toHaveCount(5);
  // One row, also on a phone.
  expect((await bar.boundingBox())?.height).toBeLessThan(60);
  for (const group of await groups.all()) {
    await group.click();
    await expect(group).toHaveAttribute('aria-selected', 'true');
    const parts = page.getByRole('tabpanel').first().getByRole('tab');
    for (const tab of [group, ...(await parts.all()).slice(1)]) {
      await tab.click();
      await expect(page.locator('.skeleton')).toHaveCount(0);
      expect(await findViolations(page), (await tab.textContent()) ?? '').toEqual([]);
    }
  }
});
