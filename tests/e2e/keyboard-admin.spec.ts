import { newAdmin, newCommunity } from '#tests/support/e2e-communities.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { press, tabTo, typeInto } from '#tests/support/e2e-keyboard.ts';
import { callApi } from '#tests/support/e2e-people.ts';

test('the keyboard alone approves a community, and its creator opens it from the notice', async ({
  person,
  openAs,
}) => {
  const creator = await person();
  const name = `Kata ya ${creator.id.slice(0, 8)}`;
  const { id } = await newCommunity(creator, name);
  const creatorPage = await openAs(creator, '/my-posts');
  const page = await openAs(await newAdmin(person), '/admin');
  await typeInto(page, 'Search communities', name);
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
  await expect(page.getByRole('main').getByRole('button', { name: 'Approve' })).toHaveCount(1);
  await press(page, card.getByRole('button', { name: 'Approve' }));
  await expect(page.getByText(`“${name}” has been approved.`)).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Pending' })).toBeFocused();
  await tabTo(page, page.getByRole('tab', { name: 'Pending' }), 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Approved' })).toHaveAttribute('aria-selected', 'true');
  await expect(card).toBeVisible();

  const notice = creatorPage.getByRole('dialog', { name: 'Your community is approved' });
  await expect(notice.locator(':focus')).toHaveCount(1);
  await press(creatorPage, notice.getByRole('link', { name: 'Open the community' }));
  await expect(creatorPage).toHaveURL(new RegExp(`/community-details/${id}$`));
  await expect(creatorPage.locator('main')).toBeFocused();
});

test('the keyboard alone rejects a community and says why, and its creator reads it', async ({ person, openAs }) => {
  const creator = await person();
  const name = `Mtaa wa ${creator.id.slice(0, 8)}`;
  await newCommunity(creator, name);
  const creatorPage = await openAs(creator, '/my-posts');
  const page = await openAs(await newAdmin(person), '/admin');
  await typeInto(page, 'Search communities', name);
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
  await expect(page.getByRole('main').getByRole('button', { name: 'Approve' })).toHaveCount(1);
  const dialog = page.getByRole('dialog', { name: `Reject “${name}”?` });
  await press(page, card.getByRole('button', { name: 'Reject' }));
  await press(page, dialog.getByRole('button', { name: 'Cancel' }));
  await expect(dialog).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Reject' })).toBeFocused();

  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('textbox', { name: 'Reason' }));
  await press(page, dialog.getByRole('button', { name: 'Reject' }));
  // Nothing was said: the field has the focus again.
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await page.keyboard.type('Tumia jina kamili la mtaa.');
  await press(page, dialog.getByRole('button', { name: 'Reject' }));
  await expect(page.getByText(`“${name}” has been rejected.`)).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Pending' })).toBeFocused();

  const notice = creatorPage.getByRole('dialog', { name: 'Your community was not approved' });
  await expect(notice).toContainText('Tumia jina kamili la mtaa.');
  await press(creatorPage, notice.getByRole('button', { name: 'Close' }).last());
  await expect(notice).toHaveCount(0);
});

test('the keyboard alone reads what people wrote', async ({ person, openAs }) => {
  const message = `Asante ${crypto.randomUUID()}`;
  await callApi('POST', '/api/feedback', { body: { email: 'msomaji@example.com', message } });
  const page = await openAs(await newAdmin(person), '/admin');
  await tabTo(page, page.getByRole('tab', { name: 'Communities' }));
  await page.keyboard.press('End');
  await tabTo(page, page.getByRole('tab', { name: 'Switches' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tabpanel', { name: 'Feedback' })).toContainText(message);
  await tabTo(page, page.getByRole('link', { name: 'msomaji@example.com' }).first());
});
