import type { ShareTexts } from './en.ts';

export const texts: ShareTexts = {
  kinds: { owner: 'Kimepotea', finder: 'Kimeokotwa' },
  returned: 'Kimerudishwa',
  isReturned: 'Kitu hiki kimerudi kwa mwenyewe.',
  place: 'Mahali',
  keptAt: 'Kilipo sasa',
  posted: 'Kilitangazwa',
  photoOf: 'Picha ya {title}',
  open: { owner: 'Je, umekiona? Fungua kwenye Patikana', finder: 'Je, ni chako? Fungua kwenye Patikana' },
  openReturned: 'Fungua kwenye Patikana',
  contact:
    'Ingia kwenye akaunti yako huko ili kuwasiliana na aliyetangaza. Ni bure. Usilipe chochote kabla ya kukipokea mkononi.',
  membersTitle: 'Kwa wanachama wa jumuiya',
  membersText:
    'Tangazo hili linasomwa na wanachama wa jumuiya yake tu. Kama wewe ni mwanachama, ingia kwenye akaunti yako na ulifungue.',
  membersOpen: 'Fungua kwenye Patikana',
  absentTitle: 'Tangazo hili halipo',
  absentText: 'Limeondolewa, au kiungo hiki hakijakamilika.',
  absentOpen: 'Tazama vilivyopotea na vilivyookotwa',
  failedTitle: 'Imeshindikana',
  failedText: 'Tafadhali fungua ukurasa huu tena baada ya dakika moja.',
  about: 'Patikana: vilivyopotea na kuokotwa Tanzania',
};
