import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import type { LocalEmail } from '#contract/channels.ts';
import type { EmailJob } from '#contract/jobs.ts';
import { consumeDeadEmails, consumeEmails } from '#worker/email/send-email.ts';
import type { Env } from '#worker/env.ts';
import { type Caller, call } from './api.ts';
import { deliverJob } from './mortal-env.ts';

export async function listEmails(to: string): Promise<LocalEmail[]> {
  const answer = await call('GET', `/api/dev/emails?to=${encodeURIComponent(to)}`);
  expect(answer.status).toBe(200);
  return answer.json<LocalEmail[]>();
}

/** Waits for this many e-mails to an address, and returns them newest first. */
export function waitForEmails(to: string, count = 1): Promise<LocalEmail[]> {
  return vi.waitFor(
    async () => {
      const emails = await listEmails(to);
      expect(emails.length).toBeGreaterThanOrEqual(count);
      return emails;
    },
    { timeout: 10_000, interval: 50 },
  );
}

export function linkIn({ text }: LocalEmail): URL {
  return new URL(/https?:\S+\/confirm-email#\S+/.exec(text)?.[0] ?? 'no:link');
}

export function tokenIn(email: LocalEmail): string {
  return linkIn(email).hash.slice(1);
}

export function confirm(token: unknown): Promise<Response> {
  return call('POST', '/api/auth/confirm-email', { token });
}

export function askForLink(person: Caller & { password: string }, email: string, current_password = person.password) {
  return call('POST', '/api/me/email', { email, current_password }, person);
}

/** Marks the person's address as proven. */
export async function proveEmail({ id }: { id: string }, origin = 'https://patikana.test'): Promise<void> {
  await env.DB.prepare('update users set email_proven_at = 1, email_origin = ? where id = ?').bind(origin, id).run();
}

export type SentEmail = Parameters<SendEmail['send']>[0] & EmailMessageBuilder;

/** Bindings of a Worker that sends e-mails to a stand-in for the platform, which records them. */
export function standInForEmail(vars: Record<string, unknown> = {}) {
  const sent: SentEmail[] = [];
  const deadLetters: EmailJob[] = [];
  const faults: (string | null)[] = [];
  const EMAIL = {
    async send(email: SentEmail) {
      const fault = faults.shift();
      // Like the platform's error, whose message repeats the address.
      if (fault !== undefined)
        throw Object.assign(new Error(`refused: ${email.to}`), fault !== null && { code: fault });
      sent.push(email);
      return { messageId: crypto.randomUUID() };
    },
  };
  const bindings = {
    ...env,
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_PHONE_NUMBER_ID: '1',
    WHATSAPP_ACCESS_TOKEN: 'a-token',
    EMAIL_FROM: 'habari@patikana.test',
    EMAIL,
    EMAIL_DEAD_QUEUE: {
      async send(job: EmailJob) {
        deadLetters.push(job);
      },
    },
    ...vars,
  } as unknown as Env;
  /** The next e-mails are refused with these codes, one each; null is an error without a code. */
  const failNext = (...codes: (string | null)[]) => void faults.push(...codes);
  return { env: bindings, sent, deadLetters, failNext };
}

/** @see deliverJob */
export function deliverEmail(bindings: Env, job: unknown, { attempts = 1, isDead = false } = {}) {
  const queue = isDead ? 'patikana-email-dead' : 'patikana-email';
  const consume = isDead ? consumeDeadEmails : consumeEmails;
  return deliverJob({ queue, job: job as EmailJob, attempts, consume: (batch) => consume(batch, bindings) });
}
