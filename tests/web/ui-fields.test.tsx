import { render, screen, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { changeLanguage } from '#web/lib/i18n.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { CommunitySelect } from '#web/ui/community-select.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { startUser } from './support/user.ts';

beforeEach(async () => {
  await changeLanguage('en');
});

function show(field: ReactNode) {
  render(field);
  return startUser();
}

/** A field that is filled in. */
function Held({
  children,
  first = '',
}: {
  first?: string;
  children: (value: string, set: (value: string) => void) => ReactNode;
}) {
  const [value, setValue] = useState(first);
  return children(value, setValue);
}

test.each([
  ['a line', TextField, 'INPUT'],
  ['a longer text', TextArea, 'TEXTAREA'],
] as const)(
  '%s has its name, its hint and what is wrong with it read out, and is written either way',
  (_what, Field, tag) => {
    show(<Field label="Location" hint="Where was it?" error="Location is required." isOptional />);
    const field = screen.getByRole('textbox', { name: 'Location (optional)' });
    expect(field.tagName).toBe(tag);
    expect(field).toHaveAccessibleDescription('Where was it? Location is required.');
    expect(field).toBeInvalid();
    expect(field).toHaveAttribute('dir', 'auto');
  },
);

test.each([
  ['a line', TextField],
  ['a longer text', TextArea],
] as const)('%s with nothing wrong is not said to be wrong, nor described', (_what, Field) => {
  show(<Field label="Location" />);
  const field = screen.getByRole('textbox', { name: 'Location' });
  expect(field).not.toHaveAttribute('aria-invalid');
  expect(field).not.toHaveAttribute('aria-describedby');
});

test('what describes a field is what there is', () => {
  show(
    <>
      <TextField label="Hinted" hint="Where was it?" />
      <TextField label="Wrong" error="Location is required." />
      <PasswordField label="Password" hint="At least 8." error="Too short." />
    </>,
  );
  const descriptionOf = (name: string) => expect(screen.getByLabelText(name));
  descriptionOf('Hinted').toHaveAccessibleDescription('Where was it?');
  descriptionOf('Hinted').not.toHaveAttribute('aria-invalid');
  descriptionOf('Wrong').toHaveAccessibleDescription('Location is required.');
  descriptionOf('Password').toHaveAccessibleDescription('At least 8. Too short.');
  descriptionOf('Password').toBeInvalid();
});

test('a password is hidden until it is asked for, and again', async () => {
  const user = show(<PasswordField label="Password" name="password" autoComplete="current-password" />);
  const field = screen.getByLabelText('Password');
  const button = screen.getByRole('button', { name: 'Show password' });
  expect(button).toHaveAttribute('aria-pressed', 'false');
  expect(button).toHaveAttribute('type', 'button');
  expect(field).toHaveAttribute('type', 'password');
  expect(field).toHaveAttribute('autocomplete', 'current-password');
  await user.type(field, 'siri');
  await user.click(button);
  expect(field).toHaveAttribute('type', 'text');
  expect(button).toHaveAttribute('aria-pressed', 'true');
  await user.click(button);
  expect(field).toHaveAttribute('type', 'password');
  expect(field).toHaveValue('siri');
});

test('a box is ticked by its words', async () => {
  const onChange = vi.fn();
  const user = show(<Checkbox label="I agree" onChange={onChange} />);
  await user.click(screen.getByText('I agree'));
  expect(screen.getByRole('checkbox', { name: 'I agree' })).toBeChecked();
  expect(onChange).toHaveBeenCalledOnce();
});

test('one of a few is chosen by its name', async () => {
  const chosen: string[] = [];
  const options = [
    { value: '', label: 'All kinds' },
    { value: 'key', label: 'Keys' },
  ];
  const user = show(
    <Held>
      {(value, set) => (
        <SelectField
          label="Kind"
          name="kind"
          value={value}
          options={options}
          onChange={(kind) => {
            chosen.push(kind);
            set(kind);
          }}
        />
      )}
    </Held>,
  );
  const select = screen.getByRole('combobox', { name: 'Kind' });
  expect(select).toHaveDisplayValue('All kinds');
  await user.selectOptions(select, 'Keys');
  expect(select).toHaveDisplayValue('Keys');
  await user.selectOptions(select, 'All kinds');
  expect(chosen).toEqual(['key', '']);
});

const SCHOOL = { code: 'MBEZ2345', name: 'Shule ya Mbezi' };

function showCommunities({ first = null as string | null, isLabelHidden = false } = {}) {
  const chosen: (string | null)[] = [];
  const user = show(
    <Held first={first ?? ''}>
      {(value, set) => (
        <CommunitySelect
          label="Community"
          isLabelHidden={isLabelHidden}
          none="Everyone"
          hint={isLabelHidden ? undefined : 'Only its members see it.'}
          options={[SCHOOL]}
          value={value || null}
          onChange={(code) => {
            chosen.push(code);
            set(code ?? '');
          }}
        />
      )}
    </Held>,
  );
  return { user, chosen, select: screen.getByRole('combobox', { name: 'Community' }) };
}

test('a community is chosen and cleared, and the focus stays with the choice', async () => {
  const { user, chosen, select } = showCommunities();
  expect(select).toHaveAccessibleDescription('Only its members see it.');
  expect(select).toHaveDisplayValue('Everyone');
  expect(within(select).getByRole('option', { name: SCHOOL.name })).toHaveAttribute('dir', 'auto');
  expect(screen.queryByRole('button')).toBeNull();
  await user.selectOptions(select, SCHOOL.name);
  expect(select).toHaveDisplayValue(SCHOOL.name);
  expect(within(select).getAllByRole('option')).toHaveLength(2);
  const clear = screen.getByRole('button');
  expect(clear).toHaveAccessibleName();
  expect(clear).toHaveAttribute('type', 'button');
  await user.click(clear);
  expect(select).toHaveFocus();
  expect(screen.queryByRole('button')).toBeNull();
  await user.selectOptions(select, SCHOOL.name);
  await user.selectOptions(select, 'Everyone');
  expect(chosen).toEqual(['MBEZ2345', null, 'MBEZ2345', null]);
});

test('a community that is not among the options yet stays chosen, and nothing describes what has no hint', () => {
  const { select } = showCommunities({ first: 'KARI9999', isLabelHidden: true });
  expect(select).toHaveDisplayValue('KARI9999');
  expect(
    within(select)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Everyone', 'KARI9999', SCHOOL.name]);
  expect(select).not.toHaveAttribute('aria-describedby');
});

test('what is searched for is cleared by a button, which goes with it', async () => {
  const user = show(
    <Held>
      {(value, set) => (
        <SearchField
          label="Search posts"
          placeholder="Name"
          clearLabel="Clear"
          value={value}
          onChange={set}
          maxLength={6}
        />
      )}
    </Held>,
  );
  const box = within(screen.getByRole('search')).getByRole('textbox', { name: 'Search posts' });
  expect(box).toHaveAttribute('placeholder', 'Name');
  expect(box).toHaveAttribute('dir', 'auto');
  expect(box).toHaveAttribute('type', 'text');
  expect(screen.queryByRole('button')).toBeNull();
  await user.type(box, 'simu nyeusi');
  expect(box).toHaveValue('simu n');
  const clear = screen.getByRole('button', { name: 'Clear' });
  expect(clear).toHaveAttribute('type', 'button');
  await user.click(clear);
  expect(box).toHaveValue('');
  expect(box).toHaveFocus();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a search without an example of its own shows its name, and can be shut', () => {
  show(<SearchField label="Search" clearLabel="Clear" value="" onChange={() => undefined} isDisabled />);
  expect(screen.getByPlaceholderText('Search')).toBeDisabled();
});

test('a search is open unless it is shut', () => {
  show(<SearchField label="Search" clearLabel="Clear" value="" onChange={() => undefined} />);
  expect(screen.getByRole('textbox', { name: 'Search' })).toBeEnabled();
});
