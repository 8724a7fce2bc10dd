import type { Rule } from '@longreach/rules/rule'
import { validateRule } from '@longreach/rules/validate'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { api } from '../../../parts/api/api.ts'
import { queries } from '../../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal } from '../../../page-testing.tsx'
import { section } from '../section.ts'
import { newRule } from './rule-draft.ts'

const id = '0f5b1c7e-64a7-4c1c-9d4e-6a5c1f7b2d10'
const other = '0f5b1c7e-64a7-4c1c-9d4e-6a5c1f7b2d12'
const paths = ['Oven:1/temperature', 'Oven:1/on']
const year = 31_536_000_000
const good: Rule = {
  ...newRule('Oven:1'),
  kind: 'condition',
  name: 'Hot',
  when: { path: 'Oven:1/temperature', op: '>', value: 230 },
}
const leaf = (more: object) => ({ when: { path: 'Oven:1/temperature', op: '>', ...more } })
const schedule = (more: object) => ({
  schedule: {
    zone: 'device',
    times: [{ days: [1], from: '06:00', to: '22:00' }],
    exceptDates: [],
    ...more,
  },
})
const levels = (...all: object[]) => ({ ...leaf({}), levels: all })
let wrong: object

const empty = { data: [], number: 0, totalElements: 0, totalPages: 0, last: true }
beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  answer({ 'GET /svc/mappings/api/v1/models': () => empty })
  const stored = () => ({
    id,
    orgResourceId: 'nordwerk',
    version: 1,
    below: false,
    rule: { ...good, ...wrong },
    createdAt: 1_760_000_000_000,
    updatedAt: 1_760_000_000_000,
    updatedBy: 'erika',
    modelOrganization: 'nordwerk',
    may: ['update' as const],
    open: 0,
  })
  answer(alarmsApi.rule, stored)
  answer(alarmsApi.rules, () => ({
    data: [{ ...stored(), id: other, rule: { ...good, name: 'Other' } }],
    totalElements: 1,
    last: true,
  }))
  answer(alarmsApi.ruleVersions, () => ({ data: [] }))
  answer(alarmsApi.overrides, () => ({ data: [] }))
  answer(alarmsApi.validateRule, ({ body }) => {
    const rules = new Map([
      [id, undefined],
      [other, id],
    ])
    const read = validateRule(body.rule, { paths, id, rules })
    return { ok: read.ok, issues: read.ok ? [] : read.issues.map((issue) => ({ ...issue })) }
  })
  answer(api.platform.series, () => [])
  answer(api.platform.unjudgedValues, () => ({ data: [] }))
  answer(api.mappings.devices, () => ({ ...empty, timestamp: 0 }))
  answer(api.platform.tryRule, () => ({ complete: true, values: 0, devices: [] }))
})

test.each<[string, object, string, RegExp]>([
  [
    'an unknown path',
    leaf({ path: 'Oven:1/temprature', value: 1 }),
    'Data point',
    /Is “Oven:1\/temperature” meant/,
  ],
  ['an end on the wrong side', leaf({ value: 230, clear: 240 }), 'Ends at', /normal side/],
  [
    'levels out of order',
    levels({ severity: 3, value: 230 }, { severity: 5, value: 200 }),
    'Limit',
    /further out/,
  ],
  [
    'severities out of order',
    levels({ severity: 5, value: 200 }, { severity: 3, value: 230 }),
    'Severity',
    /worse than the one before/,
  ],
  ['a delay below zero', { onDelayMs: -1 }, 'Raise after', /^At least 0/],
  ['a delay over a year', { offDelayMs: year + 1 }, 'End after', /^At most 31,536,000,000/],
  [
    'a formula that does not end',
    leaf({ path: undefined, formula: '(1 + ', value: 1 }),
    'Formula',
    /^The formula is wrong: ./,
  ],
  [
    'a formula of too many brackets',
    leaf({ path: undefined, formula: `${'('.repeat(3_000)}1`, value: 1 }),
    'Formula',
    /^The formula is wrong: ./,
  ],
  [
    'a cycle of exceptions',
    { unless: { rule: other, onDelayMs: 0, offDelayMs: 0 } },
    'Rule of the other alarm',
    /→/,
  ],
  [
    'a schedule without a day',
    schedule({ times: [{ days: [], from: '06:00', to: '22:00' }] }),
    'Days',
    /day/,
  ],
  ['an unknown zone', schedule({ zone: 'Europe/Atlantis' }), 'Time zone', /Europe\/Atlantis/],
  ['an unknown placeholder', { texts: { en: '{tmperature}' } }, 'English', /tmperature/],
])('%s is said at its field, with the way out', async (_, more, label, text) => {
  wrong = more
  await openPortal(`/alarms/rules/${id}`, { sections: [section] })
  await page.getByLabelText('Name', { exact: true }).fill('Changed')
  await expect.element(page.getByText(/faults? to mend|^To fill in: /)).toBeVisible()
  const said = () =>
    [...document.querySelectorAll('[class*="InputWrapper-root"]')]
      .filter((one) => one.querySelector('[class*="InputWrapper-label"]')?.textContent === label)
      .map((one) => one.querySelector('[class*="InputWrapper-error"]'))
      .filter((one) => one !== null)
  await expect
    .poll(() => said().map((one) => one.textContent))
    .toEqual([expect.stringMatching(text)])
  expect(said()[0]?.checkVisibility()).toBe(true)
  await expect.element(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  expect(await faults()).toEqual([])
})

test('a fault at a group, or at what has no field, is said too', async () => {
  const part = { path: 'Oven:1/temperature', op: '>' }
  wrong = { when: { all: [{ ...part, value: 1 }, part, part] } }
  await openPortal(`/alarms/rules/${id}`, { sections: [section] })
  await page.getByLabelText('Name', { exact: true }).fill('Changed')
  await expect.element(page.getByText(/faults? to mend/)).toBeVisible()
  const shown = [...document.querySelectorAll('fieldset p')].map((one) => one.textContent)
  expect(shown.some((one) => one !== '')).toBe(true)
})

test('another comparison takes away the limit at which it would end', async () => {
  wrong = leaf({ value: 230, clear: 225 })
  await openPortal(`/alarms/rules/${id}`, { sections: [section] })
  await page.getByRole('combobox', { name: 'Comparison' }).click()
  await page.getByRole('option', { name: 'is', exact: true }).click()
  await expect.element(page.getByText('Everything is complete.')).toBeVisible()
})
