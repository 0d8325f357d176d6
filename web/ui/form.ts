import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod/mini';
import { isFieldMessage } from '#contract/field-messages.ts';
import { ApiError } from '#web/api/client.ts';
import { useNoticesHeld } from '#web/lib/notice-signals.ts';

type Values = Record<string, string | boolean | null>;
type Errors = Partial<Record<string, string>>;

/**
 * A form that uses the Worker's schema. It validates a field when the user leaves the field, and all fields on submit.
 * Once validated, a field is validated again on every keystroke. The first invalid field gets the focus. Notices are
 * held back while the form is half-filled.
 * @param schema omit it for a form whose own code validates the values on submit.
 * @param complete adds values that the user has not typed, before the values are validated, shown and submitted.
 * @param check validates what the schema cannot, such as two equal fields. Returns a sentence for each invalid field.
 * @param isFresh whether `initial` is the server's current state. If so, and if `initial` changes, the fields that the
 * user has not changed show the new values.
 */
export function useForm<Input extends Values>({
  schema,
  initial,
  complete = (typed) => typed,
  check,
  isFresh = false,
}: {
  schema?: z.ZodMiniType;
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
    const issues = schema?.safeParse(candidate).error?.issues ?? [];
    for (const issue of [...issues].reverse()) {
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
    /** Props that connect an input to its field. Leaving a field empty shows no error before the form is submitted. */
    field: <Name extends keyof Input & string>(name: Name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (event: { target: { value: Input[Name] } }) => set(name, event.target.value),
      onBlur: () => {
        if (values[name]) setTouched((before) => new Set(before).add(name));
      },
    }),
    /** Shows the server's errors beside their fields. @returns whether `error` names at least one field. */
    showServerErrors(error: unknown): boolean {
      if (!(error instanceof ApiError) || error.errors.length === 0) return false;
      setServerErrors(Object.fromEntries(error.errors.map(({ field, message }) => [field, message])));
      focusFirst(
        form.current,
        error.errors.map(({ field }) => field),
      );
      return true;
    },
    /** Makes the form's `onSubmit`: calls `onValid` with the values if every field is valid. */
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

/**
 * Moves the focus to the first of the fields. Opens a `<details>` around the field, because a field in a closed
 * `<details>` cannot get the focus.
 */
function focusFirst(form: HTMLFormElement | null, names: string[]): void {
  const fields = [...(form?.elements ?? [])] as HTMLInputElement[];
  const field = fields.find(({ name }) => names.includes(name));
  const details = field?.closest('details');
  if (details) details.open = true;
  field?.focus();
}

/** Calls `keep` with the values whenever they change, but not with the initial values. */
export function useKeptValues<Values>(values: Values, keep: (values: Values) => void): void {
  const first = useRef(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the values matter
  useEffect(() => {
    if (values !== first.current) keep(values);
  }, [values]);
}
