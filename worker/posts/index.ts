/** What other nouns may use of this one. */
export { clearExpired } from './insert-store.ts';
export { postData } from './personal-data.ts';
export { FROM_POSTS, POST_COLUMNS, type PostRow } from './post-columns.ts';
export { assertAuthor, type PostRowForViewer, presentPost } from './post-rules.ts';
export { idOf, isMember, isShownTo } from './visibility.ts';
