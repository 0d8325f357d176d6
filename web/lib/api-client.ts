import type { ErrorBody, ErrorCode, FieldError } from '#contract/error-codes.ts';
import { API_BASE } from './base-urls.ts';
import { currentLanguage } from './i18n.ts';
import { expireSession, getSession } from './session.ts';

/** A slow phone on 2G may well need this long; longer only keeps a person waiting for what will not come. */
const TIMEOUT_MS = 30_000;

/** An answer that is not 2xx, or none at all: then `status` is 0 and `code` is `no_response`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'no_response';
  /** The server's sentence in the reader's language; empty when there was no answer. */
  readonly detail: string;
  readonly errors: FieldError[];
  /** How long the server asks to be left alone before the next try, or null. */
  readonly retryAfterMs: number | null;

  constructor(status: number, body: Partial<ErrorBody>, retryAfterMs: number | null = null) {
    super(body.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = status === 0 ? 'no_response' : (body.code ?? 'internal_error');
    this.detail = body.detail ?? '';
    this.errors = body.errors ?? [];
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether the network or the server is at fault, so that the same request may well be answered another time. */
export function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.retryAfterMs !== null);
}

export type Request = {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form, which is what signing in wants. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Another base than the API's, such as the auth base. */
  base?: string;
  /** Whose request it is where they may have signed out since; else that of whoever is signed in. */
  token?: string | undefined;
  /** Whether it is to arrive even if the page is closed meanwhile. */
  keepalive?: boolean;
};

export type Answer<Body> = { body: Body; headers: Headers };

/**
 * Calls the API as the signed-in person, if there is one. A 401 to a token ends that session.
 * @throws ApiError for everything that is not a 2xx answer.
 */
export async function callApi<Body>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
  const token = request.token ?? getSession()?.token;
  const response = await send(method, `${request.base ?? API_BASE}${path}`, request, token);
  const body = await readJson(response);
  if (response.ok) return { body: body as Body, headers: response.headers };
  if (response.status === 401 && token) expireSession(token);
  throw new ApiError(response.status, (body ?? {}) as Partial<ErrorBody>, readRetryAfter(response.headers));
}

/** `callApi` for those who need no header. */
export async function api<Body>(method: string, path: string, request?: Request): Promise<Body> {
  return (await callApi<Body>(method, path, request)).body;
}

async function send(method: string, url: string, request: Request, token: string | undefined): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(url, {
      method,
      headers: {
        'Accept-Language': currentLanguage(),
        ...(!request.form && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...request.headers,
      },
      body: request.form
        ? new URLSearchParams(request.form)
        : request.body === undefined
          ? null
          : JSON.stringify(request.body),
      keepalive: request.keepalive ?? false,
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
    });
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ApiError(0, {});
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return response.status === 204 ? null : await response.json();
  } catch {
    return null;
  }
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function readRetryAfter(headers: Headers): number | null {
  const value = headers.get('Retry-After') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
