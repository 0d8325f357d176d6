import { ERROR_STATUS, type ErrorBody } from '#contract/error-codes.ts';
import { checkAnswer } from '#tests/worker/support/check-answer.ts';
import type { Draft } from './make-request.ts';

/** Pages for people, whose refusals are pages too. */
const PAGES = /^\/api\/email\/unsubscribe\/|^\/(?!api(\/|$)|ws(\/|$))/;

/** @returns what is wrong with an answer; null where nothing is. */
export async function judge({ method, url }: Draft, answer: Response): Promise<string | null> {
  const { pathname } = new URL(url);
  const isSick = pathname === '/api/health' && answer.status === 503;
  if (answer.status >= 500 && !isSick && !(await isSwitchedOff(answer.clone())))
    return `answered ${answer.status}: ${await answer.text()}`;
  if (!answer.headers.get('X-Request-Id')) return 'has no request id';
  if (answer.headers.get('X-Content-Type-Options') !== 'nosniff') return 'lacks the headers of security';
  if (answer.ok) return judgeSuccess(method, url, answer);
  if (method === 'HEAD' || isSick || PAGES.test(pathname)) return null;
  return judgeRefusal(answer);
}

/** The fuzzer's admin has switched it off. */
async function isSwitchedOff(answer: Response): Promise<boolean> {
  const text = await answer.text();
  return answer.status === 503 && text.startsWith('{') && (JSON.parse(text) as ErrorBody).code === 'switched_off';
}

async function judgeSuccess(method: string, url: string, answer: Response): Promise<string | null> {
  try {
    if (answer.status !== 101) await checkAnswer(method, url, answer);
    return null;
  } catch (error) {
    return `is not as the contract says: ${String(error).slice(0, 500)}`;
  }
}

async function judgeRefusal(answer: Response): Promise<string | null> {
  const { status, headers } = answer;
  const text = await answer.text();
  if (!headers.get('Content-Type')?.startsWith('application/json')) return `refuses without JSON: ${status} ${text}`;
  const { code, detail, errors } = JSON.parse(text) as ErrorBody;
  if (!(code in ERROR_STATUS)) return `has an unknown code: ${text}`;
  if (typeof detail !== 'string' || !/\S/.test(detail)) return `has no sentence: ${text}`;
  if (errors?.some(({ field, message }) => typeof field !== 'string' || !message)) return `names no field: ${text}`;
  if (status === 401 && headers.get('WWW-Authenticate') !== 'Bearer') return 'lacks WWW-Authenticate';
  if (status === 429 && !(Number(headers.get('Retry-After')) > 0)) return 'lacks Retry-After';
  if (status === 405 && !headers.get('Allow')) return 'lacks Allow';
  return null;
}
