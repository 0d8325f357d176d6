import { fieldMessages as fields } from '#contract/messages/en.ts';
import common from './common.json';
import home from './home.json';

/** What the first visit reads: the frame and the home page. */
export const firstResources = { common, fields, home };
