/** The only exports that other nouns may import. */
export { closeSockets, finishClosingSockets } from './close-sockets.ts';
export { noteUse } from './note-use.ts';
export { deviceData } from './personal-data.ts';
export { clearExpired, endDevices, keepDevice, type SeenDevice } from './store.ts';
export { nameOfCaller, toSession } from './to-session.ts';
