import type { LiveMessage } from '#contract/live-messages.ts';
import type { MatchReason } from '#contract/matching.ts';
import type { Notice } from '#contract/notices.ts';

/** A notice with what its message is made of; the post's fields are null for a community's decision. */
export type NoticeRow = {
  id: string;
  type: LiveMessage['type'];
  /** JSON of the whole message, for a community's decision. */
  body: string | null;
  post_id: string | null;
  your_post_id: string | null;
  title: string | null;
  location: string | null;
  owner_first_name: string | null;
  owner_last_name: string | null;
  phone_number: string | null;
  post_created_at: number | null;
  score: number | null;
  reasons: string | null;
};
/** A notice that is to be delivered to its recipient's mailbox, or withdrawn from it. */
export type UndeliveredNotice = NoticeRow & {
  recipient_id: string;
  /** 0 when a post was found, deleted or hidden since, or the pair dismissed: nobody is to be told any more. */
  is_true: 0 | 1;
};
/** A notice as its recipient reads it again. */
export type PastNotice = NoticeRow & { created_at: number; read_at: number | null; is_open: 0 | 1 };

/** The message as the contract words it ("Live notices"). */
export function toLiveMessage(row: NoticeRow): LiveMessage {
  if (row.type !== 'matching_post') return JSON.parse(row.body ?? '') as LiveMessage;
  return {
    type: 'matching_post',
    id: row.id,
    post_id: row.post_id ?? '',
    your_post_id: row.your_post_id ?? '',
    title: row.title ?? '',
    location: row.location ?? '',
    owner_first_name: row.owner_first_name ?? '',
    owner_last_name: row.owner_last_name ?? '',
    phone_number: row.phone_number ?? '',
    created_at: new Date(row.post_created_at ?? 0).toISOString(),
    score: row.score ?? 0,
    reasons: JSON.parse(row.reasons ?? '[]') as MatchReason[],
  };
}

export function presentNotice(row: PastNotice): Notice {
  return {
    message: toLiveMessage(row),
    noticed_at: new Date(row.created_at).toISOString(),
    read_at: row.read_at === null ? null : new Date(row.read_at).toISOString(),
    is_open: row.is_open === 1,
  };
}
