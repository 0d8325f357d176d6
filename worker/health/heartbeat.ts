import type { Env } from '#worker/env.ts';

/** Sends the queue the message whose arrival `GET /api/health` waits for. */
export async function sendHeartbeat({ WHATSAPP_QUEUE }: Pick<Env, 'WHATSAPP_QUEUE'>): Promise<void> {
  await WHATSAPP_QUEUE.send({ kind: 'heartbeat' }, { contentType: 'json' });
}
