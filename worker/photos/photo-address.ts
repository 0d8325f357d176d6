import { HOUR_MS } from '#contract/durations.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';
import { isSameText } from '#worker/identity/same-text.ts';

/** A photo and its audience. */
type Granted = { photoId: string; audience: string };

/** The query of a signed address, valid for one to two hours. It changes only once an hour, so that browsers can cache it. */
export function signAddress(key: string, granted: Granted, now: number): string {
  const expires = (Math.floor(now / HOUR_MS) + 2) * HOUR_MS;
  return `?${new URLSearchParams({ expires: String(expires), signature: sign(key, granted, String(expires)) })}`;
}

/** Whether the query was signed for this audience and has not expired. */
export function isGranted(key: string, granted: Granted, query: Record<string, string>, now: number): boolean {
  const { expires = '', signature = '' } = query;
  return isSameText(signature, sign(key, granted, expires)) && now < Number(expires);
}

function sign(key: string, { photoId, audience }: Granted, expires: string): string {
  return fingerprint(key, 'photo', `${photoId} ${expires} ${audience}`);
}
