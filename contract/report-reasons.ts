/** Why a post is reported. In a file of its own, so that showing a reason does not load the schemas. */
export const REPORT_REASONS = ['scam', 'private_data', 'offensive', 'not_a_lost_item', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

export function isReportReason(text: string): text is ReportReason {
  return (REPORT_REASONS as readonly string[]).includes(text);
}
