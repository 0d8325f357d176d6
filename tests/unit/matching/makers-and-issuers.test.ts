import { expect, test } from 'vitest';
import { read } from './make-post.ts';

test.each([
  ['Friji ya Zebumi', ['zebumi']],
  ['Zebumi fridge, blue', []],
  ['Nimepoteza Zebumi fridge', ['zebumi']],
  ['Friji | ni chapa Zebumi', ['zebumi']],
  ['Friji | ni chapa ya Zebumi', ['zebumi']],
  ['Friji | brand is the zebumi', ['zebumi']],
  ['Friji | kampuni Zebumi', ['zebumi']],
  ['Friji | make Zebumi', ['zebumi']],
  ['Friji yangu zebumi', []],
  ['Friji. Zebumi', []],
  ['FRIJI ZEBUMI', []],
  ['Friji | chapa Zb', []],
  ['Friji | chapa Samsung', []],
  ['Friji | chapa Asha', []],
])('the makes that no list knows of "%s" are %j', (side, makers) => expect(read(side).makers).toEqual(makers));

test.each([
  ['shule ya Kadiro', ['kadiro']],
  ['shule ya msingi Kadiro', ['kadiro']],
  ['Kadiro Secondary', ['kadiro']],
  ['Mkombozi Hardware', ['mkombozi']],
  ['ya St Mary', ['mary']],
  ['ya St. Mary', ['mary']],
  ['ya Jangwani Girls', ['Jangwani Girls, Ilala']],
  ['ya Jangwani Girls, shule ya Kadiro', ['Jangwani Girls, Ilala']],
  ['ya st mary', []],
  ['ya St Xy', []],
  ['shule, Kadiro', []],
  ['Kadiro, Secondary', []],
  ['shule ya kadiro', []],
  ['shule ya Ab', []],
  ['Kubwa Secondary', []],
])('the uniform %s is of %j', (said, issuers) => expect(read(`Uniform | ${said}`).issuers).toEqual(issuers));
