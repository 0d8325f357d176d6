import * as z from 'zod/mini';

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const wantSchema = z.boolean({ error: 'yes_or_no' });
const clockSchema = z.nullable(z.string({ error: 'clock_invalid' }).check(z.regex(CLOCK, { error: 'clock_invalid' })));

/** `GET`, `PUT /api/me/notice-settings`: how a person wants to be told when no page is open. All of it is sent. */
export const noticeSettingsSchema = z
  .object({
    push: wantSchema,
    whatsapp: wantSchema,
    email: wantSchema,
    /** In Africa/Dar_es_Salaam, as "21:00"; both or neither. From the evening to the morning they span midnight. */
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

/** Of whoever has never said otherwise. */
export const DEFAULT_NOTICE_SETTINGS: NoticeSettings = {
  push: true,
  whatsapp: false,
  email: true,
  quiet_from: '21:00',
  quiet_to: '06:00',
};
