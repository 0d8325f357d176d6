import { userEvent } from '@testing-library/user-event';

type Act<Args extends unknown[]> = (...args: Args) => Promise<void>;

/**
 * The person in front of a screen. Biome cannot resolve the mapped type `UserEvent`: with these methods it detects a
 * missing `await`, in a quarter of the time.
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
