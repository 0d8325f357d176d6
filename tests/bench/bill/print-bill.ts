import { billTables } from './tables.ts';

// What it costs a month and which limit is reached first, from assumptions.ts and prices.ts.

console.log(billTables().join('\n\n'));
