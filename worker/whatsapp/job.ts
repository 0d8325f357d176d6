import { type CodeJob, type HeartbeatJob, NUMBER_CODE_KINDS, type WhatsappJob } from '#contract/whatsapp.ts';

const CODE_KINDS: readonly string[] = ['reset_code', ...NUMBER_CODE_KINDS];
const LETTER_KINDS: readonly string[] = ['community_decision', 'match_notice', 'stopped', 'started'];

/** One delivery of a job by the queue. */
export type Delivery = { job: WhatsappJob; attempt: number; queuedAt: number };

/** The id of a job's message, the same for every delivery by the queue. */
export function messageIdOf(job: WhatsappJob): string {
  return isCodeJob(job) ? job.requestId : job.messageId;
}

export function isCodeJob(job: WhatsappJob): job is CodeJob {
  return isCode(job.kind);
}

/** Whether a message of the kind carries a code. */
export function isCode(kind: string): boolean {
  return CODE_KINDS.includes(kind);
}

/** Whether it is a code for a number rather than for an account. */
export function isNumberCode(kind: string): boolean {
  return NUMBER_CODE_KINDS.some((known) => known === kind);
}

export function isHeartbeat(body: unknown): body is HeartbeatJob {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'heartbeat';
}

/** Whether this version of the Worker knows the job: during a rollout the queue may contain another version's. */
export function isWhatsappJob(body: unknown): body is WhatsappJob {
  if (typeof body !== 'object' || body === null || !('kind' in body)) return false;
  const { kind } = body;
  return typeof kind === 'string' && (isCode(kind) || LETTER_KINDS.includes(kind));
}
