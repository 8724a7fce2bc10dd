import { expect, test } from 'vitest'
import type { MapColors } from './map-colors.ts'
import { mapStyle, type Tiles } from './map-style.ts'

const nothing = { type: 'FeatureCollection' as const, features: [] }
const lines = { type: 'MultiLineString' as const, coordinates: [] }
const places = { type: 'FeatureCollection' as const, features: [] }
const basemap = { places, land: nothing, borders: lines, coasts: lines, labels: nothing }
const names = ['sea', 'land', 'coast', 'border', 'label', 'halo', 'water', 'green', 'road']
const colors = Object.fromEntries(names.map((name) => [name, 'rgb(1, 2, 3)'])) as MapColors
const styleWith = (tiles?: Tiles) => mapStyle(basemap, colors, tiles)
const idsOf = (tiles?: Tiles) => styleWith(tiles).layers.map(({ id }) => id)

test('the shipped map asks no host for letters, pictures or tiles [R-12]', () => {
  expect(idsOf()).toEqual(['sea', 'land', 'coasts', 'borders', 'names', 'city-dots', 'cities'])
  expect(JSON.stringify(styleWith())).not.toMatch(/https?:|glyphs|sprite/)
})

test('pictures lie over the shipped map, without its names', () => {
  const url = 'https://tiles.example.org/{z}/{x}/{y}.png'
  const tiles = { url, archive: false, vector: false, attribution: '' }
  expect(idsOf(tiles)).toEqual(['sea', 'land', 'coasts', 'borders', 'tiles'])
  expect(styleWith(tiles).sources['tiles']).toMatchObject({ type: 'raster', tiles: [url] })
})

test('of an archive of shapes, the layers that it has are drawn', () => {
  const tiles = { url: 'https://x/a.pmtiles', archive: true, vector: true, attribution: 'A' }
  expect(idsOf({ ...tiles, layers: ['water', 'roads', 'pois'] }).slice(4)).toEqual([
    'tiles-water',
    'tiles-roads',
  ])
  expect(styleWith(tiles).sources['tiles']).toMatchObject({
    type: 'vector',
    url: 'pmtiles://https://x/a.pmtiles',
    attribution: 'A',
  })
})
