import { emailKey } from '#worker/identity/email-key.ts';
import { parseOptions } from './command/parse-options.ts';
import { runScript, UserError } from './command/user-error.ts';
import { assertDatabase, whileLocked, withLocalDatabase } from './database/local-database.ts';
import { DEFAULT_STATE_FOLDER, resolveStateFolder } from './database/state-folder.ts';
import { queryRemoteDatabase } from './wrangler/run-wrangler.ts';

const USAGE = 'Usage: npm run grant-admin -- EMAIL [--reset-passkeys] [--persist-to DIR] [--remote]';

const GRANT = 'UPDATE users SET is_platform_admin = 1 WHERE email_key = ? RETURNING email';
const RESET_PASSKEYS = ['step_ups', 'passkey_challenges', 'passkeys'].map(
  (table) => `DELETE FROM ${table} WHERE user_id = (SELECT id FROM users WHERE email_key = ?)`,
);

await runScript(async () => {
  const { values, positionals } = parseOptions({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      'persist-to': { type: 'string', default: DEFAULT_STATE_FOLDER },
      remote: { type: 'boolean', default: false },
      // For an admin whose passkeys are lost: they add a first one anew.
      'reset-passkeys': { type: 'boolean', default: false },
    },
  });
  const [email, ...others] = positionals;
  if (!email?.includes('@') || others.length > 0) throw new UserError(USAGE);
  const statements = values['reset-passkeys'] ? [...RESET_PASSKEYS, GRANT] : [GRANT];
  const granted = values.remote
    ? await runRemotely(statements, email)
    : await runLocally(statements, email, values['persist-to']);
  if (!granted) throw new UserError(`Nobody is registered with ${email}.`);
  console.log(`${granted} is a platform admin now${values['reset-passkeys'] ? ', without a passkey' : ''}.`);
});

/** @returns the email as its owner wrote it, or null when there is no such account. */
async function runLocally(statements: string[], email: string, folder: string): Promise<string | null> {
  const stateFolder = resolveStateFolder(folder);
  assertDatabase(stateFolder);
  return withLocalDatabase(stateFolder, async (db) => {
    let granted: string | null = null;
    // One by one, each may be repeated: a transaction would keep a running app waiting for longer.
    for (const statement of statements) {
      granted = await whileLocked(() => db.prepare(statement).bind(emailKey(email)).first<string>('email'));
    }
    return granted;
  });
}

async function runRemotely(statements: string[], email: string): Promise<string | null> {
  // The command line binds no values: inside quotes only a quote is special to SQLite.
  const key = `'${emailKey(email).replaceAll("'", "''")}'`;
  let row: { email: string } | undefined;
  for (const statement of statements) {
    [row] = await queryRemoteDatabase<{ email: string }>(statement.replace('?', () => key));
  }
  return row?.email ?? null;
}
