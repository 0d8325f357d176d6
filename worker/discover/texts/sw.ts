import type { CardTexts } from './en.ts';

export const texts: CardTexts = {
  results: 'Matangazo',
  kinds: { owner: 'Kimepotea', finder: 'Kimeokotwa', returned: 'Kimepatikana na kurudishwa' },
  owner: 'Mwenyewe',
  location: 'Mahali',
  nowAt: 'Sasa kiko: {place}',
  posted: 'Lilitangazwa',
  forOther: 'Limetangazwa kwa niaba ya mtu mwingine',
  logIn: 'Ingia ili uone namba ya simu',
  claimFirst: 'Aliyekiokota anataka uthibitisho kuwa ni chako. Namba yake itaonyeshwa kwa atakayemchagua tu.',
  thisIsMine: 'Ni changu',
  more: 'Zaidi: {title}',
};
