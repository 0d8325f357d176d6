import type { EmailJob, EmailLinkJob, NoticeEmailJob } from '#contract/notice-jobs.ts';
import type { Db } from '#worker/db/client.ts';
import type { Config, Env } from '#worker/env.ts';
import { lookAgain } from '#worker/reach/index.ts';
import { composeConfirmation, composeNotice } from './email-rules.ts';
import { toToken } from './link-rules.ts';
import { findLink, findRecipient, type Message } from './store.ts';
import { toUnsubscribing } from './unsubscribe-rules.ts';

type Context = { env: Env; db: Db; config: Config };

/** The id of a job's e-mail, the same for every delivery by the queue. */
export function messageIdOf(job: EmailJob): string {
  return job.kind === 'confirm_email' ? job.linkId : job.messageId;
}

/** What has to be done about a job at this moment. */
type Prepared = { step: 'send'; message: Message } | { step: 'hold'; until: number } | { step: 'drop' };

const DROP: Prepared = { step: 'drop' };

export function prepareEmail(context: Context, job: EmailJob, now: number): Promise<Prepared> {
  return job.kind === 'confirm_email' ? prepareConfirmation(context, job, now) : prepareNotice(context, job, now);
}

async function prepareConfirmation({ db, config }: Context, { linkId }: EmailLinkJob, now: number): Promise<Prepared> {
  const link = await findLink(db, linkId, now);
  if (!link) return DROP;
  const { id: recipientId, ...addressed } = link;
  const email = composeConfirmation({ ...addressed, id: linkId }, toToken(config.keys.code, linkId));
  return { step: 'send', message: { id: linkId, recipientId, email, noticeIds: [] } };
}

async function prepareNotice(context: Context, job: NoticeEmailJob, now: number): Promise<Prepared> {
  const { messageId: id, userId, language } = job;
  const recipient = await findRecipient(context.db, userId);
  if (!recipient) return DROP;
  const look = await lookAgain(context, job, now);
  if (look.step !== 'send') return look;
  const { isMatch, claimId, title, waiting, noticeIds } = look.about;
  const { to, origin } = recipient;
  const unsubscribing = toUnsubscribing(context.config.keys.code, { userId, email: to });
  const kind = isMatch ? 'match_notice' : 'claim_notice';
  const email = composeNotice({ id, to, origin, language, kind, claimId, title, waiting, unsubscribing });
  return { step: 'send', message: { id, recipientId: userId, email, noticeIds } };
}
