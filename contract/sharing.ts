import type { Language } from './language.ts';
import type { Post, PostKind } from './posts.ts';

/** The Worker's page of a post, readable without the app: the short one, for paper. */
export function sharePath(postId: string): string {
  return `/p/${encodeURIComponent(postId)}`;
}

/** What is sent on: whoever opens it reads what whoever sent it did. */
export function sharePathIn(language: Language, postId: string): string {
  return `${sharePath(postId)}?lang=${language}`;
}

/** What a chat shows beside a link, in pixels. */
export const PREVIEW_WIDTH = 1200;
export const PREVIEW_HEIGHT = 630;

/** Our own preview of a post without a photo, which the build draws. */
export function previewPath({ kind, posted_by }: { kind: PostKind } & Pick<Post, 'posted_by'>, language: Language) {
  return `/previews/${kind}-${posted_by}-${language}.jpg`;
}
