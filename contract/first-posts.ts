import type { Language } from './language.ts';
import type { Post, PostEntry } from './posts.ts';

/** The posts embedded in the page of /view-posts: the first page of the list, as visitors see them. */
export type FirstPosts = {
  /** When they were read. */
  at: string;
  entries: PostEntry[];
  next_cursor: string | null;
};

/** The id of the element that contains them. */
export const FIRST_POSTS_ID = 'first-posts';
/** An attribute of the root element, set before they are read: the app need not request them. */
export const FIRST_POSTS_COME = 'data-first-posts';
/** Marks the place in the page where they go. */
export const FIRST_POSTS_PLACE = 'data-posts-place';
/** How many of them the page shows as cards, as many as the skeleton: by the time a visitor scrolls further, the app is there. */
export const FIRST_CARDS_MAX = 6;
/** The page size of the app's list, which continues from here. */
export const FEED_PAGE_SIZE = 20;

/** The feed in one language, made by the build from the app's own card: the markup around the cards, and each variant. */
export type CardTemplates = { start: string; cards: Record<string, string>; end: string };
/** The file of the build that has them, for the Worker. */
export const CARD_TEMPLATES_PATH = '/card-templates.json';
export type CardTemplatesFile = Record<Language, CardTemplates>;

/** Names the variant of a visitor's card: whatever changes more of it than its texts. */
export function cardVariantOf({ posted_by, is_found, contact, on_behalf, photos }: Post): string {
  return JSON.stringify({ posted_by, is_found, contact, on_behalf, has_photo: photos.length > 0 });
}
