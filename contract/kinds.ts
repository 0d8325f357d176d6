export const POSTED_BY = ['owner', 'finder'] as const;
export type PostedBy = (typeof POSTED_BY)[number];

/** What kind of item a post is about. Whether it is lost or found is `POSTED_BY`. */
export const POST_KINDS = ['document', 'electronics', 'bag', 'key', 'wear', 'animal', 'vehicle', 'other'] as const;
export type PostKind = (typeof POST_KINDS)[number];

/** Why a post is reported. In this file, because showing a reason must not load the schemas. */
export const REPORT_REASONS = ['scam', 'private_data', 'offensive', 'not_a_lost_item', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

export function isReportReason(text: string): text is ReportReason {
  return (REPORT_REASONS as readonly string[]).includes(text);
}

/** A stack frame in a file of the web app. In this file, because the browser must not load the schemas. */
export const CLIENT_ERROR_FRAME = /\/assets\/[\w.-]{1,80}:\d{1,7}:\d{1,7}/;
