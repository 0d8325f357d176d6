import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createEvent, createStore, useStore } from '#web/lib/store.ts';

test('an event reaches every listener, also one that another listener removes meanwhile', () => {
  const event = createEvent<[string]>();
  const heard: string[] = [];
  event.on((about) => {
    heard.push(`first ${about}`);
    stop();
  });
  const stop = event.on((about) => heard.push(`second ${about}`));
  event.emit('once');
  event.emit('twice');
  expect(heard).toEqual(['first once', 'second once', 'first twice']);
});

const store = createStore({ name: 'Neema', age: 1 });
let renderCount = 0;

function Name() {
  renderCount++;
  return useStore(store, ({ name }) => name);
}

test('a component renders again only when the picked part of a store changes', () => {
  render(<Name />);
  act(() => store.set({ name: 'Neema', age: 2 }));
  expect(renderCount).toBe(1);
  act(() => store.set({ name: 'Juma', age: 2 }));
  expect(screen.getByText('Juma')).toBeInTheDocument();
  expect(renderCount).toBe(2);
});
