import common from './common.json';
import home from './home.json';

/** What the first visit reads: the frame and the home page. */
export const firstResources = { common, home };
