import type { HeartbeatJob, WhatsappJob } from '#contract/whatsapp.ts';

/** The id under which a job's message is claimed, however often the queue delivers it. */
export function messageIdOf(job: WhatsappJob): string {
  return job.kind === 'reset_code' ? job.requestId : job.messageId;
}

export function isHeartbeat(body: unknown): body is HeartbeatJob {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'heartbeat';
}

/** Whether this version of the Worker knows the job: during a rollout the queue may hold another version's. */
export function isWhatsappJob(body: unknown): body is WhatsappJob {
  if (typeof body !== 'object' || body === null || !('kind' in body)) return false;
  return body.kind === 'reset_code' || body.kind === 'community_decision';
}
