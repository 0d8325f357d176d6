import { env } from 'cloudflare:workers';
import type { Env } from '#worker/env.ts';

class Killed extends Error {}

/** Decides before and after each outside call whether the Worker dies there. */
type Fate = () => boolean;

/**
 * An environment in which the Worker may die at each call to D1, the bucket, the queue and mailboxes: before the call,
 * or after it but before its response. A dead Worker does nothing more.
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

/**
 * An environment in which the Worker dies at the point with the number `dieAt`. There is a point before and a point
 * after each outside call, numbered from 0. If fewer points are reached, the Worker completes its work.
 */
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

/** An environment whose mailboxes fail when `isDue` says so, before or after they accept the notice. */
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

/** Wraps each call to the database. `ask` makes the call. */
export type Pass = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

const CALLS = new Set(['batch', 'all', 'run', 'first', 'raw', 'exec']);

/** The real database, whose calls, also those of its sessions and statements, go through `pass`. */
export function passCalls(database: D1Database, pass: Pass): D1Database {
  const originals = new WeakMap<object, object>();
  const wrap = <Target extends object>(target: Target): Target => {
    const wrapped = new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          // The database accepts only its own statements, so wrapped statements are unwrapped.
          const given = name === 'batch' ? [(args[0] as object[]).map((one) => originals.get(one) ?? one)] : args;
          const act = (): unknown => Reflect.apply(value, of, given);
          return CALLS.has(String(name)) ? pass(async () => act()) : wrap(act() as object);
        };
      },
    });
    originals.set(wrapped, target);
    return wrapped;
  };
  return wrap(database);
}
