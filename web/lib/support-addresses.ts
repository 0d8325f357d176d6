/** How to reach whoever runs Patikana. The build sets each address (docs/deploy.md); pages omit one that is empty. */
export const supportAddresses: Record<'email' | 'socialProfile' | 'post', string> = {
  email: import.meta.env.VITE_SUPPORT_ADDRESS ?? '',
  socialProfile: import.meta.env.VITE_SOCIAL_PROFILE_URL ?? '',
  post: import.meta.env.VITE_OWNER_POSTAL_ADDRESS ?? '',
};
