import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queries } from '../../../parts/api/queries.ts'
import {
  answer,
  desktop,
  faults,
  openPortal,
  organization,
  phone,
  session,
} from '../../../page-testing.tsx'
import { testDevice } from '../../../device-testing.ts'
import { section as devicesSection } from '../section.ts'

const hour = 3_600_000
const now = Date.now()
const device = (n: number, more: object = {}) =>
  testDevice(`device-${n}`, `Oven ${n}`, {
    connected: n % 2 === 1,
    lastConnUpdateAt: now - n * hour,
    presetId: 'p',
    presetName: 'Ovens',
    modelId: 'm',
    modelName: 'Oven',
    modelVersion: '1.0.0',
    tags: n === 1 ? ['line 1', 'hall B'] : [],
    isGateway: true,
    ...more,
  })
const segment = {
  id: 's1',
  name: 'Line 1',
  kind: 'dynamic',
  shared: true,
  own: true,
  ownerName: 'erika',
  mayChange: true,
  question: { data: 'tags == "line 1"' },
  count: 12,
  orgResourceId: 'nordwerk',
  createdAt: now,
  updatedAt: now,
}
const paged = (data: unknown[], totalElements: number) => ({
  data,
  number: 0,
  totalElements,
  totalPages: 1,
  last: true,
  timestamp: now,
})
let asked: URL[] = []
let started: unknown

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  asked = []
  started = undefined
  answer({
    'GET /svc/mappings/api/v1/devices': (url) => {
      asked.push(url)
      return paged([device(1), device(2), device(10)], 1240)
    },
    'GET /svc/mappings/api/v1/devices/counts': () => ({
      total: 1240,
      connected: 900,
      disconnected: 300,
      neverConnected: 40,
      withoutPreset: 5,
      configurationPending: 2,
      configurationError: 1,
    }),
    'GET /svc/mappings/api/v1/devices/facets': () => ({
      tags: [{ value: 'line 1', count: 12 }],
      models: [],
      organizations: [],
    }),
    'GET /svc/mappings/api/v1/segments': () => ({ data: [segment] }),
    'GET /svc/mappings/api/v1/devices/trash': () =>
      paged(
        [
          {
            ...device(7),
            deleted: true,
            deletedAt: now - hour,
            deletedBy: 'erika',
            purgedAt: now + 700 * hour,
          },
        ],
        1,
      ),
    'POST /svc/platform/api/v1/organizations/nordwerk/devices/activity': () => ({
      now,
      data: [
        {
          deviceId: 'device-1',
          connected: true,
          lastMessageAt: now - 60_000,
          connectedBefore: true,
          changes: [
            [now - 12 * hour, false],
            [now - 11 * hour, true],
          ],
        },
      ],
    }),
    'POST /svc/mappings/api/v1/devices/bulk': (_, body) => {
      started = body
      return { id: '1', total: 1240 }
    },
  })
})

const grid = () => page.getByRole('grid', { name: 'Devices' })

test('a segment, a text and a chip narrow the list, and stand in the address [R-10]', async () => {
  await openPortal('/devices', { sections: [devicesSection] })
  await expect.element(grid().getByText('Oven 10')).toBeVisible()
  await expect
    .element(page.getByRole('img', { name: '1 connection loss in 24 hours' }))
    .toBeVisible()
  await page.getByRole('button', { name: 'Line 1 shared 12' }).click()
  await expect.poll(() => asked.at(-1)?.searchParams.get('segment')).toBe('s1')
  await page.getByRole('button', { name: 'This organization' }).click()
  await expect.poll(() => asked.at(-1)?.searchParams.get('organization')).toBe('nordwerk')
  await page.getByRole('searchbox').click()
  await userEvent.keyboard('ét')
  await expect.poll(() => asked.at(-1)?.searchParams.get('search')).toBe('ét')
  // A person who goes on typing after the list is loaded is still in the field.
  await userEvent.keyboard('uve')
  await expect.poll(() => asked.at(-1)?.searchParams.get('search')).toBe('étuve')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Tag' }).click()
  await page.getByRole('option', { name: 'line 1 (12)' }).click()
  await expect.poll(() => asked.at(-1)?.searchParams.get('data')).toBe('tags == "line 1"')
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Remove filter Tag line 1' }).click()
  await expect.poll(() => new URL(location.href).searchParams.get('q')).toBe('étuve')
  await page.getByRole('button', { name: 'Hide segments' }).click()
  await expect.element(page.getByRole('button', { name: 'Line 1' })).not.toBeInTheDocument()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Show segments' }).click()
  await expect.element(page.getByRole('button', { name: 'Line 1 shared 12' })).toBeVisible()
  expect(await faults()).toEqual([])
})

test('everything that matches is tagged at once [R-10]', async () => {
  await openPortal('/devices?q=oven', { sections: [devicesSection] })
  await grid().getByRole('checkbox', { name: 'Select row' }).first().click()
  await page.getByRole('button', { name: 'Select all 1,240 results' }).click()
  await expect.element(page.getByText('1,240 selected').first()).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Add tags' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Tags' })).toHaveFocus()
  await page.getByRole('combobox', { name: 'Tags' }).fill('spring')
  await userEvent.keyboard('{Enter}{Tab}')
  await page.getByRole('button', { name: 'Apply to 1,240 devices' }).click()
  await expect
    .poll(() => started)
    .toMatchObject({
      action: { kind: 'addTags', tags: ['spring'] },
      selection: { question: { search: 'oven' }, except: [] },
    })
})

test.for([
  ['remote access alone', true, 'Acqua is set up for remote access only'],
  ['neither', false, 'IoT is disabled for Acqua'],
] as const)(
  'an organization for %s says what there is and what is not [P-02]',
  async ([, vpnEnabled, text]) => {
    const place = organization('acqua', { dataEnabled: false, vpnEnabled })
    const who = session({ organization: place })
    const router = await openPortal('/home', { sections: [devicesSection], who })
    await expect.poll(() => router.state.location.pathname).toBe('/devices')
    await expect.element(page.getByText(new RegExp(text))).toBeVisible()
  },
)

test('the trash says who deleted what and until when it can come back', async () => {
  await openPortal('/devices/trash', { sections: [devicesSection] })
  await expect.element(page.getByText('Oven 7')).toBeVisible()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect.element(page.getByRole('dialog', { name: 'Restore Oven 7' })).toBeVisible()
  expect(await faults()).toEqual([])
})

test('cards and a phone show the same devices', async () => {
  await openPortal('/devices?view=cards', { sections: [devicesSection] })
  await expect
    .element(page.getByRole('list', { name: 'Devices' }).getByText('Oven 10'))
    .toBeVisible()
  await phone()
  await expect.element(page.getByText('Oven 2')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select row' }).nth(1).click()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Save as segment' })).toBeVisible()
})

test('what is done with a selection stands in one line, the rest in a menu [R-10]', async () => {
  await page.viewport(1280, 800)
  await openPortal('/devices', { sections: [devicesSection] })
  await grid().getByRole('checkbox', { name: 'Select row' }).first().click()
  const bar = page.getByRole('region', { name: 'Selected devices' })
  await expect.element(bar.getByRole('button', { name: 'Set preset' })).toBeVisible()
  await expect.poll(() => bar.element().getBoundingClientRect().height).toBeLessThan(60)
  await bar.getByRole('button', { name: 'More' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  expect(bar.query()).toBeNull()
})

/** Texts that are longer than their place, of what a selector finds. */
const cutTexts = (selector: string) =>
  [...document.querySelectorAll(selector)]
    .flatMap((one) => [one, ...one.querySelectorAll('*')])
    .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
    .map(({ textContent }) => textContent)

test.each(['en', 'de', 'es', 'fr', 'it'] as const)(
  'what may be done in the trash can be read whole in %s',
  async (language) => {
    await openPortal('/devices/trash', { sections: [devicesSection], language })
    await expect.poll(() => document.querySelectorAll('main [role=row] button').length).toBe(2)
    await expect.poll(() => cutTexts('main [role=row] button')).toEqual([])
  },
)

test.each(['de', 'es', 'fr', 'it'] as const)(
  'the headings of the list can be read whole in %s',
  async (language) => {
    await openPortal('/devices', { sections: [devicesSection], language })
    await expect
      .poll(() => document.querySelectorAll('main [role=columnheader]').length)
      .toBeGreaterThan(6)
    await expect.poll(() => cutTexts('main [role=columnheader]')).toEqual([])
  },
)

test('what may be done with a device stands beside its name while the pointer is there, and covers nothing of it [E-04]', async () => {
  await openPortal('/devices', { sections: [devicesSection] })
  const name = page.getByRole('link', { name: 'Oven 1', exact: true })
  await expect.element(name).toBeVisible()
  await name.hover()
  const values = page.getByRole('link', { name: 'Live values of Oven 1', exact: true })
  await expect.element(values).toBeVisible()
  const cell = name.element().parentElement as HTMLElement
  const { right, top, height } = cell.getBoundingClientRect()
  const { left, width } = values.element().getBoundingClientRect()
  expect(left).toBeGreaterThanOrEqual(right)
  const there = document.elementFromPoint(left + width / 2, top + height / 2)
  expect(values.element().contains(there)).toBe(true)
})

test('on a phone the segments and the trash open over the list [R-10]', async () => {
  await phone()
  await openPortal('/devices', { sections: [devicesSection] })
  await page.getByRole('button', { name: 'Segments', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Segments' })
  await expect.element(sheet.getByRole('link', { name: 'Trash' })).toBeVisible()
  await expect.element(sheet.getByRole('button', { name: /Line 1/ }).first()).toBeVisible()
  expect(await faults()).toEqual([])
  await sheet
    .getByRole('button', { name: /Line 1/ })
    .first()
    .click()
  await expect.poll(() => asked.at(-1)?.searchParams.get('segment')).toBe('s1')
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Line 1', exact: true })).toBeVisible()
})
