import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Rule } from '@longreach/rules/rule'
import { validateRule } from '@longreach/rules/validate'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { api } from '../../../parts/api/api.ts'
import { queries } from '../../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../../page-testing.tsx'
import { testDevice } from '../../../device-testing.ts'
import { section } from '../section.ts'
import type { RuleOverride } from './override-draft.ts'
import { newRule } from './rule-draft.ts'

const id = '0f5b1c7e-64a7-4c1c-9d4e-6a5c1f7b2d10'
const paths = ['Oven:1/zones[*]/temperature', 'Oven:1/heater/on']
const rule: Rule = {
  ...newRule('Oven:1'),
  kind: 'condition',
  name: 'Zone too hot',
  when: { path: 'Oven:1/zones[*]/temperature', op: '>', value: 230 },
  unless: {
    when: { path: 'Oven:1/heater/on', op: '==', value: false },
    onDelayMs: 0,
    offDelayMs: 0,
  },
}
const stored = (more: Partial<Rule> = {}, version = 3) => ({
  id,
  orgResourceId: 'nordwerk',
  version,
  below: false,
  rule: { ...rule, ...more },
  createdAt: Date.now() - 1e9,
  updatedAt: Date.now() - 1e6,
  updatedBy: 'erika',
  modelOrganization: 'nordwerk',
  may: ['update' as const, 'delete' as const],
  open: 2,
})
const model = {
  id: 'oven123456',
  realmId: 'nordwerk',
  name: 'Oven',
  nameRaw: 'Oven',
  version: '1.1.0',
  orgResourceId: 'nordwerk',
  creationDate: 1_760_000_000_000,
  updatedAt: 1_760_000_000_000,
  parentId: null,
  deleted: false,
  subOrgsEnabledToView: false,
}
const json = {
  type: 'object',
  instanceOf: 'Oven:1.1.0',
  properties: {
    zones: {
      type: 'array',
      length: 3,
      item: { type: 'object', properties: { temperature: { type: 'double', unit: '°C' } } },
    },
    heater: { type: 'object', properties: { on: { type: 'boolean' } } },
  },
}
let saved: { rule: Rule; below: boolean }[]
let restored: number[]

let tries: { rule?: unknown; devices: string[] }[]
let overridden: { deviceId: string; deviceLabel: string; override: RuleOverride }[]
const oven = 'oven000000000000000000'
const devicesPage = () => ({
  data: [testDevice(oven, 'Oven line 1')],
  timestamp: Date.now(),
  number: 0,
  totalElements: 1,
  totalPages: 1,
  last: true,
})

beforeEach(async () => {
  tries = []
  overridden = []
  await desktop()
  localStorage.clear()
  queries.clear()
  saved = []
  restored = []
  answer({
    'GET /svc/mappings/api/v1/models': () => ({
      data: [model],
      number: 0,
      totalElements: 1,
      totalPages: 1,
      last: true,
    }),
    'GET /svc/mappings/api/v1/models/oven123456': () => ({ ...model, json }),
  })
  answer(alarmsApi.rules, () => ({ data: [stored()], totalElements: 1, last: true }))
  answer(alarmsApi.rule, () => stored(saved.at(-1)?.rule, 3 + saved.length))
  answer(alarmsApi.ruleVersions, () => ({
    data: [2, 3].map((version) => ({ version, rule: { ...rule }, at: Date.now(), by: 'erika' })),
  }))
  answer(alarmsApi.validateRule, ({ body }) => {
    const read = validateRule(body.rule, { paths })
    return { ok: read.ok, issues: read.ok ? [] : read.issues.map((issue) => ({ ...issue })) }
  })
  answer(alarmsApi.replaceRule, ({ body }) => {
    saved.push(body as (typeof saved)[number])
    return stored(saved.at(-1)?.rule, 3 + saved.length)
  })
  answer(alarmsApi.createRule, ({ body }) => {
    saved.push(body as (typeof saved)[number])
    return stored(saved.at(-1)?.rule, 1)
  })
  answer(alarmsApi.restoreRule, ({ body }) => {
    restored.push(body.version)
    return stored({}, 4)
  })
  answer(api.platform.series, () => [])
  answer(api.platform.unjudgedValues, () => ({ data: [] }))
  answer(alarmsApi.overrides, () => ({ data: overridden }))
  answer(api.mappings.devices, () => devicesPage())
  answer(api.platform.tryRule, ({ body }) => {
    tries.push(body)
    return { complete: true, values: 0, devices: [] }
  })
})

const open = (path: string, more: Partial<Parameters<typeof openPortal>[1]> = {}) =>
  openPortal(path, { sections: [section], ...more })
const sentence = () =>
  page
    .getByRole('paragraph')
    .elements()
    .map((one) => one.textContent)
    .find((text) => /^(?:When|Wenn)/.test(text))

test('rules are listed with their sentence beside them, and lead to their alarms [R-22 in part]', async () => {
  await open(`/alarms/rules?rule=${id}`)
  await expect
    .poll(sentence)
    .toBe(
      'When temperature of each of zones is above 230 for 10 sec, unless heater / on is Off, raise High.',
    )
  const row = page.getByRole('row', { name: /Zone too hot/ })
  await expect.element(row.getByRole('link', { name: '2', exact: true })).toBeVisible()
  expect(await faults()).toEqual([])
})

test('a word of the sentence is a field: another limit is saved with the version that was read', async () => {
  let query: URLSearchParams | undefined
  answer(alarmsApi.replaceRule, ({ body, query: asked }) => {
    query = asked
    saved.push(body as (typeof saved)[number])
    return stored(saved.at(-1)?.rule, 4)
  })
  await open(`/alarms/rules/${id}`)
  await page.getByRole('button', { name: '230', exact: true }).click()
  const field = page.getByRole('dialog').getByLabelText('Limit')
  await field.fill('240')
  await userEvent.keyboard('{Escape}')
  await expect.poll(sentence).toContain('is above 240')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('“Zone too hot” is saved.')).toBeVisible()
  expect(saved[0]?.rule).toMatchObject({ when: { value: 240 } })
  expect(query?.get('version')).toBe('3')
})

test('a new rule is written by keyboard, and says what is still to be filled in apart from what is wrong', async () => {
  await open('/alarms/rules/new')
  const state = page.getByRole('status')
  await expect.element(state.getByText('To fill in: Name, Model, Data point.')).toBeVisible()
  await open('/alarms/rules/new?model=Oven%3A1')
  await page.getByLabelText('Name', { exact: true }).fill('Zone cold')
  await expect.element(state.getByText('To fill in: Data point.')).toBeVisible()
  expect(page.getByText('This field is required.').elements()).toEqual([])
  await page.getByRole('combobox', { name: 'Data point' }).fill('Oven:1/zones[*]/temprature')
  await expect.element(state.getByText('To fill in: Limit. 1 fault to mend.')).toBeVisible()
  await expect
    .element(page.getByText(/does not exist here\. Is “Oven:1\/zones\[\*\]\/temperature” meant\?/))
    .toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('combobox', { name: 'Data point' }).fill('Oven:1/zones[*]/temperature')
  await userEvent.keyboard('{Escape}')
  await page.getByLabelText('Limit').fill('15')
  await page.getByLabelText('What to do').fill('Check the heater')
  await expect.element(page.getByText('Everything is complete.')).toBeVisible()
  ;(page.getByRole('button', { name: 'Create rule' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => location.pathname).toBe(`/alarms/rules/${id}`)
  expect(saved[0]?.rule).toMatchObject({
    name: 'Zone cold',
    when: { path: 'Oven:1/zones[*]/temperature', op: '>', value: 15 },
    response: 'Check the heater',
  })
})

test('several levels have limits of their own, and one out of order is called so', async () => {
  await open(`/alarms/rules/${id}`)
  await page.getByRole('button', { name: 'Add a level' }).click()
  await expect.element(page.getByText('Each level needs a limit.')).toBeVisible()
  await page.getByLabelText('Limit').nth(1).fill('200')
  await expect
    .element(page.getByText('The limit of a worse level must lie further out.'))
    .toBeVisible()
  await page.getByLabelText('Limit').nth(1).fill('260')
  await expect.element(page.getByText('Everything is complete.')).toBeVisible()
  await expect.poll(sentence).toContain('raise High from 230, raise Critical from 260.')
})

test('a rule is tried on the past of devices before it is saved', async () => {
  const device = oven
  let tried: unknown
  answer(api.platform.tryRule, ({ body }) => {
    tried = body
    const start = Date.now() - 1e7
    return {
      complete: true,
      values: 604_800,
      devices: [
        {
          deviceId: device,
          occurrences: [
            { instance: '2', start, end: start + 90_000, severity: 5, maxSeverity: 5, raises: 1 },
          ],
          count: 1,
          under5s: 0,
          hours: 0.025,
          mostInTenMinutes: 1,
          nearestMisses: [{ instance: '2', t: start + 3_600_000, heldMs: 9_000, ofMs: 10_000 }],
          missing: ['Oven:1/heater/on'],
          difference: { more: 1, fewer: 0, moved: 0 },
        },
      ],
    }
  })
  await open(`/alarms/rules/${id}`)
  // The first device of the model is chosen, and nobody presses anything.
  await expect.element(page.getByText('Oven line 1: 1 alarm')).toBeVisible()
  await expect.element(page.getByText('1 more, 0 fewer, 0 moved')).toBeVisible()
  await expect.element(page.getByText('No history of: Oven:1/heater/on')).toBeVisible()
  await expect.element(page.getByText(/held for 9 sec of 10 sec/)).toBeVisible()
  expect(tried).toMatchObject({ ruleId: id, devices: [device], rule: { name: 'Zone too hot' } })
  expect(await faults()).toEqual([])
})

test('limits are moved over the values of a device by keyboard and pointer, and the trial follows [R-22 in part]', async () => {
  answer(alarmsApi.rule, () =>
    stored({ when: { path: 'Oven:1/zones[*]/temperature', op: '>', value: 230, clear: 225 } }),
  )
  const start = Date.now() - 86_400_000
  answer(api.platform.series, () => [
    {
      modelPath: 'Oven:1/zones[1]/temperature',
      type: 'double' as const,
      mode: 'R' as const,
      unit: '°C',
      last: { t: start, v: 200, q: 192 },
    },
  ])
  const readings = [180, 210, 236, 220]
  answer(api.platform.queryTags, ({ body }) =>
    body.sources.map(({ deviceId, modelPath }) => ({
      deviceId,
      modelPath,
      types: [],
      header: [],
      data: readings.map((value, index) => [start + index * 3_600_000, value]),
    })),
  )
  await open(`/alarms/rules/${id}`)
  const limit = page.getByRole('slider', { name: 'Limit · High' })
  await expect.element(limit).toHaveAttribute('aria-valuenow', '230')
  ;(limit.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{PageDown}')
  await expect.poll(() => Number(limit.element().getAttribute('aria-valuenow'))).toBeLessThan(230)
  const moved = Number(limit.element().getAttribute('aria-valuenow'))
  await expect.poll(sentence).toContain(`is above ${moved}`)
  await expect.poll(() => tries.at(-1)?.rule).toMatchObject({ when: { value: moved, clear: 225 } })
  // Not each key was tried.
  expect(tries.length).toBeLessThanOrEqual(2)
  await expect.poll(() => document.querySelector('[data-limits] path')).not.toBeNull()
  const chart = document.querySelector('[data-limits]')!.getBoundingClientRect()
  const handle = limit.element()
  const at = (clientY: number) => ({ pointerId: 1, clientX: chart.left + 20, clientY })
  handle.setPointerCapture = () => undefined
  handle.hasPointerCapture = () => true
  handle.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, ...at(chart.top + 4) }))
  await expect
    .poll(() => Number(limit.element().getAttribute('aria-valuenow')))
    .toBeGreaterThan(moved)
  expect(await faults()).toEqual([])
})

test('a device has limits of its own, or is out of service with a reason', async () => {
  const sent: unknown[] = []
  overridden = [
    {
      deviceId: oven,
      deviceLabel: 'Oven line 1',
      override: { levels: [{ value: 240 }], onDelayMs: 5_000, reason: 'old sensor' },
    },
  ]
  answer(alarmsApi.setOverride, ({ body }) => {
    sent.push(body)
    return { levels: [], reason: '', ...body }
  })
  answer(alarmsApi.deleteOverride, () => {
    overridden = []
    return undefined
  })
  await open(`/alarms/rules/${id}`)
  await expect.element(page.getByText('Limit 240 · Raise after 5 sec · old sensor')).toBeVisible()
  await page.getByRole('button', { name: 'Change: Zone too hot on Oven line 1' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByLabelText('Limit · High')).toHaveValue('240')
  await dialog.getByLabelText('Out of service until').fill('2026-12-24T18:00')
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('')
  await expect.element(dialog.getByText('Say why the device is out of service.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  expect(sent).toEqual([])
  expect(await faults()).toEqual([])
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('new burner')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('Saved for Oven line 1.')).toBeVisible()
  expect(sent).toEqual([
    {
      levels: [{ value: 240 }],
      onDelayMs: 5_000,
      outOfServiceUntil: new Date('2026-12-24T18:00').getTime(),
      reason: 'new burner',
    },
  ])
  await page.getByRole('button', { name: /^Remove: Zone too hot/ }).click()
  await expect.element(page.getByText(/is as in the rule again\.$/)).toBeVisible()
})

test('rules of a file are shown with what they change and what is missing before they are imported', async () => {
  const asked: { dry: string | null; names: unknown }[] = []
  let isWrong = true
  answer(alarmsApi.importRules, ({ body, query }) => {
    asked.push({ dry: query.get('dryRun'), names: body.rules.length })
    const issues = [{ place: 'scope.model', code: 'unknown_path', params: { path: 'Kiln:1' } }]
    return {
      data: [
        { name: 'Zone too hot', outcome: 'changed' as const, issues: [] },
        { name: 'Door', outcome: 'new' as const, issues: [] },
        ...(isWrong ? [{ name: 'Kiln', outcome: 'invalid' as const, issues }] : []),
      ],
    }
  })
  await open('/alarms/rules')
  await page.getByRole('button', { name: 'Import rules' }).click()
  const field = () => document.querySelector<HTMLInputElement>('input[type=file]')!
  const choose = (text: string) =>
    userEvent.upload(field(), new File([text], 'rules.json', { type: 'application/json' }))
  await expect.poll(field).not.toBeNull()
  await choose('nothing')
  await expect.element(page.getByText(/holds no alarm rules/)).toBeVisible()
  await choose(JSON.stringify({ rules: [{ rule: {} }, { rule: {} }, { rule: {} }] }))
  await expect.element(page.getByText('Not in this organization')).toBeVisible()
  await expect.element(page.getByText('Kiln:1', { exact: true })).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Import 2 rules' }).click()
  await expect.element(page.getByText(/^Mend what does not fit/)).toBeVisible()
  expect(asked.every(({ dry }) => dry === 'true')).toBe(true)
  isWrong = false
  await choose(JSON.stringify({ rules: [{ rule: { a: 1 } }, { rule: {} }] }))
  await expect.element(page.getByText('Kiln:1', { exact: true })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Import 2 rules' }).click()
  await expect.element(page.getByText('2 rules imported.')).toBeVisible()
  expect(asked.at(-1)).toEqual({ dry: 'false', names: 2 })
})

test('a version says what it changed', async () => {
  answer(alarmsApi.ruleVersions, () => ({
    data: [2, 3].map((version) => ({
      version,
      rule: { ...rule, ...(version === 3 && { onDelayMs: 30_000, response: 'Look' }) },
      at: Date.now(),
      by: 'erika',
    })),
  }))
  await open(`/alarms/rules/${id}`)
  await page.getByRole('button', { name: 'Show' }).first().click()
  await expect.element(page.getByText('Raise after: 10 sec → 30 sec')).toBeVisible()
  await expect.element(page.getByText('What to do: nothing → Look')).toBeVisible()
})

test('an older version is restored', async () => {
  await open(`/alarms/rules/${id}`)
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect.element(page.getByText('Version 2 is restored as the newest.')).toBeVisible()
  expect(restored).toEqual([2])
})

test('what somebody else saved meanwhile is not overwritten', async () => {
  answer(alarmsApi.replaceRule, () =>
    Response.json(
      { statusCode: 409, error: '', code: 'alarms.rule_changed', message: 'no', details: {} },
      { status: 409 },
    ),
  )
  await open(`/alarms/rules/${id}`)
  await page.getByLabelText('Name', { exact: true }).fill('Other name')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText(/Somebody else has saved this rule meanwhile/)).toBeVisible()
  await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('Other name')
})

test('who may not change rules reads them, and an unknown one says so', async () => {
  const who = session({
    permissions: new Set(['portal:access', 'devices:read', 'alarms:read'] as const),
  })
  answer(alarmsApi.rule, () => ({ ...stored(), may: [] }))
  await open(`/alarms/rules/${id}`, { who })
  await expect.poll(sentence).toContain('raise High')
  await expect.element(page.getByLabelText('Name', { exact: true })).toBeDisabled()
  expect(page.getByRole('button', { name: /^(Save|Delete|Restore)$/ }).elements()).toEqual([])
  expect(await faults()).toEqual([])
  answer(alarmsApi.rule, () =>
    Response.json(
      { statusCode: 404, error: '', code: 'alarms.not_found', message: 'no', details: {} },
      { status: 404 },
    ),
  )
  queries.clear()
  await open(`/alarms/rules/${id}`)
  await expect.element(page.getByText(/This rule was not found/)).toBeVisible()
})

test('the editor works in German, in the dark and on a phone', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await open(`/alarms/rules/${id}`, { language: 'de' })
  await expect
    .poll(sentence)
    .toBe(
      'Wenn temperature von jedem aus zones über 230 liegt für 10 Sek., außer wenn heater / on gleich Aus ist, Hoch auslösen.',
    )
  expect(await faults()).toEqual([])
  await phone()
  await open(`/alarms/rules/${id}`, { language: 'de' })
  await expect.poll(sentence).toContain('Hoch auslösen')
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
