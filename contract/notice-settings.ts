import * as z from 'zod/mini';

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const wantSchema = z.boolean({ error: 'yes_or_no' });
const clockSchema = z.nullable(z.string({ error: 'clock_invalid' }).check(z.regex(CLOCK, { error: 'clock_invalid' })));

/** `GET`, `PUT /api/me/notice-settings`: how to notify the person when no page is open. All fields are required. */
export const noticeSettingsSchema = z
  .object({
    push: wantSchema,
    whatsapp: wantSchema,
    email: wantSchema,
    /** Such as "21:00", in Africa/Dar_es_Salaam; both or neither. They may span midnight. */
    quiet_from: clockSchema,
    quiet_to: clockSchema,
  })
  .check(
    z.refine(({ quiet_from, quiet_to }) => (quiet_from === null) === (quiet_to === null), {
      error: 'quiet_hours_halved',
      path: ['quiet_to'],
    }),
    z.refine(({ quiet_from, quiet_to }) => quiet_from === null || quiet_from !== quiet_to, {
      error: 'quiet_hours_empty',
      path: ['quiet_to'],
    }),
  );
export type NoticeSettings = z.infer<typeof noticeSettingsSchema>;

/** For people who have never changed them. */
export const DEFAULT_NOTICE_SETTINGS: NoticeSettings = {
  push: true,
  whatsapp: false,
  email: true,
  quiet_from: '21:00',
  quiet_to: '06:00',
};
