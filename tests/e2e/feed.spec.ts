import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { press, tabTo } from '#tests/support/e2e-keyboard.ts';
import { callApi, newPost } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/find-violations.ts';

const WORDS = {
  filters: 'Vichujio',
  kind: 'Aina ya kitu',
  keys: 'Funguo',
  place: 'Mahali',
  lost: 'Kimepotea',
  clear: 'Ondoa vyote',
  onlyOpen: 'Yaliyo wazi tu',
  noItems: 'Hakuna kitu kilichopatikana. Jaribu kutafuta kwa njia nyingine.',
  now: 'Sasa kiko: Ofisi ya kata, Mwenge',
} as const;

/** Large enough for a thumb, and not wider than the phone. */
async function expectLarge(target: Locator): Promise<void> {
  const box = await target.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
}

const titles = (page: Page) => page.getByRole('article').getByRole('heading', { level: 2 }).allTextContents();

test('on a phone a reader narrows the list, shares it, goes back and clears the filters', async ({
  person,
  openAs,
}) => {
  const author = await person();
  const word = `Kichujio${crypto.randomUUID().slice(0, 6)}`;
  const post = (title: string, more: object) => newPost(author, { title: `${word} ${title}`, ...more });
  await post('funguo', { kind: 'key', location: 'Mwenge', kept_at: 'Ofisi ya kata, Mwenge' });
  await post('begi', { kind: 'bag', posted_by: 'owner', location: 'Posta' });
  const { id } = await post('pete', { kind: 'wear', location: 'Posta' });
  await callApi('PATCH', `/api/posts/${id}/found`, { token: author.token });

  const page = await openAs(null, `/view-posts?search=${word}`, { language: 'sw' });
  await expect.poll(() => titles(page)).toEqual([`${word} pete`, `${word} begi`, `${word} funguo`]);
  await expect(page.getByText(WORDS.now)).toBeVisible();
  const onlyOpen = page.getByRole('switch', { name: WORDS.onlyOpen });
  await expectLarge(onlyOpen);
  await onlyOpen.click();
  await expect.poll(() => titles(page)).toEqual([`${word} begi`, `${word} funguo`]);
  await expect(onlyOpen).toBeChecked();

  const button = page.getByRole('button', { name: WORDS.filters, exact: true });
  await expectLarge(button);
  await button.click();
  const kind = page.getByRole('combobox', { name: WORDS.kind });
  for (const target of [kind, page.getByRole('radio', { name: WORDS.lost }).locator('..')]) await expectLarge(target);
  expect(await findViolations(page)).toEqual([]);

  await kind.selectOption(WORDS.keys);
  await expect.poll(() => titles(page)).toEqual([`${word} funguo`]);
  const shared = await openAs(null, page.url(), { language: 'sw' });
  await expect.poll(() => titles(shared)).toEqual([`${word} funguo`]);
  await expect(shared.getByRole('button', { name: `${WORDS.filters} (1)` })).toBeVisible();

  await page
    .getByRole('article')
    .getByRole('link', { name: `${word} funguo` })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: `${word} funguo` })).toBeVisible();
  await page.goBack();
  await expect.poll(() => titles(page)).toEqual([`${word} funguo`]);
  await page.goBack();
  await expect.poll(() => titles(page)).toHaveLength(2);
  await page.goBack();
  await expect.poll(() => titles(page)).toHaveLength(3);
  await expect(onlyOpen).not.toBeChecked();

  await page.getByRole('button', { name: WORDS.filters, exact: true }).click();
  await page.getByRole('textbox', { name: WORDS.place }).fill('Mwanjelwa');
  await expect(page.getByText(WORDS.noItems)).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: WORDS.clear }).click();
  await expect(page).toHaveURL(`/view-posts?search=${word}`);
  await expect.poll(() => titles(page)).toHaveLength(3);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});

test('on a phone the card’s panel fits the screen, and Escape returns to its button', async ({ person, openAs }) => {
  const [author, reader] = [await person(), await person()];
  const { title } = await newPost(author, { title: `Begi la ${author.id.slice(0, 8)}` });
  const page = await openAs(reader, `/view-posts?search=${encodeURIComponent(title)}`);
  const more = page.getByRole('button', { name: `More: ${title}` });
  await expectLarge(more);
  await press(page, more);
  await tabTo(page, page.getByRole('button', { name: 'Report this post' }));
  const block = page.getByRole('button', { name: 'Block this person' });
  await tabTo(page, block);
  await expectLarge(block);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
  await expect(block).toHaveCount(0);
});
