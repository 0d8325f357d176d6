import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';
import { decodeQr } from '#tests/support/decode-qr.ts';
import { expect, test, WHOLE_BROWSER } from '#tests/support/e2e-fixtures.ts';
import { CUT_OFF } from '#tests/support/e2e-offline.ts';
import { appOrigin, newPost } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/e2e-screen.ts';

test.use({ ...WHOLE_BROWSER, serviceWorkers: 'allow' });

/** A window in the proportions of A4: Chromium's PDF viewer shows the whole sheet. */
const SHEET = { width: 840, height: 1188 };
/** The area of the large QR code. It contains no complete code of a tear-off strip: only the large code is decoded. */
const LARGE_CODE = { x: 0, y: 0.5 * SHEET.height, width: 0.42 * SHEET.width, height: 0.25 * SHEET.height };

async function readPrinted(browser: Browser, file: string): Promise<string | null> {
  const context = await browser.newContext({ viewport: SHEET, deviceScaleFactor: 2, isMobile: false, hasTouch: false });
  const page = await context.newPage();
  await page.goto(`${pathToFileURL(file)}#toolbar=0&navpanes=0&view=Fit`);
  let content: string | null = null;
  // The browser's PDF viewer draws the page some time after loading it, and may draw it again.
  await expect
    .poll(async () => {
      content = await decodeQr(context, await page.screenshot({ clip: LARGE_CODE }));
      return content;
    })
    .not.toBeNull();
  await context.close();
  return content;
}

test('a person who receives a shared link reads the post, opens it in the installed app, shares it and prints it', async ({
  browser,
  person,
  openAs,
  expectedErrors,
}, testInfo) => {
  expectedErrors.push(CUT_OFF);
  const author = await person();
  const post = await newPost(author, {
    title: 'Mkoba wa rangi ya chungwa',
    location: 'Mwenge',
    phone_number: '0754111222',
  });
  const page = await openAs(null, '/', { language: 'sw' });
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

  await page.goto(`/p/${post.id}?lang=sw`);
  await expect(page.getByRole('heading', { level: 1, name: post.title })).toBeVisible();
  await expect(page.getByText('Kimeokotwa', { exact: true })).toBeVisible();
  expect(await page.locator('script').count()).toBe(0);
  expect(await findViolations(page)).toEqual([]);
  const preview = await page.locator('meta[property="og:image"]').getAttribute('content');
  const picture = await page.request.get(preview ?? '');
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/jpeg']);

  await page.getByRole('link', { name: /Fungua kwenye Patikana$/ }).click();
  await expect(page).toHaveURL(new RegExp(`/posts/${post.id}$`));
  const share = page.getByRole('button', { name: 'Sambaza' });
  await expect(share).toBeVisible();
  // The first press of the button loads the dialog's code, so a press without a network shows an error.
  await page.context().setOffline(true);
  await share.click();
  await expect(page.getByRole('alert')).toContainText('Sehemu hii haikuweza kupakiwa. Angalia mtandao wako.');
  await expect(page.getByRole('heading', { name: post.title })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.context().setOffline(false);
  const sentence = 'Kimeokotwa: Mkoba wa rangi ya chungwa, Mwenge. Je, unamjua mwenyewe?';
  const link = `${appOrigin()}/p/${post.id}?lang=sw`;
  const whatsapp = page.getByRole('link', { name: 'WhatsApp' });
  await expect(whatsapp).toHaveAttribute('href', `https://wa.me/?text=${encodeURIComponent(`${sentence} ${link}`)}`);

  await page.getByRole('link', { name: 'Tengeneza bango la kuchapisha' }).click();
  await expect(page.getByRole('img', { name: `${appOrigin()}/p/${post.id}` }).first()).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
  const path = testInfo.outputPath('bango.pdf');
  const pdf = (await page.pdf({ path, preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  expect(pdf).toMatch(/MediaBox\s*\[0 0 59[45]\S* 84[12]/);
  expect(await readPrinted(browser, path)).toBe(`${appOrigin()}/p/${post.id}`);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`/posts/${post.id}$`));
});

test('the longest possible post fits on one printed sheet, with its author’s phone number', async ({
  person,
  openAs,
}) => {
  const author = await person();
  const words = (count: number) => 'Wamwambwa '.repeat(count).trim();
  const post = await newPost(author, { title: words(12), location: words(12), phone_number: '0754111222' });
  const page = await openAs(author, `/posts/${post.id}/poster`);
  await page.getByRole('checkbox').check();
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  const sheet = page.locator('.poster');
  const [own, inner] = await sheet.evaluate((element) => [element.clientHeight, element.scrollHeight]);
  expect(inner).toBeLessThanOrEqual((own ?? 0) + 1);
});

test('the printable poster of a post is white, also in the dark theme', async ({ person, openAs }) => {
  const author = await person();
  const page = await openAs(author, `/posts/${(await newPost(author)).id}/poster`);
  await page.locator('.poster').waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.getByRole('banner')).toBeHidden();
});
