import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../../parts/api/queries.ts'
import { answer, desktop, openPortal } from '../../../page-testing.tsx'
import { testDevice } from '../../../device-testing.ts'
import { section as devicesSection } from '../section.ts'

const id = 'AAAAAAAAAAAAAAAAAAAAAA'
const organization = '/svc/platform/api/v1/organizations/nordwerk.*'
const base = `${organization}/devices/${id}`
const hour = 3_600_000
const now = Date.now()
const device = testDevice(id, 'Oven 1')
const modelPath = 'Oven:1/setPoint'
const figures: Record<string, number> = { first: 180, last: 185, min: 180, max: 185 }
beforeEach(async () => {
  queries.clear()
  await desktop()
  answer({
    [`GET /svc/mappings/api/v1/devices/${id}`]: () => ({ value: device }),
    [`GET ${base}/series`]: () => [
      { modelPath, type: 'double', mode: 'R', last: { t: now, v: 185, q: 192 } },
    ],
    [`GET ${base}/configuration`]: () => ({
      configurationJson: null,
      configurationFromDevice: null,
      sentAt: null,
      applied: true,
      error: null,
    }),
    [`GET ${base}/timeline`]: () => ({ data: [], next: null }),
    [`POST ${organization}/devices/tags/query`]: (_, body) => {
      const { type } = (body as { aggregation: { type: string } }).aggregation
      return [{ deviceId: id, modelPath, types: [], header: [], data: [[now, figures[type]]] }]
    },
  })
})

const range = (to: number) =>
  `${new Date(to - 20 * hour).toISOString()}/${new Date(to).toISOString()}`
const at = (to: number) =>
  `/devices/${id}?${new URLSearchParams({ tab: 'history', range: range(to) })}`

test('what changed stays on the screen while a later time is asked for and no server answers', async () => {
  await openPortal(at(now), { sections: [devicesSection] })
  const change = page.getByText('180 → 185')
  await expect.element(change).toBeVisible()
  history.pushState({}, '', `/devices/${id}?tab=configuration`)
  await expect.element(change).not.toBeInTheDocument()
  globalThis.fetch = () => new Promise(() => undefined)
  history.pushState({}, '', at(now + 2 * hour))
  await expect.element(change).toBeVisible()
})
