/** What other nouns may use of this one. */
export { clearExpired } from './clear-expired.ts';
export { finishDueDeclines } from './finish-due-declines.ts';
export { closeClaimsBetween, closeClaimsOf, closeSilently } from './news-store.ts';
export { claimData } from './personal-data.ts';
