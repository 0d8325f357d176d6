import type { SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import type { LoggedAction } from '#contract/moderation.ts';
import { isMain, parseOptions, runScript, UserError } from '#scripts/command/command.ts';
import { DEFAULT_STATE_FOLDER, resolveStateFolder } from '#scripts/dev/options.ts';
import { IS_DISPENSABLE } from '#worker/conditions/people.ts';
import { emailKey, newId } from '#worker/identity/digests.ts';
import { assertDatabase, whileLocked, withLocalDatabase } from './database/local-database.ts';
import { queryRemoteDatabase } from './wrangler/run-wrangler.ts';

const USAGE =
  'Usage: npm run grant-admin -- EMAIL [--revoke] [--reset-passkeys] [--persist-to DIR] [--remote], with one of the first two at most';

type Account = { email: string; is_platform_admin: 0 | 1 };

// `?1` is the e-mail in lower case, as the column `email_key` stores it.
const ACCOUNT = 'SELECT email, is_platform_admin FROM users WHERE email_key = ?1';
const RESET_PASSKEYS = ['step_ups', 'passkey_challenges', 'passkeys'].map(
  (table) => `DELETE FROM ${table} WHERE user_id = (SELECT id FROM users WHERE email_key = ?1)`,
);

function grant(now: number): string[] {
  const isDue = 'u.email_key = ?1 AND NOT u.is_platform_admin';
  return [
    log('grant_admin', isDue, now),
    `UPDATE users AS u SET is_platform_admin = 1, platform_admin_since = ${now} WHERE ${isDue}`,
  ];
}

/** Revokes the role, unless the person is the last admin who is not suspended. */
function revoke(now: number): string[] {
  const isDue = `u.email_key = ?1 AND u.is_platform_admin AND ${toText(IS_DISPENSABLE)}`;
  return [
    log('revoke_admin', isDue, now),
    `DELETE FROM step_ups WHERE user_id IN (SELECT u.id FROM users u WHERE ${isDue})`,
    `UPDATE users AS u SET is_platform_admin = 0, platform_admin_since = NULL WHERE ${isDue}`,
  ];
}

function log(action: LoggedAction, isDue: string, now: number): string {
  return `INSERT INTO moderation_log (id, actor_id, action, target_type, target_id, created_at)
    SELECT '${newId()}', NULL, '${action}', 'user', u.id, ${now} FROM users u WHERE ${isDue}`;
}

function toText(condition: SQL): string {
  return new SQLiteSyncDialect().sqlToQuery(condition).sql;
}

if (isMain(import.meta)) await runScript(() => grantAdmin(process.argv.slice(2)));

/**
 * Grants or revokes a person's role of platform admin, as the command's arguments say.
 * @throws UserError if nobody is registered with the e-mail, or if the command would revoke the role of the last
 * unsuspended admin.
 */
export async function grantAdmin(args: string[]): Promise<void> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      'persist-to': { type: 'string', default: DEFAULT_STATE_FOLDER },
      remote: { type: 'boolean', default: false },
      revoke: { type: 'boolean', default: false },
      // Deletes all passkeys of an admin who has lost them. The admin can then add a new passkey with the password.
      'reset-passkeys': { type: 'boolean', default: false },
    },
  });
  const [email, ...others] = positionals;
  const isReset = values['reset-passkeys'];
  if (!email?.includes('@') || others.length > 0 || (values.revoke && isReset)) throw new UserError(USAGE);
  const now = Date.now();
  const changes = values.revoke ? revoke(now) : [...(isReset ? RESET_PASSKEYS : []), ...grant(now)];
  const statements = [...changes, ACCOUNT];
  const account = values.remote
    ? await runRemotely(statements, email)
    : await runLocally(statements, email, values['persist-to']);
  if (!account) throw new UserError(`Nobody is registered with ${email}.`);
  if (!values.revoke) console.log(`${account.email} is a platform admin now${isReset ? ', without a passkey' : ''}.`);
  else if (account.is_platform_admin === 0) console.log(`${account.email} is not a platform admin now.`);
  else
    throw new UserError(
      `${account.email} is the last platform admin who is not suspended. Make somebody else a platform admin first.`,
    );
}

/** Runs the statements in one transaction. @returns the account, or undefined if there is none. */
async function runLocally(statements: string[], email: string, folder: string): Promise<Account | undefined> {
  const stateFolder = resolveStateFolder(folder);
  assertDatabase(stateFolder);
  return withLocalDatabase(stateFolder, async (db) => {
    const bound = statements.map((statement) => db.prepare(statement).bind(emailKey(email)));
    const results = await whileLocked(() => db.batch<Account>(bound));
    return results.at(-1)?.results[0];
  });
}

async function runRemotely(statements: string[], email: string): Promise<Account | undefined> {
  // Wrangler's command line cannot bind values, so the e-mail becomes an SQL string. In an SQL string, only the quote
  // character is special.
  const key = `'${emailKey(email).replaceAll("'", "''")}'`;
  const [account] = await queryRemoteDatabase<Account>(statements.join('; ').replaceAll('?1', () => key));
  return account;
}
