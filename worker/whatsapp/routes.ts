import { Hono } from 'hono';
import { receiveProof } from '#worker/accounts/prove-by-message.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { readBody } from '#worker/http/validate.ts';
import { isSameText } from '#worker/identity/digests.ts';
import { judgeFailure } from './failures.ts';
import { receiveWord } from './hear-word.ts';
import { isSignedByMeta, readReports, readTexts, recordReports } from './webhook.ts';

const PAYLOAD_MAX_BYTES = 3 * 1024 * 1024;

/**
 * Receives delivery reports and incoming messages. Meta delivers each of them again for days until the response is 200.
 */
export const whatsappRoutes = new Hono<AppEnv>()
  .get('/webhook', (c) => {
    const { verifyToken } = c.var.config.whatsapp;
    if (verifyToken === null) throw new AppError('not_found');
    const isMeta = isSameText(c.req.query('hub.verify_token') ?? '', verifyToken);
    if (c.req.query('hub.mode') !== 'subscribe' || !isMeta) throw new AppError('forbidden');
    return c.text(c.req.query('hub.challenge') ?? '');
  })
  .post('/webhook', readBody(PAYLOAD_MAX_BYTES), async (c) => {
    const { appSecret } = c.var.config.whatsapp;
    if (appSecret === null) throw new AppError('not_found');
    const body = new Uint8Array(await c.req.arrayBuffer());
    if (!isSignedByMeta(appSecret, body, c.req.header('X-Hub-Signature-256'))) throw new AppError('forbidden');
    const payload = parseJson(body);
    const reports = readReports(payload);
    await recordReports(c.var.db, reports, Date.now());
    for (const text of readTexts(payload)) {
      await receiveProof(c.var.db, c.var.config, text, Date.now());
      await receiveWord(c.env, c.var.db, text, Date.now());
    }
    for (const { status, errorCode } of reports) if (status === 'failed') logFailure(errorCode);
    return c.json({ success: true });
  });

function logFailure(errorCode: number | null): void {
  const level = judgeFailure({ code: errorCode, httpStatus: null }) === 'stop' ? 'error' : 'warn';
  log[level]('whatsapp_not_delivered', { error_code: errorCode });
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new AppError('malformed_json');
  }
}
