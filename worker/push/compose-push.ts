import type { PushMessage } from '#contract/channels.ts';
import type { PostKind } from '#contract/kinds.ts';
import type { Language } from '#contract/language.ts';
import type { LiveMessage } from '#contract/live-messages.ts';
import en from '#locales/en/outside/push.json' with { type: 'json' };
import sw from '#locales/sw/outside/push.json' with { type: 'json' };

type Text = { title: string; body: string | Record<PostKind, string> };

/** They name no post, person or number, as anybody near the phone can read them. The fallback is for types without one. */
const TEXTS: Record<Language, { fallback: Text } & Partial<Record<string, Text>>> = { en, sw };

/** What a notice is about, as ids only. */
type PushSubject = {
  id: string;
  type: LiveMessage['type'];
  kind: PostKind | null;
  postId: string | null;
  claimId: string | null;
  communityId: string | null;
};

/** Notices that members get, who may not open `/community-details` (docs/product.md V28). */
const FOR_MEMBERS = new Set<LiveMessage['type']>(['join_accepted', 'community_closing', 'community_reopened']);

/** A fixed sentence per type of notice, for some types also per kind of thing. */
export function composePush(subject: PushSubject, language: Language, isSilent: boolean): PushMessage {
  const { type, id, kind } = subject;
  const { title, body } = TEXTS[language][type] ?? TEXTS[language].fallback;
  return {
    type,
    id,
    title,
    body: typeof body === 'string' ? body : body[kind ?? 'other'],
    url: addressOf(subject),
    language,
    silent: isSilent,
  };
}

/** The path of the web app where the person can act on the notice. */
function addressOf({ type, postId, claimId, communityId }: PushSubject): string {
  if (type === 'reports_waiting' || type === 'community_without_admin') return '/admin';
  if (type === 'community_rejected') return '/notices';
  if (claimId !== null) return `/claims/${encodeURIComponent(claimId)}`;
  if (postId !== null) return `/posts/${encodeURIComponent(postId)}`;
  if (communityId === null) return '/notices';
  return `/${FOR_MEMBERS.has(type) ? 'communities' : 'community-details'}/${encodeURIComponent(communityId)}`;
}
