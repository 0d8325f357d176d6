import type { Page } from '@playwright/test';
import type { CommunityPage } from '#contract/communities.ts';
import { expect, newAdmin, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, type Person } from '#tests/support/e2e-people.ts';
import { findViolations } from '#tests/support/e2e-screen.ts';

const joinBy = ({ token }: Person, access_code: string) =>
  callApi('POST', '/api/communities/join', { body: { access_code }, token });

async function expectAccessible(page: Page, what: string): Promise<void> {
  await expect(page.locator('.skeleton')).toHaveCount(0);
  expect(await findViolations(page), what).toEqual([]);
}

/** The head teacher reads Swahili, the parent English. */
test('a school’s community is created, approved, joined, used, handed over, closed and kept open', async ({
  person,
  openAs,
}) => {
  test.slow();
  const [head, parent, pupil, teacher, platform] = [
    await person(),
    await person(),
    await person(),
    await person(),
    await newAdmin(),
  ];
  const name = `Shule ya ${head.id.slice(0, 8)}`;
  const heads = await openAs(head, '/communities', { language: 'sw' });
  const parents = await openAs(parent, '/communities');
  const dialogOf = (page: Page) => page.getByRole('dialog');

  await test.step('the head makes it, and the platform approves what it knows enough of', async () => {
    await heads.getByRole('button', { name: 'Anzisha jumuiya' }).last().click();
    await dialogOf(heads).getByRole('textbox', { name: 'Jina la jumuiya' }).fill(name);
    await dialogOf(heads).getByRole('button', { name: 'Anzisha jumuiya' }).click();
    await expect(heads.getByText(`Jumuiya “${name}” imeanzishwa`)).toBeVisible();
    const page = await openAs(platform, '/');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('textbox', { name: 'Search communities' }).fill(name);
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await expect(card.getByRole('link', { name: head.username })).toBeVisible();
    await expect(card.getByRole('link', { name: `Call ${head.phone}` })).toBeVisible();
    await card.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText(`“${name}” has been approved.`)).toBeVisible();
    await dialogOf(heads).getByRole('link', { name: 'Fungua jumuiya' }).click();
    await expect(heads.getByRole('heading', { level: 1, name })).toBeVisible();
  });
  const id = new URL(heads.url()).pathname.split('/').at(-1) ?? '';
  const read = () => callApi<CommunityPage>('GET', `/api/communities/${id}`, { token: head.token });

  await test.step('a parent finds it by name and asks to be let in', async () => {
    await parents.getByRole('link', { name: 'Find a community by name' }).click();
    await parents.getByRole('textbox', { name: 'Search by name' }).fill(name);
    await parents.getByRole('button', { name: `Ask to join ${name}` }).click();
    await dialogOf(parents)
      .getByRole('textbox', { name: /Message/ })
      .fill('Mzazi wa darasa la pili');
    await expectAccessible(parents, 'ask to join');
    await dialogOf(parents).getByRole('button', { name: 'Send' }).click();
    await expect(parents.getByText('You have asked', { exact: true })).toBeVisible();
  });

  await test.step('the head is told, and lets them in', async () => {
    await dialogOf(heads).getByRole('link', { name: 'Tazama anayeomba' }).click();
    const request = heads.getByRole('region', { name: 'Maombi ya kujiunga' }).getByRole('listitem');
    await expect(request).toContainText('Mzazi wa darasa la pili');
    await request.getByRole('button', { name: 'Mkubali', exact: true }).click();
    await expect(heads.getByRole('button', { name: `Badilisha anachoruhusiwa ${parent.username}` })).toBeVisible();
    await dialogOf(parents).getByRole('link', { name: 'Open the community' }).click();
    await expect(parents.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(parents.getByRole('region', { name: 'Who runs it' })).toContainText(head.username);
  });

  await test.step('the office posts two things in a row', async () => {
    await heads.getByRole('link', { name: 'Fungua dawati' }).click();
    const title = heads.getByRole('textbox', { name: 'Kichwa cha tangazo' });
    await title.fill('Begi la bluu');
    await heads.getByRole('textbox', { name: 'Mahali', exact: true }).fill('Uwanjani');
    await heads.getByRole('textbox', { name: 'Kiko wapi sasa?' }).fill('Ofisi ya mwalimu mkuu');
    await expectAccessible(heads, 'desk');
    await title.press('Enter');
    await expect(heads.getByText(/“Begi la bluu” kimetangazwa\. Kiandikie namba \d{3} \d{3}\./)).toBeVisible();
    await expect(title).toBeFocused();
    await heads.keyboard.type('Kofia nyekundu');
    await heads.keyboard.press('Enter');
    await expect(heads.getByText(/“Kofia nyekundu” kimetangazwa/)).toBeVisible();
    await expect(heads.getByText('Leo umetangaza vitu 2')).toBeVisible();
    await parents.reload();
    await expect(parents.getByRole('link', { name: 'Kofia nyekundu' })).toBeVisible();
  });

  await test.step('a pupil is removed, and the code renewed', async () => {
    const { access_code: old = '' } = await read();
    await joinBy(pupil, old);
    await joinBy(teacher, old);
    await heads.goto(`/community-details/${id}?tab=members`);
    await heads.getByRole('button', { name: `Badilisha anachoruhusiwa ${pupil.username}` }).click();
    await expectAccessible(heads, 'a member');
    await dialogOf(heads).getByRole('button', { name: 'Mwondoe kwenye jumuiya' }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mwondoe', exact: true }).click();
    await expect(dialogOf(heads)).toContainText(`${pupil.username} ameondolewa, lakini bado anaujua msimbo`);
    await dialogOf(heads).getByRole('button', { name: 'Tengeneza mpya' }).click();
    await expect(dialogOf(heads)).toHaveCount(0);
    await expect(heads.getByText(pupil.username)).toHaveCount(0);
    await heads.getByRole('tab', { name: 'Dashibodi' }).click();
    const { access_code: renewed } = await read();
    await expect(heads.getByRole('textbox', { name: 'Msimbo wa kujiunga' })).toHaveValue(renewed ?? '');
    expect(renewed).not.toBe(old);
    await expect(joinBy(await person(), old)).rejects.toThrow('404');
  });

  await test.step('the parent becomes a second admin, and the head hands over to the teacher', async () => {
    await heads.getByRole('tab', { name: 'Wanachama' }).click();
    await heads.getByRole('button', { name: `Badilisha anachoruhusiwa ${parent.username}` }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mfanye msimamizi' }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mfanye msimamizi' }).click();
    await expect(dialogOf(heads)).toHaveCount(0);
    await heads.getByRole('button', { name: `Badilisha anachoruhusiwa ${teacher.username}` }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mkabidhi jumuiya' }).click();
    await dialogOf(heads).getByRole('button', { name: 'Mkabidhi', exact: true }).click();
    await expect(heads).toHaveURL(new RegExp(`/communities/${id}$`));
    const runners = heads.getByRole('region', { name: 'Wanaoisimamia' });
    await expect(runners).toContainText(teacher.username);
    await expect(runners).not.toContainText(head.username);
  });

  await test.step('the parent closes it, all are told until when, and takes it back', async () => {
    await parents.goto(`/community-details/${id}?tab=settings`);
    await parents.getByRole('button', { name: 'Close the community' }).click();
    await dialogOf(parents).getByRole('button', { name: 'Close it' }).click();
    await expect(parents.getByText(/This community closes on/)).toBeVisible();
    await expectAccessible(parents, 'closing');
    await expect(heads.getByText(/Jumuiya hii itafungwa tarehe/)).toBeVisible();
    await parents.getByRole('button', { name: 'Keep it open' }).click();
    await expect(parents.getByText(/This community closes on/)).toHaveCount(0);
    expect((await read()).closes_at).toBeNull();
  });
});
