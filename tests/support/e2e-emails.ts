import { expect } from '@playwright/test';
import type { LocalEmail } from '#contract/email.ts';
import { callApi } from './e2e-people.ts';

/** The path of the link in the newest e-mail to the address, once so many have come. */
export async function confirmationLink(email: string, count: number): Promise<string> {
  const list = () => callApi<LocalEmail[]>('GET', `/api/dev/emails?to=${encodeURIComponent(email)}`);
  await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(count);
  return /\/confirm-email#\S+/.exec((await list())[0]?.text ?? '')?.[0] ?? '';
}
