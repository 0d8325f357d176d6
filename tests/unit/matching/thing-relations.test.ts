import { expect, test } from 'vitest';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import {
  closestKinship,
  composeThing,
  familyOf,
  isContainer,
  isMadeBy,
  isPartOfMake,
  kinship,
  narrowByBrand,
  widerThings,
} from '#worker/matching/lexicon/thing-relations.ts';

test.each([
  ['phone', 'phone', 'same'],
  ['wallet', 'purse', 'near'],
  ['purse', 'wallet', 'near'],
  ['nida', 'id-card', 'wider'],
  ['id-card', 'nida', 'wider'],
  ['nida', 'document', 'wider'],
  ['nida', 'voter-card', 'none'],
  ['charger', 'electronics', 'none'],
  ['phone', 'unheard-of', 'none'],
  ['unheard-of', 'phone', 'none'],
])('%s and %s: %s', (a, b, kin) => {
  expect(kinship(a, b)).toBe(kin);
});

test('of several readings the closest counts', () => {
  expect(closestKinship(['goat', 'nida'], ['phone', 'id-card'])).toBe('wider');
  expect(closestKinship(['nida', 'wallet'], ['id-card', 'purse'])).toBe('near');
  expect(closestKinship(['wallet', 'phone'], ['purse', 'phone'])).toBe('same');
  expect(closestKinship([], ['phone'])).toBe('none');
});

test('wider things are named from the nearest on', () => {
  expect(widerThings('nida')).toEqual(['nida', 'id-card', 'document']);
  expect(widerThings('unheard-of')).toEqual([]);
});

test.each([
  ['keys', 'car', 'car-keys'],
  ['keys', 'lorry', 'car-keys'],
  ['bag', 'laptop', 'laptop-bag'],
  ['card', 'nida', 'nida'],
  ['id-card', 'nida', 'nida'],
  ['screen', 'goat', null],
  ['chain', 'bicycle', null],
])('a %s of a %s is %s', (head, modifier, composed) => {
  expect(composeThing([head], [modifier])).toEqual(composed === null ? null : [composed]);
});

test('a thing of either of two readings is what it is of one of them', () => {
  expect(composeThing(['keys'], ['goat', 'car'])).toEqual(['car-keys']);
});

test.each([
  ['keys', 'Toyota', 'car-keys'],
  ['card', 'CRDB', 'bank-card'],
  ['phone', 'Tecno', null],
  ['goat', 'Toyota', null],
  ['keys', 'Unheard of', null],
])('a %s of %s is %s', (thing, brand, narrowed) => {
  expect(narrowByBrand([thing], brand)).toEqual(narrowed === null ? null : [narrowed]);
});

test('a make that makes several kinds of one thing does not say which', () => {
  expect(narrowByBrand(['electronics'], 'Samsung')).toBeNull();
});

test('a make makes some things, and parts belong to them', () => {
  expect([isMadeBy(['phone'], 'Tecno'), isMadeBy(['goat'], 'Tecno'), isMadeBy(['phone'], 'Nobody')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isPartOfMake(['tyre'], 'Toyota'), isPartOfMake(['tyre'], 'Tecno')]).toEqual([true, false]);
  expect([isContainer('bag'), isContainer('backpack'), isContainer('phone')]).toEqual([true, true, false]);
});

test('all that may be one thing is of one family, and a mere heading makes none', () => {
  expect(familyOf('nida')).toBe(familyOf('id-card'));
  expect(familyOf('wallet')).toBe(familyOf('purse'));
  expect(familyOf('phone')).not.toBe(familyOf('nida'));
  expect(familyOf('phone-cover')).not.toBe(familyOf('screen-protector'));
  expect(familyOf('unheard-of')).toBe('unheard-of');
});

test('hurried words are read by what they stand for, and a line without one is none', () => {
  const { chat } = getLexicon();
  expect(chat.get('cm')).toEqual(['simu']);
  expect(chat.has('')).toBe(false);
  expect([...chat.values()].flat()).not.toContain('');
});
