import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/delete-some.ts';
import { KEPT_MS } from '#worker/db/lifetimes.ts';
import { emailLinks, emailMessages } from '#worker/db/schema.ts';
import { LINK_LIFETIME_MS } from './link-rules.ts';

/** Statements: delete expired links, and the records of e-mails that no queue will redeliver. */
export function clearExpired(db: Db, now: number) {
  return [
    deleteSome(db, emailLinks, sql`created_at <= ${now - LINK_LIFETIME_MS}`),
    deleteSome(db, emailMessages, sql`created_at < ${now - KEPT_MS.delivery}`),
  ];
}
