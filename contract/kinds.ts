export const POSTED_BY = ['owner', 'finder'] as const;
export type PostedBy = (typeof POSTED_BY)[number];

/** What a post is about, such as a document or a bag. */
export const POST_KINDS = ['document', 'electronics', 'bag', 'key', 'wear', 'animal', 'vehicle', 'other'] as const;
export type PostKind = (typeof POST_KINDS)[number];

/**
 * The reasons for reporting a post. They are in this file, so that pages can show a reason without loading the schemas.
 */
export const REPORT_REASONS = ['scam', 'private_data', 'offensive', 'not_a_lost_item', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

export function isReportReason(text: string): text is ReportReason {
  return (REPORT_REASONS as readonly string[]).includes(text);
}

/**
 * A stack frame in a file of the web app. It is in this file, so that the browser can use it without loading the
 * schemas.
 */
export const CLIENT_ERROR_FRAME = /\/assets\/[\w.-]{1,80}:\d{1,7}:\d{1,7}/;
