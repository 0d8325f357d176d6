import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Tabs } from '#web/ui/tabs.tsx';
import { startUser } from './support/user.ts';

const TABS = [
  { name: 'first', label: 'Posts' },
  { name: 'second', label: 'Members' },
  { name: 'third', label: 'Settings' },
] as const;

function Community() {
  const [current, setCurrent] = useState<(typeof TABS)[number]['name']>('first');
  return (
    <Tabs label="The community" tabs={TABS} current={current} onChange={setCurrent}>
      <p>What is in {current}</p>
    </Tabs>
  );
}

function openTabs() {
  render(<Community />);
  return { user: startUser(), tab: (name: string) => screen.getByRole('tab', { name }) };
}

test('one tab is chosen, in the tab order, and names the panel', async () => {
  const { user, tab } = openTabs();
  expect(screen.getByRole('tablist', { name: 'The community' })).toBeInTheDocument();
  expect(tab('Posts')).toHaveAttribute('aria-selected', 'true');
  expect(tab('Members')).toHaveAttribute('aria-selected', 'false');
  expect(screen.getByRole('tabpanel', { name: 'Posts' })).toHaveTextContent('What is in first');
  expect(tab('Posts')).toHaveAttribute('aria-controls', screen.getByRole('tabpanel').id);
  expect(screen.getByRole('tabpanel')).toHaveAttribute('tabindex', '-1');
  await user.tab();
  expect(tab('Posts')).toHaveFocus();
  await user.tab();
  expect(document.body).toHaveFocus();
  await user.click(tab('Members'));
  expect(screen.getByRole('tabpanel', { name: 'Members' })).toHaveTextContent('What is in second');
  expect([tab('Posts'), tab('Members')].map(({ tabIndex }) => tabIndex)).toEqual([-1, 0]);
});

test.each([
  ['ArrowRight', ['Members', 'Settings', 'Posts']],
  ['ArrowLeft', ['Settings', 'Members', 'Posts']],
  ['End', ['Settings', 'Settings']],
] as const)('%s goes through the tabs, and the panel with the focus', async (key, names) => {
  const { user, tab } = openTabs();
  await user.tab();
  for (const name of names) {
    await user.keyboard(`{${key}}`);
    expect(tab(name)).toHaveFocus();
    expect(screen.getByRole('tabpanel', { name })).toBeInTheDocument();
  }
});

test('Home goes to the first one', async () => {
  const { user, tab } = openTabs();
  await user.click(tab('Settings'));
  await user.keyboard('{Home}');
  expect(tab('Posts')).toHaveFocus();
  expect(screen.getByRole('tabpanel', { name: 'Posts' })).toBeInTheDocument();
});

test('a key that moves between the tabs does not scroll the page, and the others do what they do', () => {
  const { tab } = openTabs();
  expect(fireEvent.keyDown(tab('Posts'), { key: 'a' })).toBe(true);
  expect(screen.getByRole('tabpanel', { name: 'Posts' })).toBeInTheDocument();
  expect(fireEvent.keyDown(tab('Posts'), { key: 'End' })).toBe(false);
});

test('a tab within a form does not send it', () => {
  const { tab } = openTabs();
  expect(tab('Posts')).toHaveAttribute('type', 'button');
});
