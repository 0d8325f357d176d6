import { billTables } from './tables.ts';

// Prints the monthly costs and the limit that is reached first, from assumptions.ts and prices.ts.

console.log(billTables().join('\n\n'));
