import type { Env } from '#worker/env.ts';

/** Queues a message; `GET /api/health` checks that such messages arrive. */
export async function sendHeartbeat({ WHATSAPP_QUEUE }: Pick<Env, 'WHATSAPP_QUEUE'>): Promise<void> {
  await WHATSAPP_QUEUE.send({ kind: 'heartbeat' }, { contentType: 'json' });
}
