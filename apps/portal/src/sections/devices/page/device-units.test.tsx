import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../../parts/api/queries.ts'
import { answer, desktop, openPortal } from '../../../page-testing.tsx'
import { testDevice } from '../../../device-testing.ts'
import { section as devicesSection } from '../section.ts'

const id = 'AAAAAAAAAAAAAAAAAAAAAA'
const organization = '/svc/platform/api/v1/organizations/nordwerk.*'
const base = `${organization}/devices/${id}`
const now = Date.now()
const device = testDevice(id, 'Oven 1')
const modelPath = 'Oven:1/air'
const figures: Record<string, number> = { first: 180, last: 185.5, min: 180, max: 185.5 }
const series = {
  modelPath,
  type: 'double',
  mode: 'R',
  label: 'Air',
  unit: '°C',
  last: { t: now, v: 185.5, q: 192 },
}

beforeEach(async () => {
  localStorage.clear()
  localStorage.setItem('longreach.temperature', '"fahrenheit"')
  queries.clear()
  await desktop()
  answer({
    [`GET /svc/mappings/api/v1/devices/${id}`]: () => ({ value: device }),
    [`GET ${base}/series`]: () => [series],
    [`GET ${base}/configuration`]: () => ({
      configurationJson: null,
      configurationFromDevice: null,
      sentAt: null,
      applied: true,
      error: null,
    }),
    [`GET ${base}/timeline`]: () => ({ data: [], next: null }),
    [`POST ${organization}/devices/tags/query`]: (_, body) => {
      const { type = '' } = (body as { aggregation?: { type: string } }).aggregation ?? {}
      // The same steps in every answer, whenever it is asked for.
      const data = [[now - 60_000, figures[type] ?? 181]]
      return [{ deviceId: id, modelPath, types: [], header: [], data }]
    },
  })
})
afterEach(() => localStorage.clear())

const text = (selector: string) =>
  document.querySelector(selector)?.textContent.replaceAll('\u00a0', ' ') ?? ''

test('the chart of a device and its live values are in the unit that the person reads', async () => {
  await openPortal(`/devices/${id}?tab=data`, { sections: [devicesSection] })
  await expect.element(page.getByText('365.9 °F').first()).toBeVisible()
  await expect.poll(() => text('.chart-units')).toBe('°F')
  // The mean of a step is 181 °C, its lowest and highest value 180 and 185.5 °C.
  await expect.poll(() => text('.chart-caption')).toContain('357.8 °F')
  await expect.poll(() => text('.chart')).toContain('lowest 356 °F, highest 365.9 °F')
})

test('what changed during a time is told in the unit that the person reads', async () => {
  await openPortal(`/devices/${id}?tab=history`, { sections: [devicesSection] })
  await expect.element(page.getByText('356 °F → 365.9 °F')).toBeVisible()
  await expect.element(page.getByText('between 356 °F and 365.9 °F')).toBeVisible()
})
