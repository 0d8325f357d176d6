import * as z from 'zod/mini';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { ERROR_STATUS } from '#contract/error-codes.ts';

type JsonSchema = Record<string, unknown>;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const ERROR = { $ref: '#/components/schemas/Error' };

const descriptions = new Map<boolean, object>();

/**
 * Describes the API as OpenAPI 3.1, generated from the schemas that validate requests, once per isolate and on demand.
 * @param isLocal whether to list the routes that exist only in local development.
 */
export function describeApi(isLocal: boolean): object {
  const known = descriptions.get(isLocal);
  if (known) return known;
  const description = {
    openapi: '3.1.0',
    info: { title: 'Patikana', version: '1', description: 'Lost and found for Tanzania, in English and Swahili.' },
    servers: [{ url: '/api' }],
    paths: describePaths(isLocal),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: describeError() },
    },
  };
  descriptions.set(isLocal, description);
  return description;
}

function describePaths(isLocal: boolean): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    const [method = '', route = ''] = name.split(' ');
    if (route.startsWith('/dev/') && !isLocal) continue;
    const path = route.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(route, endpoint) };
  }
  return paths;
}

function describeOperation(route: string, endpoint: Endpoint): object {
  const { summary, needs, status, answer, otherwise, body, isForm, fileTypes, isPaged } = endpoint;
  const parameters = [...describePath(route), ...describeQuery(endpoint.query)];
  return {
    summary,
    ...(needs !== 'nothing' && { security: needs === 'optional_token' ? [{}, { token: [] }] : [{ token: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { [isForm ? FORM_TYPE : JSON_TYPE]: { schema: toSchema(body, 'input') } },
      },
    }),
    ...(fileTypes && {
      requestBody: { required: true, content: Object.fromEntries(fileTypes.map((type) => [type, {}])) },
    }),
    responses: {
      [status]: {
        description: status === 204 ? 'Done' : 'The answer',
        ...(isPaged && { headers: { Link: { description: 'rel="next"', schema: { type: 'string' } } } }),
        ...(answer && describeAnswer(answer)),
      },
      ...(otherwise && { [otherwise.status]: { description: 'The answer', ...describeAnswer(otherwise.answer) } }),
      default: { description: 'An error', content: { [JSON_TYPE]: { schema: ERROR } } },
    },
  };
}

function describeAnswer(answer: z.ZodMiniType): object {
  return { content: { [JSON_TYPE]: { schema: toSchema(answer, 'output') } } };
}

function describePath(route: string): object[] {
  return [...route.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function describeQuery(query: Endpoint['query']): object[] {
  const properties = (query ? toSchema(query, 'input').properties : {}) as Record<string, JsonSchema>;
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

function describeError(): JsonSchema {
  const text = { type: 'string' };
  const problem = { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } };
  return {
    type: 'object',
    required: ['code', 'detail'],
    properties: {
      code: { enum: Object.keys(ERROR_STATUS) },
      detail: text,
      errors: { type: 'array', items: problem },
      request_id: text,
    },
  };
}

/** Converts a Zod schema to JSON Schema. The input of a transform becomes a schema that allows anything. */
function toSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  return described;
}
