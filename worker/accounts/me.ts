import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Me, MeChange } from '#contract/accounts.ts';
import { LANGUAGES } from '#contract/language.ts';
import { type Db, readAs, writeAs } from '#worker/db/client.ts';
import { flag, queryFirst, type RowOf } from '#worker/db/statements.ts';
import type { Config } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/context.ts';
import type { Viewer } from '#worker/identity/viewer.ts';

/** @throws AppError unauthorized. */
export async function readMe({ db, config }: Pick<AppContext['var'], 'db' | 'config'>, viewer: Viewer): Promise<Me> {
  const me = await findMe(db, viewer);
  if (!me) throw new AppError('unauthorized');
  return presentMe(me, config);
}

const meRow = () =>
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

function presentMe(row: RowOf<typeof meRow>, { email }: Pick<Config, 'email'>): Me {
  const { email_proven_at, proven_at, suspended_at, is_platform_admin, created_at, ...rest } = row;
  return {
    ...rest,
    is_email_proven: email_proven_at !== null,
    is_email_available: email.isAvailable,
    is_whatsapp_verified: proven_at !== null,
    // A suspended admin has no admin rights (worker/conditions/people.ts).
    is_platform_admin: is_platform_admin === 1 && suspended_at === null,
    is_suspended: suspended_at !== null,
    created_at: new Date(created_at).toISOString(),
  };
}

async function findMe(db: Db, viewer: Viewer) {
  const { me } = await readAs(db, viewer, { me: selectMe(db, viewer) });
  return me;
}

/** Statement: the viewer's account. */
function selectMe(db: Db, { userId }: Viewer) {
  return queryFirst(db, meRow)`
    select u.id, u.username, u.email, u.email_proven_at, n.number as whatsapp_number, n.proven_at, u.language, u.is_platform_admin,
      u.suspended_at, u.suspension_reason, u.created_at
    from users u left join phone_numbers n on n.user_id = u.id where u.id = ${userId}`;
}

/** Changes only the given fields. @returns the changed account. @throws AppError unauthorized. */
export async function updateMe(
  { db, config }: Pick<AppContext['var'], 'db' | 'config'>,
  viewer: Viewer,
  { username, language }: MeChange,
): Promise<Me> {
  const { me } = await writeAs(db.repeatable, viewer, {
    updateUsers: db.run(sql`
      update users set username = coalesce(${username ?? null}, username), language = coalesce(${language ?? null}, language)
      where id = ${viewer.userId}`),
    me: selectMe(db, viewer),
  });
  if (!me) throw new AppError('unauthorized');
  return presentMe(me, config);
}
