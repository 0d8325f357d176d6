import type { Surroundings } from '#durable/channel-turns.ts';
import { UserChannel as BareUserChannel } from '#durable/user-channel.ts';
import { recordAcknowledged } from '#worker/notices/deliver-notices.ts';
import { queueJobs, readReach } from '#worker/notices/reach.ts';
import { openDb } from './db/client.ts';
import { type Env, readConfig } from './env.ts';

/** The Durable Object class that is deployed: the class from `durable/`, with access to the database and the queues. */
export class UserChannel extends BareUserChannel {
  protected override readonly surroundings = surround(this.env as Env);
}

function surround(env: Env): Surroundings {
  return {
    rules: () => readConfig(env).channels,
    readReach: (userId, noticeIds) => readReach(openDb(env), readConfig(env), { userId, noticeIds }),
    queue: (jobs) => queueJobs(env, jobs),
    recordAcknowledged: (acknowledged) => recordAcknowledged(openDb(env), acknowledged),
  };
}
