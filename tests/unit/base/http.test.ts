import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ERROR_STATUS } from '#contract/error-codes.ts';
import { PHOTO_TYPES } from '#contract/photos.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import { answerInTime, errorFrames, errorName, log, workFor } from '#worker/errors/log.ts';
import { toErrorBody } from '#worker/http/answer-error.ts';
import { chooseLanguage } from '#worker/http/context.ts';
import { PAGE_STYLE, pageHeaders } from '#worker/http/html-page.ts';
import { isAppAddress } from '#worker/http/middleware.ts';
import { describeApi } from '#worker/http/openapi.ts';
import { toValidationError } from '#worker/http/validate.ts';

type Operation = Record<string, unknown> & { responses: Record<string, unknown> };
type Description = { paths: Record<string, Record<string, Operation>> };

const described = describeApi(true) as Description;
const JSON_TEXT = { type: 'string' };
const POST_ID = { name: 'id', in: 'path', required: true, schema: JSON_TEXT };

function operation(method: string, path: string): Operation {
  const found = described.paths[path]?.[method];
  if (!found) throw new Error(`${method} ${path} is not described`);
  return found;
}

test('the OpenAPI description contains the title, the URL of the API, the token scheme and the error schema', () => {
  const { paths: _, ...rest } = described;
  const problem = {
    type: 'object',
    required: ['field', 'message'],
    properties: { field: JSON_TEXT, message: JSON_TEXT },
  };
  expect(rest).toEqual({
    openapi: '3.1.0',
    info: { title: 'Patikana', version: '1', description: 'Lost and found for Tanzania, in English and Swahili.' },
    servers: [{ url: '/api' }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'detail'],
          properties: {
            code: { enum: Object.keys(ERROR_STATUS) },
            detail: JSON_TEXT,
            errors: { type: 'array', items: problem },
            request_id: JSON_TEXT,
          },
        },
      },
    },
  });
});

test('the OpenAPI description says whether a route requires, accepts or ignores a session token', () => {
  expect(operation('patch', '/posts/{id}/found').security).toEqual([{ token: [] }]);
  expect(operation('get', '/admin/log').security).toEqual([{ token: [] }]);
  expect(operation('get', '/posts').security).toEqual([{}, { token: [] }]);
  expect(operation('get', '/health')).not.toHaveProperty('security');
});

test('the OpenAPI description of a route contains its parameters, its body and all responses', () => {
  expect(operation('post', '/feedback')).toEqual({
    summary: 'Leaves feedback.',
    security: [{}, { token: [] }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: expect.objectContaining({ type: 'object', required: ['email', 'message'] }),
        },
      },
    },
    responses: {
      201: {
        description: 'The answer',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { success: { type: 'boolean', const: true } },
              required: ['success'],
              additionalProperties: false,
            },
          },
        },
      },
      default: {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  });
});

test('the OpenAPI description shows which routes accept a form or a photo, and which respond without a body', () => {
  const form = operation('post', '/login').requestBody as { content: object };
  expect(Object.keys(form.content)).toEqual(['application/x-www-form-urlencoded']);
  expect(operation('post', '/posts/{id}/photos').requestBody).toEqual({
    required: true,
    content: Object.fromEntries(PHOTO_TYPES.map((type) => [type, {}])),
  });
  expect(operation('delete', '/posts/{id}').responses[204]).toEqual({ description: 'Done' });
  expect(operation('delete', '/posts/{id}')).not.toHaveProperty('requestBody');
});

test('in the OpenAPI description path parameters are required, and query fields optional', () => {
  expect(operation('get', '/posts/{id}').parameters).toEqual([POST_ID]);
  expect(operation('get', '/admin/log').parameters).toEqual(
    ['action', 'target_type', 'actor_id', 'cursor', 'limit'].map((name) => ({
      name,
      in: 'query',
      required: false,
      schema: expect.objectContaining(JSON_TEXT),
    })),
  );
  expect(operation('get', '/me')).not.toHaveProperty('parameters');
  expect(operation('get', '/admin/log').responses[200]).toMatchObject({
    headers: { Link: { description: 'rel="next"', schema: JSON_TEXT } },
  });
  expect(operation('get', '/posts/{id}').responses[200]).not.toHaveProperty('headers');
});

test('the OpenAPI description contains both responses of a route that can succeed in two ways', () => {
  const two = Object.values(described.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => responses[202] && Object.keys(responses).length > 2);
  expect(two.length).toBeGreaterThan(0);
  for (const { responses } of two)
    expect(responses[202]).toEqual({
      description: 'The answer',
      content: { 'application/json': { schema: expect.any(Object) } },
    });
  expect(JSON.stringify(described)).not.toContain('$schema');
});

async function headersOf(parts: Parameters<typeof pageHeaders>[0]): Promise<Headers> {
  return (
    await new Hono()
      .use(pageHeaders(parts))
      .get('/', (c) => c.html(''))
      .request('/')
  ).headers;
}

const hash = createHash('sha256').update(PAGE_STYLE).digest('base64');

test('the headers of an HTML page from the Worker allow the page’s own style sheet, no script, and no embedding in other pages', async () => {
  const headers = await headersOf({ style: PAGE_STYLE });
  expect(headers.get('Content-Security-Policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
  expect(headers.get('X-Frame-Options')).toBe('DENY');
});

test('an HTML page with a secret URL, pictures and a form sends no referrer, and its CSP allows the pictures and the form', async () => {
  const headers = await headersOf({ style: PAGE_STYLE, hasPictures: true, hasForm: true, isSecret: true });
  const policy = headers.get('Content-Security-Policy');
  expect(policy).toContain("; img-src 'self'; form-action 'self'; ");
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
});

test.each([
  ['/', true],
  ['/my-posts', true],
  ['/assetsmith', true],
  ['/assets', false],
  ['/assets/main', false],
  ['/p', false],
  ['/p/x', false],
  ['/post/x', true],
  ['/photos/x', false],
  ['/favicon.ico', false],
])('the check whether the path %s belongs to the web app returns %s', (path, isIts) =>
  expect(isAppAddress(path)).toBe(isIts),
);

describe('error handling', () => {
  const PATIENCE_MS = 3_000;

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('a promise that settles before its timeout returns its result or its failure', async () => {
    expect(await answerInTime(async () => 'jibu', PATIENCE_MS)).toBe('jibu');
    const failure = new TypeError('imeshindikana');
    await expect(answerInTime(() => Promise.reject(failure), PATIENCE_MS)).rejects.toBe(failure);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('waiting for a promise that never settles ends with an error exactly at the timeout', async () => {
    const settled = vi.fn();
    const waiting = answerInTime(() => new Promise(() => {}), PATIENCE_MS).catch(settled);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(settled).toHaveBeenCalledExactlyOnceWith(expect.any(Error));
  });

  test('the log of an error contains its class and its stack frames, but not its message', () => {
    const error = new RangeError('Simu 0712345678\nya Asha');
    expect(errorName(error)).toBe('RangeError');
    expect(errorName('0712345678')).toBe('string');
    const frames = errorFrames(error);
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(frame).toMatch(/^\s+at /);
    expect(errorFrames('0712345678')).toEqual([]);
    expect(errorFrames(Object.assign(new Error('x'), { stack: undefined }))).toEqual([]);
  });

  test('by default an AppError has the HTTP status of its error code, no invalid fields and no Retry-After time', () => {
    const plain = new AppError('post_not_found');
    expect([plain.code, plain.name, plain.status, plain.fields, plain.retryAfterSeconds]).toEqual([
      'post_not_found',
      'AppError',
      404,
      [],
      null,
    ]);
    const fields = [{ field: 'title', message: 'text_too_long' as const, max: 120 }];
    const detailed = new AppError('validation_failed', { fields, retryAfterSeconds: 7, status: 409 });
    expect([detailed.fields, detailed.retryAfterSeconds, detailed.status]).toEqual([fields, 7, 409]);
    expect(invalidField('title', 'text_invalid')).toMatchObject({
      code: 'validation_failed',
      status: 422,
      fields: [{ field: 'title', message: 'text_invalid' }],
    });
  });

  test.each(['info', 'warn', 'error'] as const)('a log entry of the level “%s” is one line of JSON', (level) => {
    const levels = { info: 'log', warn: 'warn', error: 'error' } as const;
    const spies = Object.values(levels).map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
    const write = log[level] as (event: string, details?: object) => void;
    workFor({ job_id: 'kazi' }, () => write('unavailable', { attempt: 2 }));
    write('unavailable');
    expect(spies.flatMap(({ mock }) => mock.calls)).toEqual([
      ['{"event":"unavailable","job_id":"kazi","attempt":2}'],
      ['{"event":"unavailable"}'],
    ]);
    expect(console[levels[level]]).toHaveBeenCalledTimes(2);
  });
});

test('if only one field is invalid, the error’s “detail” equals the message of the field', () => {
  const error = new AppError('validation_failed', { fields: [{ field: 'title', message: 'text_too_long', max: 120 }] });
  expect(toErrorBody(error, 'sw')).toEqual({
    code: 'validation_failed',
    detail: 'Maandishi ni marefu mno: yasizidi herufi 120.',
    errors: [{ field: 'title', message: 'Maandishi ni marefu mno: yasizidi herufi 120.' }],
  });
});

test('an error without invalid fields has the HTTP status of its error code, and no list of fields in its response', () => {
  const error = new AppError('email_taken');
  expect(toErrorBody(error, 'en')).toEqual({
    code: 'email_taken',
    detail: 'An account with this email already exists.',
  });
  expect(error.status).toBe(409);
  expect(invalidField('password', 'password_common').status).toBe(422);
});

function fieldsOf(schema: z.ZodMiniType, input: unknown) {
  const { error } = schema.safeParse(input);
  if (!error) throw new Error('nothing is wrong');
  return toValidationError(error).fields;
}

test('each invalid field is reported once, with its first problem and the exceeded limit', () => {
  const title = z.string().check(z.maxLength(3, 'text_too_long'), z.regex(/^\d+$/, 'code_invalid'));
  const schema = z.object({ title, place: z.object({ name: z.string('location_required') }) });
  expect(fieldsOf(schema, { title: 'abcd', place: {} })).toEqual([
    { field: 'title', message: 'text_too_long', max: 3 },
    { field: 'place.name', message: 'location_required' },
  ]);
});

test('a validation problem without a known message has the message text_invalid, and a problem of the whole body has the field “body”', () => {
  expect(fieldsOf(z.object({}), 'x')).toEqual([{ field: 'body', message: 'text_invalid' }]);
});

test('a request without a supported language is answered in the default language of its route', () => {
  expect(chooseLanguage(undefined, 'sw')).toBe('sw');
  expect(chooseLanguage('fr', 'sw')).toBe('sw');
  expect(chooseLanguage('fr, en;q=0.1', 'sw')).toBe('en');
  expect(chooseLanguage(undefined)).toBe('en');
});
