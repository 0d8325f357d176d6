/** The only exports that other nouns may import. */
export { forgetSwitches, requireSwitchedOn } from './require-switched-on.ts';
export { isSwitchedOn, listSwitchedOff, selectSwitchedOff, switchedOffRow, toSwitches } from './store.ts';
