import * as z from 'zod/mini';

/** A moment in an answer: ISO 8601, in UTC. */
export const timeSchema = z.iso.datetime();

/** Africa/Dar_es_Salaam, which knows no summer time. */
const LOCAL_OFFSET = '+03:00';

/** A moment in a query, in milliseconds: ISO 8601, where a bare date is midnight and a time without a zone is ours. */
export const momentSchema = z.pipe(
  z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], { error: 'since_invalid' }),
  z.transform((text) => {
    const time = text.includes('T') ? text : `${text}T00:00`;
    return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}${LOCAL_OFFSET}`);
  }),
);
