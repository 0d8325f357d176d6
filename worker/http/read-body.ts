import { createMiddleware } from 'hono/factory';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from './app-env.ts';

/**
 * Reads the whole body before anything else does, up to the limit, whatever `Content-Length` says. A phone that loses
 * its network leaves half a body: that fails here, as the client's error. The body of a GET or HEAD means nothing and is
 * left unread: proxies send an empty one, and a `Request` of these methods cannot be made with a body.
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
