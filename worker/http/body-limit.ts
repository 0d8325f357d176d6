import { bodyLimit } from 'hono/body-limit';
import { BODY_MAX_BYTES } from '#contract/limits.ts';
import { AppError } from '#worker/errors/app-error.ts';

/** Reads no more of a body than the contract allows, whatever `Content-Length` says. */
export const limitBody = bodyLimit({
  maxSize: BODY_MAX_BYTES,
  onError: () => {
    throw new AppError('body_too_large');
  },
});
