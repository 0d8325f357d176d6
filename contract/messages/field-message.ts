/** What can be wrong with a field. `{max}` in a sentence stands for the limit. */
export const FIELD_MESSAGES = [
  'text_invalid',
  'text_too_long',
  'text_control_characters',
  'title_required',
  'location_required',
  'phone_required',
  'phone_invalid',
  'yes_or_no',
  'posted_by_invalid',
  'kind_invalid',
  'since_invalid',
  'open_invalid',
  'username_required',
  'email_required',
  'email_invalid',
  'password_required',
  'password_too_short',
  'password_too_long',
  'password_common',
  'code_required',
  'code_invalid',
  'community_name_required',
  'member_required',
  'access_code_required',
  'reason_required',
  'message_required',
  'limit_invalid',
  'cursor_invalid',
  'report_reason_required',
  'report_status_invalid',
  'status_invalid',
  'language_invalid',
  'clock_invalid',
  'quiet_hours_halved',
  'quiet_hours_empty',
  'endpoint_invalid',
  'push_key_invalid',
] as const;

export type FieldMessage = (typeof FIELD_MESSAGES)[number];

export function isFieldMessage(value: string): value is FieldMessage {
  return (FIELD_MESSAGES as readonly string[]).includes(value);
}
