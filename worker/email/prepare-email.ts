import type { EmailJob, EmailLinkJob, NoticeEmailJob } from '#contract/notice-jobs.ts';
import type { Db } from '#worker/db/client.ts';
import type { Config, Env } from '#worker/env.ts';
import { lookAgain } from '#worker/reach/index.ts';
import { composeConfirmation, composeNotice } from './email-rules.ts';
import { toToken } from './link-rules.ts';
import { findLink, findRecipient, type Message } from './store.ts';
import { toUnsubscribing } from './unsubscribe-rules.ts';

type Ground = { env: Env; db: Db; config: Config };

/** The id under which a job's e-mail is taken up, however often the queue delivers it. */
export function messageIdOf(job: EmailJob): string {
  return job.kind === 'confirm_email' ? job.linkId : job.messageId;
}

/** The e-mail that a job stands for by now. */
export type Prepared = { step: 'send'; message: Message } | { step: 'hold'; until: number } | { step: 'drop' };

const DROP: Prepared = { step: 'drop' };

export function prepareEmail(ground: Ground, job: EmailJob, now: number): Promise<Prepared> {
  return job.kind === 'confirm_email' ? prepareConfirmation(ground, job, now) : prepareNotice(ground, job, now);
}

async function prepareConfirmation({ db, config }: Ground, { linkId }: EmailLinkJob, now: number): Promise<Prepared> {
  const link = await findLink(db, linkId, now);
  if (!link) return DROP;
  const { id: recipientId, ...addressed } = link;
  const email = composeConfirmation({ ...addressed, id: linkId }, toToken(config.keys.code, linkId));
  return { step: 'send', message: { id: linkId, recipientId, email, noticeIds: [] } };
}

async function prepareNotice(ground: Ground, job: NoticeEmailJob, now: number): Promise<Prepared> {
  const { messageId: id, userId, language } = job;
  const recipient = await findRecipient(ground.db, userId);
  if (!recipient) return DROP;
  const look = await lookAgain(ground, job, now);
  if (look.step !== 'send') return look;
  const { isMatch, claimId, title, waiting, noticeIds } = look.about;
  const { to, origin } = recipient;
  const unsubscribing = toUnsubscribing(ground.config.keys.code, { userId, email: to });
  const kind = isMatch ? 'match_notice' : 'claim_notice';
  const email = composeNotice({ id, to, origin, language, kind, claimId, title, waiting, unsubscribing });
  return { step: 'send', message: { id, recipientId: userId, email, noticeIds } };
}
