import { POSTED_BY, type PostKind } from './kinds.ts';
import type { Language } from './language.ts';

const JOIN_PATH = '/communities';

/** Returns the web app's path that joins the community with this access code. */
export function joinPath(accessCode: string): string {
  return `${JOIN_PATH}?join=${encodeURIComponent(accessCode)}`;
}

/** Returns the link to join a community. The community's QR code contains it, so any phone's camera can open it. */
export function joinLink(origin: string, accessCode: string): string {
  return `${origin}${joinPath(accessCode)}`;
}

/** Whether the text contains a join link with an access code. */
export function hasJoinLink(text: string): boolean {
  return /[?&]join=./i.test(text);
}

/** Returns the access code of a join link anywhere in the text; without a link, the trimmed text. */
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

/** Returns the path of a post's page that opens without the app. The path is short, so that it can be printed. */
export function sharePath(postId: string): string {
  return `/p/${encodeURIComponent(postId)}`;
}

/** Returns the path of a post's page in the sender's language, for sharing. */
export function sharePathIn(language: Language, postId: string): string {
  return `${sharePath(postId)}?lang=${language}`;
}

/** The size of a link preview, in pixels. */
export const PREVIEW_WIDTH = 1200;
export const PREVIEW_HEIGHT = 630;

/** What a link preview shows: a lost item, a found item, or an item that was found and returned. */
export const PREVIEW_STATES = [...POSTED_BY, 'returned'] as const;
export type PreviewState = (typeof PREVIEW_STATES)[number];

/** Returns the path of the preview for a post without a photo. The build draws these previews. */
export function previewPath(kind: PostKind, state: PreviewState, language: Language): string {
  return `/previews/${kind}-${state}-${language}.jpg`;
}
