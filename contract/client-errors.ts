import * as z from 'zod/mini';
import { CLIENT_ERROR_FRAME } from './client-error-frame.ts';
import { CLIENT_ERROR_FRAMES_MAX } from './limits.ts';

/**
 * `POST /api/client-errors`: what went wrong in a browser, by name and place. No field can hold what people wrote, for an
 * error's message may: a name is a class's, and a place is in a file of ours.
 */
export const clientErrorSchema = z.object({
  name: z.string().check(z.regex(/^[A-Za-z]{1,40}$/)),
  frames: z
    .array(z.string().check(z.regex(new RegExp(`^${CLIENT_ERROR_FRAME.source}$`))))
    .check(z.minLength(1), z.maxLength(CLIENT_ERROR_FRAMES_MAX)),
});
export type ClientError = z.infer<typeof clientErrorSchema>;
