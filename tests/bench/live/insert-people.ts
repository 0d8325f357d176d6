import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { withLocalDatabase } from '#scripts/database/local-database.ts';
import type { Person } from '#tests/bench/kills/client.ts';
import { newId } from '#worker/identity/digests.ts';
import { signSessionToken, toSessionKeys } from '#worker/identity/session-token.ts';

const NUMBER_DIGITS = 8;

/** Inserts people with a proven number and a session into the database: hashing a thousand passwords takes minutes. */
export async function insertPeople(stateFolder: string, count: number): Promise<Person[]> {
  const rows = Array.from({ length: count }, (_, n) => {
    return { id: newId(), email: `mtu${n}@example.com`, number: `+2557${`${n}`.padStart(NUMBER_DIGITS, '0')}` };
  });
  await withLocalDatabase(stateFolder, async (db) => {
    const people = JSON.stringify(rows);
    const users = `
      insert into users (id, username, email, email_key, password_hash, created_at)
      select value ->> 'id', 'Mtu', value ->> 'email', value ->> 'email', '', ?2 from json_each(?1)`;
    const numbers = `
      insert into phone_numbers (number, user_id, proven_at)
      select value ->> 'number', value ->> 'id', ?2 from json_each(?1)`;
    await db.batch([users, numbers].map((statement) => db.prepare(statement).bind(people, Date.now())));
  });
  const { JWT_SECRET = '' } = parseEnv(readFileSync(join(PROJECT_ROOT, '.dev.vars'), 'utf8'));
  const keys = toSessionKeys(JWT_SECRET, null);
  return Promise.all(
    rows.map(async ({ id }) => ({
      id,
      token: await signSessionToken(keys, { userId: id, tokenVersion: 1, sessionId: crypto.randomUUID() }),
    })),
  );
}
