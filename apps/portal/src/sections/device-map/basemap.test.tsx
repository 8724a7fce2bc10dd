import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../lib/queries.ts'
import { answer, desktop, openPortal } from '../../page-testing.tsx'
import { mapColors } from './map-colors.ts'
import { deviceMapSection } from './section.ts'

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  answer({
    'POST /svc/mappings/api/v1/devices/aggregations': () => ({
      geogrid: { buckets: [], more: false },
      viewport: null,
      centroid: { location: { lat: 0, lon: 0 }, count: 1 },
    }),
  })
})

const sea: [number, number][] = [
  [25, -40],
  [50, -30],
  [58.7, 20],
  [-20, 0],
  [36, 18],
]
const land: [number, number][] = [
  [23, 10],
  [-8, -55],
  [62, 80],
  [52, 20],
  [-24, 24],
]

test('the shipped map has land where land is and sea where sea is [R-12]', async () => {
  await openPortal('/devicemap?at=1.4/25/8', { sections: [deviceMapSection] })
  await expect
    .poll(() => document.querySelector('[data-ready]'), { timeout: 45_000 })
    .not.toBeNull()
  const map = document.querySelector('.maplibregl-canvas') as HTMLCanvasElement
  const colorAt = await pixels(map)
  const { sea: water, land: ground } = mapColors(map.closest('[data-ready]') as HTMLElement)
  expect(sea.map((point) => colorAt(...point))).toEqual(sea.map(() => water))
  expect(land.map((point) => colorAt(...point))).toEqual(land.map(() => ground))
})

/** The map as it is seen, by latitude and longitude. */
async function pixels(map: HTMLElement) {
  const base64 = await page.elementLocator(map).screenshot({ save: false })
  const image = new Image()
  image.src = `data:image/png;base64,${base64}`
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  const { width, height } = map.getBoundingClientRect()
  const world = 512 * 2 ** 1.4
  const down = (lat: number) =>
    (Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * world
  return (lat: number, lon: number) => {
    const x = (width / 2 + ((lon - 8) / 360) * world) * (image.width / width)
    const y = (height / 2 - (down(lat) - down(25))) * (image.height / height)
    const [red, green, blue] = context.getImageData(Math.round(x), Math.round(y), 1, 1).data
    return `rgb(${red}, ${green}, ${blue})`
  }
}
