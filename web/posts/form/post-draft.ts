import type { PostKind } from '#contract/kinds.ts';
import type { Contact, NewPostInput, Post } from '#contract/posts.ts';
import { keepOnPhone } from '#web/lib/phone-storage.ts';

/** The form's values. Null means that the user has not filled in the field. */
export type PostFormValues = {
  title: string;
  location: string;
  /** Null if the user has not typed a phone number. The form then shows the account's number. */
  phone_number: string | null;
  /** Whether the user posts for somebody else, to whom the phone number belongs. */
  on_behalf: boolean;
  /** Where a found item is now. */
  kept_at: string;
  /** The kind of item that the user has chosen, or 'read' to let the Worker read it from the text. */
  chosen_kind: PostKind | 'read' | null;
  /** The kind of item that the Worker has read from the text of the post being edited. */
  read_kind: PostKind | null;
  description: string;
  owner_first_name: string;
  owner_last_name: string;
  /** Whether the user lost the item. Null if the user has not answered: the post is then a finder's post. */
  is_owner: boolean | null;
  community_code: string | null;
  /** New identifiers, as typed. The API never returns the stored ones. */
  identifier: string;
  second_identifier: string;
  has_identifiers: boolean;
  removes_identifiers: boolean;
  /** The id of the lost post that this found post answers ("I found this"). */
  answers_post_id: string | null;
  contact: Contact;
  claim_question: string;
  private_marks: string;
};

/** The unsent input. Its idempotency key ensures that a repeated submit creates only one post. */
export type PostDraft = { values: PostFormValues; idempotencyKey: string };

export const EMPTY_POST: PostFormValues = {
  title: '',
  location: '',
  phone_number: null,
  on_behalf: false,
  kept_at: '',
  chosen_kind: null,
  read_kind: null,
  description: '',
  owner_first_name: '',
  owner_last_name: '',
  is_owner: null,
  community_code: null,
  identifier: '',
  second_identifier: '',
  has_identifiers: false,
  removes_identifiers: false,
  answers_post_id: null,
  contact: 'number',
  claim_question: '',
  private_marks: '',
};

const VISITOR = 'visitor';
/**
 * The storage key of a visitor's new post. The draft stays there until it is sent or discarded, even if the visitor
 * signs in.
 */
export const VISITORS_DRAFT = draftKey(null, null);

/** Returns the storage key of a draft. @param postId null for a new post. */
export function draftKey(userId: string | null, postId: string | null): string {
  return `postDraft:${userId ?? VISITOR}:${postId ?? 'new'}`;
}

/**
 * Stores the draft. If the storage is full or forbidden, the draft is lost after a reload, but the form works.
 * @returns whether the draft is stored.
 */
export function saveDraft(key: string, draft: PostDraft): boolean {
  const isKept = keepOnPhone(key, JSON.stringify(draft));
  if (!isKept) console.warn('The draft could not be kept');
  return isKept;
}

export function clearDraft(key: string): void {
  localStorage.removeItem(key);
}

export function readDraft(key: string): PostDraft | null {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as PostDraft | null;
    if (!stored) return null;
    const values = { ...EMPTY_POST, ...stored.values };
    // An empty phone number in a draft counts as not typed, so that the form shows the account's number again.
    return { ...stored, values: { ...values, phone_number: values.phone_number || null } };
  } catch {
    return null;
  }
}

export function toFormValues(post: Post): PostFormValues {
  const { title, location, description, owner_first_name, owner_last_name, community_code, on_behalf } = post;
  const sameFields = { title, location, description, owner_first_name, owner_last_name, community_code, on_behalf };
  return {
    ...EMPTY_POST,
    ...sameFields,
    phone_number: post.phone_number ?? '',
    kept_at: post.kept_at ?? '',
    read_kind: post.kind,
    is_owner: post.posted_by === 'owner',
    has_identifiers: post.has_identifiers === true,
    contact: post.contact,
    claim_question: post.claim_question ?? '',
    private_marks: post.private_marks ?? '',
  };
}

/**
 * Returns the post to send. If the user has not chosen a side, the post is a finder's post (docs/product.md P1). Only a
 * finder's post says where the thing is now, and may ask claimants a question.
 */
export function toPostInput(values: PostFormValues): NewPostInput {
  const {
    is_owner,
    phone_number,
    identifier,
    second_identifier,
    has_identifiers,
    removes_identifiers,
    answers_post_id,
    contact,
    claim_question,
    private_marks,
    kept_at,
    chosen_kind,
    read_kind: _,
    ...sameFields
  } = values;
  const identifiers = [identifier, second_identifier].filter((typed) => typed.trim() !== '');
  const isByClaim = !is_owner && contact === 'claim';
  return {
    ...sameFields,
    phone_number: phone_number ?? '',
    posted_by: is_owner ? 'owner' : 'finder',
    contact: isByClaim ? 'claim' : 'number',
    ...(!is_owner && { kept_at }),
    ...(chosen_kind !== null && { kind: chosen_kind === 'read' ? null : chosen_kind }),
    ...(isByClaim && { claim_question, private_marks }),
    ...(identifiers.length > 0 && { identifiers }),
    ...(identifiers.length === 0 && has_identifiers && removes_identifiers && { identifiers: null }),
    ...(answers_post_id !== null && { answers_post_id }),
  };
}

/** Returns the form's values for a refused post of the outbox, so that the user can correct the post. */
export function fromPostInput(input: NewPostInput): PostFormValues {
  const { title, location, description, owner_first_name, owner_last_name, community_code, phone_number } = input;
  const [identifier = '', second_identifier = ''] = input.identifiers ?? [];
  return {
    ...EMPTY_POST,
    ...{ title, location, description, owner_first_name, owner_last_name, community_code, phone_number },
    ...{ identifier, second_identifier },
    on_behalf: input.on_behalf === true,
    kept_at: input.kept_at ?? '',
    chosen_kind: input.kind ?? (input.kind === null ? 'read' : null),
    is_owner: input.posted_by === 'owner',
    answers_post_id: input.answers_post_id ?? null,
    contact: input.contact ?? 'number',
    claim_question: input.claim_question ?? '',
    private_marks: input.private_marks ?? '',
  };
}
