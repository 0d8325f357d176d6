import { getLexicon } from './lexicon/lexicon.ts';

/** About five kilometres: two neighbouring wards share a cell or lie in two that touch. */
const CELL_DEGREES = 0.05;
const HALF_CELL = 0.5;

/** The cell that the place lies in; none for one so large that it lies in many. */
export function ownCells(id: string): string[] {
  const position = positionOf(id);
  return position === null ? [] : [cell(position, 0, 0)];
}

/** The cell of the place and those across its nearest edges. */
export function nearCells(id: string): string[] {
  const position = positionOf(id);
  if (position === null) return [];
  const [north, east] = [nearestSide(position.latitude), nearestSide(position.longitude)];
  return [cell(position, 0, 0), cell(position, north, 0), cell(position, 0, east), cell(position, north, east)];
}

type Position = { latitude: number; longitude: number };

function positionOf(id: string): Position | null {
  const place = getLexicon().places.get(id);
  if (place?.latitude == null || place.longitude == null || place.isBig) return null;
  return { latitude: place.latitude, longitude: place.longitude };
}

/** Which of the two next cells is nearer: the one before or the one after. */
function nearestSide(degrees: number): -1 | 1 {
  const isInFirstHalf = Math.abs(degrees / CELL_DEGREES) % 1 < HALF_CELL === degrees >= 0;
  return isInFirstHalf ? -1 : 1;
}

function cell({ latitude, longitude }: Position, north: number, east: number): string {
  return `@${Math.floor(latitude / CELL_DEGREES) + north}:${Math.floor(longitude / CELL_DEGREES) + east}`;
}
