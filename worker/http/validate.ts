import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import { every } from 'hono/combine';
import { createMiddleware } from 'hono/factory';
import type * as z from 'zod/mini';
import { isFieldMessage } from '#contract/field-messages.ts';
import { AppError, type FieldProblem } from '#worker/errors/app-error.ts';
import type { AppEnv } from './context.ts';

/** Parses one part of the request. If it is invalid the response is a 422 that lists every wrong field. */
export function validate<Target extends keyof ValidationTargets, Schema extends z.ZodMiniType>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, schema, (result) => {
    if (!result.success) throw toValidationError(result.error);
  });
}

/** Lists one problem for each invalid field: the first one that the schema found. */
export function toValidationError(error: z.core.$ZodError): AppError {
  const problems = new Map<string, FieldProblem>();
  for (const issue of error.issues) {
    const problem = toFieldProblem(issue);
    if (!problems.has(problem.field)) problems.set(problem.field, problem);
  }
  return new AppError('validation_failed', { fields: [...problems.values()] });
}

function toFieldProblem(issue: z.core.$ZodIssue): FieldProblem {
  const message = isFieldMessage(issue.message) ? issue.message : 'text_invalid';
  const max = issue.code === 'too_big' ? Number(issue.maximum) : undefined;
  return { field: issue.path.join('.') || 'body', message, ...(max !== undefined && { max }) };
}

/** Refuses bodies of other media types before they are read: 415. */
export function requireMediaType(...types: string[]) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!types.includes(type)) throw new AppError('unsupported_media_type');
    await next();
  });
}

/** Refuses bodies that are not JSON: 415 for another media type, 400 for malformed JSON. */
export const requireJson = every(
  requireMediaType('application/json'),
  createMiddleware<AppEnv>(async (c, next) => {
    try {
      await c.req.json();
    } catch {
      throw new AppError('malformed_json');
    }
    await next();
  }),
);

/**
 * Reads the whole body before other code does, and refuses more than `maxBytes` even if `Content-Length` is wrong. If a
 * phone loses its network, the body is cut off, and the request fails here with malformed_request. The body of a GET or
 * HEAD is not read, because a `Request` of these methods cannot be made with a body.
 */
export function readBody(maxBytes: number) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { raw } = c.req;
    if (raw.method === 'GET' || raw.method === 'HEAD') return next();
    if (Number(c.req.header('Content-Length') ?? 0) > maxBytes) throw new AppError('body_too_large');
    if (raw.body) c.req.raw = new Request(raw, { body: await readAll(raw.body, maxBytes) });
    return next();
  });
}

/** @throws AppError body_too_large, or malformed_request for a body that is cut off or badly chunked. */
async function readAll(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Blob> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw new AppError('malformed_request');
  }
  if (size > maxBytes) throw new AppError('body_too_large');
  return new Blob(chunks);
}
