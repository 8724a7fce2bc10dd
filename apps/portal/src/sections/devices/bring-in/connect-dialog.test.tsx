import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Language } from '../../../parts/words/locale-rules.ts'
import { queries } from '../../../parts/api/queries.ts'
import { answer, desktop, faults, isFolded, misplaced, openPortal } from '../../../page-testing.tsx'
import { section as devicesSection } from '../section.ts'

const id = 'AAAAAAAAAAAAAAAAAAAAAA'
const base = `/svc/platform/api/v1/organizations/nordwerk.*/devices/${id}`
const key = '23CM-YFD8-MRJ2-JGGF'
const now = Date.now()
let state: {
  connected: boolean
  presetId: string | null
  values: boolean
  since: number
  last: number
}
const device = () => ({
  id,
  deviceId: id,
  realmId: 'nordwerk',
  name: 'Line 7',
  label: 'Line 7',
  description: '',
  serialNumber: '',
  orgResourceId: 'nordwerk',
  deleted: false,
  creationDate: now,
  updatedAt: now,
  connected: state.connected,
  lastConnUpdateAt: state.connected ? state.since : 0,
  lastConfigUpdateAt: 0,
  configurationSent: false,
  configurationApplied: false,
  configurationError: null,
  presetId: state.presetId,
  presetName: null,
  modelId: null,
  modelName: null,
  modelVersion: null,
  attributes: {},
  tags: [],
  groups: [],
  isGateway: true,
  vpnName: null,
})
const series = () => [
  {
    modelPath: 'oven/temperature',
    type: 'double',
    mode: 'R',
    last: { t: state.last, v: 181.5, q: 192 },
  },
]

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  state = { connected: false, presetId: null, values: false, since: now, last: now }
  answer({
    'GET /svc/mappings/api/v1/devices': () => ({
      data: [],
      number: 0,
      last: true,
      totalElements: 0,
      totalPages: 0,
    }),
    'POST /svc/mappings/api/v1/devices': device,
    [`GET /svc/mappings/api/v1/devices/${id}`]: () => ({ value: device() }),
    [`POST ${base}/activationKey`]: () => ({
      activationKey: key,
      issuedAt: new Date(now).toISOString(),
      issuedBy: 'erika',
      expiresAt: null,
      mostUses: null,
      uses: 0,
      lastUsedAt: null,
      authorityUrl: `${location.origin}/pairing/ca.crt`,
      pairingEndpoint: `${location.origin}/pairing/api/v1`,
    }),
    [`GET ${base}/series`]: () => (state.values ? series() : []),
    [`GET ${base}/configuration`]: () => ({ sentAt: null, applied: false, error: null }),
    [`GET ${base}/availableTags`]: () => [
      { modelPath: 'oven/temperature', type: 'double', name: 'oven/temperature' },
    ],
    [`GET ${base}/connections`]: () => ({ connected: true, connections: [], uptime: [] }),
  })
})

const dialog = () => page.getByRole('dialog').element()
/** Everything in the dialog lies where it can be read and pressed, also below what shows at first. */
function expectWhole() {
  const shown = dialog()
  expect(misplaced(shown)).toEqual([])
  expect(shown.getBoundingClientRect().right).toBeLessThanOrEqual(innerWidth)
  expect(shown.scrollWidth).toBeLessThanOrEqual(shown.clientWidth + 1)
  for (const button of shown.querySelectorAll('button, a')) {
    if (isFolded(button)) continue
    button.scrollIntoView({ block: 'center' })
    const { left, right, top, bottom } = button.getBoundingClientRect()
    expect([left >= 0, right <= innerWidth, top >= 0, bottom <= innerHeight]).not.toContain(false)
  }
}

/** No word of a command stands on two lines. */
function expectWordsWhole() {
  const code = [...dialog().querySelectorAll('pre code')].filter(
    (one) => one.getBoundingClientRect().width > 0,
  )
  expect(code.length).toBeGreaterThan(0)
  const words = code.flatMap((one) => [...one.querySelectorAll('span')])
  const broken = words.filter((word) => word.getClientRects().length !== 1)
  expect(broken.map((word) => word.textContent)).toEqual([])
}

const languages: Language[] = ['en', 'de', 'es', 'fr', 'it']

async function openDialog(language: Language) {
  await openPortal('/devices', { sections: [devicesSection], language })
  const words = async () =>
    (await import(`../locales/${language}.json`)).default as Record<string, string>
  const { add: open = '', addVerb = '', keyVerb = '', label = '' } = await words()
  await page.getByRole('button', { name: open }).first().click()
  await page.getByLabelText(label, { exact: true }).fill('Line 7')
  await page.getByRole('button', { name: addVerb }).click()
  await page.getByRole('button', { name: keyVerb }).click()
  await expect.element(page.getByText(key).first()).toBeVisible()
}

for (const language of languages)
  test(`the connect dialog stands whole at every width and stage in ${language} [R-10]`, async () => {
    await openDialog(language)
    for (const width of [1440, 1280, 390]) {
      await page.viewport(width, 800)
      expectWhole()
      expectWordsWhole()
    }
    state.connected = true
    await expect.poll(() => dialog().querySelectorAll('li[data-state=done]').length).toBe(2)
    for (const width of [1440, 390]) {
      await page.viewport(width, 800)
      expectWhole()
    }
  })

test('the dialog follows the device: waiting, connected, first value with its chart', async () => {
  await openDialog('en')
  await expect.element(page.getByText('Waiting for the device', { exact: true })).toBeVisible()
  state.connected = true
  await expect.element(page.getByText('Paired and connected')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Use all 1 data points' })).toBeVisible()
  expect(await faults()).toEqual([])
  state.values = true
  queries.removeQueries({
    predicate: ({ queryKey }) => JSON.stringify(queryKey).includes('series'),
  })
  await queries.invalidateQueries()
  await expect.element(page.getByText('First value received')).toBeVisible()
  await expect.element(page.getByText('181.5')).toBeVisible()
  await expect.poll(() => dialog().querySelector('.u-over, canvas')).not.toBeNull()
  for (const width of [1440, 390]) {
    await page.viewport(width, 800)
    // The chart takes the new width a frame after the dialog has it.
    await expect
      .poll(() => dialog().querySelector('canvas')?.getBoundingClientRect().right)
      .toBeLessThanOrEqual(width)
    expectWhole()
  }
  expect(await faults()).toEqual([])
})

test('what a device did before its new key was made is no step of it', async () => {
  const hourAgo = now - 3_600_000
  state = { connected: true, presetId: 'p1', values: true, since: hourAgo, last: hourAgo }
  await openDialog('en')
  const done = () => dialog().querySelectorAll('li[data-state=done]').length
  await expect.element(page.getByText('Waiting for the device', { exact: true })).toBeVisible()
  expect(done()).toBe(0)
  // With the new key it comes again.
  state = { ...state, since: now }
  await queries.invalidateQueries()
  await expect.poll(done).toBe(2)
  expect(page.getByText('First value received').elements()).toEqual([])
  state = { ...state, last: now }
  await queries.invalidateQueries()
  await expect.element(page.getByText('First value received')).toBeVisible()
})
