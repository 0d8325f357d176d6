/** The only exports that other nouns may import. */
export { clearExpired } from './clear-expired.ts';
export { parseCode } from './codes.ts';
export { HAS_ADMIN, hasOtherAdmin, isAdminOf, isMember, isSuspended, mayPostInto } from './community-conditions.ts';
export { presentMember } from './community-rules.ts';
export { selectMembers, toMemberPage } from './detail-store.ts';
export { closeStatements, emptyStatements, listToClose } from './finish-closing.ts';
export { leaveCommunities } from './leave-store.ts';
export { communityData } from './personal-data.ts';
export { assertMay } from './step-rules.ts';
export { selectCommunityWhere } from './store.ts';
