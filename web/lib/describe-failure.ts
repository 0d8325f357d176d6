import { ApiError, withReference } from '#web/lib/api-client.ts';

/** The server's own sentence; where there is none, ours. */
export function describeFailure(error: unknown, otherwise: string): string {
  return (error instanceof ApiError && error.detail) || withReference(otherwise, error);
}
