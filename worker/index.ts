import type { QueueJob } from '#contract/whatsapp.ts';
import { app } from './app.ts';
import type { Env } from './env.ts';
import { sweep } from './sweep.ts';
import { consume } from './whatsapp/index.ts';

export { UserChannel } from '#durable/user-channel.ts';

export default {
  fetch: app.fetch,
  queue: consume,
  scheduled: (_controller, env) => sweep(env),
} satisfies ExportedHandler<Env, QueueJob>;
