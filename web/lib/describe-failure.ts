import { ApiError, withReference } from '#web/lib/api-client.ts';

/** The server's own sentence; where there is none, ours. */
export function describeFailure(error: unknown, otherwise: string): string {
  return (error instanceof ApiError && error.detail) || withReference(otherwise, error);
}

/** A fixed text (docs/product.md X1), followed by the server's sentence where it says more than that something failed. */
export function withDetail(sentence: string, error: unknown): string {
  const saysMore = error instanceof ApiError && error.detail && error.code !== 'internal_error';
  return saysMore ? `${sentence} ${error.detail}` : withReference(sentence, error);
}
