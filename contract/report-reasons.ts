/** What may be wrong with a post. Apart from the schemas, so that who shows a reason need not load what checks one. */
export const REPORT_REASONS = ['scam', 'private_data', 'offensive', 'not_a_lost_item', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
