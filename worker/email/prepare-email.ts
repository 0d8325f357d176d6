import type { EmailJob, EmailLinkJob, NoticeEmailJob } from '#contract/notice-jobs.ts';
import type { Db } from '#worker/db/client.ts';
import type { Config, Env } from '#worker/env.ts';
import { readWaiting } from '#worker/notices/index.ts';
import { composeConfirmation, composeNotice } from './email-rules.ts';
import { toToken } from './link-rules.ts';
import { findLink, findRecipient, type Message } from './store.ts';
import { toUnsubscribing } from './unsubscribe-rules.ts';

type Ground = { env: Env; db: Db; config: Config };

/** The id under which a job's e-mail is taken up, however often the queue delivers it. */
export function messageIdOf(job: EmailJob): string {
  return job.kind === 'confirm_email' ? job.linkId : job.messageId;
}

/** @returns the e-mail that a job stands for by now, or null when there is nothing to be sent any more. */
export function prepareEmail(ground: Ground, job: EmailJob, now: number): Promise<Message | null> {
  return job.kind === 'confirm_email' ? prepareConfirmation(ground, job, now) : prepareNotice(ground, job);
}

async function prepareConfirmation({ db, config }: Ground, { linkId }: EmailLinkJob, now: number) {
  const link = await findLink(db, linkId, now);
  if (!link) return null;
  const { id: recipientId, ...addressed } = link;
  const email = composeConfirmation({ ...addressed, id: linkId }, toToken(config.keys.code, linkId));
  return { id: linkId, recipientId, email };
}

async function prepareNotice({ env, db, config }: Ground, job: NoticeEmailJob): Promise<Message | null> {
  const { messageId: id, userId, language } = job;
  const recipient = await findRecipient(db, userId);
  const waiting = recipient && (await readWaiting(env, db, job));
  if (!waiting) return null;
  const { to, origin } = recipient;
  const email = composeNotice({
    id,
    to,
    origin,
    language,
    kind: waiting.isMatch ? 'match_notice' : 'claim_notice',
    title: waiting.title,
    waiting: waiting.waiting,
    unsubscribing: toUnsubscribing(config.keys.code, { userId, email: to }),
  });
  return { id, recipientId: userId, email };
}
