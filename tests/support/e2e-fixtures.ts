import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import type { CreatedCommunity } from '#contract/communities.ts';
import type { Language } from '#contract/language.ts';
import type { NoticeList } from '#contract/notices.ts';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { whileLocked, withLocalDatabase } from '#scripts/database/local-database.ts';
import { hashPassword } from '#worker/accounts/password.ts';
import { newId } from '#worker/identity/digests.ts';
import { signSessionToken, toSessionKeys } from '#worker/identity/session-token.ts';
import { appOrigin, callApi, nobodyElse, PASSWORD, type Person, registerPerson } from './e2e-people.ts';
import { findChromium, TEST_FLAGS } from './processes.ts';

const PEOPLE = 400;
/**
 * How many of the prepared people, and how many admins among them, one Playwright process may use. A failed test ends
 * its process, and the next process uses other people.
 */
const PEOPLE_OF_A_PROCESS = 100;
const ADMINS_OF_A_PROCESS = 15;
type PooledPerson = Person & { isAdmin: boolean };

const FILE_NAME = 'people.json';

/**
 * Inserts signed-in people and admins into a running app's database: registering one person through the API takes half
 * a second of hashing. Call it before all tests, because a write by this process may make a write of the app fail.
 */
export async function fillPool(stateFolder: string): Promise<void> {
  const { JWT_SECRET = '' } = parseEnv(readFileSync(join(PROJECT_ROOT, '.dev.vars'), 'utf8'));
  const keys = toSessionKeys(JWT_SECRET, null);
  // Numbers the people in sequence: two people with random numbers may get the same phone number and e-mail address.
  const first = Date.now();
  const people: PooledPerson[] = await Promise.all(
    Array.from({ length: PEOPLE }, async (_, at) => {
      const id = newId();
      const token = await signSessionToken(keys, { userId: id, tokenVersion: 1, sessionId: crypto.randomUUID() });
      const isAdmin = at % PEOPLE_OF_A_PROCESS < ADMINS_OF_A_PROCESS;
      return { id, token, isAdmin, ...nobodyElse(first + at) };
    }),
  );
  const passwordHash = await hashPassword(PASSWORD);
  await withLocalDatabase(stateFolder, async (db) => {
    const rows = JSON.stringify(people);
    const users = db
      .prepare(
        `insert into users (id, username, email, email_key, is_platform_admin, password_hash, created_at)
         select value ->> 'id', value ->> 'username', value ->> 'email', value ->> 'email', value ->> 'isAdmin', ?2, ?3
         from json_each(?1)`,
      )
      .bind(rows, passwordHash, Date.now());
    const numbers = db
      .prepare(
        `insert into phone_numbers (number, user_id) select value ->> 'phone', value ->> 'id' from json_each(?1)`,
      )
      .bind(rows);
    await whileLocked(() => db.batch([users, numbers]));
  });
  writeFileSync(join(stateFolder, FILE_NAME), JSON.stringify(people));
}

/** The unused people of this process, by the app's state folder. */
const unused = new Map<string, PooledPerson[]>();

/** @returns an unused person of `fillPool`, or undefined if none is left or PATIKANA_STATE is not set. */
export function takeFromPool({ isAdmin }: { isAdmin: boolean }): Person | undefined {
  const folder = process.env.PATIKANA_STATE;
  if (!folder) return undefined;
  const people = unused.get(folder) ?? readShare(folder);
  unused.set(folder, people);
  const at = people.findIndex((person) => person.isAdmin === isAdmin);
  return at < 0 ? undefined : people.splice(at, 1)[0];
}

function readShare(folder: string): PooledPerson[] {
  const people = JSON.parse(readFileSync(join(folder, FILE_NAME), 'utf8')) as PooledPerson[];
  const first = Number(process.env.TEST_WORKER_INDEX) * PEOPLE_OF_A_PROCESS;
  return people.slice(first, first + PEOPLE_OF_A_PROCESS);
}

export { expect };

/** For `test.use`: the whole Chromium, because its headless shell has no notifications and no PDF viewer. */
export const WHOLE_BROWSER = {
  launchOptions: { executablePath: findChromium() ?? '', args: TEST_FLAGS },
};

type OpenOptions = { language?: Language };

type Fixtures = {
  /** Returns a new signed-in person. */
  person: () => Promise<Person>;
  /** Opens a path in a separate browser context: as the person, or as a visitor for null. */
  openAs: (person: Person | null, path: string, options?: OpenOptions) => Promise<Page>;
  /** The errors that a test causes on purpose; any other error fails it. */
  expectedErrors: RegExp[];
  /** The errors logged by the test's pages. */
  complaints: string[];
};

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
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
      const context = await browser.newContext({ baseURL: appOrigin() });
      contexts.push(context);
      listen(context, complaints);
      const page = await context.newPage();
      // Does not use `storageState`, because Playwright would open another page in each context for it.
      const filling = await page.addInitScript(fillStorage, {
        origin: appOrigin(),
        entries: storageOf(person, language),
      });
      await page.goto(path);
      // Removes the script, which would overwrite what the app stores. On about:blank the script has not stored
      // anything yet.
      if (path !== 'about:blank') await filling.dispose();
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

/** A signed-in person whom no other test has used. */
export async function newPerson(): Promise<Person> {
  return takeFromPool({ isAdmin: false }) ?? registerPerson();
}

/** Returns the session and the language as the app stores them in the browser. */
function storageOf(person: Person | null, language: Language): Record<string, string> {
  return {
    // The token was issued today.
    ...(person && { token: person.token, userID: person.id, tokenSince: String(Date.now()) }),
    i18nextLng: language,
    // Marks the app's question about the WhatsApp number as asked, so that it interrupts no test.
    numberAskedAt: String(Date.now()),
  };
}

/** Runs in the page, before the app's own scripts. */
function fillStorage({ origin, entries }: { origin: string; entries: Record<string, string> }): void {
  if (location.origin !== origin) return;
  for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
}

/** Collects console errors, which include refusals by the Content-Security-Policy, and uncaught exceptions. */
function listen(context: BrowserContext, complaints: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (webError) => complaints.push(String(webError.error())));
}

/** Returns a new platform admin, who has read earlier notices. */
export async function newAdmin(): Promise<Person> {
  const admin = takeFromPool({ isAdmin: true }) ?? (await registerAdmin());
  const { notices } = await callApi<NoticeList>('GET', '/api/notices', { token: admin.token });
  const [newest] = notices;
  if (newest) await callApi('POST', '/api/notices/read', { body: { up_to: newest.message.id }, token: admin.token });
  return admin;
}

async function registerAdmin(): Promise<Person> {
  const admin = await registerPerson();
  await grantAdmin(admin);
  return admin;
}

export async function newApprovedCommunity(creator: Person, admin: Person, name: string): Promise<CreatedCommunity> {
  const community = await newCommunity(creator, name);
  await callApi('POST', `/api/admin/communities/${community.id}/approve`, { token: admin.token });
  return community;
}

/** Creates a community that waits for approval. */
export function newCommunity(creator: Person, name: string): Promise<CreatedCommunity> {
  return callApi('POST', '/api/communities', { body: { name }, token: creator.token });
}

/** Returns the picture of the QR code that a community's admin prints. */
export async function readQrCode({ token }: Person, communityId: string): Promise<Buffer> {
  const answer = await callApi<{ qr_code: string }>('GET', `/api/communities/${communityId}/qrcode/base64`, { token });
  return Buffer.from(answer.qr_code, 'base64');
}

/** Makes the person a platform admin of the running app, with the command from the README. */
export async function grantAdmin({ email }: Person, more: string[] = []): Promise<void> {
  const folder = process.env.PATIKANA_STATE;
  const options = folder ? ['--persist-to', folder] : [];
  // Runs the command asynchronously: a blocked process would not notice that the app closes connections, and would
  // reuse them.
  await promisify(execFile)(process.execPath, ['scripts/grant-admin.ts', email, ...options, ...more], {
    cwd: PROJECT_ROOT,
  });
}
