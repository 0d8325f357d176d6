import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod/mini';
import { isFieldMessage } from '#contract/field-message.ts';
import { ApiError } from './api-client.ts';
import { useNoticesHeld } from './held-notices.ts';

type Values = Record<string, string | boolean | null>;
type Errors = Partial<Record<string, string>>;

/**
 * A form checked with the schema that the Worker uses: a field once it was left or the form once it was submitted,
 * then with every keystroke. The first field that is wrong gets the focus. Notices wait while it is half-filled.
 * @param complete adds to what was typed what the form can tell by itself, before it is checked, shown or sent.
 * @param check more than the schema can say, such as two fields that must be alike: field → sentence.
 * @param isFresh whether `initial` is how it stands on the server by now: what nobody has changed here follows it.
 */
export function useForm<Input extends Values>({
  schema,
  initial,
  complete = (typed) => typed,
  check,
  isFresh = false,
}: {
  schema: z.ZodMiniType;
  initial: Input;
  complete?: (typed: Input) => Input;
  check?: (values: Input) => Errors;
  isFresh?: boolean;
}) {
  const { t } = useTranslation('fields');
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(initial);
  const values = complete(typed);
  const [first, setFirst] = useState(initial);
  const isChanged = (values: Input) => Object.keys(first).some((name) => values[name] !== first[name]);
  if (isFresh && isChanged(initial)) {
    const changes = Object.entries(typed).filter(([name, value]) => value !== first[name]);
    setFirst(initial);
    setTyped({ ...initial, ...Object.fromEntries(changes) });
  }
  useNoticesHeld('form', isChanged(typed));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [serverErrors, setServerErrors] = useState<Errors>({});

  function findErrors(candidate: Input): Errors {
    const errors: Errors = { ...check?.(candidate) };
    const parsed = schema.safeParse(candidate);
    for (const issue of [...(parsed.error?.issues ?? [])].reverse()) {
      const key = isFieldMessage(issue.message) ? issue.message : 'text_invalid';
      const max = issue.code === 'too_big' ? Number(issue.maximum) : 0;
      errors[issue.path.join('.')] = t(key, { max });
    }
    return errors;
  }

  const found = findErrors(values);
  const isShown = ([name]: [string, unknown]) => touched.has(name);
  const errors: Errors = { ...Object.fromEntries(Object.entries(found).filter(isShown)), ...serverErrors };

  function set<Name extends keyof Input & string>(name: Name, value: Input[Name]): void {
    setTyped((before) => ({ ...before, [name]: value }));
    setServerErrors(({ [name]: _gone, ...rest }) => rest);
  }

  return {
    form,
    typed,
    values,
    set,
    /** What ties a control to its field. One that is left empty is not yet found wanting. */
    field: <Name extends keyof Input & string>(name: Name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (event: { target: { value: Input[Name] } }) => set(name, event.target.value),
      onBlur: () => {
        if (values[name]) setTouched((before) => new Set(before).add(name));
      },
    }),
    /** Shows what the server found wrong beside the fields it named. @returns whether it named any. */
    showServerErrors(error: unknown): boolean {
      if (!(error instanceof ApiError) || error.errors.length === 0) return false;
      setServerErrors(Object.fromEntries(error.errors.map(({ field, message }) => [field, message])));
      focusFirst(
        form.current,
        error.errors.map(({ field }) => field),
      );
      return true;
    },
    /** For `onSubmit`: calls `onValid` with the values when every field is right. */
    submit: (onValid: (values: Input) => void) => (event: FormEvent) => {
      event.preventDefault();
      setTouched(new Set(Object.keys(values)));
      setServerErrors({});
      const wrong = Object.keys(found);
      if (wrong.length === 0) onValid(values);
      else focusFirst(form.current, wrong);
    },
  };
}

/** A closed `<details>` around the field is opened first: nothing inside it can have the focus. */
function focusFirst(form: HTMLFormElement | null, names: string[]): void {
  const fields = [...(form?.elements ?? [])] as HTMLInputElement[];
  const field = fields.find(({ name }) => names.includes(name));
  const details = field?.closest('details');
  if (details) details.open = true;
  field?.focus();
}
