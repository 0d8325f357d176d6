import { FILTER_PARAMS, readFilter } from './post-filter.ts';
import { useTypedParam } from './use-typed-param.ts';

const NO_FILTERS = Object.fromEntries(FILTER_PARAMS.map((param) => [param, '']));

/** What the list is narrowed to, as the address says. */
export function usePostFilter() {
  const { params, typed, setTyped, write } = useTypedParam('search');
  return {
    filter: readFilter(params),
    typed,
    setTyped,
    setParam: (param: string, value: string) => write({ [param]: value }, false),
    clear: () => write(NO_FILTERS, false),
  };
}
