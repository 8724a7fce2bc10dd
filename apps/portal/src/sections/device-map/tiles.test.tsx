import { beforeEach, expect, test } from 'vitest'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, openPortal } from '../../page-testing.tsx'
import { archiveOf, pictureOf, pixels } from './map-testing.ts'
import { section as deviceMapSection } from './section.ts'

const archive = '/map-tiles/world.pmtiles'
const color = 'rgb(200, 60, 120)'

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  answer({
    'GET /portal-settings.json': () => ({ map: { pmtiles: archive, attribution: 'Our own map' } }),
    'POST /svc/mappings/api/v1/devices/aggregations': () => ({
      geogrid: { buckets: [], more: false },
      viewport: null,
      centroid: { location: { lat: 0, lon: 0 }, count: 1 },
    }),
  })
  const bytes = archiveOf(await pictureOf(color))
  const { fetch: others } = globalThis
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (new URL(url, location.origin).pathname !== archive) return others(input, init)
    const range = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get('range') ?? '')
    const [from, to] = [Number(range?.[1]), Number(range?.[2])]
    return new Response(bytes.slice(from, to + 1), { status: 206 })
  }
})

test('an archive of tiles is read by parts and drawn over the shipped map [R-12]', async () => {
  const place = { zoom: 1.4, lat: 25, lon: 8 }
  await openPortal('/devicemap?at=1.4/25/8', { sections: [deviceMapSection] })
  const shown = async () => {
    const map = document.querySelector<HTMLElement>('[data-ready] .maplibregl-canvas')
    if (!map) return undefined
    const colorAt = await pixels(map, place)
    return [colorAt(25, -40), colorAt(23, 10)]
  }
  await expect.poll(shown, { interval: 500 }).toEqual([color, color])
  await expect.poll(() => document.body.textContent).toContain('Our own map · Natural Earth')
})
