/** What other nouns may use of this one. */
export { forgetSwitches, requireSwitchedOn } from './require-switched-on.ts';
export { isSwitchedOn, listSwitchedOff, selectSwitchedOff, toSwitches } from './store.ts';
