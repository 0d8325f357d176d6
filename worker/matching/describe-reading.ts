import { nameDay } from '#worker/limits/day.ts';
import { indexTerms, lookupTerms } from './index-terms.ts';
import { getLexicon } from './lexicon/lexicon.ts';
import type { ItemMention } from './reading/item-mention.ts';
import type { PlaceMention } from './reading/read-places.ts';
import type { PostReading } from './reading/read-post.ts';

/** What was read under one heading, one line each. */
export type ReadRow = { heading: string; lines: string[] };

/** A reading in the words of its lists, for whoever edits them; what was not found is left out. */
export function describeReading(reading: PostReading): ReadRow[] {
  const { places } = reading;
  const rows: ReadRow[] = [
    { heading: 'Thing', lines: reading.heads.map(describeItem) },
    { heading: 'Said of a thing that no list knows', lines: describeUnnamed(reading) },
    { heading: 'In it or on it', lines: reading.parts.map(describeItem) },
    { heading: 'Where it was, on what', lines: reading.setting.map(describeItem) },
    { heading: 'Names', lines: reading.persons.map(({ names, certainty }) => `${names.join(' ')} (${certainty})`) },
    { heading: 'Schools, firms, offices', lines: reading.issuers.map(placeName) },
    { heading: 'Places of the location', lines: places.said.map(describePlace) },
    { heading: 'Places in the text', lines: places.named.map(describePlace) },
    { heading: 'Words of the location that no list knows', lines: places.words },
    { heading: 'Numbers', lines: reading.identifiers.map(({ kind, folded }) => `${kind}: ${folded}`) },
    { heading: 'Values', lines: reading.values.map(({ slot, value }) => `${slot}: ${value}`) },
    { heading: 'Measures', lines: reading.measures.map(({ value, dimension }) => `${value} ${dimension}`) },
    { heading: 'Money', lines: reading.amounts.map((amount) => `TSh ${amount.toLocaleString('en')}`) },
    {
      heading: 'Day',
      lines: reading.day === null ? [] : [`${nameDay(reading.day.first)} to ${nameDay(reading.day.last)}`],
    },
    { heading: 'Written on it', lines: reading.writing },
    { heading: 'Makes', lines: [...reading.makers, ...reading.makes] },
    { heading: 'Other meanings', lines: reading.concepts.map(labelOfConcept) },
    { heading: 'Details', lines: reading.details.map((detail) => detail.join(' / ')) },
    { heading: 'Words that no list knows', lines: reading.words },
    { heading: 'Stored under', lines: indexTerms(reading) },
    { heading: 'Looked up under', lines: lookupTerms(reading) },
  ];
  return rows.filter(({ lines }) => lines.length > 0);
}

function describeUnnamed({ heads, unnamed }: PostReading): string[] {
  const said = describeItem(unnamed);
  return heads.length > 0 || said === '' ? [] : [said];
}

function describeItem(item: ItemMention): string {
  const { things, colours, attributes } = getLexicon();
  const kinds = item.ids.map((id) => bilingual(things.get(id)?.labels, id)).join(' or ');
  const qualities = [
    ...[...item.colours].map((id) => bilingual(colours.get(id)?.labels, id)),
    ...item.brands,
    ...item.models,
    ...[...item.attributes].map((id) => bilingual(attributes.get(id)?.labels, id)),
    ...(item.count === null ? [] : [`× ${item.count}`]),
    ...[...item.of].map((id) => `of ${bilingual(things.get(id)?.labels, id)}`),
  ];
  return [kinds, ...qualities].filter((part) => part !== '').join(', ');
}

function bilingual(labels: { en: string; sw: string } | undefined, id: string): string {
  return labels === undefined ? id : `${labels.en} (${labels.sw})`;
}

function describePlace(mention: PlaceMention): string {
  return mention.join(' or ');
}

function placeName(id: string): string {
  return getLexicon().places.get(id)?.name ?? id;
}

function labelOfConcept(id: string): string {
  return bilingual(getLexicon().concepts.get(id)?.labels, id);
}
