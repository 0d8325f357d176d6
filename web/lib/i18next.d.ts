/** The type of all texts, by namespace. An unknown key is a compile error, checked against the English files. */
type Texts = {
  accounts: typeof import('#locales/en/accounts.json');
  admin: typeof import('#locales/en/admin.json');
  claims: typeof import('#locales/en/claims.json');
  common: typeof import('#locales/en/common.json');
  communities: typeof import('#locales/en/communities.json');
  community: typeof import('#locales/en/community.json');
  ends: typeof import('#locales/en/ends.json');
  fields: typeof import('#locales/en/fields.json');
  home: typeof import('#locales/en/home.json');
  legal: typeof import('#locales/en/legal.json');
  notices: typeof import('#locales/en/notices.json');
  numbers: typeof import('#locales/en/numbers.json');
  logOut: typeof import('#locales/en/logOut.json');
  photos: typeof import('#locales/en/photos.json');
  posts: typeof import('#locales/en/posts.json');
  push: typeof import('#locales/en/push.json');
  recovery: typeof import('#locales/en/recovery.json');
  settings: typeof import('#locales/en/settings.json');
  sharing: typeof import('#locales/en/sharing.json');
};

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Texts;
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}

export {};
