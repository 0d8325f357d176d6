import * as z from 'zod/mini';

/** A moment in an answer: ISO 8601, in UTC. */
export const timeSchema = z.iso.datetime();
