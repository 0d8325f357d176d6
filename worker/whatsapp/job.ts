import {
  type CodeJob,
  type HeartbeatJob,
  NUMBER_CODE_KINDS,
  type QueueJob,
  type WhatsappJob,
} from '#contract/whatsapp.ts';

const CODE_KINDS: readonly string[] = ['reset_code', ...NUMBER_CODE_KINDS];

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

export function isHeartbeat(job: QueueJob): job is HeartbeatJob {
  return job.kind === 'heartbeat';
}
