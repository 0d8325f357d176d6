import { env } from 'cloudflare:workers';
import type { Env } from '#worker/env.ts';
import { type Pass, passCalls } from './pass-calls.ts';

class Killed extends Error {}

/** Decides, before and after each call to the outside, whether the Worker dies there. */
type Fate = () => boolean;

/**
 * The environment of a Worker whose outside calls, to D1, the bucket, the queue and mailboxes, each are two points where it may die:
 * before the call, and after it was done but before its answer arrived. Once dead it does nothing more.
 */
function envWithFate(fate: Fate, base: Env): { env: Env; isDead: () => boolean } {
  let isDead = false;
  async function pass<Result>(act: () => Promise<Result>): Promise<Result> {
    const dieIfDue = () => {
      isDead ||= fate();
      if (isDead) throw new Killed('killed');
    };
    dieIfDue();
    const result = await act();
    dieIfDue();
    return result;
  }
  const WHATSAPP_QUEUE = {
    send: (...message: Parameters<Env['WHATSAPP_QUEUE']['send']>) => pass(() => base.WHATSAPP_QUEUE.send(...message)),
  } as Env['WHATSAPP_QUEUE'];
  return {
    env: {
      ...base,
      DB: passCalls(base.DB, pass),
      USER_CHANNEL: mortalChannels(pass),
      WHATSAPP_QUEUE,
      PHOTOS: mortalBucket(base.PHOTOS, pass),
      BACKUPS: mortalBucket(base.BACKUPS, pass),
    },
    isDead: () => isDead,
  };
}

function mortalBucket(bucket: R2Bucket, pass: Pass): R2Bucket {
  return {
    get: (key: string) => pass(() => bucket.get(key)),
    list: (options: R2ListOptions) => pass(() => bucket.list(options)),
    put: (...object: Parameters<R2Bucket['put']>) => pass(() => bucket.put(...object)),
    delete: (names: string[]) => pass(() => bucket.delete(names)),
  } as R2Bucket;
}

/** Dies at the point of that number, counted from 0. It outlives its work when there are fewer. */
export function mortalEnv(dieAt: number, base: Env = env) {
  let point = 0;
  return envWithFate(() => point++ === dieAt, base);
}

function mortalChannels(pass: Pass): Env['USER_CHANNEL'] {
  return channels((stub) => ({
    deliver: (messages) => pass(async () => stub.deliver(messages)),
    retract: (ids) => pass(async () => stub.retract(ids)),
    erase: () => pass(async () => stub.erase()),
  }));
}

type Stub = ReturnType<Env['USER_CHANNEL']['getByName']>;
type Part = Pick<Stub, 'deliver' | 'retract' | 'erase'>;

function channels(wrap: (stub: Stub, name: string) => Part): Env['USER_CHANNEL'] {
  return {
    getByName: (name: string) => wrap(env.USER_CHANNEL.getByName(name), name),
  } as unknown as Env['USER_CHANNEL'];
}

/**
 * An environment whose mailboxes fail when `isDue` says so, before they took what was brought or after it.
 */
export function envWithFailingMailboxes(
  isDue: (moment: 'before' | 'after', userId: string) => boolean | Promise<boolean>,
): Env {
  return {
    ...env,
    USER_CHANNEL: channels((stub, userId) => {
      async function unreliable(act: () => Promise<void>): Promise<void> {
        if (await isDue('before', userId)) throw new Error('mailbox failed');
        await act();
        if (await isDue('after', userId)) throw new Error('mailbox failed');
      }
      return {
        deliver: (messages) => unreliable(async () => stub.deliver(messages)),
        retract: (ids) => unreliable(async () => stub.retract(ids)),
      } as Part;
    }),
  };
}
