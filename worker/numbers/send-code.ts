import type { Language } from '#contract/language.ts';
import type { NumberCodeKind } from '#contract/whatsapp.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { newId } from '#worker/identity/ids.ts';
import { assertTurn, type Turns } from '#worker/limits/turns.ts';
import { deriveCode, queueCode } from '#worker/whatsapp/index.ts';
import { digestCode } from './code-rules.ts';
import { insertCode } from './code-store.ts';

type CodeRequest = {
  kind: NumberCodeKind;
  subject: string;
  number: string;
  language: Language;
  turns: Turns;
};

/** @throws AppError too_many_requests, or unavailable when the queue does not accept it. */
export async function sendCode(c: AppContext, { turns, ...request }: CodeRequest): Promise<void> {
  const { config, db } = c.var;
  const now = Date.now();
  const id = newId();
  const codeDigest = digestCode(config.keys.code, request, deriveCode(config.keys.code, id));
  assertTurn(await insertCode(db, { ...request, id, codeDigest }, turns, now), now);
  await queueCode(c.env, { kind: request.kind, requestId: id, language: request.language });
}
