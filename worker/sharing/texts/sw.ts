import type { ShareTexts } from './en.ts';

export const texts: ShareTexts = {
  kinds: { owner: 'Kimepotea', finder: 'Kimeokotwa' },
  returned: 'Kimepatikana na kurudishwa',
  place: 'Mahali',
  keptAt: 'Kilipo sasa',
  posted: 'Lilitangazwa',
  photoOf: 'Picha ya {title}',
  open: { owner: 'Je, umekiona? Fungua kwenye Patikana', finder: 'Je, ni chako? Fungua kwenye Patikana' },
  openReturned: 'Fungua kwenye Patikana',
  contact:
    'Ingia kwenye akaunti yako ili uwasiliane na aliyetangaza, bila malipo. Usilipe chochote kabla ya kukipokea mkononi.',
  membersTitle: 'Kwa wanachama wa jumuiya',
  membersText:
    'Tangazo hili linasomwa na wanachama wa jumuiya yake tu. Kama wewe ni mwanachama, ingia kwenye akaunti yako ulifungue.',
  membersOpen: 'Fungua kwenye Patikana',
  absentTitle: 'Tangazo hili halipo',
  absentText: 'Limeondolewa, au kiungo hiki hakijakamilika.',
  absentOpen: 'Pitia matangazo',
  failedTitle: 'Ukurasa huu haukuweza kupakiwa',
  failedText: 'Tafadhali ufungue tena baada ya dakika moja.',
  about: 'Patikana: vilivyopotea na kuokotwa Tanzania',
};
