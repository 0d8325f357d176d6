import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { withLocalDatabase } from '#scripts/database/local-database.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patikana-grant-admin-'));
  await prepareDatabase(folder, { isEmpty: true });
  await query(
    "INSERT INTO users (id, username, email, email_key, password_hash, created_at) VALUES ('asha', 'Asha', 'Asha@example.com', 'asha@example.com', '', 1), ('juma', 'Juma', 'juma@example.com', 'juma@example.com', '', 1)",
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function query(statement: string): Promise<unknown[]> {
  return withLocalDatabase(folder, async (db) => (await db.prepare(statement).all()).results);
}

async function grantAdmin(...args: string[]): Promise<string> {
  const command = ['scripts/grant-admin.ts', ...args, '--persist-to', folder];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: PROJECT_ROOT });
  return stdout;
}

const listAdmins = () => query('SELECT id FROM users WHERE is_platform_admin AND platform_admin_since > 1 ORDER BY id');
const listLog = () => query('SELECT actor_id, action, target_type, target_id FROM moderation_log ORDER BY rowid');
const logged = (action: string, target_id: string) => ({ actor_id: null, action, target_type: 'user', target_id });

test('grant-admin makes an admin, revokes an admin, and refuses to revoke the last admin', async () => {
  expect(await grantAdmin('ASHA@example.com')).toBe('Asha@example.com is a platform admin now.\n');
  await grantAdmin('asha@example.com');
  expect(await listLog()).toEqual([logged('grant_admin', 'asha')]);
  const refused = {
    code: 1,
    stderr:
      'Asha@example.com is the last platform admin who is not suspended. Make somebody else a platform admin first.\n',
  };
  await expect(grantAdmin('asha@example.com', '--revoke')).rejects.toMatchObject(refused);
  await grantAdmin('juma@example.com');
  await query("UPDATE users SET suspended_at = 1 WHERE id = 'juma'");
  await expect(grantAdmin('asha@example.com', '--revoke')).rejects.toMatchObject(refused);
  expect(await listAdmins()).toEqual([{ id: 'asha' }, { id: 'juma' }]);
  await query("UPDATE users SET suspended_at = NULL WHERE id = 'juma'");
  expect(await grantAdmin('asha@example.com', '--revoke')).toBe('Asha@example.com is not a platform admin now.\n');
  await grantAdmin('asha@example.com', '--revoke');
  expect(await listAdmins()).toEqual([{ id: 'juma' }]);
  expect(await listLog()).toEqual([
    logged('grant_admin', 'asha'),
    logged('grant_admin', 'juma'),
    logged('revoke_admin', 'asha'),
  ]);
});

test('grant-admin refuses an unknown account with a one-line message, and refuses contradictory options', async () => {
  await expect(grantAdmin('nobody@example.com')).rejects.toMatchObject({
    code: 1,
    stderr: 'Nobody is registered with nobody@example.com.\n',
  });
  await expect(grantAdmin('asha@example.com', '--revoke', '--reset-passkeys')).rejects.toMatchObject({ code: 1 });
});
