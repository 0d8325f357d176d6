/** The only exports that other nouns may import. */
export { consumeDeadPushes, consumePushes } from './consume.ts';
export { clearExpired } from './expiry-store.ts';
export { pushData } from './personal-data.ts';
export { endSubscriptionsOfSessions, endSubscriptionsOfUser, subscriptionIdsOf } from './subscription-store.ts';
