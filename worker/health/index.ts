/** What other nouns may use of this one. */
export { sendHeartbeat } from './heartbeat.ts';
export { recordHeartbeat } from './store.ts';
