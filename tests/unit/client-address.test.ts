import { expect, test } from 'vitest';
import { networkOf } from '#worker/http/client-address.ts';

test.each([
  ['196.41.0.7', '196.41.0.7'],
  ['2c0f:fe38:2101:7:a:b:c:d', '2c0f:fe38:2101:7::/64'],
  ['2c0f:fe38:2101:7::1', '2c0f:fe38:2101:7::/64'],
  ['2C0F:FE38:2101:0007::', '2c0f:fe38:2101:7::/64'],
  ['2c0f:fe38::1', '2c0f:fe38:0:0::/64'],
  ['2c0f:fe38:0:0:1::', '2c0f:fe38:0:0::/64'],
  ['2c0f::7:a:b:c:d:e', '2c0f:0:7:a::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:196.41.0.7', '::ffff:196.41.0.7'],
  ['unknown', 'unknown'],
])('%s is counted as %s', (address, network) => expect(networkOf(address)).toBe(network));
