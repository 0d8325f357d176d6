import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, newFoundWallet } from '#tests/support/e2e-people.ts';
import { button, link, press, tabTo, typeInto } from '#tests/support/e2e-screen.ts';

test('with only a keyboard, an owner claims a wallet; the finder declines the claim, presses “Undo”, accepts the claim and returns the wallet', async ({
  person,
  openAs,
}) => {
  const [finder, owner] = [await person(), await person()];
  const post = await newFoundWallet(finder);
  const ownerPage = await openAs(owner, `/posts/${post.id}`);
  await press(ownerPage, link(ownerPage, 'This is mine'));
  await typeInto(ownerPage, 'Your answer', 'A small key');
  await press(ownerPage, button(ownerPage, 'Send to the finder'));
  await expect(ownerPage).toHaveURL(/\/claims\//);

  const page = await openAs(finder, '/claims');
  const notice = page.getByRole('dialog', { name: 'Somebody says it is theirs' });
  await press(page, notice.getByRole('link', { name: 'Open the claim' }));
  await expect(page.getByRole('heading', { name: 'Is it theirs?' })).toBeVisible();
  await page.getByRole('main').focus();
  await page.keyboard.press('Tab');
  await expect(button(page, 'It is theirs')).toBeFocused();
  await press(page, button(page, 'Not theirs'));
  await expect(page.getByRole('timer')).toBeVisible();
  await press(page, button(page, 'Undo'));
  await press(page, button(page, 'Not sure, ask'), 'Space');
  await page.keyboard.type('Which colour is the key?');
  await press(page, button(page, 'Send the question'));
  await expect(page.getByText(/^Your question has been sent/)).toBeVisible();

  await typeInto(ownerPage, 'Your reply', 'Red');
  await press(ownerPage, button(ownerPage, 'Send the reply'));
  await expect(ownerPage.getByRole('log')).toContainText('Red');

  await expect(page.getByRole('log')).toContainText('Red');
  await press(page, button(page, 'It is theirs'));
  await expect(page.getByRole('heading', { name: 'You said that it is theirs' })).toBeVisible();
  const [claim] = await callApi<{ id: string; handover_code: string }[]>('GET', '/api/claims', { token: owner.token });
  await typeInto(page, 'The owner’s hand-over code', claim?.handover_code ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Thank you! You returned it to its owner.')).toBeVisible();
  await tabTo(page, button(page, 'Print'));
});
