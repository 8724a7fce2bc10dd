import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { watchClipboard } from '@longreach/ui/ui-testing'
import { queries } from '../../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../../page-testing.tsx'
import { testDevice } from '../../../device-testing.ts'
import { section as devicesSection } from '../section.ts'

const id = 'AAAAAAAAAAAAAAAAAAAAAA'
const base = `/svc/platform/api/v1/organizations/nordwerk.*/devices/${id}`
const hour = 3_600_000
const now = Date.now()
const device = testDevice(id, 'Press 1', {
  configurationApplied: false,
  configurationError: 'the device has not taken over the configuration',
  presetId: 'p',
  presetName: 'Presses',
  modelId: 'm',
  modelName: 'Press',
  modelVersion: '1.0.0',
  attributes: { hall: 'B' },
  tags: ['north'],
  position: { lat: 45.4, lon: 10.99 },
})
const tree = (mode: string) => ({ type: 'datamodel', properties: { Press: { mode, unit: 'bar' } } })
let moments: Record<string, unknown>[] = []
const moment = (kind: string, data: object, more: object = {}) => ({
  id: crypto.randomUUID(),
  at: now - hour,
  until: null,
  kind,
  by: 'erika',
  own: false,
  modelPath: null,
  data,
  ...more,
})
const asked: Record<string, URL> = {}
const frame = (topic: string, more: object = {}) => ({
  at: now - 2_000,
  direction: 'received',
  topic,
  bytes: 12,
  ok: true,
  head: '0c00',
  ...more,
})

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  moments = [
    moment('write', { from: 3, to: 7, status: 'confirmed' }, { modelPath: 'Press:1/speed' }),
    moment('connection', { connected: false, ip: null }, { by: null, at: now - 26 * hour }),
  ]
  answer({
    [`GET /svc/mappings/api/v1/devices/${id}`]: () => ({ value: device }),
    [`GET ${base}/series`]: () => [],
    [`GET ${base}/configuration`]: () => ({
      configurationJson: tree('RW'),
      configurationFromDevice: tree('R'),
      sentAt: now - hour,
      applied: false,
      error: 'the device has not taken over the configuration',
    }),
    [`GET ${base}/configurations`]: () => [
      { version: 2, at: now, by: 'erika', none: false, sentAt: now, appliedAt: null, error: null },
      {
        version: 1,
        at: now,
        by: 'service-account-user-service-robot',
        none: false,
        sentAt: now,
        appliedAt: now,
        error: null,
      },
    ],
    [`GET ${base}/configurations/1`]: () => ({ version: 1, configurationJson: tree('W') }),
    [`GET ${base}/availableTags`]: () => [],
    [`GET ${base}/connections`]: () => ({
      connected: true,
      connections: [
        { from: now - hour, to: null, ip: '10.0.0.7' },
        { from: now - 20 * hour, to: now - 2 * hour, ip: '10.0.0.7' },
      ],
      uptime: [1, 7, 30].map((days) => ({
        days,
        onlineMs: 19 * hour,
        knownMs: 20 * hour,
        losses: 1,
      })),
      flapping: { losses: 5, withinMs: hour },
    }),
    [`GET ${base}/logs`]: (url) => {
      asked['logs'] = url
      const entry = {
        at: now,
        level: 'warning',
        modelPath: null,
        direction: 'received',
        topic: 'a/b',
      }
      return url.searchParams.get('showSystem') === 'true'
        ? [
            {
              ...entry,
              id: 1,
              system: true,
              kind: 'rejected',
              bytes: 3,
              reason: 'item 3: no value',
              refusal: [
                { code: 'item', values: { index: '3' } },
                { code: 'noValue', values: {} },
              ],
              head: '00',
              count: null,
            },
          ]
        : []
    },
    [`GET ${base}/console`]: () => [
      frame('a/speed', { path: 'Press:1/speed', value: 7 }),
      frame('a/broken', { ok: false, reason: 'no value', head: '00ff' }),
      frame('a/config', { direction: 'sent', at: now - 1_000 }),
    ],
    [`GET ${base}/timeline`]: (url) => {
      asked['timeline'] = url
      return { data: moments, next: null }
    },
    [`POST ${base}/comments`]: (_, body) => {
      const { text } = body as { text: string }
      moments = [moment('comment', { text }, { own: true, at: now }), ...moments]
      return {
        id: crypto.randomUUID(),
        deviceId: id,
        at: now,
        until: null,
        text,
        modelPath: null,
        by: 'erika',
        own: true,
        madeAt: now,
        editedAt: null,
      }
    },
  })
})

/** A page that nobody has opened yet in this run is compiled first. */
const atFirst = { timeout: 45_000 }
const open = (tab: string) =>
  openPortal(`/devices/${id}?tab=${tab}`, { sections: [devicesSection] })

test('the overview shows line, facts, position, tags and attributes [R-10]', async () => {
  await openPortal(`/devices/${id}`, { sections: [devicesSection] })
  await expect.element(page.getByRole('heading', { name: 'Press 1' }), atFirst).toBeVisible()
  await expect.element(page.getByRole('img', { name: /45.4000°, 10.9900°/ })).toBeVisible()
  await expect.element(page.getByText('north')).toBeVisible()
  await expect.element(page.getByText('hall')).toBeVisible()
  expect(await faults()).toEqual([])
})

test('the time-line is one scroll by day, filtered by kind, and takes comments [R-10] [C-21]', async () => {
  await open('timeline')
  await expect.element(page.getByText(/speed: 3 → 7/), atFirst).toBeVisible()
  await expect.element(page.getByText('Connection lost')).toBeVisible()
  await expect.poll(() => page.getByRole('heading', { level: 3 }).elements().length).toBe(2)
  await page.getByRole('button', { name: 'Add comment' }).click()
  await userEvent.keyboard('Heard a noise{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('Heard a noise')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Edit comment' })).toBeVisible()
  await page.getByRole('button', { name: 'Writes' }).click()
  await expect
    .element(page.getByRole('button', { name: 'Writes' }))
    .toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => location.search).toContain('kind=write')
  await page.getByRole('button', { name: 'Changes around this event' }).first().click()
  await expect.poll(() => decodeURIComponent(location.search)).toMatch(/range=\d{4}-/)
  expect(await faults()).toEqual([])
})

test('the line: bands by keyboard, figures, and that it flaps [E-16]', async () => {
  await open('connection')
  await expect.element(page.getByText(/unstable: lost 5 times/)).toBeVisible()
  const strip = page.getByRole('slider', { name: /last 24 hours/ })
  ;(strip.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(strip).toHaveAttribute('aria-valuetext', expect.stringMatching(/^Offline/))
  await expect.element(page.getByText('95%').first()).toBeVisible()
  await expect.element(page.getByRole('cell', { name: '10.0.0.7' }).first()).toBeVisible()
  expect(await faults()).toEqual([])
})

test('sent and reported stand side by side with what differs, and the way out [C-21]', async () => {
  await open('configuration')
  await expect.element(page.getByText('1 difference', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: '"RW"' })).toBeVisible()
  await expect.poll(() => page.getByRole('cell', { name: '"bar"' }).elements()).toEqual([])
  await page.getByRole('switch', { name: 'Show everything' }).click()
  await expect.element(page.getByRole('cell', { name: '"bar"' }).first()).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Service account robot' })).toBeVisible()
  await page.getByRole('button', { name: 'Compare with version 1' }).click()
  await expect.element(page.getByRole('cell', { name: '"W"' })).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Open log' }).click()
  await expect.element(page.getByText('Item 3: The value is missing.')).toBeVisible()
})

test('the log hides messages of the protocol until they are asked for [E-08]', async () => {
  await phone()
  await open('log')
  await expect.element(page.getByText('No messages in this period')).toBeVisible()
  await expect.poll(() => asked['logs']?.searchParams.get('showSystem')).toBe('false')
  await page.getByRole('switch', { name: 'Show system messages' }).click()
  await expect.element(page.getByText('Rejected')).toBeVisible()
  expect(await faults()).toEqual([])
})

const topics = () =>
  ['a/speed', 'a/broken', 'a/config'].filter((topic) => page.getByText(topic).elements().length > 0)

test('the console shows every message, and finds those that are wanted or were rejected', async () => {
  const copied = watchClipboard()
  await open('console')
  await expect.element(page.getByText('a/speed')).toBeVisible()
  expect(topics()).toHaveLength(3)
  await page.getByRole('textbox', { name: 'Filter topic, path, value' }).fill('press:1')
  await expect.poll(topics).toEqual(['a/speed'])
  await page.getByRole('textbox', { name: 'Filter topic, path, value' }).fill('')
  await page.getByRole('checkbox', { name: 'Rejected messages only' }).click()
  await expect.poll(topics).toEqual(['a/broken'])
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Copy 1 message' }).click()
  await expect.element(page.getByText('Copied')).toBeVisible()
  expect(copied[0]).toMatch(/<-\ta\/broken\t12 B\trefused: no value \[00ff\]$/)
})

test('the console is emptied without forgetting what comes, and held while somebody reads', async () => {
  await open('console')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect.element(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.element(page.getByText('No messages yet')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Copy 0 messages' })).toBeDisabled()
})

test('who may not change devices does not read what goes to and from them', async () => {
  const permissions = new Set(['portal:access', 'devices:read'] as const)
  const who = session({ permissions })
  await openPortal(`/devices/${id}?tab=console`, { sections: [devicesSection], who })
  await expect.element(page.getByText(/You need permission to change devices/)).toBeVisible()
  expect(topics()).toEqual([])
})

test('seven tabs; a former address leads to where its content stands now', async () => {
  await open('connection')
  await expect.element(page.getByText(/unstable: lost 5 times/), atFirst).toBeVisible()
  await expect.poll(() => location.search).toContain('tab=history')
  expect(location.search).toContain('kind=connection')
  const tabs = page
    .getByRole('tab')
    .elements()
    .map((tab) => tab.textContent)
  expect(tabs).toEqual([
    'Overview',
    'Data',
    'Alarms',
    'History',
    'Configuration',
    'Access',
    'Service',
  ])
  await phone()
  // Its bar settles a moment after the window has its size.
  await expect.poll(faults).toEqual([])
})

test('the menu of a device leads through its connection step by step', async () => {
  await openPortal(`/devices/${id}`, { sections: [devicesSection] })
  await page.getByRole('button', { name: 'More actions' }).click(atFirst)
  const walk = page.getByRole('menuitem', { name: 'Start walkthrough' })
  await expect.element(walk).toHaveAttribute('href', expect.stringContaining(`device=${id}`))
})

test('on a phone the time of an event stands beside its sign, not under it', async () => {
  await phone()
  const noon = new Date(now - 24 * hour).setHours(12, 58, 58)
  moments = [moment('created', {}, { at: noon })]
  await open('history')
  await expect.element(page.getByText('12:58:58 PM')).toBeVisible()
  const time = page.getByText('12:58:58 PM').element()
  const end = document.createRange()
  end.selectNodeContents(time)
  const sign = time.nextElementSibling?.getBoundingClientRect().left ?? 0
  expect(end.getBoundingClientRect().right).toBeLessThanOrEqual(sign)
})
