/** What other nouns may use of this one. */

export { postData } from './personal-data.ts';
export { assertAuthor, type PostRow, type PostRowForViewer, presentPost } from './post-rules.ts';
export { FROM_POSTS, POST_COLUMNS } from './store.ts';
