import type { firstResources } from '#web/locales/en/first.ts';
import type { resources } from '#web/locales/en/index.ts';

/** Every text by namespace, from the English files: an unknown key is an error of the compiler. */
type Texts = typeof firstResources &
  typeof resources & {
    admin: typeof import('#web/locales/en/admin.json');
    claims: typeof import('#web/locales/en/claims.json');
    community: typeof import('#web/locales/en/community.json');
    ends: typeof import('#web/locales/en/ends.json');
    filters: typeof import('#web/locales/en/filters.json');
    photos: typeof import('#web/locales/en/photos.json');
    push: typeof import('#web/locales/en/push.json');
    settings: typeof import('#web/locales/en/settings.json');
    sharing: typeof import('#web/locales/en/sharing.json');
    things: typeof import('#web/locales/en/things.json');
  };

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Texts;
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}
