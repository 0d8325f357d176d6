import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { countWrites, fillPost, pressTwice } from '#tests/support/e2e-screen.ts';

type Step = {
  button: string;
  method?: string;
  path: RegExp;
  /** A text that is visible after a success. */
  done: RegExp;
};

/** A field, a banner or a toast that shows an error. */
const COMPLAINTS = '[aria-invalid=true], .bg-danger-soft';

/** Presses the button twice, inside the dialog if there is one, and expects one write and no error. */
async function expectOneWrite(page: Page, { button, method = 'POST', path, done }: Step): Promise<void> {
  const dialog = page.getByRole('dialog');
  const place = (await dialog.count()) > 0 ? dialog : page.getByRole('main');
  const pressed = place.getByRole('button', { name: button, exact: true });
  await expect(pressed).toBeVisible();
  const [writes] = await Promise.all([
    countWrites(page, { method, path }, () => pressTwice(pressed)),
    // The text is checked during the presses, because a toast is visible for three seconds only.
    expect(page.getByText(done).first()).toBeVisible(),
  ]);
  expect(writes, button).toBe(1);
  await expect(page.locator(COMPLAINTS)).toHaveCount(0);
}

test('a double press on the button that creates a post, marks it as returned or deletes it sends one request', async ({
  person,
  openAs,
}) => {
  const page = await openAs(await person(), '/create-post');
  await fillPost(page, { title: 'Funguo za gari' });
  await expectOneWrite(page, { button: 'Post item', path: /\/api\/posts$/, done: /Post created successfully!/ });
  await page.goto('/my-posts');
  await page.getByRole('button', { name: 'Mark as returned' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectOneWrite(page, {
    button: 'Mark as returned',
    method: 'PATCH',
    path: /\/found$/,
    done: /Item marked as retrieved successfully/,
  });
  await page.getByRole('button', { name: 'Delete' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
  await expect(confirm).toBeVisible();
  const writes = await countWrites(page, { method: 'DELETE', path: /\/api\/posts\// }, async () => {
    await pressTwice(confirm);
    // Leaving the screen sends the deletion at once, before the time to undo it is over.
    await page.getByRole('button', { name: 'Back' }).click();
  });
  expect(writes).toBe(1);
  await expect(page.locator(COMPLAINTS)).toHaveCount(0);
});
