/** The only exports that other nouns may import. */

export { isToBeAskedNow, listToAsk, markAsked, restStatements, selectOpenIn, selectToRest } from './age-store.ts';
export { isOpenClaim } from './claimed.ts';
export { clearFound } from './delete-store.ts';
export { digestIdentifier } from './identifiers.ts';
export { renewKind } from './kind-store.ts';
export type { Asker } from './number-rules.ts';
export { clearExpired, countGiven, type NumberReader, readWithNumbers } from './number-store.ts';
export { postData } from './personal-data.ts';
export {
  FROM_POSTS,
  POST_COLUMNS,
  type PostRow,
  postRow,
  STORED_COLUMNS,
  type StoredPost,
  storedPostRow,
} from './post-columns.ts';
export {
  assertAuthor,
  assertVisible,
  postRowForViewer,
  presentPost,
  presentToAdmin,
  presentToAnybody,
} from './post-rules.ts';
export { readNewest } from './read-newest.ts';
export { hideAnyContact } from './redact-claim.ts';
export { redactFor, redactReasons } from './redact-post.ts';
export { renewTexts } from './renew-texts.ts';
export { returnStatements } from './return-store.ts';
export { selectSaying } from './search-store.ts';
export { findPost, selectPost } from './store.ts';
export { unmatchStatements } from './unmatch-store.ts';
export {
  areNotApart,
  arePaused,
  bitsOf,
  type Hider,
  idOf,
  isOpen,
  isOpenEvenHidden,
  isOpenedBy,
  isShownTo,
  photoAudienceOf,
  readHiddenBy,
} from './visibility.ts';
