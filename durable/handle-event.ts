import { errorFrames, errorName } from '#worker/errors/error-name.ts';
import { log, workFor } from '#worker/errors/log.ts';
import { newId } from '#worker/identity/ids.ts';

/** Handles an event of an object as a job of its own. Errors are logged here, as the caller does not get their frames. */
export function handleEvent<Result>(event: string, handle: () => Result | Promise<Result>): Promise<Result> {
  return workFor({ job_id: newId() }, async () => {
    try {
      return await handle();
    } catch (error) {
      log.error('object_failed', { object_event: event, name: errorName(error), frames: errorFrames(error) });
      throw error;
    }
  });
}
