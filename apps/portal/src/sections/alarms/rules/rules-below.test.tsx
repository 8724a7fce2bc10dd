import { toContentPage } from '@longreach/kit/contract'
import { Rule } from '@longreach/rules/rule'
import { validateRule } from '@longreach/rules/validate'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { api } from '../../../parts/api/api.ts'
import { queries } from '../../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, organization, phone } from '../../../page-testing.tsx'
import { section } from '../section.ts'
import type { StoredRule } from './rule-calls.ts'

const rule = Rule.parse({
  name: 'Pump dry',
  scope: { model: 'Pump:1', modelId: 'pump-of-nordwerk' },
  kind: 'condition',
  when: { path: 'Pump:1/flow', op: '<', value: 2 },
  levels: [{ severity: 5 }],
})
const ofBelow: StoredRule = {
  id: '0f5b1c7e-64a7-4c1c-9d4e-6a5c1f7b2d11',
  orgResourceId: 'nordwerk.italy',
  version: 2,
  below: false,
  rule,
  createdAt: 1_760_000_000_000,
  updatedAt: 1_760_000_000_000,
  updatedBy: 'iva',
  modelOrganization: 'nordwerk',
  may: ['update', 'delete'],
  open: 0,
}
const choices = [
  { modelId: 'pump-of-italy', organization: 'nordwerk.italy' },
  { modelId: 'pump-of-nordwerk', organization: 'nordwerk' },
]
const ambiguous = {
  place: 'scope.model',
  code: 'ambiguous_model',
  params: { model: 'Pump:1', choices: 'both' },
  choices,
}
const emptyPage = { data: [], number: 0, totalElements: 0, totalPages: 0, last: true }
let asked: { call: string; organization: string | null }[]
let stored: StoredRule
type Unjudged = ReturnType<typeof unjudgedOn>
/** Late values of a device that the rule has not judged. */
const unjudgedOn = (deviceLabel: string, reason: 'age' | 'values') => ({
  deviceId: deviceLabel.padEnd(22, 'A'),
  deviceLabel,
  ruleId: ofBelow.id,
  reason,
  from: Date.UTC(2026, 0, 5, 12),
  to: Date.UTC(2026, 0, 6, 12),
  at: Date.UTC(2026, 0, 20),
})
let unjudged: Unjudged[]

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  asked = []
  stored = ofBelow
  unjudged = []
  const note = (call: string, query: URLSearchParams) =>
    asked.push({ call, organization: query.get('organization') })
  answer({
    'GET /svc/mappings/api/v1/models': () => emptyPage,
    'GET /svc/mappings/api/v1/models/pump-of-nordwerk': () =>
      Response.json({ code: 'mappings.not_found', message: 'no' }, { status: 404 }),
  })
  answer(api.core.organizations, () =>
    toContentPage(
      [organization('italy', { id: 7, label: 'Nordwerk Italia', resourceId: 'nordwerk.italy' })],
      1,
      {
        page: 0,
        pageSize: 500,
      },
    ),
  )
  answer(alarmsApi.rules, ({ query }) => {
    note('rules', query)
    const isWhole = query.get('organization') === 'nordwerk.*'
    const own = { ...stored, id: stored.id.replace(/1$/, '2'), orgResourceId: 'nordwerk' }
    const rows = isWhole ? [own, stored] : [own]
    return { data: rows, totalElements: rows.length, last: true }
  })
  answer(alarmsApi.rule, ({ query }) => {
    note('rule', query)
    return stored
  })
  answer(alarmsApi.ruleVersions, ({ query }) => {
    note('versions', query)
    return { data: [{ version: 2, rule, at: 1_760_000_000_000, by: 'iva' }] }
  })
  answer(alarmsApi.validateRule, ({ query }) => {
    note('validate', query)
    return { ok: true, issues: [] }
  })
  answer(alarmsApi.replaceRule, ({ query }) => {
    note('replace', query)
    stored = { ...stored, version: 3 }
    return stored
  })
  answer(alarmsApi.overrides, () => ({ data: [] }))
  answer(api.platform.series, () => [])
  answer(api.platform.unjudgedValues, () => ({ data: unjudged }))
  answer(api.mappings.devices, () => ({ ...emptyPage, timestamp: 0 }))
  answer(api.platform.tryRule, () => ({ complete: true, values: 0, devices: [] }))
})

const open = (path: string, more: Partial<Parameters<typeof openPortal>[1]> = {}) =>
  openPortal(path, { sections: [section], ...more })
const of = (call: string) =>
  asked.filter((one) => one.call === call).map(({ organization }) => organization)

test('rules of organizations below are listed with whose they are, and can be left out [R-22 in part]', async () => {
  await open('/alarms/rules')
  await expect.element(page.getByRole('row', { name: /Nordwerk Italia/ })).toBeVisible()
  expect(of('rules')).toContain('nordwerk.*')
  expect(await faults()).toEqual([])
  await page.getByRole('checkbox', { name: 'Include sub-organizations' }).click()
  await expect.element(page.getByRole('row', { name: /Nordwerk Italia/ })).not.toBeInTheDocument()
  expect(of('rules')).toContain('nordwerk')
  await expect.element(page.getByRole('row', { name: /Pump dry/ })).toBeVisible()
})

test('a rule of an organization below is changed there by whoever may', async () => {
  await open(`/alarms/rules/${ofBelow.id}`)
  await expect
    .element(page.getByText('This rule belongs to Nordwerk Italia. Changes count there.'))
    .toBeVisible()
  await expect.element(page.getByText(/^Model of /)).toBeVisible()
  await page.getByLabelText('Name', { exact: true }).fill('Pump runs dry')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('“Pump dry” is saved.')).toBeVisible()
  expect(of('replace')).toEqual(['nordwerk.italy'])
  expect(new Set([...of('validate'), ...of('versions')])).toEqual(new Set(['nordwerk.italy']))
  expect(await faults()).toEqual([])
})

test('without the right there it is read, with whose it is', async () => {
  stored = { ...ofBelow, may: [] }
  await phone()
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await open(`/alarms/rules/${ofBelow.id}`, { language: 'de' })
  await expect
    .element(page.getByText(/^Diese Regel gehört Nordwerk Italia\. Sie können/))
    .toBeVisible()
  await expect.element(page.getByLabelText('Name', { exact: true })).toBeDisabled()
  expect(page.getByRole('button', { name: /^(Speichern|Löschen)$/ }).elements()).toEqual([])
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})

test('where a name means several models the editor asks which', async () => {
  const scopes: unknown[] = []
  answer(alarmsApi.validateRule, ({ body }) => {
    const read = validateRule(body.rule)
    const scope = (body.rule as Rule).scope
    scopes.push(scope)
    return 'modelId' in scope ? { ok: read.ok, issues: [] } : { ok: false, issues: [ambiguous] }
  })
  await open('/alarms/rules/new?model=Pump%3A1')
  await page.getByLabelText('Name', { exact: true }).fill('Pump')
  await expect
    .element(page.getByText('Several models are called Pump:1. Choose which one is meant.'))
    .toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('combobox', { name: 'Which model' }).click()
  await page.getByRole('option', { name: 'Model of Nordwerk Italia' }).click()
  await expect.element(page.getByText(/^Several models are called/)).not.toBeInTheDocument()
  expect(scopes.at(-1)).toEqual({ model: 'Pump:1', modelId: 'pump-of-italy' })
})

test('of two models with one name a trial takes devices of the one that is meant, and a filter its rules', async () => {
  const model = (id: string, version: string, orgResourceId: string) => ({
    id,
    version,
    orgResourceId,
    realmId: 'nordwerk',
    name: 'Pump',
    nameRaw: `Pump:${version}`,
    creationDate: 0,
    updatedAt: 0,
    parentId: null,
    deleted: false,
    subOrgsEnabledToView: true,
  })
  const models = [
    model('pump-of-nordwerk', '1.0.0', 'nordwerk'),
    model('newer-of-nordwerk', '1.2.0', 'nordwerk'),
    model('pump-of-italy', '1.0.0', 'nordwerk.italy'),
  ]
  answer(api.mappings.models, () => ({ ...emptyPage, next: null, data: models }))
  const wanted: (string | null)[] = []
  answer(api.mappings.devices, ({ query }) => {
    wanted.push(query.get('data'))
    return { ...emptyPage, timestamp: 0 }
  })
  await open(`/alarms/rules/${ofBelow.id}`)
  await expect
    .poll(() => wanted)
    .toContain('modelName == "Pump" and modelId in ["pump-of-nordwerk", "newer-of-nordwerk"]')
  const filtered: (string | null)[][] = []
  answer(alarmsApi.rules, ({ query }) => {
    filtered.push([query.get('model'), query.get('modelOrganization')])
    return { data: [stored], totalElements: 1, last: true }
  })
  const router = await open('/alarms/rules')
  await page.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: 'Pump:1 · Model of Nordwerk Italia' }).click()
  await expect.poll(() => filtered.at(-1)).toEqual(['Pump:1', 'nordwerk.italy'])
  expect(router.state.location.search).toMatchObject({
    model: 'Pump:1',
    modelOf: 'nordwerk.italy',
  })
  expect(await faults()).toEqual([])
})

test('an import asks which model its rules mean', async () => {
  answer(alarmsApi.importRules, ({ body }) => ({
    data: body.rules.map(({ rule: posted }) => {
      const { scope, name } = posted as Rule
      return 'modelId' in scope
        ? { name, outcome: 'new' as const, issues: [] }
        : { name, outcome: 'invalid' as const, issues: [ambiguous] }
    }),
  }))
  await open('/alarms/rules')
  await page.getByRole('button', { name: 'Import rules' }).click()
  const field = () => document.querySelector<HTMLInputElement>('input[type=file]')!
  await expect.poll(field).not.toBeNull()
  const file = {
    rules: ['One', 'Two'].map((name) => ({ rule: { name, scope: { model: 'Pump:1' } } })),
  }
  await userEvent.upload(field(), new File([JSON.stringify(file)], 'rules.json'))
  const which = page.getByRole('combobox', { name: /Pump:1 is the name of several models/ })
  await which.click()
  await page.getByRole('option', { name: 'Model of Nordwerk Italia' }).click()
  await expect.element(page.getByRole('button', { name: 'Import 2 rules' })).toBeVisible()
  await expect.element(which).not.toBeInTheDocument()
  expect(await faults()).toEqual([])
})

test('late values that were not judged are told on the rule, with the reason', async () => {
  unjudged = [unjudgedOn('Pump4', 'age'), unjudgedOn('Pump5', 'values')]
  await open(`/alarms/rules/${ofBelow.id}`)
  await expect
    .element(
      page.getByText(
        /Late values of Pump4 from .*Jan 5, 2026.* to .*Jan 6, 2026.* were not judged: they came more than seven days late\. Late values of Pump5 from .* on were not judged: more than five million values/,
      ),
    )
    .toBeVisible()
  expect(await faults()).toEqual([])
})
