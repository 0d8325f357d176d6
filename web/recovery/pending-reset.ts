import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';

/** How long the success message is shown before the redirect (docs/product.md T2). */
export const REDIRECT_MS = 2_000;

/** The key of the phone number in local storage (docs/product.md A7). */
const PHONE_KEY = 'resetPhoneNumber';
const ISSUED_AT_KEY = 'resetCodeIssuedAt';
/** The verified code is only in the tab's storage: a reload keeps the code, and closing the tab deletes it. */
const VERIFIED_CODE_KEY = 'resetVerifiedCode';

/** Returns the phone number that the code was sent to, or null. */
export function readPhone(): string | null {
  return localStorage.getItem(PHONE_KEY);
}

/**
 * Returns when the code expires. Computed from the stored time of the request, so that a reload or a sleeping phone
 * does not postpone the expiry.
 */
export function readExpiry(): number {
  const stored = Number(localStorage.getItem(ISSUED_AT_KEY));
  if (stored > 0) return stored + RESET_CODE_LIFETIME_SECONDS * 1000;
  return keepIssue(Date.now());
}

/**
 * Stores the phone number and the time of the request.
 * @param issuedAt when the code was requested, by this phone's clock.
 */
export function keepPhone(phone: string, issuedAt: number): void {
  localStorage.setItem(PHONE_KEY, phone);
  keepIssue(issuedAt);
}

/** Stores when the code was requested. @returns when the code expires. */
export function keepIssue(issuedAt: number): number {
  localStorage.setItem(ISSUED_AT_KEY, String(issuedAt));
  return issuedAt + RESET_CODE_LIFETIME_SECONDS * 1000;
}

/**
 * Returns the verified code. Returns null if no code was verified, or if the code is no longer valid: a tab has used
 * the code, the server has refused it, or a tab has requested another code.
 */
export function readVerifiedCode(): string | null {
  const [request, code = null] = sessionStorage.getItem(VERIFIED_CODE_KEY)?.split('#') ?? [];
  return request === currentRequest() ? code : null;
}

export function keepVerifiedCode(code: string): void {
  sessionStorage.setItem(VERIFIED_CODE_KEY, `${currentRequest()}#${code}`);
}

/** Identifies a verification code by its phone number and the time of the request. */
function currentRequest(): string {
  return `${readPhone()} ${localStorage.getItem(ISSUED_AT_KEY)}`;
}

/** Marks the code as expired. @returns the time of expiry, which is now. */
export function expireCode(): number {
  return keepIssue(Date.now() - RESET_CODE_LIFETIME_SECONDS * 1000);
}

export function forgetReset(): void {
  sessionStorage.removeItem(VERIFIED_CODE_KEY);
  localStorage.removeItem(PHONE_KEY);
  localStorage.removeItem(ISSUED_AT_KEY);
}
