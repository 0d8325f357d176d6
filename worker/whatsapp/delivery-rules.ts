import * as z from 'zod/mini';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#contract/whatsapp.ts';

export type DeliveryReport = { wamid: string; status: DeliveryStatus; rank: number; errorCode: number | null };

const statusSchema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  status: z.enum(DELIVERY_STATUSES),
  errors: z.optional(z.array(z.object({ code: z.number() }))),
});
const payloadSchema = z.object({
  entry: z.array(
    z.object({ changes: z.array(z.object({ value: z.object({ statuses: z.optional(z.array(z.unknown())) }) })) }),
  ),
});

/** The delivery reports in a webhook's payload: per message the most advanced one. Everything else is ignored. */
export function readReports(payload: unknown): DeliveryReport[] {
  const parsed = payloadSchema.safeParse(payload);
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
