import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { ValidationTargets } from 'hono';
import type { ExtractSchema } from 'hono/types';
import type { InferInput } from 'hono/validator';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { type AnswerOf, ENDPOINTS, type EndpointName } from '#contract/endpoints.ts';
import { app } from '#worker/app.ts';
import { call, ORIGIN } from './support/api.ts';

/** Meta's contract and that of mail programs, not ours. */
const UNDESCRIBED = new Set([
  'GET /whatsapp/webhook',
  'POST /whatsapp/webhook',
  'GET /email/unsubscribe/:value',
  'POST /email/unsubscribe/:value',
]);

type Routes = ExtractSchema<typeof app>;
type RouteOf<Name extends EndpointName> = Name extends `${infer Method} ${infer Path}`
  ? Routes extends Record<`/api${Path}`, Record<`$${Lowercase<Method>}`, infer Route>>
    ? Route
    : 'no such route'
  : never;
/** The endpoints whose route answers something else than the contract says, each with what that is. */
type WrongAnswers = {
  [Name in EndpointName as RouteOf<Name> extends { output: AnswerOf<Name> } ? never : Name]: RouteOf<Name>;
};

/** Their bodies may be absent, so they are parsed by hand (worker/moderation/read-reason.ts). */
type ReadByHand = `POST ${string}/restore` | `POST ${string}/reinstate`;
type Target<Name extends EndpointName, Key> = Key extends 'query'
  ? 'query'
  : (typeof ENDPOINTS)[Name] extends { isForm: true }
    ? 'form'
    : 'json';
type Documented<Name extends EndpointName, Key extends string> =
  (typeof ENDPOINTS)[Name] extends Record<Key, infer Schema extends z.ZodMiniType> ? z.input<Schema> : never;
/** What Hono's client sends for a schema: in a query and a form everything is a text. */
type Sent<Input, To extends keyof ValidationTargets> = [Input] extends [ValidationTargets[To]]
  ? Input
  : InferInput<Input, To>;
type Validated<Name extends EndpointName, To extends string> =
  RouteOf<Name> extends { input: Record<To, infer Part> } ? Part : never;
/** Unlike with `extends`, another optional field makes a difference. */
type IsSame<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
type IsAsDocumented<Name extends EndpointName, Key extends 'body' | 'query'> = IsSame<
  Validated<Name, Target<Name, Key>>,
  Sent<Documented<Name, Key>, Target<Name, Key>>
>;
/** The endpoints whose route validates another body or query than the contract says, each with what that is. */
type WrongInputs = {
  [Name in Exclude<EndpointName, ReadByHand> as [IsAsDocumented<Name, 'body'>, IsAsDocumented<Name, 'query'>] extends [
    true,
    true,
  ]
    ? never
    : Name]: RouteOf<Name>;
};

type Operation = { requestBody?: object; parameters?: { name: string }[]; responses: Record<string, object> };
type Description = { openapi: string; paths: Record<string, Record<string, Operation>> };

async function readDescription(): Promise<Description> {
  return (await call('GET', '/api/openapi.json')).json<Description>();
}

test('every route is described, and nothing else', () => {
  const own = app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'));
  const routes = own.map(({ method, path }) => `${method} ${path.slice('/api'.length)}`);
  const named = [...new Set(routes)]
    .map((route) => route.replace(/\/$/, ''))
    .filter((route) => !UNDESCRIBED.has(route));
  expect(named.sort()).toEqual(Object.keys(ENDPOINTS).sort());
});

test('the description is OpenAPI 3.1 with every endpoint', async () => {
  const { openapi, paths } = await readDescription();
  expect(openapi).toBe('3.1.0');
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(Object.keys(ENDPOINTS).length);
});

test('outside the local transport the description lists no /dev route', async () => {
  const deployed = { ...env, WHATSAPP_TRANSPORT: 'cloud-api' };
  const answer = await app.fetch(new Request(`${ORIGIN}/api/openapi.json`), deployed, createExecutionContext());
  const { paths } = await answer.json<Description>();
  const isDev = (path: string) => path.startsWith('/dev/');
  const { paths: local } = await readDescription();
  expect(Object.keys(local).filter(isDev).length).toBeGreaterThan(0);
  expect(Object.keys(paths)).toEqual(Object.keys(local).filter((path) => !isDev(path)));
});

test('the fields of a body and of a query are in the description', async () => {
  const { paths } = await readDescription();
  expect(JSON.stringify(paths['/posts']?.post?.requestBody)).toContain('"phone_number"');
  expect(paths['/posts']?.get?.parameters?.map(({ name }) => name).sort()).toEqual([
    'community_code',
    'cursor',
    'kind',
    'limit',
    'open',
    'place',
    'posted_by',
    'search',
    'since',
  ]);
  expect(paths['/posts/{id}']?.get?.parameters?.map(({ name }) => name)).toEqual(['id']);
  expect(Object.keys(paths['/posts/{id}']?.delete?.responses ?? {})).toEqual(['204', 'default']);
});

test('the answer type of every route is the contract’s', () => {
  expect({} satisfies WrongAnswers).toEqual({});
});

test('every route validates the body and the query that the contract says', () => {
  expect({} satisfies WrongInputs).toEqual({});
});
