import * as z from 'zod/mini';

/** A text message to us, as Meta delivers it. */
export type IncomingText = {
  /** Meta's id, which is the same when the message is delivered again. */
  id: string;
  /** The sender's number in E.164; null if they hide it behind a user name. */
  from: string | null;
  text: string;
  /** The message's own time, in milliseconds, with a precision of a second. */
  sentAt: number;
};

const NUMBER = /^\d{7,15}$/;
const textSchema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  from: z.optional(z.string()),
  timestamp: z.string().check(z.regex(/^\d{1,12}$/)),
  type: z.literal('text'),
  text: z.object({ body: z.string() }),
  context: z.optional(z.object({ forwarded: z.optional(z.boolean()), frequently_forwarded: z.optional(z.boolean()) })),
});
const payloadSchema = z.object({
  entry: z.array(
    z.object({ changes: z.array(z.object({ value: z.object({ messages: z.optional(z.array(z.unknown())) }) })) }),
  ),
});

/** The text messages in a webhook's payload, except forwarded ones, which their sender did not write. */
export function readTexts(payload: unknown): IncomingText[] {
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) return [];
  return parsed.data.entry.flatMap(({ changes }) =>
    changes.flatMap(({ value }) => (value.messages ?? []).flatMap((message) => toText(message) ?? [])),
  );
}

function toText(message: unknown): IncomingText | null {
  const parsed = textSchema.safeParse(message);
  if (!parsed.success) return null;
  const { id, from = '', timestamp, text, context } = parsed.data;
  if (context?.forwarded || context?.frequently_forwarded) return null;
  return { id, from: NUMBER.test(from) ? `+${from}` : null, text: text.body, sentAt: Number(timestamp) * 1000 };
}
