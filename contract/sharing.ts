import type { Language } from './language.ts';
import type { Post, PostKind } from './posts.ts';

/** The Worker's page of a post, readable without the app. This is the short form, for print. */
export function sharePath(postId: string): string {
  return `/p/${encodeURIComponent(postId)}`;
}

/** The address to share: it opens in the sender's language. */
export function sharePathIn(language: Language, postId: string): string {
  return `${sharePath(postId)}?lang=${language}`;
}

/** The size of a link preview, in pixels. */
export const PREVIEW_WIDTH = 1200;
export const PREVIEW_HEIGHT = 630;

/** The preview of a post without a photo, drawn by the build. */
export function previewPath({ kind, posted_by }: { kind: PostKind } & Pick<Post, 'posted_by'>, language: Language) {
  return `/previews/${kind}-${posted_by}-${language}.jpg`;
}
