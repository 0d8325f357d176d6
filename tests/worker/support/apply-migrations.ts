import { env } from 'cloudflare:workers';

// In one transaction: what a file of tests begins with is asked for a hundred times.
await env.DB.batch(env.TEST_MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))));
