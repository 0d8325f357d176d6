/** What other nouns may use of this one. */
export { consumeDeadPushes, consumePushes } from './consume.ts';
export { clearExpired } from './expiry-store.ts';
export { pushData } from './personal-data.ts';
export { endSubscriptionsOfSessions, endSubscriptionsOfUser, subscriptionIdsOf } from './subscription-store.ts';
