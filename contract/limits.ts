/**
 * How large or old something may be, with its unit. How often somebody may do something is in worker/limits/limits.ts. The
 * lengths of a post's texts are in contract/posts.ts, except the location's, which the list's filter needs without schemas.
 */

export const USERNAME_MAX_CHARS = 60;
export const EMAIL_MAX_CHARS = 254;
export const PASSWORD_MIN_CHARS = 8;
export const PASSWORD_MAX_CHARS = 128;

export const LOCATION_MAX_CHARS = 120;

/** Devices signed in to one account; beyond it the oldest is signed out. */
export const DEVICES_MAX = 50;
/** Devices that are not used for this long are signed out. */
export const DEVICE_UNUSED_DAYS = 180;
export const SESSION_LIFETIME_DAYS = 30;
/** How long after its closing an account is erased if it is suspended or has undecided reports. Others are erased at once. */
export const ERASURE_WAITS_DAYS = 30;
/** How long the number and e-mail of an erased, suspended account cannot be used to register. */
export const BARRED_MONTHS = 12;

/** After how many days an author is asked whether they are still looking. */
export const POST_ASKED_AFTER_DAYS = [14, 45] as const;
/** After how many days without an answer the post rests. */
export const POST_RESTS_AFTER_DAYS = 60;

/** Per post. Characters and digits are counted in the folded form (contract/typed-numbers.ts). */
export const IDENTIFIERS_MAX = 2;
export const IDENTIFIER_MIN_CHARS = 6;
export const IDENTIFIER_MAX_CHARS = 40;
export const IDENTIFIER_MIN_DIGITS = 3;
/** As typed, including separators. */
export const IDENTIFIER_TYPED_MAX_CHARS = 120;
/** How often a post's identifiers may be changed once they are set; unlimited changes would allow trying them all. */
export const IDENTIFIER_CHANGES_MAX = 2;

/** How long marking a post as found can be undone. */
export const FOUND_UNDO_SECONDS = 10 * 60;

export const PASSKEYS_MAX = 10;
/** How long a session may make admin changes after a passkey was used in it. */
export const STEP_UP_HOURS = 12;

export const COMMUNITY_NAME_MAX_CHARS = 100;
export const COMMUNITY_DESCRIPTION_MAX_CHARS = 2_000;
/** A join link, or a code with spaces and dashes; the code itself has `ACCESS_CODE_CHARS`. */
export const JOIN_TEXT_MAX_CHARS = 300;
export const ACCESS_CODE_CHARS = 10;
/** How long after its admins' request a community closes; until then they can cancel it. */
export const COMMUNITY_CLOSES_DAYS = 7;
/** How long a removed member cannot rejoin. */
export const REMOVAL_DAYS = 30;
/** After how long a declined person may ask again. */
export const JOIN_REQUEST_AGAIN_DAYS = 7;
/** How long an unanswered request is kept. */
export const JOIN_REQUEST_LIFETIME_DAYS = 90;
export const JOIN_REQUEST_MAX_CHARS = 500;
/** On a community's page. */
export const ADMINS_NAMED_MAX = 20;
export const WAITING_REQUESTS_MAX = 100;
/** How many earlier rejections are shown with a request. */
export const EARLIER_REJECTIONS_MAX = 5;

/** A post's list has only the best of the possible matches. */
export const POSSIBLE_MATCHES_MAX = 10;

export const FEEDBACK_MESSAGE_MAX_CHARS = 5_000;

/** This many reports hide a post, if they are by people with a proven number and an account older than the minimum age. */
export const REPORTS_THAT_HIDE = 3;
export const REPORTER_MIN_AGE_SECONDS = 3 * 24 * 60 * 60;
export const REPORT_TEXT_MAX_CHARS = 500;
export const MODERATION_REASON_MAX_CHARS = 500;
/** Admins are notified again each time a report has waited this long. */
export const REPORT_OVERDUE_HOURS = 48;
/** How long an admin's decision on a post can be undone. */
export const DECISION_UNDO_SECONDS = 10 * 60;
export const DECISION_LIFETIME_DAYS = 365;

/** An answer, a question and a reply in a claim. */
export const CLAIM_TEXT_MAX_CHARS = 500;
export const CLAIM_ASKS_MAX = 4;
/** Claims that a person may make on one post. */
export const CLAIM_TRIES_MAX = 2;
/** After how long a decline takes effect; until then it can be undone. */
export const CLAIM_DECLINE_SECONDS = 10 * 60;
export const HANDOVER_CODE_DIGITS = 6;
/** This many wrong codes lock the code for that long. */
export const HANDOVER_CODE_TRIES = 5;
export const HANDOVER_LOCK_SECONDS = 60 * 60;
/** How long the two still see each other's number after the hand-over. */
export const CLAIM_NUMBER_DAYS = 7;

/** Per post, and per person in total. */
export const PHOTOS_MAX = 4;
export const PHOTOS_OF_PERSON_MAX = 200;
/** Of an upload; what is stored is far smaller. */
export const PHOTO_MAX_BYTES = 3 * 1024 * 1024;
export const PHOTO_MAX_PIXELS = 40_000_000;
/** The longer side of the stored pictures, which are never enlarged. */
export const PHOTO_MAX_SIDE_PX = 1280;
export const THUMBNAIL_MAX_SIDE_PX = 320;
export const THUMBNAIL_MAX_BYTES = 12_000;
export const PHOTO_ALT_MAX_CHARS = 200;
/** How long the photos of a post that has become a document's are kept, for its author only, before they are deleted. */
export const DOCUMENT_PHOTO_DAYS = 7;

export const SEARCH_MAX_CHARS = 500;
export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 100;

export const BODY_MAX_BYTES = 16 * 1024;
export const CLIENT_ERROR_MAX_BYTES = 2 * 1024;
export const CLIENT_ERROR_FRAMES_MAX = 10;
export const IDEMPOTENCY_KEY_MAX_CHARS = 128;
export const IDEMPOTENCY_KEY_LIFETIME_HOURS = 24;

/** How long a link that proves an e-mail is valid. */
export const EMAIL_LINK_LIFETIME_HOURS = 24;

export const RESET_CODE_DIGITS = 6;
/** How much must be typed before the code is sent to the server (docs/product.md A4). */
export const RESET_CODE_MIN_CHARS = 4;
export const RESET_CODE_LIFETIME_SECONDS = 300;

/** How long the message that proves a number may take, and how long the proof is valid afterwards. */
export const PROOF_MESSAGE_LIFETIME_SECONDS = 10 * 60;
export const PROOF_LIFETIME_SECONDS = 15 * 60;
/** A number proven longer ago can be taken over with a code, because numbers are reassigned to new people. */
export const NUMBER_KEPT_DAYS = 90;

export const REALTIME_TICKET_LIFETIME_SECONDS = 30;
export const RECENT_ACTIVITY_DAYS = 7;
/** Open sockets per person; beyond it the oldest is closed. */
export const SOCKETS_PER_USER_MAX = 20;
export const NOTICE_IDS_MAX = 100;

/** How long a notice waits to be acknowledged or read before each channel sends it. */
export const NOTICE_PUSH_SECONDS = 15;
export const NOTICE_WHATSAPP_SECONDS = 10 * 60;
export const NOTICE_EMAIL_SECONDS = 30 * 60;
/** By WhatsApp and by e-mail, each. */
export const NOTICE_MESSAGES_A_DAY = 3;
/** Browsers with push per person; beyond it the oldest is dropped. */
export const PUSH_SUBSCRIPTIONS_MAX = 10;
export const PUSH_ENDPOINT_MAX_CHARS = 2_000;
export const PUSH_KEY_MAX_CHARS = 200;
export const BLOCKS_LISTED_MAX = 500;

/** An admin's search and pages show the newest people, posts, reports and log entries, up to this number. */
export const ADMIN_FOUND_MAX = 20;
/** The numbers of a day are counted up to this. */
export const WEEK_COUNT_MAX = 10_000;
export const UNREAD_COUNT_MAX = 100;
