import i18next from 'i18next';
import type { AnswerOf, BodyOf, ENDPOINTS, EndpointName, ParamOf, QueryOf } from '#contract/endpoints.ts';
import type { ErrorBody, ErrorCode, FieldError } from '#contract/error-codes.ts';
import { currentLanguage } from './i18n.ts';
import { noteNumberNeeded } from './number-needed.ts';
import { expireSession, getSession } from './session.ts';

/** A slow phone on 2G may well need this long; longer only keeps a person waiting for what will not come. */
const TIMEOUT_MS = 30_000;

/** An answer that is not 2xx, or none that could be read: then `status` is 0 and `code` is `no_response`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'no_response';
  /** The server's sentence in the reader's language, with the reference where there is one; empty when neither came. */
  readonly detail: string;
  /** What to quote of an error that nobody expected, as a sentence in the reader's language; else empty. */
  readonly reference: string;
  readonly errors: FieldError[];
  /** How long the server asks to be left alone before the next try, or null. */
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

/** Our own sentence for a failure, and behind it what to quote of one that nobody expected. */
export function withReference(sentence: string, error: unknown): string {
  return error instanceof ApiError && error.reference ? `${sentence} ${error.reference}` : sentence;
}

/** Whether the network or the server is at fault, so that the same request may well be answered another time. */
export function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.retryAfterMs !== null);
}

/** What the endpoint needs: the names in its path, its query, and a body that is sent as JSON, as a form or as it is. */
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
  /** Whose request it is where they may have signed out since; else that of whoever is signed in. */
  token?: string | undefined;
  /** Whether it is to arrive even if the page is closed meanwhile. */
  keepalive?: boolean;
  /** In the place of `fetch`, for what it cannot tell (upload.ts). How long it waits is its own affair. */
  fetch?: (address: string, request: RequestInit) => Promise<Response>;
};

type Request<Name extends EndpointName> = Parts<Name> & Options;
/** The request itself is left out where nothing in it has to be said. */
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
 * Calls an endpoint of the API as the signed-in person, if there is one. A 401 to a token ends that session.
 * @throws ApiError for everything that is not a 2xx answer, read to its end.
 */
export async function callApi<Name extends EndpointName>(
  name: Name,
  ...[given]: Rest<Name>
): Promise<{ body: AnswerOf<Name>; headers: Headers }> {
  const request: AnyRequest = given ?? {};
  const token = request.token ?? getSession()?.token;
  const response = await send(name, request, token);
  const body = await readJson(response, request.signal);
  // The one place where the Worker is taken at its word: that it keeps to the contract, its own tests see to.
  if (response.ok) return { body: body as AnswerOf<Name>, headers: response.headers };
  if (response.status === 401 && token) void expireSession(token);
  const error = new ApiError(response.status, (body ?? {}) as Partial<ErrorBody>, response.headers);
  if (error.code === 'number_needed') noteNumberNeeded();
  throw error;
}

/** `callApi` for those who need no header. */
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

/** What of the query is empty or absent is left out, as the API takes both for the same. */
function addressOf(path: string, { params = {}, query = {} }: AnyRequest): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  return `/api${filled}${search}`;
}

/** A refusal is one without its words too. A page that comes in the place of an answer is none, as is half of one. */
async function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return response.status === 204 ? null : await response.json();
  } catch (error) {
    if (!response.ok) return null;
    if (signal?.aborted) throw error;
    throw new ApiError(0, {});
  }
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function readRetryAfter(headers: Headers): number | null {
  const value = headers.get('Retry-After') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
