import { type SQL, sql } from 'drizzle-orm';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#contract/channels.ts';
import { hasProvenNumber } from '#worker/conditions/people.ts';
import { type Db, readAs, writeAs } from '#worker/db/client.ts';
import { queryFirst, queryRows, type RowOf, rowOf } from '#worker/db/statements.ts';
import { noticeSettings } from '#worker/db/tables/notices.ts';
import type { Viewer } from '#worker/identity/viewer.ts';

const settingsRow = rowOf(noticeSettings, 'push', 'whatsapp', 'email', 'quiet_from', 'quiet_to');

/** Returns the settings in a row. @param row undefined for people who have never changed their settings. */
export function toSettings(row: RowOf<typeof settingsRow> | undefined): NoticeSettings {
  if (!row) return DEFAULT_NOTICE_SETTINGS;
  const { push, whatsapp, email, quiet_from, quiet_to } = row;
  return { push: push === 1, whatsapp: whatsapp === 1, email: email === 1, quiet_from, quiet_to };
}

export function selectSettings(db: Db, userId: string) {
  return queryFirst(db, settingsRow)`
    select push, whatsapp, email, quiet_from, quiet_to from notice_settings where user_id = ${userId}`;
}

export async function readSettings(db: Db, viewer: Viewer): Promise<NoticeSettings> {
  const { row } = await readAs(db, viewer, { row: selectSettings(db, viewer.userId) });
  return toSettings(row);
}

/** Writes the settings. @returns false if they were not written, because WhatsApp requires a proven phone number. */
export async function writeSettings(db: Db, viewer: Viewer, settings: NoticeSettings): Promise<boolean> {
  const { push, whatsapp, email, quiet_from, quiet_to } = settings;
  const userId = sql`${viewer.userId}`;
  const { written } = await writeAs(db.repeatable, viewer, {
    written: queryRows(db, settingsRow)`
      insert into notice_settings (user_id, push, whatsapp, email, quiet_from, quiet_to)
      select ${userId}, ${Number(push)}, ${Number(whatsapp)}, ${Number(email)}, ${quiet_from}, ${quiet_to}
      where ${Number(whatsapp)} = 0 or ${hasProvenNumber(userId)}
      on conflict (user_id) do update set push = excluded.push, whatsapp = excluded.whatsapp,
        email = excluded.email, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to
      returning push, whatsapp, email, quiet_from, quiet_to`,
  });
  return written.length > 0;
}

/** Expression: whether the person has switched WhatsApp on, as 0 or 1. */
export function wantsWhatsapp(userId: SQL): SQL {
  const usual = Number(DEFAULT_NOTICE_SETTINGS.whatsapp);
  return sql`coalesce((select w.whatsapp from notice_settings w where w.user_id = ${userId}), ${usual})`;
}

/**
 * Statement: switches a channel on or off for a person who has requested this outside the app, such as by replying
 * STOP.
 * @param userId a value, or a select that may return no row.
 */
export function switchChannel(db: Db, userId: SQL, channel: 'whatsapp' | 'email', isOn: boolean) {
  const settings: NoticeSettings = { ...DEFAULT_NOTICE_SETTINGS, [channel]: isOn };
  const { push, whatsapp, email, quiet_from, quiet_to } = settings;
  const column = sql.raw(channel);
  return db.run(sql`
    insert into notice_settings (user_id, push, whatsapp, email, quiet_from, quiet_to)
    select u.id, ${Number(push)}, ${Number(whatsapp)}, ${Number(email)}, ${quiet_from}, ${quiet_to}
    from users u where u.id = ${userId}
    on conflict (user_id) do update set ${column} = excluded.${column}`);
}
