import path from 'node:path'
import { z } from 'zod'

/** Environment settings of the device map's tiles. */
export const MapEnvironment = z.object({
  MAP_TILES: z
    .string()
    .regex(
      /^https?:\/\/[^\s?#]+\{z\}[^\s#]*$/,
      'MAP_TILES must be an address with {z}, {x} and {y} such as https://tiles.example.org/{z}/{x}/{y}.png',
    )
    .refine(
      (text) => text.includes('{x}') && text.includes('{y}'),
      'MAP_TILES must have {z}, {x} and {y} in it',
    )
    .optional(),
  MAP_PMTILES: z
    .string()
    .regex(
      /\.pmtiles$/,
      'MAP_PMTILES must be a file in DATA_DIR such as maps/europe.pmtiles, or the address of one',
    )
    .optional(),
  MAP_ATTRIBUTION: z.string().max(300).optional(),
})

/** Source of the map tiles: an address, or an archive at an address or in the data folder. */
export type MapSettings = {
  tiles?: string
  pmtiles?: string
  /** Below the data folder. */
  file?: string
  attribution?: string
}

/** The tiles that the environment names; `wrong` says what does not fit together. */
export function mapOf({
  MAP_TILES: tiles,
  MAP_PMTILES: pmtiles,
  MAP_ATTRIBUTION: attribution,
}: z.output<typeof MapEnvironment>): MapSettings | { wrong: string } | undefined {
  const named = attribution === undefined ? {} : { attribution }
  if (tiles !== undefined && pmtiles !== undefined) {
    return { wrong: 'MAP_TILES and MAP_PMTILES exclude each other: set one' }
  }
  if (tiles !== undefined) return { tiles, ...named }
  if (pmtiles === undefined) return undefined
  if (/^https?:\/\//.test(pmtiles)) return { pmtiles, ...named }
  const file = path.normalize(pmtiles)
  if (path.isAbsolute(file) || file.startsWith('..')) {
    return { wrong: 'MAP_PMTILES must be below DATA_DIR, or an address' }
  }
  return { file, ...named }
}
