import type { Page } from '@playwright/test';
import { newAdmin, newApprovedCommunity, newCommunity } from '#tests/support/e2e-communities.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { callApi, newPost, type Person } from '#tests/support/e2e-people.ts';
import { fillPost } from '#tests/support/e2e-post-form.ts';
import { countWrites, pressTwice } from '#tests/support/e2e-press-twice.ts';

type Ground = { person: () => Promise<Person>; openAs: (person: Person | null, path: string) => Promise<Page> };
type Button = {
  method?: string;
  path: RegExp;
  /** Opens the page and fills in what it takes to press the button. */
  open: (ground: Ground) => Promise<Page>;
  button: string;
  /** What is there once it has worked. */
  done: RegExp;
};

const BUTTONS: Record<string, Button> = {
  'log in': {
    path: /\/api\/login$/,
    async open({ person, openAs }) {
      const { email, password } = await person();
      const page = await openApp(openAs(null, '/login'));
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      return page;
    },
    button: 'Log in',
    done: /Welcome to Patikana/,
  },
  register: {
    path: /\/api\/users$/,
    async open({ openAs }) {
      const page = await openApp(openAs(null, '/register'));
      const digits = crypto.randomUUID().replace(/\D/g, '').padEnd(8, '3').slice(0, 8);
      await page.getByLabel('Username').fill('Rehema');
      await page.getByLabel('Email').fill(`rehema${digits}@example.com`);
      await page.getByLabel(/^Phone number/).fill(`07${digits}`);
      await page.getByLabel('Password', { exact: true }).fill('tumaini la kesho');
      await page.getByLabel('Confirm password').fill('tumaini la kesho');
      return page;
    },
    button: 'Create account',
    done: /Your account is ready/,
  },
  'send feedback': {
    path: /\/api\/feedback$/,
    async open({ openAs }) {
      const page = await openApp(openAs(null, '/'));
      await page.getByLabel('Email').fill('juma@example.com');
      await page.getByLabel('Message').fill('Asante sana');
      return page;
    },
    button: 'Send feedback',
    done: /Thank you for your feedback!/,
  },
  'ask for a code': {
    path: /\/request-password-reset$/,
    async open({ person, openAs }) {
      const { phone } = await person();
      const page = await openApp(openAs(null, '/forgot-password'));
      await page.getByLabel(/^Phone number/).fill(phone);
      return page;
    },
    button: 'Send verification code',
    done: /Verification code sent to your phone number!/,
  },
  'verify the code': {
    path: /\/verify-code$/,
    async open({ person, openAs }) {
      const page = await openApp(openAs(null, '/forgot-password'));
      await enterCode(page, (await person()).phone);
      return page;
    },
    button: 'Verify code',
    done: /Code verified successfully!/,
  },
  'reset the password': {
    path: /\/reset-password$/,
    async open({ person, openAs }) {
      const page = await openApp(openAs(null, '/forgot-password'));
      await enterCode(page, (await person()).phone);
      await page.getByRole('button', { name: 'Verify code' }).click();
      await page.getByLabel('New password', { exact: true }).fill('mwembe mkubwa wa babu');
      await page.getByLabel('Confirm new password').fill('mwembe mkubwa wa babu');
      return page;
    },
    button: 'Reset password',
    done: /Password reset successful!/,
  },
  'join a community': {
    path: /\/communities\/join$/,
    async open({ person, openAs }) {
      const { access_code } = await newApprovedCommunity(await person(), await newAdmin(person), 'Soko la Kariakoo');
      const page = await openApp(openAs(await person(), '/communities'));
      await page.getByRole('textbox', { name: 'Access code' }).fill(access_code);
      return page;
    },
    button: 'Join',
    done: /Successfully joined the community!/,
  },
  'create a community': {
    path: /\/api\/communities$/,
    async open({ person, openAs }) {
      const page = await openApp(openAs(await person(), '/communities'));
      await page.getByRole('button', { name: 'Create a community' }).click();
      await page.getByRole('dialog').getByLabel('Community name').fill('Shule ya Mbezi');
      return page;
    },
    button: 'Create community',
    done: /“Shule ya Mbezi” has been created/,
  },
  'approve a community': {
    path: /\/approve$/,
    open: openForDecision,
    button: 'Approve',
    done: /has been approved/,
  },
  'reject a community': {
    path: /\/reject$/,
    async open(ground) {
      const page = await openForDecision(ground);
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('Jina halieleweki');
      return page;
    },
    button: 'Reject',
    done: /has been rejected/,
  },
  'say that the post of a notice is not this one': {
    path: /\/dismiss$/,
    open: openWithNotice,
    button: 'Not this one',
    done: /We will not show you these two posts together again/,
  },
  'say that it is this one': {
    path: /\/matches\/[^/]+\/confirm$/,
    open: openWithMatch,
    button: 'It is this one',
    done: /We have notified the author of that post/,
  },
  'say that it is not this one': {
    path: /\/matches\/[^/]+\/dismiss$/,
    open: openWithMatch,
    button: 'Not this one',
    done: /We will not show you that post as a match/,
  },
  'read a notice': {
    path: /\/notices\/read$/,
    open: openWithNotice,
    button: 'Close',
    done: /Nimepoteza leseni/,
  },
  'make a post': {
    path: /\/api\/posts$/,
    async open({ person, openAs }) {
      const page = await openAs(await person(), '/create-post');
      await fillPost(page, { title: 'Funguo za gari' });
      return page;
    },
    button: 'Post item',
    done: /Post created successfully!/,
  },
  'mark a post as found': {
    method: 'PATCH',
    path: /\/found$/,
    open: (ground) => openQuestion(ground, 'Mark as returned'),
    button: 'Mark as returned',
    done: /Item marked as retrieved successfully/,
  },
  'delete a post': {
    method: 'DELETE',
    path: /\/api\/posts\//,
    // It is sent once it can no longer be taken back.
    open: (ground) => openQuestion(ground, 'Delete'),
    button: 'Delete',
    done: /Post deleted successfully!/,
  },
};

/** A field, a banner or a toast that says that something is wrong. */
const COMPLAINTS = '[aria-invalid=true], .bg-danger-soft';

for (const [name, { method = 'POST', path, open, button, done }] of Object.entries(BUTTONS)) {
  test(`pressed twice, the button to ${name} writes once and shows no error`, async ({ person, openAs }) => {
    const page = await open({ person: () => person(), openAs });
    const dialog = page.getByRole('dialog');
    const place = (await dialog.count()) > 0 ? dialog : page.getByRole('main');
    const pressed = place.getByRole('button', { name: button, exact: true });
    await expect(pressed).toBeVisible();
    expect(await countWrites(page, { method, path }, () => pressTwice(pressed))).toBe(1);
    await expect(page.getByText(done).first()).toBeVisible();
    await expect(page.locator(COMPLAINTS)).toHaveCount(0);
  });
}

test('pressed twice, the button to log out leads to the sign-in', async ({ person, openAs }) => {
  const page = await openAs(await person(), '/my-posts');
  const logOut = page.getByRole('button', { name: 'Logout', includeHidden: true });
  await expect(logOut).toBeAttached();
  await pressTwice(logOut);
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
});

/** Until the app has taken over from the prerendered page. */
async function openApp(opening: Promise<Page>): Promise<Page> {
  const page = await opening;
  await expect(page.locator('[data-prerendered]')).toHaveCount(0);
  return page;
}

async function enterCode(page: Page, phone: string): Promise<void> {
  await page.getByLabel(/^Phone number/).fill(phone);
  await page.getByRole('button', { name: 'Send verification code' }).click();
  await page.waitForURL('**/verify-code');
  const findCode = async () => {
    const messages = await callApi<{ to: string; code: string | null }[]>('GET', '/api/dev/whatsapp-messages');
    return messages.find(({ to }) => to === phone)?.code ?? '';
  };
  await expect.poll(findCode).not.toBe('');
  await page.getByLabel('Verification code').fill(await findCode());
}

async function openForDecision({ person, openAs }: Ground): Promise<Page> {
  const { name } = await newCommunity(await person(), `Kata ${crypto.randomUUID().slice(0, 8)}`);
  const page = await openAs(await newAdmin(person), '/admin');
  await page.getByRole('textbox', { name: 'Search communities' }).fill(name);
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(1);
  return page;
}

/** The dialog that the button of one's own post opens, with the button that does it. */
async function openQuestion({ person, openAs }: Ground, button: string): Promise<Page> {
  const author = await person();
  await newPost(author, { title: 'Mwavuli' });
  const page = await openAs(author, '/my-posts');
  await page.getByRole('button', { name: button }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  return page;
}

async function openWithNotice({ person, openAs }: Ground): Promise<Page> {
  const [owner, finder] = [await person(), await person()];
  const { lost, found } = licenceOfSomebody();
  await newPost(owner, lost);
  const page = await openAs(owner, '/my-posts');
  await newPost(finder, found);
  await expect(page.getByRole('dialog')).toBeVisible();
  return page;
}

/** The page of a post that another one matches, as its author sees it who posted last: it is the other one who is told. */
async function openWithMatch({ person, openAs }: Ground): Promise<Page> {
  const [owner, finder] = [await person(), await person()];
  const { lost, found } = licenceOfSomebody();
  await newPost(owner, lost);
  const { id } = await newPost(finder, found);
  const page = await openAs(finder, `/posts/${id}`);
  await expect(page.getByRole('link', { name: lost.title })).toBeVisible();
  return page;
}

function licenceOfSomebody() {
  const name = { owner_first_name: 'Bahati', owner_last_name: `Mwa${crypto.randomUUID().replace(/[^a-f]/g, '')}` };
  return {
    lost: { ...name, title: 'Nimepoteza leseni ya udereva', posted_by: 'owner', description: '' },
    found: { ...name, title: 'Driving licence found', posted_by: 'finder', description: '' },
  } as const;
}
