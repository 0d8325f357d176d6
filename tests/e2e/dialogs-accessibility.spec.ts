import type { Page } from '@playwright/test';
import { LANGUAGES } from '#contract/language.ts';
import { newAdmin, newCommunity } from '#tests/support/e2e-communities.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { newPost, type Person } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/find-violations.ts';

const THEMES = ['light', 'dark'] as const;

async function expectNoViolations(page: Page, what: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await findViolations(page), `${what}, ${colorScheme}`).toEqual([]);
  }
}

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
    opener: { en: 'Mark as found', sw: 'Kimerudishwa' },
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
  test(`axe finds nothing in the dialog "${name}", in either language and theme`, async ({ person, openAs }) => {
    for (const language of LANGUAGES) {
      const somebody = await person();
      const page = await openAs(somebody, await path(somebody), { language });
      // The last: in Swahili the form beside the list has a button of the same name.
      await page.getByRole('button', { name: opener[language], exact: true }).last().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page, language);
    }
  });
}

test('axe finds nothing in a notice of a match, in either language and theme', async ({ person, openAs }) => {
  for (const language of LANGUAGES) {
    const [owner, finder] = [await person(), await person()];
    const name = { owner_first_name: 'Tumainieli', owner_last_name: `Mwakibete${owner.id.slice(0, 3)}` };
    await newPost(owner, { ...name, title: 'Nimepoteza pasipoti', posted_by: 'owner', description: '' });
    await newPost(finder, { ...name, title: 'Passport found', posted_by: 'finder', description: '' });
    const page = await openAs(owner, '/my-posts', { language });
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoViolations(page, language);
  }
});

test('axe finds nothing on any tab of the administration, in either theme', async ({ person, openAs, isMobile }) => {
  const admin = await newAdmin(person);
  await newCommunity(admin, 'Soko la Kilombero');
  const page = await openAs(admin, '/admin', { language: isMobile ? 'sw' : 'en' });
  const tabs = page.getByRole('tab');
  await expect(tabs).toHaveCount(9);
  for (const tab of await tabs.all()) {
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(page.locator('.skeleton')).toHaveCount(0);
    await expectNoViolations(page, (await tab.textContent()) ?? '');
  }
});
