import type { Surroundings } from '#durable/tell.ts';
import { UserChannel as BareUserChannel } from '#durable/user-channel.ts';
import { openDb } from './db/client.ts';
import { type Env, readConfig } from './env.ts';
import { recordAcknowledged } from './notices/index.ts';
import { queueTellings, readReach } from './reach/index.ts';

/** The deployed class: `durable/` with access to the database and the queues. */
export class UserChannel extends BareUserChannel {
  protected override readonly surroundings = surround(this.env as Env);
}

function surround(env: Env): Surroundings {
  return {
    rules: () => readConfig(env).telling,
    readReach: (userId, noticeIds) => readReach(openDb(env), readConfig(env), { userId, noticeIds }),
    queue: (jobs) => queueTellings(env, jobs),
    recordAcknowledged: (acknowledged) => recordAcknowledged(openDb(env), acknowledged),
  };
}
