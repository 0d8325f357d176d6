/** The only exports that other nouns may import. */
export { sendHeartbeat } from './heartbeat.ts';
export { recordHeartbeat } from './store.ts';
