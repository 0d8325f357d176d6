/** The only exports that other nouns may import. */
export { deliverNotices, tellMailboxes } from './deliver-notices.ts';
export { clearExpired } from './expiry-store.ts';
export { finishDelivering } from './finish-delivering.ts';
export { readUnfinished } from './list-store.ts';
export type { UndeliveredNotice } from './notice-rules.ts';
export { noticeData } from './personal-data.ts';
export { recordAcknowledged, recordTold } from './progress-store.ts';
export { readWaiting, type WaitingNotices } from './read-waiting.ts';
export { renewClaimNews, retractNotices } from './retract-notices.ts';
export {
  type ClaimNews,
  hasDismissed,
  keepNotice,
  keepQuestions,
  listUndelivered,
  rememberUnread,
  reviseAndRead,
  reviseUnreadNotices,
  tellConfirmed,
  tellOfClaims,
  tellPasswordChanged,
  WITHDRAWN_FROM,
  withdrawBetween,
  withdrawInside,
  withdrawNotices,
  withdrawPair,
} from './store.ts';
export { tryMailbox } from './try-mailbox.ts';
