/** What the sweep may use of this noun. */
export { finishErasing } from './erase.ts';
export { leavingData } from './personal-data.ts';
