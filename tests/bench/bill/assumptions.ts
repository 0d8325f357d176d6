/** How many people have an account, and what they do in a day. All of it is assumed: nobody has counted yet. */
export const USERS = [10_000, 1_000_000, 10_000_000] as const;

export const ASSUMED = {
  /** Of those with an account, on a day. */
  visitorShare: 0.1,
  /** People without an account, for each visitor with one. */
  strangersPerVisitor: 1,
  /** API requests of a visit: lists, a search, the ticket, notices, one's own. */
  requestsPerVisit: 8,
  /** Of them the ones that are alike for everybody. */
  sharedRequestsPerVisit: 2,
  /** Of the shared ones those that the edge's cache answers. */
  cacheHitShare: 0.5,
  /** Thumbnails that a visit loads and its browser has not. */
  thumbnailsPerVisit: 10,
  thumbnailHitShare: 0.5,
  postsPerUser: 0.003,
  noticesPerPost: 1,
  photosPerPost: 0.7,
  /** By push, WhatsApp and e-mail together, of each notice. */
  messagesPerNotice: 1.3,
  whatsappShare: 0.3,
  /** The busiest second against the mean one. */
  peak: 5,
  /** For how long a post is kept, on the average: what is returned goes after a year, what rests stays. */
  postDays: 730,
  bytesPerPhoto: 180_000,
  /** Awake for an event, of 128 MB each. */
  objectSecondsPerRequest: 0.3,
  logLinesPerRequest: 0.1,
} as const;

/** What was measured. */
export const MEASURED = {
  /** A page of 20 for a visitor, a mean read. */
  rowsReadPerRequest: 200,
  /** The match of a post among 100,000 (bench:candidates). */
  rowsReadPerPost: 2_600,
  rowsWrittenPerPost: 150,
  rowsWrittenPerNotice: 30,
  rowsWrittenPerRequest: 0.1,
  objectRowsWrittenPerNotice: 15,
  objectRowsWrittenPerVisit: 4,
  bytesPerPost: 7_000,
  bytesPerUser: 2_000,
  bytesPerMailbox: 90_000,
  /** In the Worker and the database together, on one machine (bench:http). */
  processorMsPerRequest: 8,
  processorMsPerPost: 20,
  /** Of a post's photo: the picture, the thumbnail and the one to share. */
  renditionsPerPhoto: 3,
} as const;

export const MEASURED_BY: Record<keyof typeof MEASURED, string> = {
  rowsReadPerRequest: '`scale-rows.test.ts`: twice a visitor’s page of 20, as a member’s is',
  rowsReadPerPost: '`npm run bench:candidates`: a look-up among 100,000',
  rowsWrittenPerPost: '`scale-rows.test.ts`',
  rowsWrittenPerNotice: '`scale-rows.test.ts`',
  rowsWrittenPerRequest: 'counted by hand: a page of numbers that are new to its reader, a device’s hour',
  objectRowsWrittenPerNotice:
    'counted by hand: the message, its three turns and its acknowledgement, with their indexes',
  objectRowsWrittenPerVisit: 'counted by hand: a ticket that is used and one that is forgotten, the alarm',
  bytesPerPost: '`scale-rows.test.ts`: an open one, with its terms, its reading and its indexes',
  bytesPerUser: 'counted by hand: an account, its number, device and settings with their indexes',
  bytesPerMailbox: '`scale-rows.test.ts`: `databaseSize` of an object with a notice',
  processorMsPerRequest: '`npm run bench:http`: a list of 20, Worker and database together',
  processorMsPerPost: '`npm run bench:http`, with the matching after the answer',
  renditionsPerPhoto: '`worker/photos/renditions.ts`',
};
