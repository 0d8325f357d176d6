/** The only exports that other nouns may import. */
export { forgetSwitches, requireSwitchedOn } from './require-switched-on.ts';
export { isSwitchedOn, listSwitchedOff, selectSwitchedOff, toSwitches } from './store.ts';
