import * as claims from './claims/index.ts';
import * as communities from './communities/index.ts';
import type { Db } from './db/client.ts';
import { clearExpiredKeys } from './db/idempotency.ts';
import * as devices from './devices/index.ts';
import * as email from './email/index.ts';
import * as databaseExports from './exports/index.ts';
import * as feedback from './feedback/index.ts';
import { clearEndedWindows } from './limits/allowance.ts';
import { clearEndedBars } from './limits/bars.ts';
import * as moderation from './moderation/index.ts';
import * as notices from './notices/index.ts';
import * as numbers from './numbers/index.ts';
import * as passkeys from './passkeys/index.ts';
import * as posts from './posts/index.ts';
import * as push from './push/index.ts';
import * as recovery from './recovery/index.ts';
import * as whatsapp from './whatsapp/index.ts';

/** Deletes a bounded number of expired rows. Each noun knows its own. */
export async function clearExpired(db: Db, now: number): Promise<void> {
  await db.batch([
    clearEndedWindows(db, now),
    clearEndedBars(db, now),
    clearExpiredKeys(db, now),
    ...claims.clearExpired(db, now),
    ...communities.clearExpired(db, now),
    ...devices.clearExpired(db, now),
    ...email.clearExpired(db, now),
    ...databaseExports.clearExpired(db, now),
    ...feedback.clearExpired(db, now),
    ...moderation.clearExpired(db, now),
    ...notices.clearExpired(db, now),
    ...numbers.clearExpired(db, now),
    ...passkeys.clearExpired(db, now),
    ...posts.clearFound(db, { withdraw: notices.withdrawNotices, endCases: moderation.endCases }, now),
    ...posts.clearExpired(db, now),
    ...push.clearExpired(db, now),
    ...recovery.clearExpired(db, now),
    ...whatsapp.clearExpired(db, now),
  ]);
}
