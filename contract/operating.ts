import * as z from 'zod/mini';

const checkSchema = z.enum(['ok', 'failing']);

/** `GET /api/health`: 200 when all is ok, else 503 and `degraded`. */
export const healthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  checks: z.object({ database: checkSchema, storage: checkSchema, queue: checkSchema }),
});
export type Health = z.infer<typeof healthSchema>;
