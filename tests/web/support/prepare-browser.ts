import { setMaxListeners } from 'node:events';
import '@testing-library/jest-dom/vitest';
import { configure } from '@testing-library/react';
import i18next from 'i18next';
import { preloadAllScreens, routes } from '#web/app/router.tsx';
import { loadTexts, startI18n } from '#web/lib/i18n.ts';

// Waits up to five seconds for an element: on a busy machine, finding an element by its role takes long.
configure({ asyncUtilTimeout: 5_000 });
// jsdom has no layout, so nothing scrolls.
window.scrollTo = () => undefined;
// jsdom does not open modal dialogs either.
HTMLDialogElement.prototype.showModal ??= function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function close() {
  this.open = false;
};
// Node's threads share broadcast channels with the same name. Each thread adds its own name, so that it does not
// receive messages of mocked sockets in other test files.
const thisThread = crypto.randomUUID();
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${name} ${thisThread}`);
    // MSW adds a listener to one channel for each mocked socket. Node would warn about so many listeners.
    setMaxListeners(0, this);
  }
};
await startI18n();
i18next.options.parseMissingKeyHandler = (key) => {
  throw new Error(`There is no text for the key ${key}`);
};
// React would warn about a screen whose code loads outside of `act`.
await preloadAllScreens(routes);
// A test may render a component without the code that loads the component's texts.
await loadTexts('admin', 'photos', 'push', 'sharing');
