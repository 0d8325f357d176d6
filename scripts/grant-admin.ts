import { emailKey } from '#worker/accounts/account-rules.ts';
import { parseOptions } from './command/parse-options.ts';
import { runScript, UserError } from './command/user-error.ts';
import { assertDatabase, whileLocked, withLocalDatabase } from './database/local-database.ts';
import { DEFAULT_STATE_FOLDER, resolveStateFolder } from './database/state-folder.ts';
import { queryRemoteDatabase } from './wrangler/run-wrangler.ts';

const USAGE = 'Usage: npm run grant-admin -- EMAIL [--persist-to DIR] [--remote]';

await runScript(async () => {
  const { values, positionals } = parseOptions({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      'persist-to': { type: 'string', default: DEFAULT_STATE_FOLDER },
      remote: { type: 'boolean', default: false },
    },
  });
  const [email, ...others] = positionals;
  if (!email?.includes('@') || others.length > 0) throw new UserError(USAGE);
  const granted = values.remote ? await grantRemotely(email) : await grantLocally(email, values['persist-to']);
  if (!granted) throw new UserError(`Nobody is registered with ${email}.`);
  console.log(`${granted} is a platform admin now.`);
});

/** @returns the email as its owner wrote it, or null when there is no such account. */
async function grantLocally(email: string, folder: string): Promise<string | null> {
  const stateFolder = resolveStateFolder(folder);
  assertDatabase(stateFolder);
  return withLocalDatabase(stateFolder, (db) =>
    whileLocked(() => db.prepare(grant('?')).bind(emailKey(email)).first<string>('email')),
  );
}

async function grantRemotely(email: string): Promise<string | null> {
  const key = emailKey(email);
  // The command line binds no values: inside quotes only a quote is special to SQLite.
  const [row] = await queryRemoteDatabase<{ email: string }>(grant(`'${key.replaceAll("'", "''")}'`));
  return row?.email ?? null;
}

function grant(key: string): string {
  return `UPDATE users SET is_platform_admin = 1 WHERE email_key = ${key} RETURNING email`;
}
