import { fieldMessages as fields } from '#contract/messages/en.ts';
import accounts from './accounts.json';
import communities from './communities.json';
import notices from './notices.json';
import numbers from './numbers.json';
import posts from './posts.json';
import recovery from './recovery.json';

/** What the other screens read; `first.ts` has the rest. */
export const resources = { accounts, communities, fields, posts, notices, numbers, recovery };
