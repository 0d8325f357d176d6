import type { Language } from './language.ts';
import { POSTED_BY, type PostKind } from './post-kinds.ts';

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

/** What a link preview shows: lost, found, or found and returned. */
export const PREVIEW_STATES = [...POSTED_BY, 'returned'] as const;
export type PreviewState = (typeof PREVIEW_STATES)[number];

/** The preview of a post without a photo, drawn by the build. */
export function previewPath(kind: PostKind, state: PreviewState, language: Language): string {
  return `/previews/${kind}-${state}-${language}.jpg`;
}
