import { expect, test } from 'vitest';
import { judge, read } from './make-post.ts';

test.each([
  [
    'writing',
    'Kanga ya pinki | imeandikwa Wema hauozi | Mombasa Zanzibar',
    'Pink khanga | writing: Mapenzi ni kikohozi | Mombasa Zanzibar',
  ],
  ['contents', 'Begi la nguo | la bluu, nguo za kike | Abood', 'Blue bag | hammer and saw inside | Abood'],
  ['couple', 'Marriage certificate | Robert and Veronica | Geita', 'Cheti cha ndoa | Shabani na Zainabu | Geita'],
  ['firm', 'Receipt book | Mkombozi Hardware | Songea', 'Receipt book | Baraka Pharmacy | Songea'],
  ['route', 'Black backpack | | Dar to Mbeya bus', 'Black backpack | | Dar to Arusha bus'],
  ['animal', 'Tetea mweusi | uzi mwekundu | Tanga', 'Jogoo mweusi | uzi mwekundu | Tanga'],
  ['accessory', 'Cover of Samsung A12 | black | Sinza', 'Samsung A12 | black | Sinza'],
])('another %s is a contradiction', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test.each([
  ['writing', 'Pink kanga | imeandikwa Wema hauozi | Tanga', 'Kanga ya pinki | Wema hauozi | Tanga'],
  ['firm', 'Stamp | Mkombozi Hardware | Songea', 'Muhuri wa Mkombozi Hardware | | Songea'],
  ['route', 'Black backpack | | Dar to Mbeya bus', 'Begi jeusi la mgongoni | | basi la Dar kwenda Mbeya'],
  ['rough count', 'Mbuzi kumi weusi | | Chalinze', 'Mbuzi weusi zaidi ya watano | | Chalinze'],
])('the same %s is none', (_, lost, found) => {
  expect(judge(lost, found).confidence).toBe('sure');
});

test.each([
  ['what it is for', 'Tecno Camon nyeusi | | Ubungo', 'Cover for a Tecno phone | | Ubungo'],
  ['what it is of', 'Miwani | | Ngara', 'Miwani ya mbwa | | Ngara'],
  ['its make', 'Parrot | | Tanga', 'A notebook, Parrot brand | | Tanga'],
])('a thing is not taken for %s', (_, lost, found) => {
  expect(judge(lost, found).confidence).not.toBe('sure');
});

test.each([
  ['Sare | ya shule ya Zulufuna', ['zulufuna']],
  ['Sare | Zulufuna Secondary', ['zulufuna']],
  ['Sare | ya chuo cha UDOM', ['UDOM, Dodoma']],
  ['Sare | ya shule. Zulufuna anasoma', []],
  ['Sare | ya shule ya msingi', []],
  ['Sare | ya shule ya zulufuna', []],
])('whose it is stands beside the word for it: %s', (side, issuers) => {
  expect(read(side).issuers).toEqual(issuers);
});

test('half a compound that no list knows is no thing', () => {
  expect(read('Turtle-neckish sweater').heads.map((head) => head.ids)).toEqual([['sweater']]);
});

test('the make that opens a description is the thing', () => {
  expect(read('Oya nimelost | Samsung A14 nyeusi, kioo kina ufa').heads[0]?.ids).toEqual(['phone']);
});

test('a title before a name is no name', () => {
  expect(read('Kitabu | jina Pst. Sanga').persons.map((person) => person.names)).toEqual([['sanga']]);
});

test('of two phones with the IMEIs of two models nothing else that agrees makes one', () => {
  const lost = 'Black Tecno Spark 8 | cracked screen, red cover, IMEI 490154203237518 | Mwenge';
  const found = 'Black Tecno Spark 8 | cracked screen, red cover, IMEI 356938035643809 | Mwenge';
  expect(judge(lost, found).confidence).toBeNull();
});

test('a wallet with somebody else’s name is listed, for the finder may have filled in their own, and nobody is notified', () => {
  const lost = 'Black wallet | voter card and Equity card | Temeke Mwisho | Rashidi Omari Kapalata';
  const found = (owner: string) => `Black wallet | voter card and Equity card | Temeke | ${owner}`;
  expect(judge(lost, found('Elibariki Zakayo Mollel')).confidence).toBe('possible');
  expect(judge(lost, found('')).confidence).toBe('sure');
});
