import { useQuery } from '@tanstack/react-query'
import { useLook } from '../../parts/look/look.ts'
import { portalSettings } from '../../parts/session/settings.ts'
import { basemapOf } from './basemap-shapes.ts'
import { placesOf } from './place-rules.ts'
import type { Tiles } from './map-style.ts'

/** Zoom level up to which the shipped map has details; tiles of the installation have more. */
export const shippedCarries = 6

/** Sources of the map: the shipped countries with names in the person's language, and the installation's tiles. */
export function useMapSetting() {
  const { language } = useLook()
  return useQuery({
    queryKey: ['basemap', language],
    queryFn: async () => {
      const [{ default: world }, { default: cities }, { map }] = await Promise.all([
        import('world-atlas/countries-50m.json'),
        import('./places.txt?raw'),
        portalSettings(),
      ])
      const basemap = {
        ...basemapOf(world, language),
        places: placesOf(cities),
      }
      return { basemap, tiles: await tilesOf(map) }
    },
    staleTime: Infinity,
  })
}

export type MapSetting = NonNullable<ReturnType<typeof useMapSetting>['data']>
type Settings = { tiles?: string; pmtiles?: string; attribution?: string }

async function tilesOf(settings: Settings | undefined): Promise<Tiles | undefined> {
  const { tiles, pmtiles, attribution = '' } = settings ?? {}
  if (pmtiles !== undefined) {
    const url = new URL(pmtiles, location.origin).href
    return { url, archive: true, ...(await contentOf(url)), attribution }
  }
  if (tiles === undefined) return undefined
  const vector = /\.(pbf|mvt)(\?|$)/.test(tiles)
  return { url: tiles, archive: false, vector, attribution }
}

/** An archive says itself whether it holds pictures or shapes, and which. */
async function contentOf(url: string) {
  const { PMTiles, TileType } = await import('pmtiles')
  const archive = new PMTiles(url)
  const { tileType } = await archive.getHeader()
  if (tileType !== TileType.Mvt) return { vector: false }
  const { vector_layers: layers } = (await archive.getMetadata()) as { vector_layers?: Layer[] } // as the format has it
  return { vector: true, ...(layers && { layers: layers.map(({ id }) => id) }) }
}

type Layer = { id: string }
