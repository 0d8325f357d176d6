import type { NewPostInput } from '#contract/posts.ts';
import { keepOnPhone } from '#web/lib/keep-on-phone.ts';
import { newIdempotencyKey } from '#web/lib/new-idempotency-key.ts';

/** What is in the desk's form; null is what its writer has not said, and their account may tell. */
export type DeskValues = {
  title: string;
  description: string;
  owner_first_name: string;
  owner_last_name: string;
  location: string;
  kept_at: string;
  phone_number: string | null;
};
/** What is typed, with the key that keeps a repeated submit from making a second post. */
export type DeskDraft = { values: DeskValues; idempotencyKey: string };

const EMPTY: DeskValues = {
  title: '',
  description: '',
  owner_first_name: '',
  owner_last_name: '',
  location: '',
  kept_at: '',
  phone_number: null,
};

/** Each account and community has its own. */
export function deskKey(userId: string | null, communityId: string): string {
  return `deskDraft:${userId}:${communityId}`;
}

/** What was kept last, so that a reload loses nothing and tomorrow begins at the same place. */
export function readDesk(key: string): DeskDraft {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<DeskDraft>;
    const values = { ...EMPTY, ...kept.values };
    return {
      // A number that was only taken out: the account's may be meant.
      values: { ...values, phone_number: values.phone_number || null },
      idempotencyKey: kept.idempotencyKey ?? newIdempotencyKey(),
    };
  } catch {
    return { values: EMPTY, idempotencyKey: newIdempotencyKey() };
  }
}

/** Storage that is full or forbidden loses the draft, not the form. */
export function keepDesk(key: string, draft: DeskDraft): void {
  if (!keepOnPhone(key, JSON.stringify(draft))) console.warn('The draft could not be kept');
}

/** The draft of the next thing: from the same place, and reached on the same number. */
export function nextDesk({ location, kept_at, phone_number }: DeskValues): DeskDraft {
  return { values: { ...EMPTY, location, kept_at, phone_number }, idempotencyKey: newIdempotencyKey() };
}

/** An office posts what it has found, for its own community. */
export function toDeskPost(values: DeskValues, communityCode: string): NewPostInput {
  const phone_number = values.phone_number ?? '';
  return { ...values, phone_number, posted_by: 'finder', contact: 'number', community_code: communityCode };
}
