import { expect, test } from 'vitest';
import { checkPublicAddresses } from '#scripts/wrangler/public-addresses.ts';

const SET = {
  VITE_SUPPORT_ADDRESS: 'help@patikana.test',
  VITE_SOCIAL_PROFILE_URL: 'https://social.test/patikana',
  VITE_OWNER_POSTAL_ADDRESS: 'P.O. Box 1\nDodoma',
};

test('a deployment with all public addresses gets no warning', () => {
  expect(checkPublicAddresses(SET)).toEqual([]);
});

test('a deployment is warned of each public address that is missing or empty', () => {
  const { VITE_SOCIAL_PROFILE_URL: _unset, ...rest } = SET;
  expect(checkPublicAddresses({ ...rest, VITE_OWNER_POSTAL_ADDRESS: '' })).toEqual([
    expect.stringMatching(/^VITE_SOCIAL_PROFILE_URL is not set/),
    expect.stringMatching(/^VITE_OWNER_POSTAL_ADDRESS is not set/),
  ]);
});

test('a deployment with an example address is refused', () => {
  const environment = { ...SET, VITE_SUPPORT_ADDRESS: 'msaada@patikana.example' };
  expect(() => checkPublicAddresses(environment)).toThrow('VITE_SUPPORT_ADDRESS is an example');
});
