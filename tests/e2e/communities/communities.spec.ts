import { readFileSync } from 'node:fs';
import type { Post, PostEntry } from '#contract/posts.ts';
import { expectCameraReleased, launchWithCamera, openWithCamera, writeQrVideo } from '#tests/support/e2e-camera.ts';
import { newAdmin } from '#tests/support/e2e-communities.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { appOrigin, callApi } from '#tests/support/e2e-people.ts';
import { sendPost } from '#tests/support/e2e-screen.ts';

test('a community is created, approved, joined by its printed code, used for a post, and hidden from others', async ({
  person,
  openAs,
  playwright,
  launchOptions,
}, testInfo) => {
  test.slow();
  const [creator, admin, second, third] = [await person(), await newAdmin(), await person(), await person()];
  const name = `Shule ya Msingi ${creator.id.slice(0, 8)}`;

  const creatorPage = await openAs(creator, '/communities');
  await test.step('one person creates it', async () => {
    await creatorPage
      .getByRole('region', { name: 'Your Communities' })
      .getByRole('button', { name: 'Create a community' })
      .click();
    const dialog = creatorPage.getByRole('dialog', { name: 'Create a community' });
    await dialog.getByRole('textbox', { name: 'Community name' }).fill(`  ${name} `);
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Wazazi, walimu na wanafunzi');
    await dialog.getByRole('button', { name: 'Create community' }).click();
    await expect(creatorPage.getByText(`“${name}” has been created and waits for approval`)).toBeVisible();
    await expect(creatorPage.getByRole('main').getByRole('listitem').filter({ hasText: name })).toContainText(
      'Pending',
    );
  });

  await test.step('an admin approves it', async () => {
    const page = await openAs(admin, '/admin');
    await page.getByRole('textbox', { name: 'Search communities' }).fill(name);
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await card.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText(`“${name}” has been approved.`)).toBeVisible();
    await page.getByRole('tab', { name: 'Approved' }).click();
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: name })).toBeVisible();
  });

  await test.step('the creator sees the notice live', async () => {
    const notice = creatorPage.getByRole('dialog', { name: 'Your community is approved' });
    await expect(notice).toContainText(name);
    await creatorPage.keyboard.press('Escape');
    await expect(creatorPage.getByRole('main').getByRole('listitem').filter({ hasText: name })).toContainText(
      'Approved',
    );
  });

  const film = testInfo.outputPath('code.y4m');
  await test.step('the creator downloads the code', async () => {
    await creatorPage.goto('/communities');
    await creatorPage.getByRole('link', { name }).click();
    await expect(creatorPage.getByRole('heading', { level: 1, name })).toBeVisible();
    await creatorPage.getByRole('button', { name: 'Generate QR' }).click();
    const dialog = creatorPage.getByRole('dialog', { name: 'QR code' });
    await expect(dialog).toContainText('Scan this code to join');
    const [download] = await Promise.all([
      creatorPage.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${name}.png`);
    writeQrVideo(readFileSync(await download.path()), film);
  });

  const browser = await launchWithCamera(playwright, launchOptions, film);
  const title = `Daftari la hesabu ${creator.id.slice(0, 8)}`;
  const secondPage = await openWithCamera(browser, second, '/communities');
  await test.step('a second person joins by scanning it', async () => {
    await secondPage.getByRole('button', { name: 'Scan QR code' }).click();
    await expect(secondPage.getByRole('textbox', { name: 'Access code' })).toHaveValue(/^[A-Z2-9]{10}$/);
    await expect(secondPage.getByRole('dialog')).toHaveCount(0);
    await expectCameraReleased(secondPage);
    await secondPage.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(secondPage.getByText('Successfully joined the community!')).toBeVisible();
    await expect(secondPage.getByRole('textbox', { name: 'Access code' })).toHaveValue('');
    await expect(secondPage.getByRole('main').getByRole('listitem').filter({ hasText: name })).toContainText('Member');
  });

  await test.step('and posts inside it', async () => {
    await secondPage.goto('/create-post');
    await secondPage.getByRole('combobox', { name: 'Community' }).selectOption({ label: name });
    await sendPost(secondPage, { title, location: 'Darasa la sita' });
    await expect(secondPage.getByText('Post created successfully!').first()).toBeVisible();
    await expect(secondPage).toHaveURL(/\/view-posts/);
    await secondPage.getByRole('combobox', { name: 'Community' }).selectOption({ label: name });
    await expect(secondPage.getByText(title)).toBeVisible();
  });
  await browser.close();

  await test.step('a third sees nothing of it', async () => {
    const [own] = await callApi<PostEntry[]>('GET', '/api/posts/by-owner', { token: second.token });
    const post = own?.Post as Post;
    expect(post).toMatchObject({ title, community_name: name });
    for (const stranger of [third, null]) {
      const page = await openAs(stranger, `/view-posts?search=${encodeURIComponent(title)}`);
      await expect(page.getByText('No items found')).toBeVisible();
      await expect(page.getByText(title)).toHaveCount(0);
    }
    const page = await openAs(third, '/communities');
    await expect(page.getByText('You are not in any community yet')).toBeVisible();
    await expect(page.getByText(name)).toHaveCount(0);
    const hidden = (path: string) =>
      fetch(`${appOrigin()}${path}`, { headers: { Authorization: `Bearer ${third.token}` } });
    expect((await hidden(`/api/posts/${post.id}`)).status).toBe(404);
    expect((await hidden(`/api/posts?community_code=${post.community_code}`)).status).toBe(403);
  });
});

test('closing the scanner or leaving the page releases the camera', async ({ person, playwright, launchOptions }) => {
  const browser = await launchWithCamera(playwright, launchOptions);
  const page = await openWithCamera(browser, await person(), '/my-posts');
  await expect(page.getByRole('heading', { name: 'My Posts', level: 1 })).toBeVisible();
  // Inside the app: a new page load would release the camera anyway.
  await page.evaluate((path) => {
    history.pushState({}, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, '/communities');
  const scan = page.getByRole('button', { name: 'Scan QR code' });
  const video = page.locator('dialog video');

  await scan.click();
  await expect(video).toHaveCount(1);
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expectCameraReleased(page);

  // Opened and closed faster than a camera starts.
  await scan.click();
  await page.keyboard.press('Escape');
  await scan.click();
  await expect(video).toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL(/\/my-posts$/);
  await expectCameraReleased(page);
  await browser.close();
});
