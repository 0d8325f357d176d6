import type { Language } from './language.ts';
import type { Post, PostEntry } from './posts.ts';

/** The posts embedded in the HTML page of /view-posts: the first page of the list, as visitors see it. */
export type FirstPosts = {
  /** When the posts were read from the database. */
  at: string;
  entries: PostEntry[];
  next_cursor: string | null;
};

/** The id of the element that contains the embedded posts. */
export const FIRST_POSTS_ID = 'first-posts';
/**
 * An attribute of the `html` element, which announces embedded posts before they arrive. If it is set, the app does not
 * request the posts.
 */
export const FIRST_POSTS_COME = 'data-first-posts';
/** The attribute of a placeholder element. The Worker replaces this element by the posts' cards. */
export const FIRST_POSTS_PLACE = 'data-posts-place';
/**
 * How many cards the page contains before the app starts. The app adds the cards of the other posts before a visitor
 * scrolls that far.
 */
export const FIRST_CARDS_MAX = 6;
/** The page size of the app's list, which continues after the embedded posts. */
export const FEED_PAGE_SIZE = 20;

/**
 * The feed in one language, rendered by the build: the markup around the cards, and a card for each variant of a post
 * (`cardVariantOf`).
 */
export type CardTemplates = { start: string; cards: Record<string, string>; end: string };
/** The build's file with the card templates, which the Worker reads. */
export const CARD_TEMPLATES_PATH = '/card-templates.json';
export type CardTemplatesFile = Record<Language, CardTemplates>;

/** Returns the variant of a post's card as visitors see it. Cards of one variant differ only in their texts. */
export function cardVariantOf({ posted_by, is_found, contact, on_behalf, photos }: Post): string {
  return JSON.stringify({ posted_by, is_found, contact, on_behalf, has_photo: photos.length > 0 });
}
