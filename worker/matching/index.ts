/** The only exports that other nouns may import. */
export { refreshShares } from './competition.ts';
export { deriveKind } from './derive-kind.ts';
export { findMatches } from './find-matches.ts';
export { finishMatching, MATCH_GRACE_MS } from './finish-matching.ts';
export { isPhoneOrSim } from './is-phone.ts';
export { matchPost } from './match-post.ts';
export { matchData } from './personal-data.ts';
export { renewReadings } from './renew-readings.ts';
