import { userEvent } from '@testing-library/user-event';

type Act<Args extends unknown[]> = (...args: Args) => Promise<void>;

/**
 * The person in front of a screen. Biome cannot resolve the mapped type `UserEvent`: only of methods that are written out
 * does it notice a missing `await`, and it takes a quarter of the time.
 */
export type User = {
  click: Act<[Element]>;
  dblClick: Act<[Element]>;
  type: Act<[Element, string]>;
  clear: Act<[Element]>;
  keyboard: Act<[string]>;
  paste: Act<[string]>;
  tab: Act<[options?: { shift?: boolean }]>;
  selectOptions: Act<[Element, string | HTMLElement]>;
  upload: Act<[HTMLElement, File | File[]]>;
};

export function startUser(): User {
  return userEvent.setup();
}
