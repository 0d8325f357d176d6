import type { Locator, Page, Request } from '@playwright/test';
import type { Language } from '#contract/language.ts';
import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { holdScripts } from '#tests/support/e2e-offline.ts';
import type { Person } from '#tests/support/e2e-people.ts';

type EarlyForm = {
  path: string;
  /** Each language and each way to submit is tried on two of the forms. */
  language: Language;
  way: 'Enter' | 'the button';
  /** The text to type, by the field's name. */
  typed: (person: Person) => Record<string, string>;
  /** The button's label while the request is in progress. */
  busy: Record<Language, string>;
  call: string;
  sent: (person: Person) => Record<string, string>;
  /** The screen after the response. */
  end: { path: RegExp; text?: Record<Language, string> };
};

/** The values of a registration, with another e-mail and phone number than the person's. */
function newcomer({ email, phone, password }: Person) {
  return { username: 'Neema', email: `n-${email}`, whatsapp_number: phone.replace('+2557', '+2556'), password };
}

const FORMS: EarlyForm[] = [
  {
    path: '/login',
    language: 'en',
    way: 'Enter',
    typed: ({ email, password }) => ({ email, password }),
    busy: { en: 'Logging in…', sw: 'Unaingia…' },
    call: '/api/login',
    sent: ({ email, password }) => ({ username: email, password }),
    end: { path: /:\d+\/$/ },
  },
  {
    path: '/register',
    language: 'sw',
    way: 'the button',
    typed: (person) => ({ ...newcomer(person), confirm: person.password }),
    busy: { en: 'Creating your account…', sw: 'Tunafungua akaunti yako…' },
    call: '/api/users',
    sent: newcomer,
    end: { path: /\/login$/ },
  },
  {
    path: '/forgot-password',
    language: 'sw',
    way: 'Enter',
    typed: ({ phone }) => ({ whatsapp_number: phone }),
    busy: { en: 'Sending the verification code…', sw: 'Tunatuma namba…' },
    call: '/api/auth/request-password-reset',
    sent: ({ phone }) => ({ whatsapp_number: phone }),
    end: { path: /\/verify-code$/ },
  },
  {
    path: '/',
    language: 'en',
    way: 'the button',
    typed: ({ email }) => ({ message: 'Nimepata mkoba wangu. Asanteni!', email }),
    busy: { en: 'Sending…', sw: 'Inatuma…' },
    call: '/api/feedback',
    sent: ({ email }) => ({ email, message: 'Nimepata mkoba wangu. Asanteni!' }),
    end: { path: /\/$/, text: { en: 'Thank you for your feedback!', sw: 'Asante kwa maoni yako!' } },
  },
];

/** Finds the visible field with this name. The prerendered page contains each form in two languages, and hides one. */
const fieldCalled = (page: Page, name: string) => page.locator(`[name=${name}]:visible`);
const sendButton = (page: Page) => page.locator('form:visible button[type=submit]');

async function fill(page: Page, typed: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(typed)) await fieldCalled(page, name).fill(value);
}

/** Returns the element's position and height. */
function placeOf(button: Locator): Promise<number[]> {
  return button.evaluate((element: HTMLElement) => [element.offsetLeft, element.offsetTop, element.offsetHeight]);
}

/** Returns an empty list, to which each later POST request from the page to the path is added. */
function collectCalls(page: Page, path: string): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === path) calls.push(request);
  });
  return calls;
}

function valuesOf(call: Request | undefined): unknown {
  const isForm = call?.headers()['content-type']?.startsWith('application/x-www-form-urlencoded');
  const body = call?.postData() ?? '';
  return isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
}

for (const { path, language, way, typed, busy, call, sent, end } of FORMS) {
  test.describe(`for a reader of ${language}`, () => {
    test.use({ locale: language });

    test(`the form at ${path}, submitted by ${way} before the app has loaded, shows that it waits and then sends one request`, async ({
      page,
      person,
    }) => {
      const author = await person();
      const calls = collectCalls(page, call);
      const letScriptsCome = await holdScripts(page);
      await page.goto(path, { waitUntil: 'commit' });
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await fill(page, typed(author));
      const button = sendButton(page);
      const before = await placeOf(button);
      const last = fieldCalled(page, Object.keys(typed(author)).at(-1) ?? '');
      // Clicks even on a busy button, like a person who sees no response. Without `force`, Playwright would wait until
      // the button is not busy.
      const send = () => (way === 'Enter' ? last.press('Enter') : button.click({ force: true }));
      await send();
      await expect(button).toHaveText(busy[language]);
      await expect(button).toHaveAttribute('aria-busy', 'true');
      expect(await placeOf(button)).toEqual(before);
      await send();

      await letScriptsCome();
      await expect(page).toHaveURL(end.path);
      if (end.text) await expect(page.getByText(end.text[language])).toBeVisible();
      expect(calls.map(valuesOf)).toEqual([sent(author)]);
    });
  });
}

test('a form keeps the text that the user types while the app loads, and is sent once', async ({ page, person }) => {
  const { email, password } = await person();
  const calls = collectCalls(page, '/api/login');
  const letScriptsCome = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await fieldCalled(page, 'email').fill(email);
  await fieldCalled(page, 'password').pressSequentially(password.slice(0, 5));
  await letScriptsCome();
  await page.keyboard.type(password.slice(5));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/:\d+\/$/);
  expect(calls.map(valuesOf)).toEqual([{ username: email, password }]);
});

test('a form that is submitted before the app has loaded is sent, even if the user then presses another button', async ({
  page,
  person,
}) => {
  const { email, password } = await person();
  const calls = collectCalls(page, '/api/login');
  const letScriptsCome = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await fill(page, { email, password });
  await fieldCalled(page, 'password').press('Enter');
  await page.getByRole('button', { name: 'Show password' }).click();
  await letScriptsCome();
  await expect(page).toHaveURL(/:\d+\/$/);
  expect(calls.map(valuesOf)).toEqual([{ username: email, password }]);
});

test('pressing “Show password” before the app has loaded shows the password when the app has loaded', async ({
  page,
}) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/register', { waitUntil: 'commit' });
  await fill(page, { password: 'embe dodo', confirm: 'embe dodo' });
  await page.getByRole('button', { name: 'Show password' }).last().click();
  await letScriptsCome();
  await expect(fieldCalled(page, 'confirm')).toHaveAttribute('type', 'text');
  await expect(fieldCalled(page, 'confirm')).toHaveValue('embe dodo');
  await expect(fieldCalled(page, 'password')).toHaveAttribute('type', 'password');
});

test('a signed-in user sends feedback from the prerendered page before the app has loaded', async ({
  page,
  person,
}) => {
  const { id, token, email } = await person();
  await page.addInitScript(
    (session) => {
      for (const [key, value] of Object.entries(session)) localStorage.setItem(key, value);
    },
    { token, userID: id },
  );
  const calls = collectCalls(page, '/api/feedback');
  const letScriptsCome = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await fill(page, { email, message: 'Asanteni!' });
  await sendButton(page).click();
  await letScriptsCome();
  await expect(page.getByText('Thank you for your feedback!')).toBeVisible();
  expect(calls.map(valuesOf)).toEqual([{ email, message: 'Asanteni!' }]);
});

test('if a visitor submits an access code before the app has loaded, the login page opens, and Back shows the access code again', async ({
  page,
}) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/communities', { waitUntil: 'commit' });
  await fieldCalled(page, 'access_code').fill('ABCDE23456');
  await fieldCalled(page, 'access_code').press('Enter');
  await expect(page.getByRole('button', { name: 'Joining…' })).toBeVisible();
  await letScriptsCome();
  await expect(page).toHaveURL(/\/login$/);
  await page.goBack();
  await expect(fieldCalled(page, 'access_code')).toHaveValue('ABCDE23456');
});

test('a button works if the user presses it before the app starts and releases it afterwards', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Log in' }).hover();
  await page.mouse.down();
  await letScriptsCome();
  await page.mouse.up();
  await expect(page.getByText('Email and password are required.')).toBeVisible();
});

test('pressing the menu button before the app has loaded opens the menu when the app has loaded', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await letScriptsCome();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});
