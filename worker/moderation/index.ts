/** The only exports that other nouns may import. */
export { endCases, reopenEdited } from './case-store.ts';
export { clearExpired } from './clear-expired.ts';
export { hidePosts, restorePosts } from './hide-posts.ts';
export { logAction, selectLog } from './log-store.ts';
export { logRow, personRow, presentLogEntry, presentPerson } from './moderation-rules.ts';
export { moderationData } from './personal-data.ts';
export { KNOWN_OF_PERSON } from './queue-store.ts';
export { claimReportsOn, isUnderReport } from './report-store.ts';
export { tellAdmins } from './tell-admins.ts';
