/** A text that its writer has typed on this phone and not sent. */
export type Draft = { key: string; text: string };

/** Of a post or a thing at the desk, the first of these names the draft; a claim's texts are all its writer's own. */
const NAMING_FIELDS = ['title', 'description', 'location', 'owner_first_name', 'owner_last_name', 'private_marks'];
/** The desk keeps these for the next thing: alone they are no draft. */
const KEPT_AT_DESK = ['location'];

/** Lists the person's drafts of posts, claims and things at a desk. */
export function listDrafts(userId: string): Draft[] {
  return keysOf(userId).flatMap((key) => {
    const text = textOf(key);
    return text === undefined ? [] : [{ key, text }];
  });
}

/** Deletes the person's drafts, and what is kept for the next one. */
export function forgetDrafts(userId: string): void {
  for (const key of keysOf(userId)) localStorage.removeItem(key);
}

/** As `LogOutButton` recognises them. */
function keysOf(userId: string): string[] {
  return Object.keys(localStorage).filter((key) => key.includes(`Draft:${userId}`));
}

function textOf(key: string): string | undefined {
  try {
    const { values = {} } = JSON.parse(localStorage.getItem(key) ?? '{}') as { values?: Record<string, unknown> };
    const isAtDesk = key.startsWith('desk');
    const fields = key.startsWith('claim') ? Object.keys(values) : NAMING_FIELDS;
    const texts = fields.filter((field) => !isAtDesk || !KEPT_AT_DESK.includes(field)).map((field) => values[field]);
    return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '');
  } catch {
    return undefined;
  }
}
