import * as z from 'zod/mini';

/** A time in a response: ISO 8601 in UTC. */
export const timeSchema = z.iso.datetime();

/** Africa/Dar_es_Salaam, which has no daylight saving time. */
const LOCAL_OFFSET = '+03:00';

/** A time in a query, parsed to milliseconds. A bare date means midnight; without a zone it is Tanzanian time. */
export const momentSchema = z.pipe(
  z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], { error: 'since_invalid' }),
  z.transform((text) => {
    const time = text.includes('T') ? text : `${text}T00:00`;
    return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}${LOCAL_OFFSET}`);
  }),
);
