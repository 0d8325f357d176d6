import { render, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { type ReactNode, useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { postInputSchema } from '#contract/posts.ts';
import { ME } from '#tests/web/support/account.ts';
import { SCHOOL, serveOwn, serveSchool } from '#tests/web/support/communities.ts';
import { aPost, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen, startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { ApiError } from '#web/api/client.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { areNoticesHeld } from '#web/lib/notice-signals.ts';
import { CommunitySelect } from '#web/posts/form/community-field.tsx';
import { Checkbox, PasswordField, SearchField, SelectField } from '#web/ui/choice-fields.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';

/** Holds a field's value, as a form does. */
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
const schema = z.object({
  title: z.string().check(z.minLength(1, 'title_required'), z.maxLength(10, 'text_too_long')),
  place: z.string().check(z.minLength(3, 'location_required'), z.regex(/^[A-Z]/)),
  open: z.boolean(),
});
type Values = { title: string; place: string; open: boolean };
/** The server's errors, and the function that receives the errors that belong to no field. */
type Answer = { error?: unknown; onUnplaced?: () => void };
function Form({ onSend, answer = {} }: { onSend: (values: Values) => void; answer?: Answer }) {
  const { form, field, submit, set, values, showServerErrors } = useForm<Values>({
    schema,
    initial: { title: '', place: '', open: false },
    complete: (typed) => ({ ...typed, place: typed.place || (typed.title === 'Ziwa' ? 'Mwanza' : '') }),
    check: ({ title, place }) => (title !== '' && title === place ? { place: 'The two are alike.' } : {}),
  });
  const send = submit((valid) => {
    onSend(valid);
    if (answer.error && !showServerErrors(answer.error)) answer.onUnplaced?.();
  });
  return (
    <form ref={form} onSubmit={send} noValidate>
      <TextField label="Title" {...field('title')} />
      <TextField label="Place" {...field('place')} />
      <Checkbox label="Open" checked={values.open} onChange={({ target }) => set('open', target.checked)} />
      <button type="submit">Send</button>
    </form>
  );
}
function open(answer?: Answer) {
  const sent: Values[] = [];
  const view = render(<Form onSend={(values) => sent.push(values)} {...(answer && { answer })} />);
  const user = startUser();
  const press = () => user.click(screen.getByRole('button', { name: 'Send' }));
  return { ...view, user, sent, press, title: screen.getByLabelText('Title'), place: screen.getByLabelText('Place') };
}

describe('form fields', () => {
  beforeEach(async () => {
    await changeLanguage('en');
  });

  function show(field: ReactNode) {
    render(field);
    return startUser();
  }

  test.each([
    ['a text field', TextField, 'INPUT'],
    ['a text area', TextArea, 'TEXTAREA'],
  ] as const)('%s has its label as accessible name, and its hint and error as description', (_what, Field, tag) => {
    show(<Field label="Location" hint="Where was it?" error="Location is required." isOptional />);
    const field = screen.getByRole('textbox', { name: 'Location (optional)' });
    expect(field.tagName).toBe(tag);
    expect(field).toHaveAccessibleDescription('Where was it? Location is required.');
    expect(field).toBeInvalid();
    expect(field).toHaveAttribute('dir', 'auto');
  });

  test.each([
    ['a text field', TextField],
    ['a text area', TextArea],
  ] as const)('%s without hint and error is not marked as invalid, and has no description', (_what, Field) => {
    show(<Field label="Location" />);
    const field = screen.getByRole('textbox', { name: 'Location' });
    expect(field).not.toHaveAttribute('aria-invalid');
    expect(field).not.toHaveAttribute('aria-describedby');
  });

  test('a field’s accessible description consists of its hint and its error, if the field has them', () => {
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

  test('a password is hidden until the user presses the button, and a second press hides it again', async () => {
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

  test('pressing the label of a checkbox ticks the checkbox', async () => {
    const onChange = vi.fn();
    const user = show(<Checkbox label="I agree" onChange={onChange} />);
    await user.click(screen.getByText('I agree'));
    expect(screen.getByRole('checkbox', { name: 'I agree' })).toBeChecked();
    expect(onChange).toHaveBeenCalledOnce();
  });

  test('the user chooses an option of a select field by the option’s label', async () => {
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

  test('after a community is chosen and cleared, the focus is at the list of communities', async () => {
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

  test('a chosen community that is missing from the options stays chosen', () => {
    const { select } = showCommunities({ first: 'KARI9999', isLabelHidden: true });
    expect(select).toHaveDisplayValue('KARI9999');
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Everyone', 'KARI9999', SCHOOL.name]);
    expect(select).not.toHaveAttribute('aria-describedby');
  });

  test('a search field has a button that empties the field and then disappears', async () => {
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

  test('a search field that is given no placeholder shows its label as the placeholder, and can be disabled', () => {
    show(<SearchField label="Search" clearLabel="Clear" value="" onChange={() => undefined} isDisabled />);
    expect(screen.getByPlaceholderText('Search')).toBeDisabled();
  });

  test('a search field is enabled by default', () => {
    show(<SearchField label="Search" clearLabel="Clear" value="" onChange={() => undefined} />);
    expect(screen.getByRole('textbox', { name: 'Search' })).toBeEnabled();
  });
});

describe('the app’s forms', () => {
  const STAND = {
    id: 'stand',
    name: 'Stendi',
    description: '',
    member_count: 1,
    is_member: false,
    has_requested: false,
  };
  const OWNER = ["Owner's first name", "Owner's last name"];

  beforeEach(() => {
    serveNothingElse();
    serveSchool();
    serveOwn([SCHOOL]);
    serveList('/posts', []);
    serveList('/posts/by-owner', []);
    server.use(
      http.get('*/api/communities/approved', () => HttpResponse.json([STAND])),
      http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'post-1' }))),
    );
  });

  /** The names of a form's optional fields. */
  function optionalFields(): (string | undefined)[] {
    const names = [...document.querySelectorAll('label, legend')].map(({ textContent }) => textContent);
    return names.filter((name) => name.endsWith('(optional)')).map((name) => name.split(' (')[0]);
  }

  test.each([
    [
      'at a community’s desk for found things',
      '/communities/school/desk',
      'Post and continue',
      ['Description', ...OWNER, 'Where is it now?'],
    ],
    ['in a community’s settings', '/community-details/school?tab=settings', 'Save', ['Description']],
    ['in a new community', '/communities', 'Create community', ['Description']],
    ['in a claim', '/posts/post-1/claim', 'Send to the finder', ['Another phone number']],
  ] as const)(
    'in each form exactly the optional fields are marked as optional: %s',
    async (_where, path, button, names) => {
      await renderScreen(path, { isSignedIn: true });
      await screen.findByRole('button', { name: button });
      expect(optionalFields()).toEqual(names);
    },
  );

  test('the post form marks a field as optional exactly if the schema accepts an empty value', async () => {
    await renderScreen('/create-post', { isSignedIn: true });
    await screen.findByRole('button', { name: 'Post item' });
    const schemas = new Map<string, z.ZodMiniType>(Object.entries(postInputSchema.shape));
    const controls = screen.getAllByRole<HTMLInputElement>('textbox').filter(({ name }) => schemas.has(name));
    const marks = controls.map((control) => {
      // The two name fields share one "(optional)", in their legend.
      const names = [control.labels?.[0], control.closest('fieldset')?.querySelector('legend')];
      return [control.name, names.some((name) => name?.textContent.endsWith('(optional)'))];
    });
    expect(marks).toEqual(controls.map(({ name }) => [name, schemas.get(name)?.safeParse('').success]));
    expect(Object.fromEntries(marks)).toMatchObject({ title: false, description: true, kept_at: true });
    expect(optionalFields()).toEqual(expect.arrayContaining(['Photos', 'ID number, IMEI or plate number']));
  });

  test('if the finder chooses contact by claims only, the question to claimants and “What only you have seen” are optional', async () => {
    const { user } = await renderScreen(
      { pathname: '/create-post', state: { posted_by: 'finder' } },
      { isSignedIn: true },
    );
    await user.click(await screen.findByRole('radio', { name: /^Through Patikana/ }));
    const asked = [
      expect.stringMatching(/^Your question to people/),
      expect.stringMatching(/^What only you have seen/),
    ];
    expect(optionalFields()).toEqual(expect.arrayContaining(asked));
  });

  test('the message of a request to join is optional', async () => {
    const { user } = await renderScreen('/communities/find', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Ask to join Stendi' }));
    expect(optionalFields()).toHaveLength(1);
  });

  test.each([
    ['/register', /^Phone number/, 'tel'],
    ['/register', 'Email', 'email'],
    ['/prove-number', /^Phone number/, 'tel'],
    ['/posts/post-1/claim', /^Another phone number/, 'tel'],
    ['/create-post', 'Phone number', 'tel'],
  ] as const)('on the screen %s the phone shows a keyboard that suits the field %s', async (path, name, type) => {
    server.use(http.get('*/api/me', () => HttpResponse.json(ME)));
    await renderScreen(path, { isSignedIn: path !== '/register' });
    expect(await screen.findByRole('textbox', { name })).toHaveAttribute('type', type);
  });
});

describe('a form', () => {
  const isWrong = (field: HTMLElement) => field.getAttribute('aria-invalid') === 'true';

  beforeEach(async () => {
    await changeLanguage('en');
  });

  test('a filled field is validated when it loses the focus, and then at every keystroke', async () => {
    const { user, title, place } = open();
    await user.type(place, 'Mo');
    expect(isWrong(place)).toBe(false);
    await user.tab();
    expect(place).toHaveAccessibleDescription('Location is required');
    await user.type(place, 's');
    expect(isWrong(place)).toBe(false);
    await user.clear(place);
    expect(place).toHaveAccessibleDescription('Location is required');
    // An empty field that was never filled in shows no error when it loses the focus.
    await user.click(title);
    await user.tab();
    expect(isWrong(title)).toBe(false);
  });

  test('submitting an invalid form shows all errors and focuses the first invalid field', async () => {
    const { user, title, place, press, sent } = open();
    await press();
    expect(title).toHaveFocus();
    expect(title).toHaveAccessibleDescription('Title is required');
    expect(place).toHaveAccessibleDescription('Location is required');
    await user.type(title, 'Pochi');
    await press();
    expect(place).toHaveFocus();
    expect(sent).toEqual([]);
  });

  test.each([
    ['en', 'This is too long: at most 10 characters.', 'This must be text.'],
    ['sw', 'Maandishi ni marefu mno: yasizidi herufi 10.', 'Hapa panahitajika maandishi.'],
  ] as const)(
    'the error for a too long text names the limit; a schema check without its own error text shows a general error (language: %s)',
    async (language, limit, general) => {
      await changeLanguage(language);
      const { user, title, place } = open();
      await user.type(title, 'Pochi nyeusi');
      await user.type(place, 'moshi');
      await user.tab();
      expect(title).toHaveAccessibleDescription(limit);
      expect(place).toHaveAccessibleDescription(general);
    },
  );

  test('a valid form sends every field, including a field that the form filled in from the value of another field', async () => {
    const { user, title, place, press, sent } = open();
    await user.type(title, 'Ziwa');
    expect(place).toHaveValue('Mwanza');
    await user.click(screen.getByLabelText('Open'));
    await press();
    expect(sent).toEqual([{ title: 'Ziwa', place: 'Mwanza', open: true }]);
  });

  test('a check that compares two fields shows its error at one field and prevents the submit', async () => {
    const { user, title, place, press, sent } = open();
    await user.type(title, 'Moshi');
    await user.type(place, 'Moshi');
    await press();
    expect(place).toHaveFocus();
    expect(place).toHaveAccessibleDescription('The two are alike.');
    expect(isWrong(title)).toBe(false);
    expect(sent).toEqual([]);
  });

  test('an error from the server stays at its field until the user changes the field or submits again', async () => {
    const errors = [
      { field: 'place', message: 'No such place.' },
      { field: 'title', message: 'No such thing.' },
    ];
    const onUnplaced = vi.fn();
    const answer: Answer = { onUnplaced, error: new ApiError(422, { code: 'validation_failed', errors }) };
    const { user, title, place, press } = open(answer);
    await user.type(title, 'Pochi');
    await user.type(place, 'Moshi');
    await press();
    expect(title).toHaveFocus();
    expect([title, place].map(isWrong)).toEqual([true, true]);
    expect(place).toHaveAccessibleDescription('No such place.');
    expect(onUnplaced).not.toHaveBeenCalled();
    await user.type(title, 's');
    expect([title, place].map(isWrong)).toEqual([false, true]);
    delete answer.error;
    await press();
    expect(isWrong(place)).toBe(false);
  });

  test.each([
    ['belongs to no field', new ApiError(500, {})],
    ['is not the server’s', new Error('x')],
  ])('an error that %s is passed to the form’s own error handler', async (_what, error) => {
    const onUnplaced = vi.fn();
    const { user, title, place, press } = open({ error, onUnplaced });
    await user.type(title, 'Pochi');
    await user.type(place, 'Moshi');
    await press();
    expect(onUnplaced).toHaveBeenCalledOnce();
    expect([title, place].map(isWrong)).toEqual([false, false]);
  });

  test('notices are held back while a form contains changes, and are no longer held back once the form is empty or closed', async () => {
    const { user, title, unmount } = open();
    expect(areNoticesHeld()).toBe(false);
    await user.type(title, 'P');
    expect(areNoticesHeld()).toBe(true);
    await user.clear(title);
    expect(areNoticesHeld()).toBe(false);
    await user.click(screen.getByLabelText('Open'));
    expect(areNoticesHeld()).toBe(true);
    unmount();
    expect(areNoticesHeld()).toBe(false);
  });
});
