import { ASSUMED, MEASURED } from './assumptions.ts';
import { LIMITS, type Metered, PLAN_DOLLARS, PRICES } from './prices.ts';

const MONTH_DAYS = 30;
const DAY_SECONDS = 24 * 60 * 60;
const MINUTES = MONTH_DAYS * 24 * 60;
const OBJECT_GB = 0.128;

/** What happens in a day. */
export type Day = {
  visits: number;
  requests: number;
  posts: number;
  notices: number;
  photos: number;
  whatsapp: number;
};

export function dayOf(users: number): Day {
  const own = users * ASSUMED.visitorShare;
  const visits = own * (1 + ASSUMED.strangersPerVisitor);
  const posts = users * ASSUMED.postsPerUser;
  const notices = posts * ASSUMED.noticesPerPost;
  return {
    visits,
    requests: visits * ASSUMED.requestsPerVisit,
    posts,
    notices,
    photos: posts * ASSUMED.photosPerPost,
    whatsapp: notices * ASSUMED.whatsappShare,
  };
}

/** Requests that the edge cache passes on to the Worker. */
function requestsLeft({ visits, requests }: Day): number {
  return requests - visits * ASSUMED.sharedRequestsPerVisit * ASSUMED.cacheHitShare;
}

/** What a month uses of each thing that is billed. */
export function usageOf(users: number): Record<Metered, number> {
  const day = dayOf(users);
  const left = requestsLeft(day);
  const sockets = users * ASSUMED.visitorShare;
  const kept = { posts: day.posts * ASSUMED.postDays, photos: day.photos * ASSUMED.postDays };
  const objectRequests = 2 * sockets + (2 + ASSUMED.messagesPerNotice) * day.notices;
  const thumbnails = day.visits * ASSUMED.thumbnailsPerVisit;
  const daily = {
    // Whether a hit is billed as a request the documentation does not say: counted as one.
    requests: day.requests + thumbnails,
    processorMs: left * MEASURED.processorMsPerRequest + day.posts * MEASURED.processorMsPerPost,
    rowsRead: left * MEASURED.rowsReadPerRequest + day.posts * MEASURED.rowsReadPerPost,
    rowsWritten:
      left * MEASURED.rowsWrittenPerRequest +
      day.posts * MEASURED.rowsWrittenPerPost +
      day.notices * MEASURED.rowsWrittenPerNotice,
    objectRequests,
    objectGbSeconds: objectRequests * ASSUMED.objectSecondsPerRequest * OBJECT_GB,
    objectRowsWritten: day.notices * MEASURED.objectRowsWrittenPerNotice + sockets * MEASURED.objectRowsWrittenPerVisit,
    queueOperations: 3 * day.notices * ASSUMED.messagesPerNotice,
    photoWrites: day.photos * MEASURED.renditionsPerPhoto,
    photoReads: thumbnails * (1 - ASSUMED.thumbnailHitShare),
    transformations: day.photos * MEASURED.renditionsPerPhoto,
    logLines: day.requests * ASSUMED.logLinesPerRequest,
  };
  const monthly = Object.fromEntries(Object.entries(daily).map(([name, count]) => [name, MONTH_DAYS * count]));
  return {
    ...(monthly as Record<keyof typeof daily, number>),
    // The cron's heartbeat, a message a minute.
    queueOperations: MONTH_DAYS * daily.queueOperations + 3 * MINUTES,
    databaseGb: (kept.posts * MEASURED.bytesPerPost + users * MEASURED.bytesPerUser) / 1e9,
    objectGb: (users * MEASURED.bytesPerMailbox) / 1e9,
    photoGb: (kept.photos * ASSUMED.bytesPerPhoto) / 1e9,
  };
}

/** What it costs a month. */
export function billOf(users: number): { items: Record<Metered, number>; total: number } {
  const usage = usageOf(users);
  const items = Object.fromEntries(
    (Object.keys(PRICES) as Metered[]).map((name) => {
      const { included, per, dollars } = PRICES[name];
      return [name, (Math.max(0, usage[name] - included) / per) * dollars];
    }),
  ) as Record<Metered, number>;
  return { items, total: PLAN_DOLLARS + Object.values(items).reduce((sum, item) => sum + item, 0) };
}

/** How much of each limit is used, 1 being all of it. It grows with the number of people, so the limit is reached at `users / strain`. */
export function strainOf(users: number) {
  const day = dayOf(users);
  const usage = usageOf(users);
  const busy = requestsLeft(day) * MEASURED.processorMsPerRequest + day.posts * MEASURED.processorMsPerPost;
  return {
    transformations: usage.transformations / PRICES.transformations.included,
    whatsapp: day.whatsapp / LIMITS.whatsappPeopleADay,
    databaseSize: (usage.databaseGb * 1e9) / LIMITS.databaseBytes,
    databaseTime: (ASSUMED.peak * busy) / DAY_SECONDS / LIMITS.databaseMsASecond,
  };
}
