import { fieldMessages as fields } from '#worker/contract/messages/en.ts';
import accounts from './accounts.json';
import common from './common.json';
import communities from './communities.json';
import home from './home.json';
import notices from './notices.json';
import posts from './posts.json';
import recovery from './recovery.json';

export const resources = { common, fields, accounts, communities, home, posts, notices, recovery };
