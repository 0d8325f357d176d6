import * as z from 'zod/mini';
import type { Passkey } from '#contract/passkeys.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import { AppError } from '#worker/errors/app-error.ts';

/** An admin, with what step-up authentication needs. */
export const adminRow = () =>
  z.object({ email: z.string(), username: z.string(), is_platform_admin: flag(), is_stepped_up: flag() });
export type AdminRow = RowOf<typeof adminRow>;

export const passkeyRow = () =>
  z.object({
    id: z.string(),
    public_key: z.string(),
    counter: z.number(),
    /** A JSON array. */
    transports: z.string(),
    created_at: z.number(),
    last_used_at: z.nullable(z.number()),
  });
export type PasskeyRow = RowOf<typeof passkeyRow>;

export function presentPasskey(row: Pick<PasskeyRow, 'id' | 'created_at' | 'last_used_at'>): Passkey {
  return {
    id: row.id,
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  };
}

/** Only platform admins have passkeys. @throws AppError forbidden. */
export function assertAdmin(admin: AdminRow | undefined): AdminRow {
  if (admin?.is_platform_admin !== 1) throw new AppError('forbidden');
  return admin;
}

/** @throws AppError step_up_needed unless the session has used a passkey, or none is needed. */
export function assertSteppedUp({ is_stepped_up }: AdminRow, { areNeeded }: { areNeeded: boolean }): void {
  if (areNeeded && is_stepped_up !== 1) throw new AppError('step_up_needed');
}
