import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { ERROR_STATUS } from '#contract/error-codes.ts';
import { PHOTO_TYPES } from '#contract/photos.ts';
import { PAGE_STYLE, pageHeaders } from '#worker/http/html-page.ts';
import { isAppAddress } from '#worker/http/middleware.ts';
import { describeApi } from '#worker/http/openapi.ts';

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

test('the description contains its purpose, the routes’ address, the sign-in and the form of an error', () => {
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

test('each route says whether its token is required, optional or unused', () => {
  expect(operation('patch', '/posts/{id}/found').security).toEqual([{ token: [] }]);
  expect(operation('get', '/admin/log').security).toEqual([{ token: [] }]);
  expect(operation('get', '/posts').security).toEqual([{}, { token: [] }]);
  expect(operation('get', '/health')).not.toHaveProperty('security');
});

test('a route’s input and responses are described in full', () => {
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

test('a form, a picture and a response without a body are described as such', () => {
  const form = operation('post', '/login').requestBody as { content: object };
  expect(Object.keys(form.content)).toEqual(['application/x-www-form-urlencoded']);
  expect(operation('post', '/posts/{id}/photos').requestBody).toEqual({
    required: true,
    content: Object.fromEntries(PHOTO_TYPES.map((type) => [type, {}])),
  });
  expect(operation('delete', '/posts/{id}').responses[204]).toEqual({ description: 'Done' });
  expect(operation('delete', '/posts/{id}')).not.toHaveProperty('requestBody');
});

test('path parameters are required, query fields are optional, and a list describes its next page', () => {
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

test('a route with two success responses describes both', () => {
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

test('a page drawn by the Worker has one style, no script, and cannot be framed', async () => {
  const headers = await headersOf({ style: PAGE_STYLE });
  expect(headers.get('Content-Security-Policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
  expect(headers.get('X-Frame-Options')).toBe('DENY');
});

test('pictures, a form and a secret address are allowed only on pages that have them', async () => {
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
])('%s belongs to the web app: %s', (path, isIts) => expect(isAppAddress(path)).toBe(isIts));
