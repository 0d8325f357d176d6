/** The only exports that other nouns may import. */
export { clearExpired } from './expiry-store.ts';
export { judgeEvidence } from './judge-evidence.ts';
export { numberData } from './personal-data.ts';
export { receiveProof } from './receive-proof.ts';
export {
  assertTaken,
  type Evidence,
  endFormerHold,
  hasClaimed,
  insertNumber,
  readTaking,
  type Taking,
} from './take-number.ts';
