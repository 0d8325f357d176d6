import type { CreatedCommunity } from '#contract/communities.ts';
import type { NoticeList } from '#contract/notices.ts';
import { expect, newAdmin, newApprovedCommunity, readQrCode, test } from '#tests/support/e2e-fixtures.ts';
import { callApi } from '#tests/support/e2e-people.ts';
import { button, choose, link, press, tabTo, typeInto } from '#tests/support/e2e-screen.ts';

test('a keyboard user joins a community, and creates one community on a page and another in a dialog', async ({
  person,
  openAs,
}) => {
  const [member, creator] = [await person(), await person()];
  const name = `Stendi ya ${creator.id.slice(0, 6)}`;
  const { access_code } = await newApprovedCommunity(creator, await newAdmin(), name);
  const page = await openAs(member, '/communities');
  const own = (text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text });
  // Waits until the app replaces the prerendered page, which contains the form in both languages.
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  await press(page, page.locator('summary'));
  await expect(page.getByText('Ask an admin of your community.')).toBeVisible();
  await tabTo(page, page.getByLabel('Access code', { exact: true }), 'Shift+Tab');
  await page.keyboard.type(access_code.toLowerCase());
  await press(page, button(page, 'Join'));
  await expect(page.getByText('Successfully joined the community!').first()).toBeVisible();
  await expect(own(name)).toBeVisible();
  await expect(button(page, 'Join')).toBeFocused();

  await typeInto(page, 'Community name', 'Kata yetu');
  await page.keyboard.press('Enter');
  await expect(own('Kata yetu')).toContainText('Pending');
  // On a wide screen the form replaces the button.
  await expect(button(page, 'Create a community')).toBeHidden();
  await page.setViewportSize({ width: 800, height: 800 });
  await press(page, button(page, 'Create a community'));
  const dialog = page.getByRole('dialog', { name: 'Create a community' });
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await tabTo(page, dialog.getByLabel('Community name'));
  await page.keyboard.type('Soko letu');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'Create a community')).toBeFocused();
  await expect(own('Soko letu')).toContainText('Pending');
});

test('a keyboard user opens a link to join, and the access code in the link is still used after the sign-in', async ({
  person,
  openAs,
}) => {
  const visitor = await person();
  const page = await openAs(null, '/communities?join=abcde23456');
  await expect(page.getByRole('textbox', { name: 'Access code' })).toHaveValue('abcde23456');
  await press(page, page.getByRole('main').getByRole('link', { name: 'Log in' }));
  await typeInto(page, 'Email', visitor.email);
  await typeInto(page, 'Password', visitor.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/communities\?join=abcde23456$/);
  await expect(page.getByRole('textbox', { name: 'Access code' })).toHaveValue('abcde23456');
});

test('a keyboard user opens all tabs of a community and downloads its QR code', async ({ person, openAs }) => {
  const creator = await person();
  const body = { name: 'Shule ya kibodi' };
  const { id } = await callApi<CreatedCommunity>('POST', '/api/communities', { body, token: creator.token });
  const page = await openAs(creator, '/communities');
  await press(page, link(page, body.name));
  await expect(page).toHaveURL(new RegExp(`/community-details/${id}$`));
  await expect(page.getByRole('heading', { level: 1, name: body.name })).toBeVisible();
  await press(page, button(page, 'Generate QR'));
  const dialog = page.getByRole('dialog', { name: 'QR code' });
  await expect(dialog.getByRole('img')).toBeVisible();
  await expect(dialog.locator(':focus')).toHaveCount(1);
  const download = page.waitForEvent('download');
  await press(page, dialog.getByRole('button', { name: 'Download' }));
  expect((await download).suggestedFilename()).toBe(`${body.name}.png`);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'Generate QR')).toBeFocused();

  await tabTo(page, page.getByRole('tab', { name: 'Dashboard' }), 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Members' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel')).toContainText(creator.username);
  await typeInto(page, 'Search by username', 'hakuna mtu');
  await expect(page.getByText('No members found matching your search.')).toBeVisible();
  await tabTo(page, page.getByRole('tab', { name: 'Members' }), 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/\?tab=posts$/);
  await typeInto(page, 'Search these posts', 'hakuna');
  await expect(page.getByText('No post of this community matches your search or filters.')).toBeVisible();
});

test('a keyboard user closes the scanner, joins by a photo of the QR code, and posts inside the community', async ({
  person,
  openAs,
}) => {
  const creator = await person();
  const name = `Zahanati ${creator.id.slice(0, 6)}`;
  const { id, access_code } = await newApprovedCommunity(creator, await newAdmin(), name);
  const page = await openAs(await person(), '/communities');
  const dialog = page.getByRole('dialog', { name: 'Scan Community QR Code' });
  await press(page, button(page, 'Scan QR code'));
  await expect(dialog).toContainText('No camera found');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'Scan QR code')).toBeFocused();

  await page.keyboard.press('Space');
  await expect(dialog).toContainText('Please try entering the code manually');
  const chooser = page.waitForEvent('filechooser');
  await press(page, dialog.getByLabel('Choose a photo of the QR code'));
  await (await chooser).setFiles({ name: 'code.png', mimeType: 'image/png', buffer: await readQrCode(creator, id) });
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Access code' })).toHaveValue(access_code);
  await press(page, button(page, 'Join'));
  await expect(page.getByText('Successfully joined the community!')).toBeVisible();

  await tabTo(page, link(page, 'My Posts'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await press(page, link(page, 'Report Item'));
  await typeInto(page, 'Title', `Daftari ${creator.id}`);
  await typeInto(page, 'Location', 'Chumba cha kusubiri');
  await typeInto(page, 'Phone number', '0712345678');
  await choose(page, 'Community', name);
  await press(page, button(page, 'Post item'));
  await expect(page).toHaveURL(/\/view-posts$/);
  await choose(page, 'Community', name);
  await expect(page).toHaveURL(/community_code=/);
  await expect(page.getByRole('article')).toHaveCount(1);
  await press(page, button(page, 'Clear the chosen community'));
  await expect(page).not.toHaveURL(/community_code=/);
  await expect(page.getByRole('combobox', { name: 'Community' })).toBeFocused();
});

test('a keyboard user accepts a join request, replaces the access code, and posts two things at the community’s lost-and-found desk', async ({
  person,
  openAs,
}) => {
  const [head, parent] = [await person(), await person()];
  const { id } = await newApprovedCommunity(head, await newAdmin(), `Shule ya ${head.id.slice(0, 6)}`);
  await callApi('POST', `/api/communities/${id}/join-requests`, { body: { message: 'Mzazi' }, token: parent.token });
  await callApi('POST', '/api/notices/read', { body: { up_to: await newestNotice(head.token) }, token: head.token });
  const page = await openAs(head, `/community-details/${id}?tab=members`);
  await expect(button(page, 'Accept')).toBeVisible();
  await press(page, button(page, 'Accept'));
  await expect(page.getByText(`${parent.username} is a member now`)).toBeVisible();
  await press(page, button(page, `Change what ${parent.username} may do`));
  await expect(button(page, 'Make an admin')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page, `Change what ${parent.username} may do`)).toBeFocused();

  await tabTo(page, page.getByRole('tab', { name: 'Members' }), 'Shift+Tab');
  await page.keyboard.press('End');
  await press(page, button(page, 'Make a new one'));
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Make a new one' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button(page, 'Make a new one')).toBeFocused();

  await tabTo(page, link(page, 'Open the desk'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  await typeInto(page, 'Title', 'Begi');
  await typeInto(page, 'Location', 'Uwanjani');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/“Begi” is posted/)).toBeVisible();
  await expect(page.getByLabel('Title', { exact: true })).toBeFocused();
  await page.keyboard.type('Kofia');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/“Kofia” is posted/)).toBeVisible();
  await expect(page.getByText('2 posted today')).toBeVisible();
});

/**
 * Waits for the notice of the join request. The caller marks the notice as read, so that its modal does not cover the
 * page.
 * @returns the id of the newest notice.
 */
async function newestNotice(token: string): Promise<string> {
  let id = '';
  await expect
    .poll(async () => {
      const { notices } = await callApi<NoticeList>('GET', '/api/notices', { token });
      id = notices[0]?.message.id ?? '';
      return notices.some(({ message }) => message.type === 'join_request');
    })
    .toBe(true);
  return id;
}
