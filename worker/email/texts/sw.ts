import type { EmailTexts } from './en.ts';

export const texts: EmailTexts = {
  confirm: {
    subject: 'Thibitisha anwani yako ya barua pepe',
    sentence: 'Fungua kiungo hiki ili kuionyesha Patikana kwamba anwani hii ya barua pepe ni yako:',
    ending:
      'Kinafanya kazi mara moja, kwa saa 24. Kama hukukiomba, usifanye chochote: bila kiungo hiki hakuna anayeweza kutumia anwani yako.',
  },
  match: {
    subject: 'Tangazo la Patikana linafanana na lako',
    sentence: 'Kuna tangazo kwenye Patikana linalofanana na tangazo lako “{title}”. Litazame hapa:',
    untitled: 'Kuna tangazo kwenye Patikana linalofanana na lako. Litazame hapa:',
  },
  claim: {
    subject: 'Kuna habari mpya kuhusu dai kwenye Patikana',
    sentence: 'Kuna habari mpya kuhusu dai la “{title}”. Zitazame hapa:',
    untitled: 'Kuna habari mpya kuhusu dai lako. Zitazame hapa:',
  },
  several: {
    subject: 'Taarifa {count} zinakusubiri kwenye Patikana',
    sentence: 'Taarifa {count} zinakusubiri, na ya karibuni inahusu “{title}”. Zitazame hapa:',
    untitled: 'Taarifa {count} zinakusubiri. Zitazame hapa:',
  },
  unsubscribe:
    'Unapata ujumbe huu kwa sababu Patikana inaruhusiwa kukuandikia kwa barua pepe. Zizuie barua pepe hizi hapa:',
  unsubscribing: {
    title: 'Barua pepe za Patikana',
    question:
      'Je, Patikana iache kukuandikia kwa barua pepe tangazo linapofanana na lako au dai linapokuwa na habari mpya?',
    button: 'Zizuie barua pepe hizi',
    done: 'Patikana haitakuandikia tena kwa barua pepe kuhusu madai wala matangazo yanayofanana na lako. Unaweza kubadilisha hili kwenye ukurasa wa akaunti yako.',
    invalid: 'Kiungo hiki hakifanyi kazi tena. Unaweza kuzizuia barua pepe hizi kwenye ukurasa wa akaunti yako.',
    account: 'Akaunti yako',
  },
};
