import type { Feature, FeatureCollection, Point } from 'geojson'

type PlaceFacts = { name: string; country: string; rank: number }
export type Places = FeatureCollection<Point, PlaceFacts>

/** Cities from lines of `rank country latitude longitude name`; rank 1 is shown first. */
export function placesOf(text: string): Places {
  const features = text
    .trim()
    .split('\n')
    .map((line): Feature<Point, PlaceFacts> => {
      const [rank, country = '', lat, lon, ...name] = line.split(' ')
      return {
        type: 'Feature',
        properties: { name: name.join(' '), country, rank: Number(rank) },
        geometry: { type: 'Point', coordinates: [Number(lon), Number(lat)] },
      }
    })
  return { type: 'FeatureCollection', features }
}
