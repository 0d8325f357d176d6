import type { NoticeEmailJob, NoticeWhatsappJob } from '#contract/notice-jobs.ts';
import { getUserChannel } from '#durable/get-user-channel.ts';
import { decide, endOfQuiet } from '#durable/telling.ts';
import type { Db } from '#worker/db/client.ts';
import type { Config, Env } from '#worker/env.ts';
import { readWaiting, type WaitingNotices } from '#worker/notices/index.ts';
import { readReach } from './reach-store.ts';

type Context = { env: Env; db: Db; config: Config };

/** What to do with a message now, as it may have waited in its queue for hours. */
export type Look = { step: 'send'; about: WaitingNotices } | { step: 'hold'; until: number } | { step: 'drop' };

const DROP: Look = { step: 'drop' };

/**
 * Applies the table of `durable/telling.ts` again, right before a message is sent: since it was queued its notices may
 * have been read, the person may have switched the channel off, or quiet hours may have begun.
 */
export async function lookAgain(
  { env, db, config }: Context,
  { kind, userId, noticeIds: asked, waiting }: NoticeWhatsappJob | NoticeEmailJob,
  now: number,
): Promise<Look> {
  const channel = kind === 'notice' ? 'email' : 'whatsapp';
  const noticeIds = await getUserChannel(env, userId).listWaiting(asked);
  const reach = noticeIds.length === 0 ? null : await readReach(db, config, { userId, noticeIds });
  if (reach === null) return DROP;
  // Its turn came, and it was counted for the day, before it was queued: hence `now` and 0.
  const steps = noticeIds.map((messageId) => ({
    messageId,
    ...decide({ messageId, channel, dueAt: now, isHeld: false }, reach, config.telling, 0, now),
  }));
  if (steps.some(({ step }) => step === 'hold'))
    return { step: 'hold', until: endOfQuiet(reach.quietHours, now) ?? now };
  const due = steps.filter(({ step }) => step === 'send').map(({ messageId }) => messageId);
  if (due.length === 0) return DROP;
  const about = await readWaiting(db, { userId, noticeIds: due, waiting: waiting - asked.length + due.length });
  return about === null ? DROP : { step: 'send', about };
}
