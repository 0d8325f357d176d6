import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { LANGUAGES } from '#contract/language.ts';
import type { Reach } from '#durable/telling.ts';
import type { Db, Query } from '#worker/db/client.ts';
import { flag, idRow, idsOf, queryRows, type RowOf } from '#worker/db/rows.ts';
import type { Config } from '#worker/env.ts';
import { hasProvenEmail } from '#worker/identity/proven-email.ts';
import { isPhoneOrSim } from '#worker/matching/index.ts';
import { FROM_POSTS, isOpen, STORED_COLUMNS, type StoredPost, storedPostRow } from '#worker/posts/index.ts';
import { subscriptionIdsOf } from '#worker/push/index.ts';
import { isSwitchedOn } from '#worker/switches/index.ts';
import { selectSettings, toSettings } from './settings-store.ts';

const personRow = () =>
  z.object({
    language: z.enum(LANGUAGES),
    number: z.nullable(z.string()),
    is_number_proven: flag(),
    is_email_proven: flag(),
    is_whatsapp_on: flag(),
    /** JSON of string[]. */
    subscription_ids: z.string(),
  });
/** How many of a person's own lost things are looked through for a phone. */
const OWN_LOST_READ = 50;
type Person = RowOf<typeof personRow>;

/** What a person's object needs to know before it sends these notices; null when the person is gone. */
export async function readReach(
  db: Db,
  config: Config,
  { userId, noticeIds }: { userId: string; noticeIds: string[] },
): Promise<Reach | null> {
  const ids = sql`select value from json_each(${JSON.stringify(noticeIds)})`;
  const user = sql`${userId}`;
  const [[person], [settingsOfPerson], unread, ownLost] = await db.batch([
    queryRows(db, personRow)`
      select u.language, n.number, n.proven_at is not null as is_number_proven,
        ${hasProvenEmail(user)} as is_email_proven, ${isSwitchedOn('whatsapp_notices')} as is_whatsapp_on,
        ${subscriptionIdsOf(user)} as subscription_ids
      from users u left join phone_numbers n on n.user_id = u.id where u.id = ${userId}`,
    selectSettings(db, userId),
    queryRows(db, idRow)`
      select id from notices where recipient_id = ${userId} and read_at is null and id in (${ids})`,
    selectOwnLost(db, userId),
  ]);
  if (!person) return null;
  const settings = toSettings(settingsOfPerson);
  return {
    language: person.language,
    ...findChannels(person, config),
    wants: { push: settings.push, whatsapp: settings.whatsapp, email: settings.email },
    quietHours: toQuietHours(settings),
    unread: new Set(idsOf(unread)),
    hasLostPhone: ownLost.some(isPhoneOrSim),
  };
}

/** Whether the person's own phone or SIM is lost: its holder would read what we send to their number. */
export async function hasLostPhone(db: Db, userId: string): Promise<boolean> {
  return (await selectOwnLost(db, userId)).some(isPhoneOrSim);
}

/** Statement: the newest open posts about what the person has lost. */
function selectOwnLost(db: Db, userId: string): Query<StoredPost> {
  return queryRows(db, storedPostRow)`
    select ${STORED_COLUMNS} ${FROM_POSTS}
    where p.author_id = ${userId} and p.posted_by = 'owner' and p.on_behalf = 0 and ${isOpen('p')}
    order by p.seq desc limit ${OWN_LOST_READ}`;
}

function findChannels(person: Person, { push, whatsapp, email }: Config) {
  return {
    subscriptionIds: push.vapid === null ? [] : (JSON.parse(person.subscription_ids) as string[]),
    has: {
      whatsapp: whatsapp.matchTemplate !== null && person.is_whatsapp_on === 1 && person.is_number_proven === 1,
      email: email.isAvailable && person.is_email_proven === 1,
    },
  };
}

function toQuietHours({ quiet_from, quiet_to }: { quiet_from: string | null; quiet_to: string | null }) {
  return quiet_from === null || quiet_to === null ? null : { from: toMinutes(quiet_from), to: toMinutes(quiet_to) };
}

/** @param clock a time such as "21:00". */
function toMinutes(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}
