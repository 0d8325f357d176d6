import type { EmailTexts } from './en.ts';

export const texts: EmailTexts = {
  confirm: {
    subject: 'Thibitisha anwani yako ya barua pepe',
    sentence: 'Fungua kiungo hiki ili kuthibitisha kwamba anwani hii ya barua pepe ni yako:',
    ending:
      'Kinafanya kazi mara moja, kwa saa 24. Kama hukukiomba, usifanye chochote: bila kiungo hiki hakuna anayeweza kutumia anwani yako.',
  },
  match: {
    subject: 'Kuna tangazo kwenye Patikana linalofanana na lako',
    sentence: 'Kuna tangazo kwenye Patikana linalofanana na tangazo lako “{title}”. Litazame hapa:',
    untitled: 'Kuna tangazo kwenye Patikana linalofanana na lako. Litazame hapa:',
  },
  claim: {
    subject: 'Kuna habari mpya kuhusu dai kwenye Patikana',
    sentence: 'Kuna habari mpya kuhusu dai la “{title}”. Zitazame hapa:',
    untitled: 'Kuna habari mpya kuhusu dai lako. Zitazame hapa:',
  },
  several: {
    subject: 'Arifa {count} zinakusubiri kwenye Patikana',
    sentence: 'Arifa {count} zinakusubiri, na ya karibuni inahusu “{title}”. Zitazame hapa:',
    untitled: 'Arifa {count} zinakusubiri. Zitazame hapa:',
  },
  unsubscribe:
    'Unapata barua pepe hii kwa sababu akaunti yako inapokea arifa kwa barua pepe. Zizuie barua pepe hizi hapa:',
  unsubscribing: {
    title: 'Barua pepe za Patikana',
    question: 'Je, unataka kuzizuia barua pepe kuhusu madai na matangazo yanayofanana na lako?',
    button: 'Zizuie barua pepe hizi',
    done: 'Patikana haitakuandikia tena kwa barua pepe kuhusu madai wala matangazo yanayofanana na lako. Unaweza kubadilisha hili kwenye ukurasa wa akaunti yako.',
    invalid: 'Kiungo hiki hakifanyi kazi tena. Unaweza kuzizuia barua pepe hizi kwenye ukurasa wa akaunti yako.',
    account: 'Akaunti yako',
  },
};
