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
      // For admins who have lost their passkeys, so that they can add a first one again.
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

/** @returns the e-mail as its owner wrote it, or null if there is no such account. */
async function runLocally(statements: string[], email: string, folder: string): Promise<string | null> {
  const stateFolder = resolveStateFolder(folder);
  assertDatabase(stateFolder);
  return withLocalDatabase(stateFolder, async (db) => {
    let granted: string | null = null;
    // One by one, as each can be repeated: a transaction would block a running app for longer.
    for (const statement of statements) {
      granted = await whileLocked(() => db.prepare(statement).bind(emailKey(email)).first<string>('email'));
    }
    return granted;
  });
}

async function runRemotely(statements: string[], email: string): Promise<string | null> {
  // The command line cannot bind values. Inside quotes only a quote is special to SQLite.
  const key = `'${emailKey(email).replaceAll("'", "''")}'`;
  let row: { email: string } | undefined;
  for (const statement of statements) {
    [row] = await queryRemoteDatabase<{ email: string }>(statement.replace('?', () => key));
  }
  return row?.email ?? null;
}
