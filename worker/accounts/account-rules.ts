import * as z from 'zod/mini';
import type { Me } from '#contract/accounts.ts';
import { LANGUAGES } from '#contract/language.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import type { Config } from '#worker/env.ts';

export const meRow = () =>
  z.object({
    id: z.string(),
    username: z.string(),
    email: z.string(),
    email_proven_at: z.nullable(z.number()),
    whatsapp_number: z.nullable(z.string()),
    proven_at: z.nullable(z.number()),
    language: z.enum(LANGUAGES),
    is_platform_admin: flag(),
    suspended_at: z.nullable(z.number()),
    suspension_reason: z.nullable(z.string()),
    created_at: z.number(),
  });

/** The account as its owner sees it. */
export function presentMe(row: RowOf<typeof meRow>, { email }: Pick<Config, 'email'>): Me {
  const { email_proven_at, proven_at, suspended_at, is_platform_admin, created_at, ...rest } = row;
  return {
    ...rest,
    is_email_proven: email_proven_at !== null,
    is_email_available: email.isAvailable,
    is_whatsapp_verified: proven_at !== null,
    // A suspended admin is none (worker/identity/platform-admin.ts).
    is_platform_admin: is_platform_admin === 1 && suspended_at === null,
    is_suspended: suspended_at !== null,
    created_at: new Date(created_at).toISOString(),
  };
}
