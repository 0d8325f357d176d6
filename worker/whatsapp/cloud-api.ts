import * as z from 'zod/mini';
import type { Config } from '#worker/env.ts';
import type { OutgoingMessage } from './compose-message.ts';
import type { SendFailure } from './failures.ts';

export type SendResult =
  /** Meta has accepted the message, and later reports the delivery to our webhook under the message id `wamid`. */
  { wamid: string | null } | { failure: SendFailure };

const acceptedSchema = z.object({ messages: z.array(z.object({ id: z.string() })) });
const refusedSchema = z.object({ error: z.object({ code: z.number() }) });

/**
 * Sends one message. Never throws. If sending fails, returns only Meta's error code, because Meta's error text may
 * quote the message.
 */
export async function sendByCloudApi(
  { apiBase, phoneNumberId, accessToken }: Config['whatsapp'],
  message: OutgoingMessage,
  timeoutMs: number,
): Promise<SendResult> {
  try {
    const answer = await fetch(`${apiBase}/${phoneNumberId}/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return readAnswer(answer.status, await readJson(answer));
  } catch {
    return { failure: { code: null, httpStatus: null } };
  }
}

function readAnswer(httpStatus: number, body: unknown): SendResult {
  const refused = refusedSchema.safeParse(body);
  if (refused.success) return { failure: { code: refused.data.error.code, httpStatus } };
  if (httpStatus < 200 || httpStatus > 299) return { failure: { code: null, httpStatus } };
  const accepted = acceptedSchema.safeParse(body);
  // A 2xx answer means that Meta has accepted the message, even if the answer has no id. A retry would send the message
  // twice.
  return { wamid: accepted.data?.messages[0]?.id ?? null };
}

async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Prints the message, including a verification or reset code, to the terminal of a developer's machine, and sends
 * nothing. Deployed Workers never use this function: they set `WHATSAPP_TRANSPORT` to `cloud-api`.
 */
export function sendLocally(message: OutgoingMessage): SendResult {
  // biome-ignore lint/suspicious/noConsole: the purpose is to show codes in the terminal, which the log must never contain
  console.log(JSON.stringify({ event: 'whatsapp_printed', to: message.to, ...summarise(message) }));
  return { wamid: null };
}

function summarise(message: OutgoingMessage): Record<string, string | string[]> {
  if (message.type === 'text') return { texts: [message.text.body] };
  const { name, language, components } = message.template;
  const parameters = components.filter(({ type }) => type === 'body').flatMap((component) => component.parameters);
  return { template: name, language: language.code, texts: parameters.map(({ text }) => text) };
}
