import * as z from 'zod/mini';
import { type AdminCommunity, adminCommunitySchema } from '#contract/admin.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import { personRow, presentPerson } from '#worker/moderation/index.ts';

/** A community for a platform admin to decide on. The person who asks is read separately. */
export const adminCommunityRow = () =>
  z.object({
    ...z.omit(adminCommunitySchema, { asker: true, asker_whatsapp_number: true, earlier_rejections: true }).shape,
    created_at: z.number(),
    closes_at: z.nullable(z.number()),
    suspended_at: z.nullable(z.number()),
    has_admin: flag(),
    /** The sort key of the list. */
    since: z.number(),
    asker_id: z.string(),
  });
type AdminCommunityRow = RowOf<typeof adminCommunityRow>;

export const askerRow = () => z.object({ ...personRow().shape, whatsapp_number: z.nullable(z.string()) });
export const rejectionRow = () =>
  z.object({ user_id: z.string(), name: z.string(), reason: z.string(), rejected_at: z.number() });
type Known = { askers: RowOf<typeof askerRow>[]; rejections: RowOf<typeof rejectionRow>[] };

/** The community with what is needed to decide on it. */
export function presentAdminCommunity(row: AdminCommunityRow, { askers, rejections }: Known): AdminCommunity[] {
  const { since: _, asker_id, ...community } = row;
  const asker = askers.find(({ id }) => id === asker_id);
  // The account was deleted between two statements, and the request with it.
  if (!asker) return [];
  const { whatsapp_number, ...person } = asker;
  return [
    {
      ...community,
      created_at: new Date(row.created_at).toISOString(),
      closes_at: row.closes_at === null ? null : new Date(row.closes_at).toISOString(),
      suspended_at: row.suspended_at === null ? null : new Date(row.suspended_at).toISOString(),
      has_admin: row.has_admin === 1,
      asker: presentPerson(person),
      asker_whatsapp_number: whatsapp_number,
      earlier_rejections: rejections
        .filter(({ user_id }) => user_id === asker_id)
        .map(({ name, reason, rejected_at }) => ({ name, reason, rejected_at: new Date(rejected_at).toISOString() })),
    },
  ];
}
