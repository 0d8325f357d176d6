import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { newPost } from '#tests/support/e2e-people.ts';

function cardOf(page: Page, title: string) {
  return page.getByRole('article').filter({ hasText: title });
}

test('a lost post is closed with an outcome and opened again, and "Nimekiokota" notifies its owner', async ({
  person,
  openAs,
}) => {
  const [owner, finder] = [await person(), await person()];
  const title = `Kitambulisho cha Asha ${crypto.randomUUID().slice(0, 4)}`;
  const { id } = await newPost(owner, { title, posted_by: 'owner', description: '', kind: 'document' });
  const mine = await openAs(owner, '/my-posts', { language: 'sw' });
  await expect(cardOf(mine, title).getByRole('link', { name: /LORMIS/ })).toBeVisible();

  await cardOf(mine, title).getByRole('button', { name: 'Funga tangazo' }).click();
  await mine.getByRole('dialog').getByRole('button', { name: 'Sikitafuti tena' }).click();
  await expect(cardOf(mine, title).getByText('Limefungwa', { exact: true })).toBeVisible();
  const stranger = await openAs(null, '/view-posts', { language: 'sw' });
  await expect(stranger.getByRole('article').first()).toBeVisible();
  await expect(cardOf(stranger, title)).toHaveCount(0);
  await mine.reload();
  await cardOf(mine, title).getByRole('button', { name: 'Lifungue tena' }).click();
  await expect(cardOf(mine, title).getByText('Limefungwa', { exact: true })).toHaveCount(0);
  await expect(cardOf(mine, title).getByRole('button', { name: 'Nimekipata tena' })).toBeVisible();

  const found = await openAs(finder, `/posts/${id}`, { language: 'sw' });
  await found.getByRole('link', { name: 'Nimekiokota' }).click();
  await expect(found.getByText(title)).toBeVisible();
  await found.getByLabel('Kichwa cha tangazo').fill('Kitambulisho');
  await found.getByLabel('Mahali').fill('Stendi ya Mbezi');
  await found.getByRole('button', { name: 'Tangaza', exact: true }).click();
  const modal = mine.getByRole('dialog', { name: 'Tangazo Linalofanana Limepatikana!' });
  await expect(modal).toContainText('Aliyekiokota anasema ni kitu cha tangazo hili.');
  await expect(modal).toContainText('Stendi ya Mbezi');
});
