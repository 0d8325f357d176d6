/** What other nouns may use of this one. */
export { clearExpired } from './insert-store.ts';
export { listWithoutKind, renewKind } from './kind-store.ts';
export { postData } from './personal-data.ts';
export { FROM_POSTS, POST_COLUMNS, type PostRow, postRow } from './post-columns.ts';
export { assertAuthor, postRowForViewer, presentPost } from './post-rules.ts';
export { redactFor, redactReasons } from './redact-post.ts';
export { HIDING_BITS, idOf, isMember, isOpen, isOpenedBy, isShownTo } from './visibility.ts';
