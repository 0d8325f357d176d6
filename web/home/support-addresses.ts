/** Addresses of the people who run Patikana. The build sets each (docs/deploy.md); pages omit an empty one. */
export const supportAddresses: Record<'email' | 'socialProfile' | 'post', string> = {
  email: import.meta.env.VITE_SUPPORT_ADDRESS ?? '',
  socialProfile: import.meta.env.VITE_SOCIAL_PROFILE_URL ?? '',
  post: import.meta.env.VITE_OWNER_POSTAL_ADDRESS ?? '',
};
