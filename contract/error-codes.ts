/** The stable `code` of every error response, with its HTTP status. Clients decide by the code; users read `detail`. */
export const ERROR_STATUS = {
  malformed_json: 400,
  malformed_request: 400,
  invalid_code: 400,
  code_expired: 400,
  passkey_refused: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  invalid_ticket: 401,
  forbidden: 403,
  wrong_password: 403,
  step_up_needed: 403,
  not_a_member: 403,
  community_not_approved: 403,
  community_has_no_admin: 403,
  community_closing: 403,
  community_suspended: 403,
  removed_from_community: 403,
  foreign_origin: 403,
  suspended: 403,
  number_needed: 403,
  not_found: 404,
  proof_unavailable: 404,
  push_unavailable: 404,
  community_not_found: 404,
  member_not_found: 404,
  join_request_not_found: 404,
  post_not_found: 404,
  passkey_not_found: 404,
  claim_not_found: 404,
  photo_not_found: 404,
  method_not_allowed: 405,
  email_taken: 409,
  phone_taken: 409,
  already_member: 409,
  already_requested: 409,
  already_decided: 409,
  too_many_passkeys: 409,
  no_passkey: 409,
  number_not_proven: 409,
  own_post: 409,
  last_admin: 409,
  already_reported: 409,
  idempotency_conflict: 409,
  too_late: 409,
  wrong_state: 409,
  post_hidden: 409,
  not_claimable: 409,
  claim_exists: 409,
  no_tries_left: 409,
  sealed: 409,
  too_many_photos: 409,
  no_photo_of_documents: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  idempotency_mismatch: 422,
  photo_broken: 422,
  photo_too_large: 422,
  upgrade_required: 426,
  too_many_requests: 429,
  code_locked: 429,
  internal_error: 500,
  not_configured: 503,
  switched_off: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
export type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode];

export type FieldError = { field: string; message: string };

/** The body of every error response of `/api` and `/ws`. */
export type ErrorBody = {
  code: ErrorCode;
  /** A sentence for the user, in the language of `Accept-Language`. */
  detail: string;
  errors?: FieldError[];
  /** Only with `internal_error`: the user quotes this id when reporting the error. */
  request_id?: string;
};
