/** The only exports that the sweep may import. */
export { finishErasing } from './erase.ts';
export { leavingData } from './personal-data.ts';
