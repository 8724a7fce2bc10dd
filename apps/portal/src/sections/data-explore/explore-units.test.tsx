import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { watchClipboard } from '@longreach/ui/ui-testing'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, openPortal } from '../../page-testing.tsx'
import { section as dataExploreSection } from './section.ts'

const start = Date.UTC(2026, 0, 5, 10)
const minute = 60_000
const organization = '/svc/platform/api/v1/organizations/nordwerk.*'
const values = [20, 21, 22.5]
let asked: unknown[]

type Query = {
  sources: { deviceId: string; modelPath: string }[]
  since?: number
  aggregation?: { type: string }
  functions?: object
}

/** The stored values, a figure of them, or what a formula gives; a day earlier each is 10 °C less. */
function answered({ sources, since = 0, aggregation, functions }: Query) {
  const shift = since < start - minute ? -10 : 0
  const from = shift === 0 ? start : start - 86_400_000
  const rows = values.map((value, at) => [from + (at + 1) * minute, value + shift])
  const figures: Record<string, number> = { count: 3, delta: 5 }
  const figure = figures[aggregation?.type ?? '']
  const data = figure === undefined ? rows : [[from + minute, figure]]
  return sources.map(({ deviceId, modelPath }) => ({
    deviceId,
    modelPath,
    types: functions ? ['double'] : [],
    header: [],
    data,
  }))
}

beforeEach(async () => {
  localStorage.clear()
  localStorage.setItem('longreach.temperature', '"fahrenheit"')
  queries.clear()
  await desktop()
  asked = []
  const device = `${organization}/devices/Oven`
  answer({
    [`GET ${device}/series`]: () => [
      { modelPath: 'Oven:1/air', type: 'double', mode: 'R', label: 'Air', unit: '°C', last: null },
    ],
    [`GET ${device}/configuration`]: () => ({
      configurationJson: {
        type: 'datamodel',
        properties: {
          Oven: {
            type: 'object',
            instanceOf: 'Oven:1.0.0',
            properties: { air: { type: 'double', mode: 'R', label: 'Air', unit: '°C' } },
          },
        },
      },
      configurationFromDevice: null,
      sentAt: null,
      applied: true,
      error: null,
    }),
    [`POST ${organization}/devices/tags/query`]: (_, body) => {
      asked.push(body)
      return answered(body as Query)
    },
  })
})
afterEach(() => localStorage.clear())

const explore = (more: Record<string, string>) => {
  const range = `${new Date(start).toISOString()}/${new Date(start + 5 * minute).toISOString()}`
  const search = { s: 'Oven/Oven:1/air', range, zone: 'UTC', res: 'raw', ...more }
  return openPortal(`/data-explore?${new URLSearchParams(search)}`, {
    sections: [dataExploreSection],
  })
}
/** Texts of the cells of a part, row by row. */
const cells = (label: string) =>
  [...page.getByRole('region', { name: label }).element().querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim()),
  )

test('a chart, its words and its cards show temperatures in the unit that the person reads', async () => {
  await explore({ compare: 'day' })
  const card = page.getByRole('listitem').filter({ hasText: 'Air °F' })
  await expect
    .poll(() => card.query()?.textContent)
    .toMatch(/Min68\s°FMean70\.1\s°FMax72\.5\s°FLast72\.5\s°F/)
  await expect.poll(() => card.query()?.textContent).toMatch(/Earlier mean52\.1\s°F/)
  const summary = page.getByText(/lowest 68\s°F, highest 72\.5\s°F, mean 70\.1\s°F/)
  await expect.element(summary.first()).toBeInTheDocument()
  await expect.poll(() => document.querySelector('.chart-units')?.textContent).toBe('°F')
})

test('the table shows the unit that it names, and copies it so', async () => {
  let copied = ''
  navigator.clipboard.writeText = async (text) => void (copied = text)
  await explore({ tab: 'table' })
  await expect.element(page.getByRole('columnheader', { name: 'Air (°F)' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: '69.8' })).toBeVisible()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect
    .poll(() => copied.split('\n').map((row) => row.split('\t')[1]))
    .toEqual(['Air (°F)', '72.5', '69.8', '68'])
})

test('a browser that does not allow copying says so, for the table and for a link', async () => {
  watchClipboard({ refuses: true })
  await explore({ tab: 'table' })
  await page.getByRole('button', { name: 'Copy' }).click()
  const refused = page.getByText('The browser did not allow copying')
  await expect.element(refused).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(refused).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect.element(refused).toBeVisible()
})

test('in the statistics values shift and scale, deviation and difference only scale, counts stay', async () => {
  await explore({ tab: 'statistics' })
  await expect.element(page.getByRole('columnheader', { name: 'Air (°F)' })).toBeVisible()
  // 20, 21 and 22.5 °C deviate by 1.26 °C, and the last is 2.5 °C more than the first.
  await expect
    .poll(() => Object.fromEntries(cells('Statistics')))
    .toMatchObject({
      Count: '3',
      Min: '68.0',
      Max: '72.5',
      Median: '69.8',
      Mean: '70.1',
      'Standard deviation': '2.3',
      'Change (last minus first)': '4.5',
    })
})

test.each([
  ['delta', 'Air (°F)', '9'],
  ['count', 'Air (°C)', '3'],
])('of the steps of a line, %s is shown as %s %s', async (of, name, text) => {
  await explore({ tab: 'table', of, res: '60' })
  await expect.element(page.getByRole('columnheader', { name })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: text, exact: true })).toBeVisible()
})

test('a formula computes with the values of the device and keeps its own unit, also where it is changed', async () => {
  await explore({ f: 'a;n=Doubled;u=°C' })
  const card = page.getByRole('listitem').filter({ hasText: 'Doubled °C' })
  await expect.poll(() => card.query()?.textContent).toMatch(/Min20\s°C/)
  await page.getByRole('button', { name: 'Edit formula Doubled' }).click()
  await expect.element(page.getByText(/in the unit of the device/)).toBeVisible()
  await expect
    .poll(() => page.getByRole('button', { name: /Insert a: Air/ }).query()?.textContent)
    .toMatch(/Air°C/)
})
