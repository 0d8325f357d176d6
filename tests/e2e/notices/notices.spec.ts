import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { newOwnerName, newPost, type OwnerName, type Person } from '#tests/support/e2e-people.ts';
import { sendPost } from '#tests/support/e2e-screen.ts';

test.describe('live notices', () => {
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

  /** Signs the person in on the page, opens the path, and waits until the page has one live connection. */
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

  test('the owner of a lost thing gets one notice about a finder’s matching post, immediately and in the owner’s language', async ({
    person,
    openAs,
  }) => {
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
    // A reload would interrupt the request that marks the notice as read, and the notice would come again.
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

  test('each browser tab has its own live connection, and only one tab shows a notice; if that tab closes, another shows it', async ({
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
});

test.describe('waiting notices', () => {
  const NOTICE = 'A Matching Post Found!';

  /**
   * Creates a post about the owner's lost licence, and opens the app at `path`.
   * @returns the opened page, and a function that creates the finder's post about the licence.
   */
  async function openAsLoser(
    owner: Person,
    finder: Person,
    open: (path: string) => Promise<Page>,
    path: string,
  ): Promise<{ page: Page; find: (title?: string) => Promise<unknown> }> {
    const name = newOwnerName();
    await newPost(owner, { ...name, title: 'Nimepoteza leseni ya udereva', posted_by: 'owner', description: '' });
    const page = await open(path);
    await expect(page.getByRole('link', { name: /^Notices/ })).toBeVisible();
    const find = (title = 'Driving licence found') =>
      newPost(finder, { ...name, title, posted_by: 'finder', description: '' });
    return { page, find };
  }

  test('a notice that arrives while a dialog is half-filled is announced in the dialog, and opens when the dialog is closed', async ({
    person,
    openAs,
  }) => {
    const [owner, finder] = [await person(), await person()];
    const { page, find } = await openAsLoser(owner, finder, (to) => openAs(owner, to), '/communities');
    await page.getByRole('button', { name: 'Create a community' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Community name').fill('Shule ya');
    await find();
    await expect(dialog.getByRole('status').getByText('1 notice is waiting until you close this.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Notices: 1 unread', includeHidden: true })).toBeVisible();
    await expect(dialog).toHaveCount(1);
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: NOTICE })).toContainText('Driving licence found');
    await expect(dialog).toHaveCount(1);
  });

  test('a notice that arrives while a post is half-written waits in a bar until the user asks for it', async ({
    person,
    openAs,
  }) => {
    const [owner, finder] = [await person(), await person()];
    const { page, find } = await openAsLoser(owner, finder, (to) => openAs(owner, to), '/create-post');
    await page.getByLabel('Title').fill('Simu nyeusi');
    await find();
    await expect(page.getByText('1 notice is waiting.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Notices: 1 unread' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByLabel('Title')).toBeFocused();
    await page.getByRole('button', { name: 'Show now' }).click();
    await page.getByRole('dialog', { name: NOTICE }).getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByLabel('Title')).toBeFocused();

    await find('Another driving licence found');
    await expect(page.getByText('1 notice is waiting.')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Close the form' }).click();
    await expect(page.getByRole('dialog', { name: NOTICE })).toContainText('Another driving licence found');
  });

  test('confetti is painted behind the text of a notice', async ({ person, openAs }) => {
    const [owner, finder] = [await person(), await person()];
    const { page, find } = await openAsLoser(owner, finder, (to) => openAs(owner, to), '/my-posts');
    await find();
    const dialog = page.getByRole('dialog', { name: NOTICE });
    await expect(dialog.locator('canvas')).toBeAttached();
    // The topmost element is the one that would receive a press.
    const layers = await dialog.getByRole('heading', { name: NOTICE }).evaluate((heading) => {
      const canvas = heading.closest('dialog')?.querySelector('canvas');
      if (canvas) canvas.style.pointerEvents = 'auto';
      const { x, y, width, height } = heading.getBoundingClientRect();
      const all = document.elementsFromPoint(x + width / 2, y + height / 2);
      return all.filter((element) => element === heading || element === canvas).map(({ tagName }) => tagName);
    });
    expect(layers).toEqual(['H2', 'CANVAS']);
  });
});

// Two posts about the same kind of thing with few details: a possible match, which notifies nobody.
const LOST = { posted_by: 'owner', title: 'Nimepoteza ngoma', location: 'Ilala', description: '' } as const;
const FOUND = { posted_by: 'finder', title: 'Ngoma imeokotwa', location: 'Temeke', description: '' } as const;

test('a possible match sends the finder no notice until the owner presses “Ni hiki” (It is this one)', async ({
  person,
  openAs,
}) => {
  const [asha, john] = [await person(), await person()];
  // A unique title, which no post of an earlier run has.
  const title = `${FOUND.title} ${crypto.randomUUID().slice(0, 4)}`;
  const lost = await newPost(asha, LOST);
  await newPost(john, { ...FOUND, title });
  const finder = await openAs(john, '/view-posts', { language: 'sw' });
  const owner = await openAs(asha, `/posts/${lost.id}`, { language: 'sw' });

  const list = owner.getByRole('region', { name: 'Huenda ni hiki' });
  const card = list.getByRole('listitem').filter({ has: owner.getByRole('link', { name: title }) });
  await expect(card).toContainText('Huenda');
  await expect(card).toContainText('Ni kitu cha aina ileile: ngoma.');
  await expect(card.getByRole('link', { name: 'Piga simu' })).toHaveCount(0);
  await expect(finder.getByRole('dialog')).toHaveCount(0);

  await card.getByRole('button', { name: 'Ni hiki' }).click();
  await expect(card).toContainText('Tumemjulisha aliyetangaza.');
  await expect(card.getByRole('link', { name: 'Piga simu' })).toHaveAttribute('href', /^tel:/);

  const modal = finder.getByRole('dialog', { name: 'Kuna mtu anayedhani ni hiki' });
  await expect(modal).toContainText(LOST.title);
  await modal.getByRole('button', { name: 'Funga' }).click();
  await finder.goto('/notices');
  await expect(finder.getByText('Aliyetangaza anadhani')).toHaveCount(1);

  await card.getByRole('button', { name: 'Si hiki' }).click();
  await expect(list).toContainText('Sawa. Hatutakuonyesha tena kuwa tangazo hilo');
  await expect(card).toHaveCount(0);
  await owner.reload();
  await expect(owner.getByRole('heading', { name: 'Huenda ni hiki' })).toBeVisible();
  await expect(owner.getByRole('region', { name: 'Huenda ni hiki' })).toBeVisible();
  await expect(card).toHaveCount(0);
});
