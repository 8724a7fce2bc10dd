import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { testDevice } from '../../device-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, organization, session } from '../../page-testing.tsx'
import { section as dataExploreSection } from './section.ts'

const sections = [dataExploreSection]
const now = Date.now()
const device = (id: string) =>
  testDevice(id, id, {
    presetId: 'p',
    presetName: 'Ovens',
    modelId: 'm',
    modelName: 'Oven',
    modelVersion: '1.0.0',
    isGateway: true,
  })
const series = (path: string, label: string) => ({
  modelPath: `Oven:1/${path}`,
  type: 'double',
  mode: 'R',
  label,
  last: { t: now, v: 180, q: 192 },
})
const value = (of: string, path: string) => ({ device: of, path: `Oven:1/${path}` })
const kept: Record<string, unknown> = {
  'nordwerk data-explore.favourites': [value('Oven', 'power')],
  'nordwerk data-explore.recent': [
    value('Oven', 'power'),
    value('Oven', 'air'),
    value('Oven', 'gone'),
    value('Press', 'force'),
  ],
}
let written: { serviceName: string; value: string }[] = []

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  queries.clear()
  await desktop()
  written = []
  const preferences = (org: string) => (url: URL) => {
    const serviceName = url.searchParams.get('serviceName') ?? ''
    const found = kept[`${org} ${serviceName}`]
    if (found === undefined) return []
    const text = JSON.stringify(found)
    const row = { id: 1, orgResourceId: org, username: 'erika', serviceName }
    return [{ ...row, value: text, value1: text }]
  }
  const core = '/svc/core/api/v1/organizations'
  const answered = [
    series('air', 'Air temperature'),
    series('power', 'Heating power'),
    series('speed', 'Fan speed'),
  ]
  const platform = 'GET /svc/platform/api/v1/organizations'
  answer({
    [`GET ${core}/nordwerk/userPreferences`]: preferences('nordwerk'),
    [`GET ${core}/acqua/userPreferences`]: preferences('acqua'),
    [`POST ${core}/nordwerk/userPreferences`]: (_, body) => {
      const sent = body as (typeof written)[number]
      written.push(sent)
      kept[`nordwerk ${sent.serviceName}`] = JSON.parse(sent.value)
      return { id: 1, orgResourceId: 'nordwerk', username: 'erika', ...sent, value1: sent.value }
    },
    'GET /svc/mappings/api/v1/devices': () => ({
      data: [device('Oven')],
      number: 0,
      totalElements: 1,
      totalPages: 1,
      last: true,
      timestamp: now,
    }),
    'GET /svc/mappings/api/v1/devices/Oven': () => ({ value: device('Oven') }),
    // Press is answered with 404: deleted, or no longer for this person.
    [`${platform}/nordwerk.*/devices/Oven/series`]: () => answered,
    [`${platform}/acqua.*/devices/Oven/series`]: () => answered,
  })
})
afterEach(() => sessionStorage.clear())

const offered = () =>
  [...document.querySelectorAll('main section:has(> h2)')]
    .filter((one) => !one.closest('aside'))
    .map((one) => [
      one.querySelector('h2')?.textContent,
      [...one.querySelectorAll('li')].map((card) => card.textContent),
    ])

test('an empty explorer offers what was drawn last and may be seen, and no device is open [R-16]', async () => {
  await openPortal('/data-explore', { sections })
  await expect
    .poll(() => offered().slice(0, 2))
    .toEqual([
      ['Favorites', ['OvenHeating power']],
      ['Recently viewed', ['OvenAir temperature']],
    ])
  const tree = page.getByRole('tree', { name: 'Available values' })
  await expect
    .element(tree.getByRole('treeitem', { name: /^Oven/ }))
    .toHaveAttribute('aria-expanded', 'false')
  expect(await faults()).toEqual([])
})

test.each([1440, 1280])('the heading stands above both panes, %i px wide [R-16]', async (width) => {
  await page.viewport(width, 860)
  await openPortal('/data-explore', { sections })
  const heading = page.getByRole('heading', { level: 1 })
  await expect.element(heading).toHaveTextContent('Data explorer')
  const box = (element?: Element | null) => element?.getBoundingClientRect() ?? new DOMRect()
  const [tree, panel] = [
    () => box(document.querySelector('main aside')),
    // Favorites in the tree are a section too.
    () => box(document.querySelector('main :not(aside) > section')),
  ]
  await expect.poll(() => tree().top - panel().top).toBe(0)
  expect(box(heading.element()).left).toBe(tree().left)
  // No more height than the heading and the gap under it.
  const top = box(document.querySelector('main header'))
  expect(panel().top - top.bottom).toBe(10)
  expect(top.height).toBeLessThanOrEqual(48)
  expect(tree().bottom).toBe(box(document.querySelector('main')).bottom - 12)
})

test('nothing of one organization is offered in another [R-16]', async () => {
  await openPortal('/data-explore', {
    sections,
    who: session({ organization: organization('acqua') }),
  })
  await expect.element(page.getByText(/^Select a value to plot it/)).toBeVisible()
  await expect.element(page.getByText('Air temperature, Heating power, Fan speed')).toBeVisible()
  await expect.poll(() => queries.isFetching()).toBe(0)
  expect(offered().map(([title]) => title)).toEqual(['Devices'])
})

test('a value that is drawn is kept as drawn last; what does not exist is not [R-16]', async () => {
  const lines = ['Oven/Oven:1/speed', 'Oven/Oven:1/never', 'Press/Oven:1/force']
  await openPortal(`/data-explore?${lines.map((one) => `s=${one}`).join('&')}`, { sections })
  await expect.poll(() => written).toHaveLength(1)
  expect(written[0]?.serviceName).toBe('data-explore.recent')
  expect(JSON.parse(written[0]?.value ?? '')).toEqual([
    value('Oven', 'speed'),
    value('Oven', 'power'),
    value('Oven', 'air'),
    value('Oven', 'gone'),
    value('Press', 'force'),
  ])
})
