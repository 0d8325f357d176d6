import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';
import { grantAdmin } from '#scripts/grant-admin.ts';
import { type OpenDatabase, openDatabase } from '#tests/support/open-database.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let folder: string;
let database: OpenDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patikana-grant-admin-'));
  await prepareDatabase(folder, { isEmpty: true });
  database = await openDatabase(folder);
  await query(
    "INSERT INTO users (id, username, email, email_key, password_hash, created_at) VALUES ('asha', 'Asha', 'Asha@example.com', 'asha@example.com', '', 1), ('juma', 'Juma', 'juma@example.com', 'juma@example.com', '', 1)",
  );
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const query = (statement: string) => database.query(statement);

/** Runs the command in this process. @returns what it prints. */
async function change(...args: string[]): Promise<string> {
  const print = vi.spyOn(console, 'log').mockReturnValue();
  await grantAdmin([...args, '--persist-to', folder]);
  return print.mock.lastCall?.join() ?? '';
}

const listAdmins = () => query('SELECT id FROM users WHERE is_platform_admin AND platform_admin_since > 1 ORDER BY id');
const listLog = () => query('SELECT actor_id, action, target_type, target_id FROM moderation_log ORDER BY rowid');
const logged = (action: string, target_id: string) => ({ actor_id: null, action, target_type: 'user', target_id });

test('grant-admin makes an admin, revokes an admin, and refuses to revoke the last admin', async () => {
  expect(await change('ASHA@example.com')).toBe('Asha@example.com is a platform admin now.');
  await change('asha@example.com');
  expect(await listLog()).toEqual([logged('grant_admin', 'asha')]);
  const refusal =
    'Asha@example.com is the last platform admin who is not suspended. Make somebody else a platform admin first.';
  await expect(change('asha@example.com', '--revoke')).rejects.toThrow(refusal);
  await change('juma@example.com');
  await query("UPDATE users SET suspended_at = 1 WHERE id = 'juma'");
  await expect(change('asha@example.com', '--revoke')).rejects.toThrow(refusal);
  expect(await listAdmins()).toEqual([{ id: 'asha' }, { id: 'juma' }]);
  await query("UPDATE users SET suspended_at = NULL WHERE id = 'juma'");
  expect(await change('asha@example.com', '--revoke')).toBe('Asha@example.com is not a platform admin now.');
  await change('asha@example.com', '--revoke');
  expect(await listAdmins()).toEqual([{ id: 'juma' }]);
  expect(await listLog()).toEqual([
    logged('grant_admin', 'asha'),
    logged('grant_admin', 'juma'),
    logged('revoke_admin', 'asha'),
  ]);
});

test('grant-admin refuses an unknown account with a one-line message, and refuses contradictory options', async () => {
  const command = ['scripts/grant-admin.ts', 'nobody@example.com', '--persist-to', folder];
  await expect(promisify(execFile)(process.execPath, command, { cwd: PROJECT_ROOT })).rejects.toMatchObject({
    code: 1,
    stderr: 'Nobody is registered with nobody@example.com.\n',
  });
  await expect(change('asha@example.com', '--revoke', '--reset-passkeys')).rejects.toThrow('Usage');
});

test('grant-admin --reset-passkeys deletes all passkeys of the admin, and no passkeys of other people', async () => {
  await query(
    "INSERT INTO passkeys (id, user_id, public_key, counter, transports, created_at) VALUES ('lost', 'asha', '', 0, '[]', 1), ('spare', 'asha', '', 0, '[]', 1), ('of Juma', 'juma', '', 0, '[]', 1)",
  );
  expect(await change('asha@example.com', '--reset-passkeys')).toBe(
    'Asha@example.com is a platform admin now, without a passkey.',
  );
  expect(await query('SELECT id FROM passkeys')).toEqual([{ id: 'of Juma' }]);
});
