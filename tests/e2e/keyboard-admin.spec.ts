import { newAdmin, newCommunity } from '#tests/support/e2e-communities.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { press, tabTo, typeInto } from '#tests/support/e2e-keyboard.ts';
import { callApi } from '#tests/support/e2e-people.ts';

test('the keyboard alone approves, suspends, rejects and marks feedback as done, and the creator reads the notices', async ({
  person,
  openAs,
}) => {
  test.slow();
  const creator = await person();
  const [name, other] = [`Kata ya ${creator.id.slice(0, 8)}`, `Mtaa wa ${creator.id.slice(0, 8)}`];
  const { id } = await newCommunity(creator, name);
  await newCommunity(creator, other);
  const message = `Asante ${crypto.randomUUID()}`;
  await callApi('POST', '/api/feedback', { body: { email: 'msomaji@example.com', message } });
  const creatorPage = await openAs(creator, '/my-posts');
  const page = await openAs(await newAdmin(), '/admin');
  const pending = page.getByRole('region', { name: 'Pending' });
  const cardOf = (title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title });

  await test.step('approves', async () => {
    const card = cardOf(name);
    await typeInto(page, 'Search communities', name);
    await expect(page.getByRole('main').getByRole('button', { name: 'Approve' })).toHaveCount(1);
    await press(page, card.getByRole('button', { name: 'Approve' }));
    await expect(page.getByText(`“${name}” has been approved.`)).toBeVisible();
    await expect(card).toHaveCount(0);
    await expect(pending).toBeFocused();
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

  await test.step('suspends', async () => {
    const card = cardOf(name);
    await press(page, card.getByRole('button', { name: `Suspend ${name}` }));
    const dialog = page.getByRole('dialog', { name: `Suspend the community “${name}”?` });
    await tabTo(page, dialog.getByRole('textbox', { name: 'Reason' }));
    await page.keyboard.type('Ni biashara.');
    await press(page, dialog.getByRole('button', { name: 'Suspend' }));
    await expect(card).toContainText('Reason: Ni biashara.');
    // Its page says so itself, without a dialog over it.
    await expect(creatorPage.getByRole('main')).toContainText('Reason: Ni biashara.');
    await expect(creatorPage.getByRole('dialog')).toHaveCount(0);
    await expect(card.getByRole('button', { name: `Reinstate ${name}` })).toBeFocused();
    await page.keyboard.press('Enter');
    const notice = creatorPage.getByRole('dialog', { name: 'Your community is open again' });
    await press(creatorPage, notice.getByRole('link', { name: 'Open the community' }));
    await tabTo(page, page.getByRole('tab', { name: 'Approved' }), 'Shift+Tab');
  });

  await test.step('rejects', async () => {
    const card = cardOf(other);
    await page.keyboard.press('ArrowLeft');
    await tabTo(page, page.getByLabel('Search communities'), 'Shift+Tab');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(other);
    await expect(page.getByRole('main').getByRole('button', { name: 'Approve' })).toHaveCount(1);
    const dialog = page.getByRole('dialog', { name: `Reject “${other}”?` });
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
    await expect(page.getByText(`“${other}” has been rejected.`)).toBeVisible();
    await expect(card).toHaveCount(0);
    await expect(pending).toBeFocused();

    const notice = creatorPage.getByRole('dialog', { name: 'Your community was not approved' });
    await expect(notice).toContainText('Tumia jina kamili la mtaa.');
    await press(creatorPage, notice.getByRole('button', { name: 'Close' }).last());
    await expect(notice).toHaveCount(0);
  });

  await test.step('marks feedback as done', async () => {
    await tabTo(page, page.getByRole('tab', { name: 'Communities' }), 'Shift+Tab');
    await page.keyboard.press('End');
    await tabTo(page, page.getByRole('tab', { name: 'Switches' }));
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tabpanel', { name: 'Feedback' })).toContainText(message);
    const entry = cardOf(message);
    await tabTo(page, entry.getByRole('link', { name: 'msomaji@example.com' }));
    await press(page, entry.getByRole('button', { name: 'Mark as done' }));
    await expect(entry).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Feedback' })).toBeFocused();
  });
});
