import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { newPerson } from '#tests/worker/support/api.ts';
import { SETTLED } from '#tests/worker/support/deliver-job.ts';
import { deliverEmail, proveEmail, standInForEmail } from '#tests/worker/support/emails.ts';
import { deliverPush, put, standInForPush, subscriptionsOf } from '#tests/worker/support/push.ts';
import { notify } from '#tests/worker/support/telling.ts';
import { emailJob, newReachable, tellMatch, whatsappJob } from '#tests/worker/support/waiting.ts';
import { deliver, issueCode, readMessage, standInForMeta } from '#tests/worker/support/whatsapp.ts';
import type { Fault } from './fault.ts';

const DOWN_SECONDS = 600;
type Outcome = { isAcked: boolean; retryIn: number | null };

/** Tries as the queue does, until the outage is over. @returns how often, so that the next try is the first that succeeds. */
async function tryWhileDown(attempt: (attempts: number) => Promise<Outcome>): Promise<number> {
  let attempts = 0;
  for (let seconds = 0; seconds < DOWN_SECONDS; ) {
    const { isAcked, retryIn } = await attempt(++attempts);
    expect(isAcked).toBe(false);
    seconds += retryIn ?? 0;
  }
  return attempts;
}

async function forgetPauses(): Promise<void> {
  await env.DB.exec('delete from whatsapp_pauses');
}

export const OUTSIDE_FAULTS: Fault[] = [
  {
    part: 'Meta',
    fails: 'down for ten minutes, a code is due',
    seen: 'no message; a new code can be requested after five minutes',
    afterwards: 'an expired code is never sent: it becomes a dead letter',
    async tryIt() {
      const meta = standInForMeta();
      const { job } = await issueCode((await newPerson()).phone);
      meta.api.failNext({ html: 503 });
      expect((await deliver(meta.env, job)).isAcked).toBe(false);
      await env.DB.prepare('update reset_codes set issued_at = issued_at - ? where request_id = ?')
        .bind(DOWN_SECONDS * 1000, job.requestId)
        .run();
      expect(await deliver(meta.env, job, { attempts: 2 })).toEqual(SETTLED);
      expect(meta.api.accepted).toEqual([]);
    },
  },
  {
    part: 'Meta',
    fails: 'down for ten minutes, a notice is due',
    seen: 'the notice in the app; by WhatsApp when Meta is back',
    afterwards: 'one message',
    async tryIt() {
      await forgetPauses();
      const meta = standInForMeta({ WHATSAPP_APP_SECRET: 'x', WHATSAPP_MATCH_TEMPLATE: 'match_notice' });
      const person = await newReachable();
      const id = await tellMatch(person);
      const bring = (attempts: number) =>
        deliver(meta.env, whatsappJob(person, [id]), { queue: 'patikana-notice-whatsapp', attempts });
      const tries = await tryWhileDown((attempts) => {
        meta.api.failNext({ html: 503 });
        return bring(attempts);
      });
      expect(await bring(tries + 1)).toEqual(SETTLED);
      expect(await bring(tries + 2)).toEqual(SETTLED);
      expect(meta.api.accepted).toHaveLength(1);
      expect(await readMessage(id)).toMatchObject({ status: 'accepted' });
    },
  },
  {
    part: 'push services',
    fails: 'down for ten minutes',
    seen: 'the notice in the app; on the phone when the service is back',
    afterwards: 'one push, and the subscription is kept',
    async tryIt() {
      const { service, env: bindings } = standInForPush();
      const person = await newPerson();
      const browser = service.subscribe();
      await put(browser, person);
      const noticeId = await notify({ ...person, tokenVersion: 1 }, { your_post_id: '', post_id: 'ya-mwingine' });
      const [subscription] = await subscriptionsOf(person);
      const job = {
        kind: 'push' as const,
        userId: person.id,
        noticeId,
        subscriptionId: subscription?.id ?? '',
        isSilent: false,
      };
      const tries = await tryWhileDown((attempts) => {
        service.answers.push({ status: 503 });
        return deliverPush(bindings, job, { attempts });
      });
      expect(await deliverPush(bindings, job, { attempts: tries + 1 })).toEqual(SETTLED);
      expect(browser.heard.map(({ message }) => message.id)).toEqual([noticeId]);
      expect(await subscriptionsOf(person)).toHaveLength(1);
    },
  },
  {
    part: 'e-mail',
    fails: 'down for ten minutes',
    seen: 'the notice in the app; by e-mail when it is back',
    afterwards: 'one e-mail, and the address is still proven',
    async tryIt() {
      const platform = standInForEmail();
      const person = await newReachable();
      await proveEmail(person);
      const job = emailJob(person, [await tellMatch(person)]);
      const tries = await tryWhileDown((attempts) => {
        platform.failNext(null);
        return deliverEmail(platform.env, job, { attempts });
      });
      expect(await deliverEmail(platform.env, job, { attempts: tries + 1 })).toEqual(SETTLED);
      expect(platform.sent.map(({ to }) => to)).toEqual([person.email]);
    },
  },
];
