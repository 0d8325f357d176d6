import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CreatedCommunity } from '#contract/communities.ts';
import type { NoticeList } from '#contract/notices.ts';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { takeFromPool } from './e2e-fixtures.ts';
import { callApi, type Person, registerPerson } from './e2e-people.ts';

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

/** Returns the picture of the code that the admin prints. */
export async function readQrCode({ token }: Person, communityId: string): Promise<Buffer> {
  const answer = await callApi<{ qr_code: string }>('GET', `/api/communities/${communityId}/qrcode/base64`, { token });
  return Buffer.from(answer.qr_code, 'base64');
}

/** Makes the person a platform admin of the running app, with the command from the README. */
export async function grantAdmin({ email }: Person, more: string[] = []): Promise<void> {
  const folder = process.env.PATIKANA_STATE;
  const options = folder ? ['--persist-to', folder] : [];
  // Asynchronous: a blocked process would not notice connections that the app closes, and reuse them.
  await promisify(execFile)(process.execPath, ['scripts/grant-admin.ts', email, ...options, ...more], {
    cwd: PROJECT_ROOT,
  });
}
