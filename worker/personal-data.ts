import { accountData } from './accounts/index.ts';
import { blockData } from './blocks/index.ts';
import { claimData } from './claims/index.ts';
import { communityData } from './communities/index.ts';
import type { PersonalData } from './db/personal-data.ts';
import { deviceData } from './devices/index.ts';
import { emailData } from './email/index.ts';
import { feedbackData } from './feedback/index.ts';
import { leavingData } from './leaving/index.ts';
import { matchData } from './matching/index.ts';
import { moderationData } from './moderation/index.ts';
import { noticeData } from './notices/index.ts';
import { numberData } from './numbers/index.ts';
import { passkeyData } from './passkeys/index.ts';
import { photoData } from './photos/index.ts';
import { postData } from './posts/index.ts';
import { pushData } from './push/index.ts';
import { reachData } from './reach/index.ts';
import { recoveryData } from './recovery/index.ts';
import { whatsappData } from './whatsapp/index.ts';

/** The personal data of every noun, in the order of erasure: rows that refer to others before the rows they refer to. */
export const PERSONAL_DATA: readonly PersonalData[] = [
  matchData,
  pushData,
  reachData,
  noticeData,
  claimData,
  blockData,
  moderationData,
  photoData,
  postData,
  communityData,
  whatsappData,
  recoveryData,
  feedbackData,
  passkeyData,
  deviceData,
  numberData,
  emailData,
  accountData,
  leavingData,
];
