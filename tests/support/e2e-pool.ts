import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { whileLocked, withLocalDatabase } from '#scripts/database/local-database.ts';
import { hashPassword } from '#worker/accounts/password.ts';
import { newId } from '#worker/identity/ids.ts';
import { toSessionKeys } from '#worker/identity/session-keys.ts';
import { signSessionToken } from '#worker/identity/session-token.ts';
import { nobodyElse, PASSWORD, type Person } from './e2e-people.ts';

const PEOPLE = 400;
/** Each process of tests takes people of its own; a failed test ends its process, and the next one takes others. */
const PEOPLE_OF_A_PROCESS = 100;
const ADMINS_OF_A_PROCESS = 15;
type PooledPerson = Person & { isAdmin: boolean };

const FILE_NAME = 'people.json';

/**
 * Inserts signed-in people and admins into the database of a running app: registering one through the API and signing them
 * in takes half a second of hashing. Before all tests, for a write of another process may fail one of the app.
 */
export async function fillPool(stateFolder: string): Promise<void> {
  const { JWT_SECRET = '' } = parseEnv(readFileSync(join(PROJECT_ROOT, '.dev.vars'), 'utf8'));
  const keys = toSessionKeys(JWT_SECRET, null);
  // One number after another: of random ones two may be the same.
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

let rest: PooledPerson[] | undefined;

/** @returns somebody whom no other test has had, or undefined when nobody is left or the app has no pool. */
export function takeFromPool({ isAdmin }: { isAdmin: boolean }): Person | undefined {
  const folder = process.env.PATIKANA_STATE;
  if (!folder) return undefined;
  rest ??= readShare(folder);
  const at = rest.findIndex((person) => person.isAdmin === isAdmin);
  return at < 0 ? undefined : rest.splice(at, 1)[0];
}

function readShare(folder: string): PooledPerson[] {
  const people = JSON.parse(readFileSync(join(folder, FILE_NAME), 'utf8')) as PooledPerson[];
  const first = Number(process.env.TEST_WORKER_INDEX) * PEOPLE_OF_A_PROCESS;
  return people.slice(first, first + PEOPLE_OF_A_PROCESS);
}
