import * as z from 'zod/mini';
import type { Config } from '#worker/env.ts';
import type { OutgoingMessage } from './compose-message.ts';
import type { SendFailure } from './failures.ts';

export type SendResult =
  /** Accepted, but not delivered yet. A webhook reports the delivery under this id. */
  { wamid: string | null } | { failure: SendFailure };

const acceptedSchema = z.object({ messages: z.array(z.object({ id: z.string() })) });
const refusedSchema = z.object({ error: z.object({ code: z.number() }) });

/** Sends one message. Never throws, and returns only a failure's code, as Meta's error texts may quote the message. */
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
  // A 2xx answer without an id also means that Meta has accepted the message: a retry would send a second one.
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
 * Replaces WhatsApp on a developer's machine: prints the message, including codes, to the terminal. No deployed Worker
 * uses this function (`WHATSAPP_TRANSPORT`).
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
