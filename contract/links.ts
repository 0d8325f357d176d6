import { POSTED_BY, type PostKind } from './kinds.ts';
import type { Language } from './language.ts';

const JOIN_PATH = '/communities';

/** The web app's path for joining with this code. */
export function joinPath(accessCode: string): string {
  return `${JOIN_PATH}?join=${encodeURIComponent(accessCode)}`;
}

/** The link that people share, and that the QR code contains, so that any phone's camera opens it. */
export function joinLink(origin: string, accessCode: string): string {
  return `${origin}${joinPath(accessCode)}`;
}

/** Whether the text contains a join link with a code. */
export function hasJoinLink(text: string): boolean {
  return /[?&]join=./i.test(text);
}

/** The code of a join link anywhere in the text; without one, the trimmed text. */
export function readJoinCode(text: string): string {
  const linked = /[?&]join=([^&#\s]+)/i.exec(text)?.[1];
  return decodeLoosely(linked ?? text).trim();
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
