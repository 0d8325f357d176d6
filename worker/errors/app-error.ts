import { ERROR_STATUS, type ErrorCode, type ErrorStatus } from '#contract/error-codes.ts';
import type { FieldMessage } from '#contract/field-messages.ts';

export type FieldProblem = { field: string; message: FieldMessage; max?: number };

/** The only error that routes throw intentionally. Any other error becomes a 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: FieldProblem[];
  /** After how many seconds the client may retry (`Retry-After`); null if unknown. */
  readonly retryAfterSeconds: number | null;
  readonly status: ErrorStatus;

  /** @param details contain `status` only to override the usual status of `code`. */
  constructor(
    code: ErrorCode,
    details: { fields?: FieldProblem[]; retryAfterSeconds?: number; status?: ErrorStatus } = {},
  ) {
    super(code);
    this.code = code;
    this.fields = details.fields ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.status = details.status ?? ERROR_STATUS[code];
  }
}

/** Makes a 422 about one field. */
export function invalidField(field: string, message: FieldMessage): AppError {
  return new AppError('validation_failed', { fields: [{ field, message }] });
}
