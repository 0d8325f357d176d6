import type { Page } from '@playwright/test';

type PostTexts = {
  title: string;
  location?: string /** Null leaves the number that the form filled in. */;
  phone?: string | null;
};

/** Fills in the fields that every post needs. */
export async function fillPost(
  page: Page,
  { title, location = 'Stendi ya Ubungo', phone = '0712345678' }: PostTexts,
): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Location').fill(location);
  if (phone !== null) await page.getByLabel('Phone number').fill(phone);
}

export async function sendPost(page: Page, texts: PostTexts): Promise<void> {
  await fillPost(page, texts);
  await page.getByRole('button', { name: 'Post item' }).click();
}
