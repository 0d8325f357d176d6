import i18next from 'i18next';
import type { AnswerOf, BodyOf, ENDPOINTS, EndpointName, ParamOf, QueryOf } from '#contract/endpoints.ts';
import type { ErrorBody, ErrorCode, FieldError } from '#contract/error-codes.ts';
import { currentLanguage } from '#web/lib/i18n.ts';
import { createEvent } from '#web/lib/store.ts';
import { expireSession, getSession } from './session.ts';

/** A slow phone on 2G may need this long. After that, no response is likely. */
const TIMEOUT_MS = 30_000;

/** Fires when the server refuses a request because the account has no phone number. */
const numberNeeded = createEvent();
export const onNumberNeeded = numberNeeded.on;

/** A failed request. `status` is 0 and `code` is `no_response` if no readable response came. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'no_response';
  /** The server's sentence in the user's language, with the request id of an unexpected error; may be empty. */
  readonly detail: string;
  /** A sentence with the request id of an unexpected error, which the user can quote; otherwise empty. */
  readonly reference: string;
  readonly errors: FieldError[];
  /** How long the server asks us to wait before the next request, in milliseconds, or null. */
  readonly retryAfterMs: number | null;

  constructor(status: number, body: Partial<ErrorBody>, headers: Headers = new Headers()) {
    super(body.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = status === 0 ? 'no_response' : (body.code ?? 'internal_error');
    const requestId = this.code === 'internal_error' ? headers.get('X-Request-Id') : null;
    this.reference = requestId ? i18next.t('common:reference', { id: requestId }) : '';
    this.detail = body.detail ? withReference(body.detail, this) : '';
    this.errors = body.errors ?? [];
    this.retryAfterMs = readRetryAfter(headers);
  }
}

/** Returns `sentence`, followed by the request id of an unexpected error. */
export function withReference(sentence: string, error: unknown): string {
  return error instanceof ApiError && error.reference ? `${sentence} ${error.reference}` : sentence;
}

/** Whether the network or the server is at fault, so that the same request may succeed later. */
export function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.retryAfterMs !== null);
}

/** The parts of a request that the endpoint requires: path parameters, a query, and a body as JSON, form or file. */
type Parts<Name extends EndpointName> = ([ParamOf<Name>] extends [never]
  ? unknown
  : { params: Record<ParamOf<Name>, string> }) &
  ([QueryOf<Name>] extends [never] ? unknown : { query?: QueryOf<Name> }) &
  ([BodyOf<Name>] extends [never]
    ? (typeof ENDPOINTS)[Name] extends { fileTypes: readonly string[] }
      ? { file: Blob }
      : unknown
    : (typeof ENDPOINTS)[Name] extends { isForm: true }
      ? { form: BodyOf<Name> }
      : { body: BodyOf<Name> });

type Options = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Used instead of the current session's token, for example after the user has signed out. */
  token?: string | undefined;
  /** Whether the request must arrive even if the page is closed meanwhile. */
  keepalive?: boolean;
  /**
   * Replaces `fetch` where the upload's progress must be reported (photo-sender.ts). The replacement has its own
   * timeout.
   */
  fetch?: (address: string, request: RequestInit) => Promise<Response>;
};

type Request<Name extends EndpointName> = Parts<Name> & Options;
/** The argument `request` of a call. Optional if the endpoint requires no parameters, query or body. */
type Rest<Name extends EndpointName> =
  Options extends Request<Name> ? [request?: Request<Name>] : [request: Request<Name>];
type AnyRequest = Options & {
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
  form?: Record<string, string>;
  file?: Blob;
};

/**
 * Calls an API endpoint, as the signed-in person if there is one. If the server refuses the token with a 401, ends the
 * session of that token.
 * @throws ApiError for any status but 2xx, and for a body that could not be read in full.
 */
export async function callApi<Name extends EndpointName>(
  name: Name,
  ...[given]: Rest<Name>
): Promise<{ body: AnswerOf<Name>; headers: Headers }> {
  const request: AnyRequest = given ?? {};
  const token = request.token ?? getSession()?.token;
  const response = await send(name, request, token);
  const body = await readJson(response, request.signal);
  // Does not validate the response: the Worker's own tests check that it follows the contract.
  if (response.ok) return { body: body as AnswerOf<Name>, headers: response.headers };
  if (response.status === 401 && token) void expireSession(token);
  const error = new ApiError(response.status, (body ?? {}) as Partial<ErrorBody>, response.headers);
  if (error.code === 'number_needed') numberNeeded.emit();
  throw error;
}

/** Calls an endpoint (`callApi`), and returns only the body of the response. */
export async function api<Name extends EndpointName>(name: Name, ...rest: Rest<Name>): Promise<AnswerOf<Name>> {
  return (await callApi(name, ...rest)).body;
}

async function send(name: EndpointName, request: AnyRequest, token: string | undefined): Promise<Response> {
  const [method = '', path = ''] = name.split(' ');
  try {
    return await (request.fetch ?? fetchInTime)(addressOf(path, request), {
      method,
      headers: {
        'Accept-Language': currentLanguage(),
        ...(!request.form && { 'Content-Type': request.file?.type ?? 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...request.headers,
      },
      body: bodyOf(request),
      keepalive: request.keepalive ?? false,
      signal: request.signal ?? null,
    });
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ApiError(0, {});
  }
}

function fetchInTime(address: string, request: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return fetch(address, { ...request, signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout });
}

function bodyOf({ form, file, body }: AnyRequest): BodyInit | null {
  if (form) return new URLSearchParams(form);
  return file ?? (body === undefined ? null : JSON.stringify(body));
}

/** Omits empty query values: the API treats empty and absent alike. */
function addressOf(path: string, { params = {}, query = {} }: AnyRequest): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  return `/api${filled}${search}`;
}

/**
 * Returns the response's JSON, or null for an error response whose body is not JSON.
 * @throws ApiError with status 0 for a 2xx response whose body is HTML or incomplete: it counts as no response.
 */
async function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return response.status === 204 ? null : await response.json();
  } catch (error) {
    if (!response.ok) return null;
    if (signal?.aborted) throw error;
    throw new ApiError(0, {});
  }
}

/** Reads `Retry-After`, which contains seconds or a date (RFC 9110 §10.2.3). Returns milliseconds, or null. */
function readRetryAfter(headers: Headers): number | null {
  const value = headers.get('Retry-After') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

/**
 * Returns the text for a failure: the server's sentence, or `otherwise` if there is none.
 * @param noAnswer the sentence if no response came.
 */
export function failureText(error: unknown, otherwise: string, noAnswer = otherwise): string {
  if (!(error instanceof ApiError)) return otherwise;
  return error.detail || (error.status === 0 ? noAnswer : withReference(otherwise, error));
}

/** Returns a fixed sentence (docs/product.md X1), followed by the server's sentence if that explains the failure. */
export function withDetail(sentence: string, error: unknown): string {
  const saysMore = error instanceof ApiError && error.detail && error.code !== 'internal_error';
  return saysMore ? `${sentence} ${error.detail}` : withReference(sentence, error);
}

/** Makes a random key without `crypto.randomUUID`, which is missing on pages without HTTPS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
