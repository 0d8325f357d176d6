import type { PostEntry } from './posts.ts';

/** What comes in the page of /view-posts itself: the list of what is open, as a visitor is answered it. */
export type FirstPosts = {
  /** When it was read. */
  at: string;
  entries: PostEntry[];
  next_cursor: string | null;
};

/** The element of the page that holds them. */
export const FIRST_POSTS_ID = 'first-posts';
/** On the page's root, before they have been read: nobody needs to ask for them as well. */
export const FIRST_POSTS_COME = 'data-first-posts';
/** The place in the page that they take. */
export const FIRST_POSTS_PLACE = 'data-posts-place';
/** A page of the list in the app, which goes on from it. */
export const FEED_PAGE_SIZE = 20;
