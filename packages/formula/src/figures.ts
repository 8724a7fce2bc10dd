/** Aggregation functions over the values of an interval. */
export const figureNames = [
  'average',
  'min',
  'max',
  'sum',
  'count',
  'first',
  'last',
  'delta',
  'timeWeightedAverage',
  'percentile',
] as const
export type FigureName = (typeof figureNames)[number]
/** Aggregation of the values of an interval; `param` is the percentile. */
export type Figure = { name: FigureName; param?: number | undefined }

const aliases: Readonly<Record<string, FigureName>> = {
  avg: 'average',
  mean: 'average',
  minimum: 'min',
  maximum: 'max',
  difference: 'delta',
  twa: 'timeWeightedAverage',
}

/** Aggregation by name; undefined for an unknown name, or a percentile without its number. */
export function figureOf(name: string, param?: number): Figure | undefined {
  if (name === 'median') return { name: 'percentile', param: 50 }
  const short = /^p(\d{1,2}(?:\.\d{1,3})?)$/.exec(name)
  if (short) return { name: 'percentile', param: Number(short[1]) }
  const known = Object.hasOwn(aliases, name)
    ? aliases[name]
    : figureNames.find((one) => one.toLowerCase() === name.toLowerCase())
  if (known !== 'percentile') return known && { name: known }
  const good = param !== undefined && param >= 0 && param <= 100
  return good ? { name: known, param } : undefined
}
