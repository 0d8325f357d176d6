import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { newOwnerName, newPost, type OwnerName, type Person } from '#tests/support/e2e-people.ts';
import { sendPost } from '#tests/support/e2e-screen.ts';

test.describe.configure({ timeout: 90_000 });

const MODAL = 'Tangazo Linalofanana Limepatikana!';

/** Makes the page count in `data-opened` how many live connections it has opened. */
async function countConnections(page: Page | BrowserContext): Promise<void> {
  await page.addInitScript(() => {
    const Native = window.WebSocket;
    let opened = 0;
    window.WebSocket = class extends Native {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        this.addEventListener('open', () => {
          document.documentElement.dataset.opened = `${++opened}`;
        });
      }
    };
  });
}

/** Opens the app for the owner in Swahili, and waits until it is connected. */
async function openListening(page: Page, { token, id }: Person, path: string): Promise<void> {
  await countConnections(page);
  await page.evaluate(
    (stored) => {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    },
    { token, userID: id },
  );
  await page.goto(path);
  await expect(page.locator('html')).toHaveAttribute('data-opened', '1');
}

async function postFoundCard(page: Page, name: OwnerName): Promise<void> {
  await page.getByLabel('First name').fill(name.owner_first_name);
  await page.getByLabel('Last name').fill(name.owner_last_name);
  await sendPost(page, { title: 'Found a NIDA card', location: 'Kariakoo, Dar es Salaam', phone: '0754321987' });
}

const CARD = { location: 'Kariakoo, Dar es Salaam', phone_number: '0754321987', description: '' };

function loseCard(owner: Person, name: OwnerName) {
  return newPost(owner, { ...CARD, ...name, posted_by: 'owner', title: 'Nimepoteza kitambulisho cha NIDA' });
}

test('the owner sees the finder’s post arrive live, in her language, and only once', async ({ person, openAs }) => {
  const name = newOwnerName();
  const [asha, john] = [await person(), await person()];
  await loseCard(asha, name);
  const owner = await openAs(null, '/login', { language: 'sw' });
  await openListening(owner, asha, '/view-posts');
  await expect(owner.getByRole('dialog')).toBeHidden();

  await postFoundCard(await openAs(john, '/create-post', { language: 'en' }), name);

  const modal = owner.getByRole('dialog', { name: MODAL });
  await expect(modal).toBeVisible();
  await expect(modal).toContainText('Found a NIDA card');
  await expect(modal).toContainText('Kariakoo, Dar es Salaam');
  await expect(modal).toContainText(`Jina ni lilelile: ${name.owner_first_name} ${name.owner_last_name}`, {
    ignoreCase: true,
  });
  await expect(modal.locator('canvas')).toBeAttached();
  await expect(modal.getByRole('link', { name: 'Piga simu' })).toHaveAttribute('href', 'tel:0754321987');
  await expect(modal.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', /wa\.me\/255754321987/);
  // The notice came over the existing connection: there was no reload and no other connection.
  await expect(owner.locator('html')).toHaveAttribute('data-opened', '1');
  // A reload would interrupt the acknowledgement, and the notice would come again.
  const read = owner.waitForResponse('**/api/notices/read');
  await modal.getByRole('button', { name: 'Funga' }).click();
  await expect(modal).toBeHidden();
  await read;

  await owner.reload();
  await expect(owner.locator('html')).toHaveAttribute('data-opened', '1');
  await owner.getByRole('link', { name: 'Arifa', exact: true }).click();
  await expect(owner.getByRole('heading', { level: 1, name: 'Arifa' })).toBeVisible();
  await expect(owner.getByRole('link', { name: 'Found a NIDA card' })).toBeVisible();
  await expect(modal).toBeHidden();
});

test('each tab has a connection, one tab shows a notice, and the other continues when that tab is closed', async ({
  person,
  openAs,
}) => {
  const [asha, john] = [await person(), await person()];
  const names = [newOwnerName(), newOwnerName()];
  for (const name of names) await loseCard(asha, name);
  const first = await openAs(null, '/login', { language: 'sw' });
  await countConnections(first.context());
  await openListening(first, asha, '/view-posts');
  const second = await first.context().newPage();
  await second.goto('/communities');
  await expect(second.locator('html')).toHaveAttribute('data-opened', '1');

  const found = (name: OwnerName, title: string) => newPost(john, { ...CARD, ...name, posted_by: 'finder', title });
  const modals = async () => [await first.getByRole('dialog').count(), await second.getByRole('dialog').count()];

  await found(names[0] as OwnerName, 'Found a NIDA card');
  await expect.poll(async () => (await modals()).sort()).toEqual([0, 1]);
  const shownIn = (await modals())[0] === 1 ? first : second;
  await shownIn.getByRole('dialog').getByRole('button', { name: 'Funga' }).click();
  await expect.poll(modals).toEqual([0, 0]);

  await first.close();
  await found(names[1] as OwnerName, 'Found another NIDA card');
  await expect(second.getByRole('dialog', { name: MODAL })).toContainText('Found another NIDA card');
});
