import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import type { Claim } from '#contract/claims.ts';
import type { Post } from '#contract/posts.ts';
import { newFoundWallet } from '#tests/support/e2e-claims.ts';
import { callApi, newPerson, newPost, type Person } from '#tests/support/e2e-people.ts';
import { type MixedApp, startMixedApp } from '#tests/support/start-mixed-app.ts';

// What a deployment mixes for a while: whoever has the page open from before it talks to the new Worker, and whoever came
// first to the new version may be answered by the old one. Only what both releases say alike is looked for.

base.describe.configure({ timeout: 480_000 });

type Fixtures = {
  /** Where the releases take turns; the helpers of the tests talk to it. */
  mixed: MixedApp;
  /** Opens a browser of its own there; an uncaught exception in it fails the test. */
  openApp: () => Promise<Page>;
};

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  mixed: async ({}, use) => {
    const { PATIKANA_ORIGIN: usual, PATIKANA_STATE: state = '' } = process.env;
    const app = await startMixedApp(join(state, 'web'));
    process.env.PATIKANA_ORIGIN = app.origin;
    try {
      await use(app);
    } finally {
      process.env.PATIKANA_ORIGIN = usual;
      await app.stop();
    }
  },

  openApp: async ({ browser, mixed }, use) => {
    const exceptions: string[] = [];
    await use(async () => {
      // Nobody is asked to prove their number in the middle of a test of something else.
      const localStorage = [{ name: 'numberAskedAt', value: String(Date.now()) }];
      const storageState = { cookies: [], origins: [{ origin: mixed.origin, localStorage }] };
      const context = await browser.newContext({ baseURL: mixed.origin, storageState });
      context.on('weberror', (error) => exceptions.push(`${error.page()?.url()}: ${error.error()}`));
      return context.newPage();
    });
    expect(exceptions, 'uncaught exceptions').toEqual([]);
  },
});

const CARD = { location: 'Kariakoo, Dar es Salaam', phone_number: '0754321987', description: '' };
const NAME = { first: 'Tumpale', last: 'Mwakasege' };
const CRASH = 'This page could not be shown';

async function logIn(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

async function postFoundCard(page: Page): Promise<void> {
  await page.goto('/create-post');
  await page.getByLabel('Title').fill('Found a NIDA card');
  await page.getByLabel('Location').fill(CARD.location);
  await page.getByLabel('Phone number').fill(CARD.phone_number);
  await page.getByRole('radio', { name: /^By phone/ }).check();
  await page.getByLabel("Owner's first name").fill(NAME.first);
  await page.getByLabel("Owner's last name").fill(NAME.last);
  await page.getByRole('button', { name: 'Post item' }).click();
}

async function claim(page: Page, postId: string): Promise<void> {
  await page.goto(`/posts/${postId}`);
  await page.getByRole('link', { name: 'This is mine' }).click();
  await page.getByLabel('Your answer').fill('Picha ya mwanangu');
  await page.getByRole('button', { name: 'Send to the finder' }).click();
  await expect(page.getByText(/^The finder compares your answer/)).toBeVisible();
}

/** Opens every screen of a person who has something on each: none may break for want of an endpoint or a field. */
async function openEveryScreen(page: Page, postId: string, claimId: string): Promise<void> {
  const own = ['/my-posts', '/create-post', '/claims', `/claims/${claimId}`, '/notices', '/account', '/communities'];
  for (const path of ['/', '/view-posts', `/posts/${postId}`, `/posts/${postId}/poster`, ...own]) {
    await page.goto(path);
    await expect(page.locator('[data-prerendered]')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
    // What a screen asks for has been answered.
    await page.waitForLoadState('networkidle');
    await expect(page.getByText(CRASH), path).toHaveCount(0);
  }
}

type World = { owner: Page; asha: Person; john: Person; wallet: Post };

/** The owner of a lost card reads the list and listens; a wallet that was found is in it. */
async function begin(openApp: Fixtures['openApp']): Promise<World> {
  const [asha, john] = [await newPerson('Asha'), await newPerson('John')];
  const wallet = await newFoundWallet(john);
  const lost = { ...CARD, posted_by: 'owner', title: 'Nimepoteza kitambulisho cha NIDA' } as const;
  await newPost(asha, { ...lost, owner_first_name: NAME.first, owner_last_name: NAME.last });
  const owner = await openApp();
  await logIn(owner, asha);
  const isListening = owner.waitForEvent('websocket');
  await owner.goto('/view-posts');
  await expect(owner.getByText(wallet.title).first()).toBeVisible();
  await isListening;
  return { owner, asha, john, wallet };
}

/** Is told over the socket of what another posts, claims, and opens every screen. */
async function goOn(openApp: Fixtures['openApp'], { owner, asha, john, wallet }: World): Promise<void> {
  const finder = await openApp();
  await logIn(finder, john);
  await postFoundCard(finder);
  const told = owner.getByRole('dialog').filter({ hasText: 'Found a NIDA card' });
  await expect(told).toBeVisible({ timeout: 120_000 });
  await expect(told).toContainText(NAME.last);
  await claim(owner, wallet.id);
  const [{ id } = { id: '' }] = await callApi<Claim[]>('GET', '/api/claims', { token: asha.token });
  await openEveryScreen(owner, wallet.id, id);
}

test('a page of the last release goes on through a deployment, its socket and its person signed in', async ({
  mixed,
  openApp,
}) => {
  await mixed.put({ worker: 'last', web: 'last' });
  const world = await begin(openApp);
  const comesBack = world.owner.waitForEvent('websocket', { timeout: 120_000 });
  // Its own files are still kept by its service worker.
  await mixed.put({ worker: 'this', web: 'last' });
  await comesBack;
  await goOn(openApp, world);
});

test('a page of this release works on the Worker of the last one', async ({ mixed, openApp }) => {
  await mixed.put({ worker: 'last', web: 'this' });
  await goOn(openApp, await begin(openApp));
});
