import { createHmac, timingSafeEqual } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#contract/channels.ts';
import type { Db } from '#worker/db/client.ts';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/**
 * Whether Meta has signed exactly these bytes. After parsing and serialising, the same JSON could have another
 * signature.
 */
export function isSignedByMeta(appSecret: string, body: Uint8Array, header: string | undefined): boolean {
  const signature = SIGNATURE.exec(header ?? '')?.[1];
  if (!signature) return false;
  return timingSafeEqual(createHmac('sha256', appSecret).update(body).digest(), Buffer.from(signature, 'hex'));
}

export type IncomingText = {
  /** Meta's id of the message. A redelivered message has the same id. */
  id: string;
  /** The sender's phone number in E.164; null if the sender has a WhatsApp user name that hides the number. */
  from: string | null;
  text: string;
  /** When the message was sent, in milliseconds, but exact only to the second. */
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
const textsPayloadSchema = z.object({
  entry: z.array(
    z.object({ changes: z.array(z.object({ value: z.object({ messages: z.optional(z.array(z.unknown())) }) })) }),
  ),
});

/** Returns the text messages in a webhook's payload, except forwarded ones, which the sender did not write. */
export function readTexts(payload: unknown): IncomingText[] {
  const parsed = textsPayloadSchema.safeParse(payload);
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

type DeliveryReport = { wamid: string; status: DeliveryStatus; rank: number; errorCode: number | null };

const statusSchema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  status: z.enum(DELIVERY_STATUSES),
  errors: z.optional(z.array(z.object({ code: z.number() }))),
});
const reportsPayloadSchema = z.object({
  entry: z.array(
    z.object({ changes: z.array(z.object({ value: z.object({ statuses: z.optional(z.array(z.unknown())) }) })) }),
  ),
});

/**
 * Returns the delivery reports in a webhook's payload. If there are several for one message, returns the most advanced
 * one.
 */
export function readReports(payload: unknown): DeliveryReport[] {
  const parsed = reportsPayloadSchema.safeParse(payload);
  if (!parsed.success) return [];
  const furthest = new Map<string, DeliveryReport>();
  for (const status of parsed.data.entry.flatMap(({ changes }) =>
    changes.flatMap(({ value }) => value.statuses ?? []),
  )) {
    const report = toReport(status);
    if (report && report.rank > (furthest.get(report.wamid)?.rank ?? -1)) furthest.set(report.wamid, report);
  }
  return [...furthest.values()];
}

function toReport(status: unknown): DeliveryReport | null {
  const parsed = statusSchema.safeParse(status);
  if (!parsed.success) return null;
  const { id, status: name, errors } = parsed.data;
  return { wamid: id, status: name, rank: DELIVERY_STATUSES.indexOf(name), errorCode: errors?.[0]?.code ?? null };
}

/**
 * Statement: stores the id of an incoming message, if the condition holds. `changes()` is 0 if the id was already
 * stored.
 */
export function recordIncoming(db: Db, messageId: string, condition: SQL, now: number) {
  return db.run(sql`
    insert into whatsapp_incoming (id, received_at) select ${messageId}, ${now} where ${condition}
    on conflict (id) do nothing`);
}

/** Records the delivery reports. A report changes nothing unless it is more advanced than the stored report. */
export async function recordReports(db: Db, reports: DeliveryReport[], now: number): Promise<void> {
  if (reports.length === 0) return;
  await db.repeatable.run(sql`
    insert into whatsapp_deliveries (wamid, status, rank, error_code, reported_at)
    select value ->> 'wamid', value ->> 'status', value ->> 'rank', value ->> 'errorCode', ${now}
    from json_each(${JSON.stringify(reports)}) where true
    on conflict (wamid) do update set status = excluded.status, rank = excluded.rank,
      error_code = excluded.error_code, reported_at = excluded.reported_at
    where excluded.rank > whatsapp_deliveries.rank`);
}
