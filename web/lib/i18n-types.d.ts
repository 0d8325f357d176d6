import type { resources } from '#web/locales/en/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: typeof resources;
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}
