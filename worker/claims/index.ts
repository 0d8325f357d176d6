/** The only exports that other nouns may import. */
export { clearExpired } from './clear-expired.ts';
export { finishDueDeclines } from './finish-due-declines.ts';
export { closeClaimsBetween, closeClaimsOf, closeSilently } from './news-store.ts';
export { claimData, forgetTitles } from './personal-data.ts';
