import * as z from 'zod/mini';

/** What a platform admin can switch off: writes then answer 503, or no notices are sent by WhatsApp. */
export const SWITCHES = ['registration', 'photos', 'claims', 'whatsapp_notices'] as const;
export type Switch = (typeof SWITCHES)[number];

const positionSchema = z.boolean({ error: 'yes_or_no' });
/** `PUT /api/admin/switches`: all four are required; true means on. */
export const switchesSchema = z.object({
  registration: positionSchema,
  photos: positionSchema,
  claims: positionSchema,
  whatsapp_notices: positionSchema,
} satisfies Record<Switch, typeof positionSchema>);
export type Switches = z.infer<typeof switchesSchema>;

const checkSchema = z.enum(['ok', 'failing']);

/** `GET /api/health`: 200 if all checks are ok, otherwise 503 and `degraded`. */
export const healthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  checks: z.object({ database: checkSchema, storage: checkSchema, queue: checkSchema }),
});
export type Health = z.infer<typeof healthSchema>;
