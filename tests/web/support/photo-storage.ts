import { onTestFinished } from 'vitest';

type Row = { id: string };
type Requested = { result: unknown; error: Error | null; onsuccess?: () => void; onerror?: () => void };

/**
 * jsdom has no IndexedDB: simulates a database with one store, asynchronous and transactional. Values are copied on the
 * way in and out.
 */
export function stubPhotoStorage() {
  const state = {
    rows: new Map<string, Row>(),
    stores: [] as string[],
    isFull: false,
    isForbidden: false,
    openings: 0,
  };

  function request(answer: () => unknown): Requested {
    const requested: Requested = { result: undefined, error: null };
    queueMicrotask(() => {
      requested.result = answer();
      requested.onsuccess?.();
    });
    return requested;
  }

  function transaction(name: string, mode: IDBTransactionMode) {
    if (!state.stores.includes(name)) throw new DOMException('No such store', 'NotFoundError');
    const draft = new Map(state.rows);
    const write = (act: () => void) => {
      if (mode !== 'readwrite') throw new DOMException('Only to be read', 'ReadOnlyError');
      return request(act);
    };
    const open = {
      error: state.isFull ? new DOMException('The disk is full', 'QuotaExceededError') : null,
      oncomplete: () => undefined,
      onabort: () => undefined,
      objectStore: () => ({
        put: (row: Row) => write(() => draft.set(row.id, { ...row })),
        delete: (id: string) => write(() => draft.delete(id)),
        getAll: () => request(() => [...draft.values()].map((row) => ({ ...row }))),
      }),
    };
    // By the next turn all requests of the transaction are done.
    setTimeout(() => {
      if (state.isFull && mode === 'readwrite') return open.onabort();
      if (mode === 'readwrite') state.rows = draft;
      open.oncomplete();
    });
    return open;
  }

  function open(_name: string, _version: number) {
    const opening: Requested & { onupgradeneeded?: () => void } = { result: undefined, error: null };
    state.openings++;
    queueMicrotask(() => {
      if (state.isForbidden) {
        opening.error = new DOMException('A private window', 'InvalidStateError');
        return opening.onerror?.();
      }
      opening.result = { transaction, createObjectStore: (store: string) => state.stores.push(store) };
      if (state.stores.length === 0) opening.onupgradeneeded?.();
      return opening.onsuccess?.();
    });
    return opening;
  }

  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value: { open } });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'indexedDB'));
  return state;
}
