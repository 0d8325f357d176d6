import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import type { Language } from '#contract/language.ts';
import { appOrigin, type Person, registerPerson } from './e2e-people.ts';
import { takeFromPool } from './e2e-pool.ts';

export { expect };

type OpenOptions = { language?: Language };

type Fixtures = {
  /** Somebody new, signed in. */
  person: () => Promise<Person>;
  /** Opens a path in a browser of its own: as the person, or as a visitor for null. */
  openAs: (person: Person | null, path: string, options?: OpenOptions) => Promise<Page>;
  /** The errors that a test provokes on purpose; every other one fails it. */
  expectedErrors: RegExp[];
  /** What the pages of the test complained about. */
  complaints: string[];
};

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  baseURL: async ({}, use) => use(appOrigin()),

  // biome-ignore lint/correctness/noEmptyPattern: as above.
  person: async ({}, use) => use(newPerson),

  // biome-ignore lint/correctness/noEmptyPattern: as above.
  expectedErrors: async ({}, use) => use([]),

  complaints: async ({ expectedErrors }, use) => {
    const complaints: string[] = [];
    await use(complaints);
    const surprises = complaints.filter((complaint) => !expectedErrors.some((expected) => expected.test(complaint)));
    expect(surprises, 'errors that no test expected').toEqual([]);
  },

  context: async ({ context, complaints }, use) => {
    listen(context, complaints);
    await use(context);
  },

  openAs: async ({ browser, complaints }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (person, path, { language = 'en' } = {}) => {
      const context = await browser.newContext({ baseURL: appOrigin(), storageState: storageOf(person, language) });
      contexts.push(context);
      listen(context, complaints);
      const page = await context.newPage();
      await page.goto(path);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

/** Somebody who is signed in and whom no other test has had. */
export async function newPerson(): Promise<Person> {
  return takeFromPool({ isAdmin: false }) ?? registerPerson();
}

/** What the web app keeps of a signed-in person and of their language. */
function storageOf(person: Person | null, language: Language) {
  const session = person
    ? [
        { name: 'token', value: person.token },
        { name: 'userID', value: person.id },
        // The token is today's.
        { name: 'tokenSince', value: String(Date.now()) },
      ]
    : [];
  // Nobody is asked to prove their number in the middle of a test of something else.
  const asked = { name: 'numberAskedAt', value: String(Date.now()) };
  const localStorage = [...session, { name: 'i18nextLng', value: language }, asked];
  return { cookies: [], origins: [{ origin: appOrigin(), localStorage }] };
}

/** Console errors, which is where a browser also reports what the Content-Security-Policy refused, and uncaught exceptions. */
function listen(context: BrowserContext, complaints: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (webError) => complaints.push(String(webError.error())));
}
