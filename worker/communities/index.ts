/** What other nouns may use of this one. */
export { parseCode } from './codes.ts';
export { assertCommunityAdmin } from './community-rules.ts';
export { leaveCommunities } from './leave-store.ts';
export { communityData } from './personal-data.ts';
export { selectCommunityWhere } from './store.ts';
