/** Every number of the contract that a person or a program can run into, with its unit. */

export const USERNAME_MAX_CHARS = 60;
export const EMAIL_MAX_CHARS = 254;
export const PASSWORD_MIN_CHARS = 8;
export const PASSWORD_MAX_CHARS = 128;

export const TITLE_MAX_CHARS = 120;
export const NAME_MAX_CHARS = 60;
export const LOCATION_MAX_CHARS = 120;
export const KEPT_AT_MAX_CHARS = 120;
export const DESCRIPTION_MAX_CHARS = 2_000;

/** Where somebody is signed in to one account; the oldest makes room. */
export const DEVICES_MAX = 50;
/** What is not used for so long is signed out. */
export const DEVICE_UNUSED_DAYS = 180;
export const SESSION_LIFETIME_DAYS = 30;
/** An account that is suspended, or whose posts are under report, is erased so long after its person has closed it. */
export const ERASURE_WAITS_DAYS = 30;
/** The number and the e-mail of a suspended person open no account for so long after theirs is gone. */
export const BARRED_MONTHS = 12;

/** After so many days an author is asked whether they still look for it, and after the last ones the post rests. */
export const POST_ASKED_AFTER_DAYS = [14, 45] as const;
export const POST_RESTS_AFTER_DAYS = 60;
/** Fewer things that are back are not shown. */
export const RETURNED_SHOWN_FROM = 20;

/** Of one post. Characters and digits are those of the folded form (contract/identifiers.ts). */
export const IDENTIFIERS_MAX = 2;
export const IDENTIFIER_MIN_CHARS = 6;
export const IDENTIFIER_MAX_CHARS = 40;
export const IDENTIFIER_MIN_DIGITS = 3;
/** As typed, with what parts its digits. */
export const IDENTIFIER_TYPED_MAX_CHARS = 120;
/** How often a post's may be changed once they are set: whoever may change them at will could try them all. */
export const IDENTIFIER_CHANGES_MAX = 2;

/** Of the posts that a filter keeps out of a list so many are counted. */
export const EXCLUDED_COUNTED_MAX = 50;

/** How long marking a post as found can be undone. */
export const FOUND_UNDO_SECONDS = 10 * 60;

export const PASSKEYS_MAX = 10;
/** How long an admin's passkey counts in the session that it was shown in. */
export const STEP_UP_HOURS = 12;

export const COMMUNITY_NAME_MAX_CHARS = 100;
export const COMMUNITY_DESCRIPTION_MAX_CHARS = 2_000;
/** A join link or a code with spaces and dashes; the code itself has `ACCESS_CODE_CHARS`. */
export const JOIN_TEXT_MAX_CHARS = 300;
export const ACCESS_CODE_CHARS = 10;
/** A community closes so long after its admins say so; until then they can take it back. */
export const COMMUNITY_CLOSES_DAYS = 7;
/** The codes of a community are refused to whoever was removed from it for so long. */
export const REMOVAL_DAYS = 30;
/** Whoever was declined may ask again after so long. */
export const JOIN_REQUEST_AGAIN_DAYS = 7;
/** A request that nobody answers is forgotten after so long. */
export const JOIN_REQUEST_LIFETIME_DAYS = 90;
export const JOIN_REQUEST_MAX_CHARS = 500;
/** On a community's page. */
export const ADMINS_NAMED_MAX = 20;
export const WAITING_REQUESTS_MAX = 100;
/** Of what an asker was refused before, with what they ask now. */
export const EARLIER_REJECTIONS_MAX = 5;

/** Of the matches that are only possible, a post's list has the best ones. */
export const POSSIBLE_MATCHES_MAX = 10;

export const FEEDBACK_MESSAGE_MAX_CHARS = 5_000;

/** So many reports hide a post, by people whose number is proven and whose account is older than this. */
export const REPORTS_THAT_HIDE = 3;
export const REPORTER_MIN_AGE_SECONDS = 3 * 24 * 60 * 60;
export const REPORT_TEXT_MAX_CHARS = 500;
export const MODERATION_REASON_MAX_CHARS = 500;
/** A report that waits longer is told to the admins again, and each time it has waited as long once more. */
export const REPORT_OVERDUE_HOURS = 48;
/** How long an admin's decision on a post can be undone. */
export const DECISION_UNDO_SECONDS = 10 * 60;
export const DECISION_LIFETIME_DAYS = 365;

/** What the finder asks whoever claims, and what they alone know of the thing. */
export const CLAIM_QUESTION_MAX_CHARS = 200;
export const PRIVATE_MARKS_MAX_CHARS = 500;
/** An answer, a question and a reply in a claim. */
export const CLAIM_TEXT_MAX_CHARS = 500;
export const CLAIM_ASKS_MAX = 4;
/** Claims that a person may make on one post. */
export const CLAIM_TRIES_MAX = 2;
/** After so long a decline takes effect; until then it can be undone. */
export const CLAIM_DECLINE_SECONDS = 10 * 60;
export const HANDOVER_CODE_DIGITS = 6;
/** So many wrong ones lock the code for so long. */
export const HANDOVER_CODE_TRIES = 5;
export const HANDOVER_LOCK_SECONDS = 60 * 60;
/** How long each still has the other's number after the hand-over. */
export const CLAIM_NUMBER_DAYS = 7;

/** Of one post, and of one person altogether. */
export const PHOTOS_MAX = 4;
export const PHOTOS_OF_PERSON_MAX = 200;
/** As they come; what is kept is far smaller. */
export const PHOTO_MAX_BYTES = 3 * 1024 * 1024;
export const PHOTO_MAX_PIXELS = 40_000_000;
/** As they are kept: the longer side at most, never larger than they came. */
export const PHOTO_MAX_SIDE_PX = 1280;
export const THUMBNAIL_MAX_SIDE_PX = 320;
export const THUMBNAIL_MAX_BYTES = 12_000;
export const PHOTO_ALT_MAX_CHARS = 200;
/** How long a post that has become a document's shows its photos, to its author alone; then they are deleted. */
export const DOCUMENT_PHOTO_DAYS = 7;

export const SEARCH_MAX_CHARS = 500;
export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 100;

export const BODY_MAX_BYTES = 16 * 1024;
export const CLIENT_ERROR_MAX_BYTES = 2 * 1024;
export const CLIENT_ERROR_FRAMES_MAX = 10;
export const IDEMPOTENCY_KEY_MAX_CHARS = 128;
export const IDEMPOTENCY_KEY_LIFETIME_HOURS = 24;

/** How long a link is good that shows that an e-mail is one's own. */
export const EMAIL_LINK_LIFETIME_HOURS = 24;

export const RESET_CODE_DIGITS = 6;
/** The least a reader must type before the code is sent to the server (specification §5). */
export const RESET_CODE_MIN_CHARS = 4;
export const RESET_CODE_LIFETIME_SECONDS = 300;

/** How long a message that proves a number may take, and how long the proof is good then. */
export const PROOF_MESSAGE_LIFETIME_SECONDS = 10 * 60;
export const PROOF_LIFETIME_SECONDS = 15 * 60;
/** A number that was proven longer ago goes to whoever proves it by a code: numbers are given to new people. */
export const NUMBER_KEPT_DAYS = 90;

export const REALTIME_TICKET_LIFETIME_SECONDS = 30;
export const RECENT_ACTIVITY_DAYS = 7;
/** Sockets a person may have open at once; the oldest makes room. */
export const SOCKETS_PER_USER_MAX = 20;
export const NOTICE_IDS_MAX = 100;

/** When a notice that nobody has acknowledged or read goes out by each channel. */
export const NOTICE_PUSH_SECONDS = 15;
export const NOTICE_WHATSAPP_SECONDS = 10 * 60;
export const NOTICE_EMAIL_SECONDS = 30 * 60;
/** By WhatsApp, and by e-mail. */
export const NOTICE_MESSAGES_A_DAY = 3;
/** Browsers that a person may be reached in; the oldest makes room. */
export const PUSH_SUBSCRIPTIONS_MAX = 10;
export const PUSH_ENDPOINT_MAX_CHARS = 2_000;
export const PUSH_KEY_MAX_CHARS = 200;
export const BLOCKS_LISTED_MAX = 500;

/** Of people, posts, reports and what was done, an admin's search and pages show the newest. */
export const ADMIN_FOUND_MAX = 20;
/** A day's number stops counting here. */
export const WEEK_COUNT_MAX = 10_000;
/** Of how many days an admin is told how far their notices came. */
export const NOTICE_DAYS_MAX = 90;
export const NOTICE_DAYS_DEFAULT = 7;
export const UNREAD_COUNT_MAX = 100;
