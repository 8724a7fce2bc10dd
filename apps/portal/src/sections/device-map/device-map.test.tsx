import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import {
  answer,
  desktop,
  faults,
  openPortal,
  organization,
  phone,
  session,
} from '../../page-testing.tsx'
import { testDevice } from '../../device-testing.ts'
import { section as devicesSection } from '../devices/section.ts'
import { section as deviceMapSection } from './section.ts'

const now = Date.now()
const sections = [devicesSection, deviceMapSection]
type At = { lat: number; lon: number }
const places: Record<string, At> = {
  Bern: { lat: 46.95, lon: 7.44 },
  Nairobi: { lat: -1.29, lon: 36.82 },
}
const device = (label: string, more: object = {}) =>
  testDevice(label, label, {
    connected: false,
    presetId: 'p',
    presetName: 'Ovens',
    modelId: 'm',
    modelName: 'Oven',
    modelVersion: '1.0.0',
    isGateway: true,
    ...(places[label] && { position: places[label] }),
    ...more,
  })
const corners = (north: number, west: number, south: number, east: number) => ({
  bounds: { top_left: { lat: north, lon: west }, bottom_right: { lat: south, lon: east } },
})
const none = { error: 0, offline: 0, never: 0, online: 0 }
const bucket = (label: string, at: At, doc_count: number, states: object) => ({
  key: `3/${label}`,
  doc_count,
  doc: {
    id: label,
    deviceId: label,
    label,
    connected: true,
    orgResourceId: 'nordwerk',
    attributes: {},
  },
  connected: { count: doc_count, min: 0, max: 1, avg: 0.5, sum: 1 },
  errors: 0,
  worst: 'offline',
  states: { ...none, ...states },
  viewport: corners(at.lat + 2, at.lon - 2, at.lat - 2, at.lon + 2),
  centroid: { location: at, count: doc_count },
})
type Asked = {
  data?: string
  search?: string
  placed?: boolean
  geoBoundsTopLeft?: number[]
  geoTileGridPrecision?: number
  statFields?: string[]
}
const worst = 'attributes.alarms_max_severity'
let asked: Asked[] = []
let moved: unknown[] = []
let placed = true
const found = (data: unknown[]) => ({
  data,
  number: 0,
  totalElements: data.length,
  totalPages: 1,
  last: true,
  timestamp: now,
})

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  performance.clearResourceTimings()
  await desktop()
  asked = []
  moved = []
  placed = true
  const counts = {
    total: 8,
    connected: 5,
    disconnected: 1,
    neverConnected: 2,
    withoutPreset: 0,
    configurationPending: 0,
    configurationError: 0,
  }
  answer({
    'POST /svc/mappings/api/v1/devices/aggregations': (_, body) => {
      asked.push(body as Asked)
      if ((body as Asked).statFields?.includes(worst)) {
        const figures = { count: 1, min: 5, max: 5, avg: 5, sum: 5 }
        const seen = bucket('many', { lat: -1.29, lon: 36.82 }, 2, { online: 2 })
        return {
          geogrid: { buckets: [{ ...seen, [worst]: figures }], more: false },
          viewport: null,
          centroid: null,
        }
      }
      if (!placed) return { geogrid: { buckets: [], more: false }, viewport: null, centroid: null }
      return {
        geogrid: {
          buckets: [
            bucket('Bern', { lat: 46.95, lon: 7.44 }, 1, { offline: 1 }),
            bucket('many', { lat: -1.29, lon: 36.82 }, 7, { offline: 2, online: 5 }),
          ],
          more: false,
        },
        viewport: corners(46.95, 7.44, -1.29, 36.82),
        centroid: { location: { lat: 20, lon: 20 }, count: 8 },
      }
    },
    'POST /svc/mappings/api/v1/devices/search': (_, body) => {
      if ((body as Asked).placed === false) return found([device('Press 7')])
      return found(placed ? [device('Bern'), device('Nairobi', { connected: true })] : [])
    },
    'GET /svc/mappings/api/v1/devices/counts': (url) =>
      url.searchParams.get('placed') === 'false' ? { ...counts, total: 1 } : counts,
    'GET /svc/mappings/api/v1/devices': () => found([device('Bern')]),
    'GET /svc/mappings/api/v1/segments': () => ({ data: [] }),
    'GET /svc/mappings/api/v1/devices/Bern': () => ({ value: device('Bern') }),
    'PATCH /svc/mappings/api/v1/devices/Bern': (_, body) => {
      moved.push(body)
      return { ...device('Bern'), configurationJson: null }
    },
    'PATCH /svc/mappings/api/v1/devices/Press%207': (_, body) => {
      moved.push(body)
      return { ...device('Press 7'), configurationJson: null }
    },
  })
})

const drawn = () => document.querySelector('[data-ready]')
/** A map draws slowly where no graphics card helps. */
const slowly = { timeout: 45_000 }
const list = () => page.getByRole('region', { name: 'In view' })

test('clusters stand where devices are, a click goes nearer, and no request leaves the host [R-12]', async () => {
  await openPortal('/devicemap?q=oven', { sections })
  await expect.poll(drawn, slowly).not.toBeNull()
  await expect.element(page.getByRole('button', { name: 'Bern, Offline' })).toBeVisible()
  expect(asked.every(({ search }) => search === 'oven')).toBe(true)
  const withAlarm = page.getByRole('button', { name: '7 devices, Offline, worst alarm: High' })
  await expect.element(withAlarm).toBeVisible()
  expect(withAlarm.element().querySelector('[data-severity=high]')).not.toBeNull()
  expect(asked.find(({ statFields }) => statFields)?.data).toBe(`${worst} >= 0`)
  await page.getByRole('button', { name: /^7 devices, Offline/ }).click()
  await expect
    .poll(() => Math.max(...asked.map(({ geoTileGridPrecision = 0 }) => geoTileGridPrecision)))
    .toBeGreaterThan(7)
  await expect
    .poll(() => new URL(location.href).searchParams.get('at'))
    .toMatch(/^[\d.]+\/-?[\d.]+\/[\d.]+$/)
  const foreign = performance
    .getEntriesByType('resource')
    .filter(({ name }) => !name.startsWith(location.origin) && !/^(data|blob):/.test(name))
  expect(foreign.map(({ name }) => name)).toEqual([])
  expect(await faults()).toEqual([])
})

test('the list beside the map opens a device by keyboard, and its panel closes back to it [R-12]', async () => {
  await openPortal('/devicemap?at=3/20/10', { sections })
  const row = list().getByRole('button', { name: /^Bern/ })
  await expect.element(row).toBeVisible()
  row.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('complementary', { name: 'Bern' })).toBeVisible()
  // Nearer, the shipped map has nothing but the device.
  await expect.poll(() => new URL(location.href).searchParams.get('at'), slowly).toMatch(/^6\.00\//)
  // Of nine devices that match, one has no position.
  await expect.element(page.getByText('8 of 9')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(row).toHaveFocus()
})

test('a device without a position is placed where the map looks, or where it is typed to be [R-12]', async () => {
  await openPortal('/devicemap?at=5/47/8', { sections })
  await page.getByRole('button', { name: '1 without position' }).click()
  await page.getByRole('button', { name: 'Place Press 7 at the center of the map' }).click()
  await expect.poll(() => moved.at(-1)).toEqual({ position: { lat: 47, lon: 8 } })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => moved.at(-1)).toEqual({ position: null })
  await page.getByRole('button', { name: 'Position of Press 7' }).click()
  await page.getByRole('textbox', { name: 'Latitude' }).fill('91')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('A number from -90 to 90')).toBeVisible()
  await page.getByRole('textbox', { name: 'Latitude' }).fill('52,5')
  await page.getByRole('textbox', { name: 'Longitude' }).fill('13.4')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => moved.at(-1)).toEqual({ position: { lat: 52.5, lon: 13.4 } })
})

test('a position that the server refuses stays typed, with the reason below it [R-12]', async () => {
  const { fetch: before } = globalThis
  globalThis.fetch = async (input, init) =>
    init?.method === 'PATCH'
      ? Response.json(
          { statusCode: 409, error: '', code: 'database.busy', message: '', details: {} },
          { status: 409 },
        )
      : before(input, init)
  await openPortal('/devicemap?at=5/47/8&tray=1', { sections })
  await page.getByRole('button', { name: 'Position of Press 7' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Latitude' }).fill('52.5')
  await dialog.getByRole('textbox', { name: 'Longitude' }).fill('13.4')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expect.element(dialog.getByRole('textbox', { name: 'Longitude' })).toHaveValue('13.4')
  globalThis.fetch = before
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => moved).toEqual([{ position: { lat: 52.5, lon: 13.4 } }])
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a device is dragged to its place while devices may be moved, and goes back by Undo [R-12]', async () => {
  await openPortal('/devicemap?at=5/47/8', { sections })
  await expect.poll(drawn, slowly).not.toBeNull()
  await page.getByRole('button', { name: 'Move devices' }).click()
  await expect.poll(() => document.querySelector('[data-movable]')).not.toBeNull()
  const pin = document.querySelector('[data-movable]') as HTMLElement
  drag(pin, { x: 60, y: 0 })
  await expect.poll(() => moved.length).toBe(1)
  // 60 px of a world that is 512 * 2^5 px wide.
  const { position } = moved[0] as { position: At }
  expect(position.lon - 7.44).toBeCloseTo((60 * 360) / (512 * 2 ** 5), 1)
  expect(position.lat).toBeCloseTo(46.95, 1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => moved.at(-1)).toEqual({ position: places['Bern'] })
})

test('a map of nothing says how devices get a position, on a phone as well [R-12]', async () => {
  placed = false
  await phone()
  await openPortal('/devicemap', { sections })
  await expect.element(page.getByText('No devices with a position yet')).toBeVisible()
  expect(await faults()).toEqual([])
})

test('a browser that cannot draw has the list alone, and is told why [R-12]', async () => {
  const { getContext } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.getContext = () => null
  await openPortal('/devicemap', { sections })
  await expect.element(page.getByText('This browser cannot show the map')).toBeVisible()
  await expect.element(list().getByRole('button', { name: /^Nairobi/ })).toBeVisible()
  expect(drawn()).toBeNull()
  HTMLCanvasElement.prototype.getContext = getContext
})

test('the list leads to the map with its filters, and back [R-12]', async () => {
  await openPortal('/devices?tag=line+1&group=4', { sections })
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await expect.poll(() => asked.at(-1)?.data, slowly).toBe('tags == "line 1" and groups == 4')
  await page.getByRole('link', { name: 'Table', exact: true }).click()
  await expect.poll(() => location.pathname + location.search).toContain('/devices?')
  await expect.poll(() => new URL(location.href).searchParams.getAll('tag')).toEqual(['line 1'])
})

test('the map opens instead of the list where that feature is on [F-01 in part] [R-12]', async () => {
  localStorage.setItem('longreach.feature.showMapByDefault', 'true')
  await openPortal('/devices?q=oven', { sections })
  await expect.poll(() => location.pathname).toBe('/devicemap')
  await expect.poll(() => new URL(location.href).searchParams.get('q')).toBe('oven')
  await page.getByRole('link', { name: 'Table', exact: true }).click()
  await expect.element(page.getByRole('grid', { name: 'Devices' })).toBeVisible()
})

test('an organization without devices that send data has a list and no map [F-01 in part] [R-12]', async () => {
  localStorage.setItem('longreach.feature.showMapByDefault', 'true')
  const who = session({ organization: organization('nordwerk', { dataEnabled: false }) })
  await openPortal('/devices', { sections, who })
  await expect.element(page.getByRole('grid', { name: 'Devices' })).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/devices')
})

/** Takes hold of something with the mouse and lets it go elsewhere. */
function drag(element: HTMLElement, by: { x: number; y: number }) {
  const { left, top, width, height } = element.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const tell = (type: string, part: number) =>
    element.dispatchEvent(
      new MouseEvent(type, {
        bubbles: true,
        cancelable: true,
        button: 0,
        buttons: type === 'mouseup' ? 0 : 1,
        clientX: x + by.x * part,
        clientY: y + by.y * part,
      }),
    )
  tell('mousedown', 0)
  for (const part of [0.2, 0.6, 1]) tell('mousemove', part)
  tell('mouseup', 1)
}
