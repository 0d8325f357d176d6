/**
 * How to reach the people who run Patikana, from the build's variables (docs/deploy.md). Pages omit an empty address.
 */
export const supportAddresses: Record<'email' | 'socialProfile' | 'post', string> = {
  email: import.meta.env.VITE_SUPPORT_ADDRESS ?? '',
  socialProfile: import.meta.env.VITE_SOCIAL_PROFILE_URL ?? '',
  post: import.meta.env.VITE_OWNER_POSTAL_ADDRESS ?? '',
};
