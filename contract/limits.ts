/**
 * Limits on size, number and age, with their units. Limits on how often a user may act are in worker/limits/limits.ts.
 * The maximum lengths of a post's texts are in contract/posts.ts, except `LOCATION_MAX_CHARS`: the web app's filter
 * needs this limit without loading the schemas.
 */

export const USERNAME_MAX_CHARS = 60;
export const EMAIL_MAX_CHARS = 254;
export const PASSWORD_MIN_CHARS = 8;
export const PASSWORD_MAX_CHARS = 128;

export const LOCATION_MAX_CHARS = 120;

/** How many devices can be signed in to one account. One more sign-in signs out the device with the oldest sign-in. */
export const DEVICES_MAX = 50;
/** A device that is not used for this long is signed out. */
export const DEVICE_UNUSED_DAYS = 180;
export const SESSION_LIFETIME_DAYS = 30;
/** How long the closed account of a suspended or reported person waits for erasure. Other accounts do not wait. */
export const ERASURE_WAITS_DAYS = 30;
/** How long nobody can register with a suspended person's phone number or e-mail after the account's erasure. */
export const BARRED_MONTHS = 12;

/** After how many days a notice asks the author whether they are still looking. */
export const POST_ASKED_AFTER_DAYS = [14, 45] as const;
/** After how many days without an answer from its author a post is neither listed nor matched: it rests. */
export const POST_RESTS_AFTER_DAYS = 60;

/** Limits on a post's identifiers. Characters and digits are counted in the folded form (`foldIdentifier`). */
export const IDENTIFIERS_MAX = 2;
export const IDENTIFIER_MIN_CHARS = 6;
export const IDENTIFIER_MAX_CHARS = 40;
export const IDENTIFIER_MIN_DIGITS = 3;
/** The maximum length of an identifier as the author types it, including separators. */
export const IDENTIFIER_TYPED_MAX_CHARS = 120;
/** How often a post's identifiers can be changed. Without a limit an author could try numbers until one matches. */
export const IDENTIFIER_CHANGES_MAX = 2;

/** How long the author can undo marking a post as found. */
export const FOUND_UNDO_SECONDS = 10 * 60;

export const PASSKEYS_MAX = 10;
/** For how many hours after using a passkey an admin's session can make admin changes. */
export const STEP_UP_HOURS = 12;

export const COMMUNITY_NAME_MAX_CHARS = 100;
export const COMMUNITY_DESCRIPTION_MAX_CHARS = 2_000;
/** The maximum length of what a user enters to join a community: an access code, or a whole join link. */
export const JOIN_TEXT_MAX_CHARS = 300;
export const ACCESS_CODE_CHARS = 10;
/** How many days a community stays open after its closing is announced. Until then its admins can cancel. */
export const COMMUNITY_CLOSES_DAYS = 7;
/** How long a removed member cannot join again. */
export const REMOVAL_DAYS = 30;
/** After how many days a person whose request to join was declined may ask again. */
export const JOIN_REQUEST_AGAIN_DAYS = 7;
/** After how many days an unanswered request to join is deleted. */
export const JOIN_REQUEST_LIFETIME_DAYS = 90;
export const JOIN_REQUEST_MAX_CHARS = 500;
/** Limits of a community's page: how many admins it names, and up to which number it counts open join requests. */
export const ADMINS_NAMED_MAX = 20;
export const WAITING_REQUESTS_MAX = 100;
/** How many rejected earlier requests of a person an admin sees beside the person's pending community or new name. */
export const EARLIER_REJECTIONS_MAX = 5;

/** How many possible matches are listed for a post at most: those with the highest scores. */
export const POSSIBLE_MATCHES_MAX = 10;

export const FEEDBACK_MESSAGE_MAX_CHARS = 5_000;

/** This many reports hide a post. Reports by accounts that are too new or have no proven phone number do not count. */
export const REPORTS_THAT_HIDE = 3;
export const REPORTER_MIN_AGE_SECONDS = 3 * 24 * 60 * 60;
export const REPORT_TEXT_MAX_CHARS = 500;
export const MODERATION_REASON_MAX_CHARS = 500;
/** After how many hours without a decision the admins are notified of a report again. */
export const REPORT_OVERDUE_HOURS = 48;
/** How long an admin's decision on a post can be undone. */
export const DECISION_UNDO_SECONDS = 10 * 60;
export const DECISION_LIFETIME_DAYS = 365;

/** The maximum length of an answer, a question or a reply in a claim. */
export const CLAIM_TEXT_MAX_CHARS = 500;
export const CLAIM_ASKS_MAX = 4;
/** How many claims one person can make on a post. */
export const CLAIM_TRIES_MAX = 2;
/** After how long a decline takes effect. Until then the finder can undo it. */
export const CLAIM_DECLINE_SECONDS = 10 * 60;
export const HANDOVER_CODE_DIGITS = 6;
/**
 * After `HANDOVER_CODE_TRIES` wrong hand-over codes, the finder cannot enter another one for `HANDOVER_LOCK_SECONDS`.
 */
export const HANDOVER_CODE_TRIES = 5;
export const HANDOVER_LOCK_SECONDS = 60 * 60;
/** How long both parties see each other's phone number after the hand-over. */
export const CLAIM_NUMBER_DAYS = 7;

/** How many photos one post can have, and how many all posts of one person can have together. */
export const PHOTOS_MAX = 4;
export const PHOTOS_OF_PERSON_MAX = 200;
/** Limits on the uploaded file. The stored pictures are far smaller. */
export const PHOTO_MAX_BYTES = 3 * 1024 * 1024;
export const PHOTO_MAX_PIXELS = 40_000_000;
/** The longer side of the stored pictures. Smaller uploads are not enlarged. */
export const PHOTO_MAX_SIDE_PX = 1280;
export const THUMBNAIL_MAX_SIDE_PX = 320;
export const THUMBNAIL_MAX_BYTES = 12_000;
export const PHOTO_ALT_MAX_CHARS = 200;
/** How long photos are stored after a post's kind has become `document`. During this time only the author sees them. */
export const DOCUMENT_PHOTO_DAYS = 7;

export const SEARCH_MAX_CHARS = 500;
export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 100;

export const BODY_MAX_BYTES = 16 * 1024;
export const CLIENT_ERROR_MAX_BYTES = 2 * 1024;
export const CLIENT_ERROR_FRAMES_MAX = 10;
export const IDEMPOTENCY_KEY_MAX_CHARS = 128;
export const IDEMPOTENCY_KEY_LIFETIME_HOURS = 24;

/** How long a link that proves an e-mail address is valid. */
export const EMAIL_LINK_LIFETIME_HOURS = 24;

export const RESET_CODE_DIGITS = 6;
/** The web app does not send a reset code that is shorter than this (docs/product.md A4). */
export const RESET_CODE_MIN_CHARS = 4;
export const RESET_CODE_LIFETIME_SECONDS = 300;

/** How long a user has to send the message that proves a phone number, and how long the proof is valid afterwards. */
export const PROOF_MESSAGE_LIFETIME_SECONDS = 10 * 60;
export const PROOF_LIFETIME_SECONDS = 15 * 60;
/**
 * For this many days after one account has proven a phone number, another account cannot take over the number with a
 * verification code. Later it can, because phone companies reassign numbers.
 */
export const NUMBER_KEPT_DAYS = 90;

export const REALTIME_TICKET_LIFETIME_SECONDS = 30;
export const RECENT_ACTIVITY_DAYS = 7;
/** How many sockets a person can have open. Opening another one closes the oldest. */
export const SOCKETS_PER_USER_MAX = 20;
export const NOTICE_IDS_MAX = 100;

/** How long a notice waits to be acknowledged or read before each channel sends it. */
export const NOTICE_PUSH_SECONDS = 15;
export const NOTICE_WHATSAPP_SECONDS = 10 * 60;
export const NOTICE_EMAIL_SECONDS = 30 * 60;
/** The most WhatsApp messages with notices that a person gets a day. E-mails have a separate limit of the same size. */
export const NOTICE_MESSAGES_A_DAY = 3;
/** How many push subscriptions a person can have, one for each browser. A further one replaces the oldest one. */
export const PUSH_SUBSCRIPTIONS_MAX = 10;
export const PUSH_ENDPOINT_MAX_CHARS = 2_000;
export const PUSH_KEY_MAX_CHARS = 200;
export const BLOCKS_LISTED_MAX = 500;

/** The most entries of each list in an admin's search and pages: a list of people, posts, reports or log entries. */
export const ADMIN_FOUND_MAX = 20;
/** The highest value of a count in the admins' statistics: counting stops there. */
export const WEEK_COUNT_MAX = 10_000;
export const UNREAD_COUNT_MAX = 100;
