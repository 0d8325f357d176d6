// Cloudflare's prices, in US dollars a month on the Workers Paid plan, and its limits. Each is from the page of
// developers.cloudflare.com named beside it, as of 2026 (docs/scale.md has the dates).

type Price = { included: number; per: number; dollars: number; page: string };

const MILLION = 1_000_000;

export const PLAN_DOLLARS = 5;

export const PRICES = {
  requests: { included: 10 * MILLION, per: MILLION, dollars: 0.3, page: 'workers/platform/pricing' },
  processorMs: { included: 30 * MILLION, per: MILLION, dollars: 0.02, page: 'workers/platform/pricing' },
  rowsRead: { included: 25_000 * MILLION, per: MILLION, dollars: 0.001, page: 'd1/platform/pricing' },
  rowsWritten: { included: 50 * MILLION, per: MILLION, dollars: 1, page: 'd1/platform/pricing' },
  databaseGb: { included: 5, per: 1, dollars: 0.75, page: 'd1/platform/pricing' },
  objectRequests: { included: MILLION, per: MILLION, dollars: 0.15, page: 'durable-objects/platform/pricing' },
  objectGbSeconds: { included: 400_000, per: MILLION, dollars: 12.5, page: 'durable-objects/platform/pricing' },
  objectRowsWritten: { included: 50 * MILLION, per: MILLION, dollars: 1, page: 'durable-objects/platform/pricing' },
  objectGb: { included: 5, per: 1, dollars: 0.2, page: 'durable-objects/platform/pricing' },
  queueOperations: { included: MILLION, per: MILLION, dollars: 0.4, page: 'queues/platform/pricing' },
  photoGb: { included: 10, per: 1, dollars: 0.015, page: 'r2/pricing' },
  photoWrites: { included: MILLION, per: MILLION, dollars: 4.5, page: 'r2/pricing' },
  photoReads: { included: 10 * MILLION, per: MILLION, dollars: 0.36, page: 'r2/pricing' },
  transformations: { included: 5_000, per: 1_000, dollars: 0.5, page: 'images/pricing' },
  logLines: { included: 20 * MILLION, per: MILLION, dollars: 0.6, page: 'workers/observability/logs/workers-logs' },
} as const satisfies Record<string, Price>;

export type Metered = keyof typeof PRICES;

export const LIMITS = {
  databaseBytes: 10e9,
  /** "1 ms avg query ≈ 1,000 q/s": one database asks one after the other (d1/platform/limits). */
  databaseMsASecond: 1_000,
  /** Different people a day that a new number may write to first (Meta, messaging limits). */
  whatsappPeopleADay: 250,
} as const;
