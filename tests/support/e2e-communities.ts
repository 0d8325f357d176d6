import type { CreatedCommunity } from '#contract/communities.ts';
import { callApi, type Person } from './e2e-people.ts';
import { grantAdmin } from './grant-admin.ts';

/** Somebody new who runs the platform. */
export async function newAdmin(person: () => Promise<Person>): Promise<Person> {
  const admin = await person();
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
