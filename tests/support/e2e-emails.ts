import { expect } from '@playwright/test';
import type { LocalEmail } from '#contract/email.ts';
import { callApi } from './e2e-people.ts';

/** The path of the link in the newest e-mail to the address that has one, once it has come. */
export async function confirmationLink(email: string): Promise<string> {
  const find = async () => {
    const emails = await callApi<LocalEmail[]>('GET', `/api/dev/emails?to=${encodeURIComponent(email)}`);
    return emails.map(({ text }) => /\/confirm-email#\S+/.exec(text)?.[0]).find(Boolean) ?? '';
  };
  await expect.poll(find, { timeout: 20_000 }).not.toBe('');
  return find();
}
