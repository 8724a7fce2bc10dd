import { z } from 'zod'
import { Binding } from './binding.ts'
import { PropKey } from './id.ts'
import { boardLimits } from './limits.ts'
import { Paint, Text } from './text.ts'
import { openObject } from './open-object.ts'

/** Row of a table of states: an exact value, `*` for any other, or a range that includes both ends. */
const MapRow = openObject({
  id: z.string().max(24).optional(),
  is: z.union([z.string().max(200), z.number(), z.boolean()]).optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  text: Text.optional(),
  paint: Paint.optional(),
  icon: z.string().max(60).optional(),
})
type MapRow = z.output<typeof MapRow>

/** Table from values to words, colours and icons; the first row that fits counts. */
export const StateMap = z.array(MapRow).max(boardLimits.options).meta({ id: 'StateMap' })

/** Band of a value: from a number, or from a bound value, up to the next one. */
const Band = openObject({
  id: z.string().max(24).optional(),
  from: z.union([z.number(), Binding]),
  paint: Paint,
  name: Text.optional(),
})
export const Bands = z.array(Band).max(boardLimits.bandsOfOne).meta({ id: 'Bands' })
type Band = z.output<typeof Band>

/** Way in which a value is written: unit, decimals, words, bands, and the age in seconds from which it is stale. */
export const Format = openObject({
  unit: z.string().max(30).optional(),
  decimals: z.union([z.literal('auto'), z.int().min(0).max(10)]).optional(),
  factor: z.number().optional(),
  offset: z.number().optional(),
  map: PropKey.optional(),
  bands: PropKey.optional(),
  empty: z.string().max(60).optional(),
  staleS: z.union([z.literal('auto'), z.int().min(1).max(86_400)]).optional(),
}).meta({ id: 'Format' })
export type Format = z.output<typeof Format>
