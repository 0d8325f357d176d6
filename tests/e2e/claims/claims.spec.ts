import type { Page } from '@playwright/test';
import type { Claim } from '#contract/claims.ts';
import type { Post } from '#contract/posts.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, newClaim, newFoundWallet } from '#tests/support/e2e-people.ts';

/** Opens the claim from its notice, as soon as the notice arrives. */
async function followNotice(page: Page, title: string, link: string): Promise<void> {
  const notice = page.getByRole('dialog', { name: title });
  await expect(notice).toBeVisible();
  await notice.getByRole('link', { name: link }).click();
  await expect(notice).toBeHidden();
}

test('two people claim a found wallet; the finder asks the owner a question, accepts the owner’s claim and hands the wallet over', async ({
  person,
  openAs,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 400/);
  const [john, asha, rival] = [await person(), await person(), await person()];
  const post = await newFoundWallet(john);
  const rivalsClaim = await newClaim(rival, post);

  const finder = await openAs(john, '/claims');
  await expect(finder.getByRole('region', { name: 'What you found' })).toContainText('Waits for you');
  const owner = await openAs(asha, `/posts/${post.id}`, { language: 'sw' });
  await owner.getByRole('link', { name: 'Ni changu' }).click();
  await expect(owner.getByRole('region', { name: 'Aliyekiokota anauliza' })).toContainText('Ndani kuna nini?');
  await owner.getByLabel('Jibu lako').fill('Picha ya mwanangu. Nipigie 0754 321 987');
  await owner.getByRole('button', { name: 'Mtumie aliyekiokota' }).click();
  await expect(owner).toHaveURL(/\/claims\//);
  await expect(owner.getByText(/^Aliyekiokota analinganisha jibu lako/)).toBeVisible();

  // The first dialog is the notice of `rivalsClaim`. The finder closes this dialog.
  await finder
    .getByRole('dialog', { name: 'Somebody says it is theirs' })
    .getByRole('button', { name: 'Close' })
    .click();
  await followNotice(finder, 'Somebody says it is theirs', 'Open the claim');
  await expect(finder.getByText(`${asha.username} says that it is theirs.`)).toBeVisible();
  await expect(finder.getByText('Picha ya mtoto na ufunguo mmoja mdogo')).toBeVisible();
  await expect(finder.getByText('Picha ya mwanangu. Nipigie •••')).toBeVisible();
  await finder.getByRole('button', { name: 'Not sure, ask' }).click();
  await finder.getByLabel('Your question').fill('What else is in it?');
  await finder.getByRole('button', { name: 'Send the question' }).click();
  await expect(finder.getByText(/^Your question has been sent/)).toBeVisible();

  // The owner already sees the page of this claim, so the page updates, and no dialog shows the notice.
  await expect(owner.getByRole('log')).toContainText('What else is in it?');
  await owner.getByLabel('Jibu lako kwa swali hilo').fill('Ufunguo mdogo. Nitakutumia nauli');
  await owner.getByRole('button', { name: 'Tuma jibu' }).click();
  await expect(owner.getByText(/^Aliyekiokota analinganisha jibu lako/)).toBeVisible();

  await expect(finder.getByRole('log')).toContainText('Ufunguo mdogo');
  await expect(finder.getByRole('log')).toContainText('This mentions money. Never pay first');
  await finder.getByRole('button', { name: 'It is theirs', exact: true }).click();
  await expect(finder.getByText(asha.phone)).toBeVisible();
  await expect(finder.getByRole('region', { name: 'Meet safely' })).toBeVisible();

  await expect(owner.getByText(post.phone_number ?? '')).toBeVisible();
  const { handover_code: code = null } = await readOnlyClaim(asha.token);
  await expect(owner.getByText(code ?? 'no code', { exact: true })).toBeVisible();

  await finder.getByLabel('The owner’s hand-over code').fill(code === '000000' ? '111111' : '000000');
  await finder.getByRole('button', { name: 'I have handed it over' }).click();
  await expect(finder.getByRole('alert')).toContainText('The hand-over code is wrong');
  await finder.getByLabel('The owner’s hand-over code').fill(` ${code?.slice(0, 3)} ${code?.slice(3)} `);
  await finder.getByRole('button', { name: 'I have handed it over' }).click();
  await expect(finder.getByText('Thank you! You returned it to its owner.')).toBeVisible();
  await expect(finder.locator('canvas')).toHaveCount(1);

  const news = owner.getByRole('dialog', { name: 'Umekipata tena!' });
  await expect(news.locator('canvas')).toHaveCount(1);
  await followNotice(owner, 'Umekipata tena!', 'Fungua dai');
  await expect(owner.getByText('Umekipata tena. Kumbuka kumshukuru aliyekiokota.')).toBeVisible();
  await expect(owner.getByRole('definition').filter({ hasText: post.location })).toBeVisible();

  const loser = await openAs(rival, `/claims/${rivalsClaim.id}`);
  await expect(loser.getByText('This claim is closed. Neither of you can change it any more.')).toBeVisible();
  const returned = await callApi<Post>('GET', `/api/posts/${post.id}`, { token: asha.token });
  expect(returned.is_found).toBe(true);
});

async function readOnlyClaim(token: string): Promise<Claim> {
  const [claim] = await callApi<Claim[]>('GET', '/api/claims', { token });
  if (!claim) throw new Error('There is no claim');
  return claim;
}

test('a visitor gets the claim form after signing in, and text typed into the form stays if the network fails', async ({
  person,
  openAs,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
  const [finder, owner] = [await person(), await person()];
  const post = await newFoundWallet(finder);
  const page = await openAs(null, `/posts/${post.id}`);
  await page.getByRole('link', { name: 'This is mine' }).click();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(`/posts/${post.id}/claim`);

  await page.getByLabel('Your answer').fill('A picture of my child');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Send to the finder' }).click();
  await expect(page.getByRole('alert')).toContainText('There was no answer.');
  await page.context().setOffline(false);
  await page.reload();
  await expect(page.getByLabel('Your answer')).toHaveValue('A picture of my child');
  await page.getByRole('button', { name: 'Send to the finder' }).dblclick();
  await expect(page).toHaveURL(/\/claims\//);
  expect(await callApi<Claim[]>('GET', '/api/claims', { token: owner.token })).toHaveLength(1);

  await page.goBack();
  await expect(page).not.toHaveURL(/\/claim$/);
});
