import * as z from 'zod/mini';
import { CLIENT_ERROR_FRAME } from './client-error-frame.ts';
import { CLIENT_ERROR_FRAMES_MAX } from './limits.ts';

/**
 * `POST /api/client-errors`: an error in a browser, by class name and stack frames. No field can contain what people
 * wrote, which an error's message may.
 */
export const clientErrorSchema = z.object({
  name: z.string().check(z.regex(/^[A-Za-z]{1,40}$/)),
  frames: z
    .array(z.string().check(z.regex(new RegExp(`^${CLIENT_ERROR_FRAME.source}$`))))
    .check(z.minLength(1), z.maxLength(CLIENT_ERROR_FRAMES_MAX)),
});
export type ClientError = z.infer<typeof clientErrorSchema>;
