/** What other nouns may use of this one. */
export { reopenEdited } from './case-store.ts';
export { clearExpired } from './clear-expired.ts';
export { hidePosts, restorePosts } from './hide-posts.ts';
export { logAction } from './log-store.ts';
export { moderationData } from './personal-data.ts';
export { tellAdmins } from './tell-admins.ts';
