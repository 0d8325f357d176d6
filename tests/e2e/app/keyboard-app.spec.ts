import { test as base, expect } from '#tests/support/e2e-fixtures.ts';
import { type DeployableApp, startDeployableApp, waitUntilKept } from '#tests/support/e2e-offline.ts';
import { appOrigin } from '#tests/support/e2e-people.ts';
import { button, link, press, tabTo, typeInto } from '#tests/support/e2e-screen.ts';

const test = base.extend<{ deployable: DeployableApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  deployable: async ({}, use) => {
    const app = await startDeployableApp(appOrigin());
    await use(app);
    await app.close();
  },
});

test.use({ serviceWorkers: 'allow' });

test('a keyboard user skips to the content, browses the testimonials, sends feedback and changes the language', async ({
  page,
}) => {
  await page.goto('/');
  // Waits until the app has replaced the prerendered page, because the replacement loses the focus.
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(link(page, 'Skip to content')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  // The focus is in the content, so the next Tab skips the navigation.
  await page.keyboard.press('Tab');
  await expect(link(page, 'Report Item')).toBeFocused();

  await press(page, button(page, 'Pause the stories'));
  await expect(button(page, 'Play the stories')).toBeFocused();
  await press(page, button(page, 'Show story 3'));
  await expect(button(page, 'Show story 3')).toHaveAttribute('aria-current', 'true');
  await typeInto(page, 'Email', 'msomaji@example.com');
  await typeInto(page, 'Message', 'Asante sana');
  await press(page, button(page, 'Send feedback'));
  await expect(page.getByText('Thank you for your feedback!').first()).toBeVisible();

  await press(page, button(page, 'Kiswahili'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
  await expect(button(page, 'English')).toBeFocused();
});

test('a keyboard user opens and closes the menu of a small screen', async ({ openAs }) => {
  const page = await openAs(null, '/login');
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await press(page, button(page, 'Open menu'));
  await expect(link(page, 'Create Account')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(link(page, 'Create Account')).toBeHidden();
  await expect(button(page, 'Open menu')).toBeFocused();
  await page.keyboard.press('Enter');
  await press(page, link(page, 'Create Account'));
  await expect(page).toHaveURL(/\/register$/);
  await expect(page.locator('main')).toBeFocused();
});

test('a keyboard user postpones one app update and accepts the next; each offer of an update leaves a half-filled form unchanged', async ({
  page,
  deployable,
}) => {
  await page.goto(deployable.origin);
  await waitUntilKept(page);
  await page.getByLabel('Message').fill('Nusu ya ujumbe');
  const offer = page.getByText('A new version of Patikana is ready.');
  const deploy = async () => {
    deployable.deploy();
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect(offer).toBeVisible();
    await expect(page.getByLabel('Message')).toHaveValue('Nusu ya ujumbe');
  };
  await deploy();
  await tabTo(page, button(page, 'Later'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(offer).toBeHidden();
  await deploy();
  const reloaded = page.waitForEvent('load');
  await tabTo(page, button(page, 'Update'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await reloaded;
  await waitUntilKept(page);
  await expect(offer).toBeHidden();
});
