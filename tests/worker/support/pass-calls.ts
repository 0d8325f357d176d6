/** Stands between who asks the database and the database. */
export type Pass = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

const CALLS = new Set(['batch', 'all', 'run', 'first', 'raw', 'exec']);

/** The real database whose every call, also by its sessions and statements, goes through `pass`. */
export function passCalls(database: D1Database, pass: Pass): D1Database {
  const originals = new WeakMap<object, object>();
  const wrap = <Target extends object>(target: Target): Target => {
    const wrapped = new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          // The database knows its own statements only.
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
