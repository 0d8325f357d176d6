export const POSTED_BY = ['owner', 'finder'] as const;
export type PostedBy = (typeof POSTED_BY)[number];

/** The kind of thing that a post is about; not to be confused with `POSTED_BY`. */
export const POST_KINDS = ['document', 'electronics', 'bag', 'key', 'wear', 'animal', 'vehicle', 'other'] as const;
export type PostKind = (typeof POST_KINDS)[number];

/** Why a post is reported. In a file of its own, so that showing a reason does not load the schemas. */
export const REPORT_REASONS = ['scam', 'private_data', 'offensive', 'not_a_lost_item', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

export function isReportReason(text: string): text is ReportReason {
  return (REPORT_REASONS as readonly string[]).includes(text);
}

/**
 * A stack frame in a file of the web app, without the origin. In a file of its own, as the browser needs no schema to
 * send it.
 */
export const CLIENT_ERROR_FRAME = /\/assets\/[\w.-]{1,80}:\d{1,7}:\d{1,7}/;
