import type { CreatedCommunity } from '#contract/communities.ts';
import type { NoticeList } from '#contract/notices.ts';
import { callApi, type Person, registerPerson } from './e2e-people.ts';
import { takeFromPool } from './e2e-pool.ts';
import { grantAdmin } from './grant-admin.ts';

/** Somebody new who runs the platform, and has read what came before they were needed. */
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

/** A community that waits for its approval. */
export function newCommunity(creator: Person, name: string): Promise<CreatedCommunity> {
  return callApi('POST', '/api/communities', { body: { name }, token: creator.token });
}

/** The picture of the code that its admin prints. */
export async function readQrCode({ token }: Person, communityId: string): Promise<Buffer> {
  const answer = await callApi<{ qr_code: string }>('GET', `/api/communities/${communityId}/qrcode/base64`, { token });
  return Buffer.from(answer.qr_code, 'base64');
}
