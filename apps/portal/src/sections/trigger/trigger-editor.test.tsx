import { toContentPage } from '@longreach/kit/contract'
import { readPolicy } from '@longreach/rules/policy'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { testDevice } from '../../device-testing.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { api } from '../../parts/api/api.ts'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'
import { triggersApi } from '../../parts/triggers/triggers-api.ts'
import {
  nestedTrigger,
  testTrigger,
  uuidOf,
  testBlocked,
  testConditions,
} from './trigger-testing.ts'

type Body = { name: string; deviceGroups: string[]; triggerData: Record<string, unknown> }
const oven = 'oven000000000000000000'
let saved: Body[]

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  saved = []
  answer({
    'GET /svc/core/api/v1/organizations/nordwerk/securityPolicies': () =>
      toContentPage([{ id: 7, name: 'Ovens', type: 'STANDARD' }], 1, { page: 0, pageSize: 1_000 }),
  })
  answer(triggersApi.blockedActions, () => testBlocked({ emailAction: 'no_mail_server' }))
  answer(triggersApi.trigger, () => nestedTrigger(1))
  answer(triggersApi.counters, () => toContentPage([], 0, { page: 0, pageSize: 100 }))
  answer(triggersApi.runsOfTrigger, () => ({ data: [], next: null }))
  answer(triggersApi.validateTrigger, ({ body }) => {
    const { name, triggerData } = body.trigger as Body
    const read = readPolicy(triggerData['policy'])
    const named = name === '' ? [{ place: 'name', code: 'too_small', params: {} }] : []
    const issues = [
      ...named,
      ...(read.ok ? [] : read.issues.map((issue) => ({ ...issue, params: { ...issue.params } }))),
    ]
    return { ok: issues.length === 0, issues, loop: [] }
  })
  answer(triggersApi.createTrigger, ({ body }) => {
    saved.push(body as Body)
    return testTrigger(9, { name: body.name })
  })
  answer(triggersApi.replaceTrigger, ({ body }) => {
    saved.push(body as Body)
    return nestedTrigger(1)
  })
  answer(api.mappings.devices, () => ({
    data: [testDevice(oven, 'Oven line 1')],
    timestamp: Date.now(),
    number: 0,
    totalElements: 1,
    totalPages: 1,
    last: true,
  }))
})

const open = (path: string, more: Partial<Parameters<typeof openPortal>[1]> = {}) =>
  openPortal(path, { sections: [section], ...more })
const editor = `/trigger/${uuidOf(1)}/edit`
const sentence = () =>
  page
    .getByRole('paragraph')
    .elements()
    .map((one) => one.textContent)
    .find((text) => /^(?:When|Wenn)/.test(text))
const policyOf = (body: Body | undefined) => body?.triggerData['policy']
const field = (name: string, index = 0) => page.getByLabelText(name, { exact: true }).nth(index)
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('a new trigger is written as a sentence, says what is still to be filled in, and is made', async () => {
  await open('/trigger/new')
  await expect
    .poll(sentence)
    .toBe('When a data point is between … and … for 10 sec on all devices, then only count.')
  await field('Name').fill('Oven in its band')
  await expect.element(page.getByText(/^To fill in: Data point/)).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('combobox', { name: 'Data point' }).fill('Oven:1/temperature')
  await userEvent.keyboard('{Escape}')
  await field('Lower limit').fill('200')
  await field('Upper limit').fill('180')
  await expect.element(page.getByText(/limit/i).first()).toBeVisible()
  await expect.poll(() => field('Upper limit').element().getAttribute('aria-invalid')).toBe('true')
  await field('Lower limit').fill('180')
  await field('Upper limit').fill('200')
  await page.getByRole('combobox', { name: 'Device groups' }).click()
  await page.getByRole('option', { name: 'Ovens' }).click()
  await userEvent.keyboard('{Escape}')
  await button('Add action').click()
  await page.getByRole('menuitem', { name: 'Call webhook' }).click()
  await field('Address').fill('https://mes.nordwerk.example/oven')
  await expect
    .poll(sentence)
    .toBe(
      'When temperature is between 180 and 200 for 10 sec on Ovens, then call mes.nordwerk.example, at most once in 5 min.',
    )
  await expect.element(page.getByText('Everything is complete.')).toBeVisible()
  expect(await faults()).toEqual([])
  ;(button('Create trigger').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => location.pathname).toBe(`/trigger/${uuidOf(9)}`)
  expect(saved[0]).toMatchObject({
    name: 'Oven in its band',
    disabled: false,
    deviceGroups: ['7'],
    triggerData: {
      policy: {
        type: 'ANALOG_BAND',
        modelPathMatcher: 'Oven:1/temperature',
        inside: true,
        min: 180,
        max: 200,
        time: 10_000,
      },
      actions: [
        {
          type: 'WEBHOOK_ACTION',
          throttlingIntervalInMSec: 300_000,
          webhookConfig: { method: 'POST', url: 'https://mes.nordwerk.example/oven' },
        },
      ],
    },
  })
})

test('every policy has its fields and its words', async () => {
  await open('/trigger/new')
  const kind = page.getByRole('combobox', { name: 'What happens' })
  const choose = async (box: typeof kind, option: string | RegExp) => {
    await box.click()
    await page.getByRole('option', { name: option }).click()
  }
  await page.getByRole('combobox', { name: 'Data point' }).fill('Oven:1/speed')
  await userEvent.keyboard('{Escape}')
  await page.getByText('Outside', { exact: true }).click()
  await userEvent.type(field('Upper limit'), '7,5')
  await expect.poll(sentence).toContain('speed is above 7.5 for 10 sec')
  await choose(kind, 'A value reaches or leaves a level')
  await choose(page.getByRole('combobox', { name: 'Level' }), 'On or off')
  await expect.poll(sentence).toContain('speed switches on')
  await choose(page.getByRole('combobox', { name: 'When it' }), 'switches off')
  await field('Ignore the first … times').fill('2')
  await expect.poll(sentence).toContain('speed switches off after the first 2 times')
  await choose(kind, 'A value changes')
  await field('By more than').fill('5')
  await choose(page.getByRole('combobox', { name: 'Unit of the change' }), '%')
  await expect.poll(sentence).toContain('speed changes by more than 5 %')
  await choose(page.getByRole('combobox', { name: 'Change', exact: true }), /A new time/)
  await expect.poll(sentence).toContain('speed comes with a new time')
  await choose(kind, 'A value is received')
  await expect.poll(sentence).toContain('speed is received')
  await choose(kind, 'The connection comes or goes')
  await field('For at least (optional)').fill('30')
  await expect.poll(sentence).toContain('the device is disconnected for 30 sec')
  await page.getByRole('combobox', { name: 'Connection' }).click()
  await page.getByRole('option', { name: /Remote access/ }).click()
  await expect.poll(sentence).toContain('remote access is disconnected for 30 sec')
  await expect
    .element(page.getByText(/No connection of remote access is reported yet/))
    .toBeVisible()
})

test('every action has its fields; secrets that are kept are never shown', async () => {
  await open('/trigger/new')
  const add = async (name: string) => {
    await button('Add action').click()
    await page.getByRole('menuitem', { name }).click()
  }
  for (const name of [
    'Send mail',
    'Send to Telegram',
    'Post in Teams',
    'Set attribute',
    'Write value',
    'Raise alarm',
  ]) {
    await add(name)
  }
  await expect.element(page.getByText(/This action does not run: no mail server/)).toBeVisible()
  await field('To').fill('shift@nordwerk.example')
  await field('Token of the bot').fill('123:abc')
  await field('Chat').fill('-100')
  await field('Address of the workflow').fill('https://teams.example/flow')
  await field('Attribute').fill('mode')
  await field('Name of the alarm').fill('Too hot')
  const days = page.getByRole('group', { name: 'Only on (optional)' }).first()
  await days.getByRole('checkbox', { name: 'Sat' }).click()
  await expect
    .poll(sentence)
    .toMatch(
      /then send mail to shift@nordwerk\.example on Sat, at most once in 5 min and send to Telegram chat -100, .* and post in Teams, .* and set attribute mode to the value and write the value to a data point, at most once in 1 min and raise alarm Too hot\.$/,
    )
  expect(await faults()).toEqual([])
  await field('Name').fill('All of them')
  await open(editor)
  await expect.element(page.getByPlaceholder('Kept. Type to replace it.')).toHaveValue('')
})

test('conditions are moved, grouped and removed by keyboard, and the focus goes with them', async () => {
  await open(editor)
  await expect.poll(sentence).toContain('and (door / open switches on or the device')
  const press = async (name: string) => {
    ;(button(name).element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
  }
  await press('Move 1 down')
  await expect
    .poll(sentence)
    .toContain('When (temperature of each of zones is between 180 and 200 for 10 sec or door')
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Move 1.1 down')
  await userEvent.keyboard('{Enter}')
  await expect.poll(sentence).toContain('door / open switches on or temperature of each of zones')
  await press('More for 1.1')
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect.poll(sentence).not.toContain('door / open')
  await button('Add group').first().click()
  await expect.element(page.getByRole('group', { name: 'Group 1.3' })).toBeVisible()
  await press('More for 1.3')
  await page.getByRole('menuitem', { name: 'Dissolve the group' }).click()
  await expect.element(page.getByRole('group', { name: 'Condition 1.4' })).toBeVisible()
  expect(await faults()).toEqual([])
})

test('a word of the sentence leads to its field, and only what was changed is saved anew', async () => {
  await open(editor)
  await page.getByRole('button', { name: '180', exact: true }).click()
  await expect.poll(() => document.activeElement?.id).toBe('trigger-policy.innerPolicies.0.min')
  await field('Lower limit').fill('185')
  await expect.element(page.getByText('Everything is complete.')).toBeVisible()
  await button('Save').click()
  await expect.poll(() => saved).toHaveLength(1)
  expect(saved[0]).toMatchObject({ longreach: { version: 3 } })
  expect(policyOf(saved[0])).toMatchObject({
    innerPolicies: [{ uuid: 'band', min: 185 }, { uuid: 'either' }],
  })
})

test('a loop is said with its chain, a missing right by its name, and a newer version is not overwritten', async () => {
  const link = { triggerId: uuidOf(2), name: 'Pump slower', path: 'Pump:1/speed' }
  answer(triggersApi.validateTrigger, () => ({ ok: false, issues: [], loop: [link] }))
  await open(editor)
  await field('Lower limit').fill('170')
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'It would start itself' }))
    .toMatchTextContent(/Pump slower writes speed/)
  await expect.element(button('Save')).toBeDisabled()
  answer(triggersApi.validateTrigger, () => ({ ok: true, issues: [], loop: [] }))
  answer(triggersApi.replaceTrigger, () =>
    refusedWith(403, 'triggers.beyond_own_rights', {
      missing: [{ place: 'longreach.actions.0', permission: 'devices:update' }],
    }),
  )
  await field('Lower limit').fill('171')
  await button('Save').click()
  await expect.element(page.getByText(/You lack: Devices: edit\./)).toBeVisible()
  answer(triggersApi.replaceTrigger, () => refusedWith(409, 'triggers.changed', { version: 4 }))
  await button('Save').click()
  await expect.element(page.getByText(/Somebody else has saved this trigger/)).toBeVisible()
  await expect.element(field('Lower limit')).toHaveValue('171')
})

test('a version that somebody else saved meanwhile does not take away what is typed', async () => {
  await open(editor)
  await field('Name').fill('My name')
  const { longreach } = nestedTrigger(1)
  answer(triggersApi.trigger, () =>
    nestedTrigger(1, { name: 'Their name', longreach: { ...longreach, version: 4 } }),
  )
  await queries.invalidateQueries()
  await expect.element(page.getByRole('heading', { name: 'Their name' })).toBeVisible()
  await expect.element(field('Name')).toHaveValue('My name')
  await button('Discard changes').click()
  await expect.element(field('Name')).toHaveValue('Their name')
})

test('unsaved changes are asked about before the page is left', async () => {
  await open(editor)
  await field('Name').fill('Other name')
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect.element(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(field('Name')).toHaveValue('Other name')
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
})

test('a trigger is tried on the past: how often, when, and what fired', async () => {
  let tried: unknown
  const at = Date.now() - 1e7
  answer(api.platform.tryTriggerData, ({ body }) => {
    tried = body
    return {
      complete: true,
      values: 604_800,
      devices: [
        {
          deviceId: oven,
          firings: Array.from({ length: 14 }, (_, index) => ({
            t: at - index * 600_000,
            instance: '',
          })),
          count: 14,
          runs: { mail: 9, hook: 9, write: 14 },
          mostInTenMinutes: 2,
          nearestMisses: [{ instance: '', t: at - 5_000, heldMs: 9_000, ofMs: 10_000 }],
          missing: ['Oven:1/recipe'],
          conditions: testConditions(at),
          furtherConditions: 2,
          oneShort: [
            {
              instance: '',
              from: at - 7_200_000,
              to: at - 3_600_000,
              place: 'policy.innerPolicies.1',
            },
          ],
        },
      ],
    }
  })
  await open(editor)
  await page.getByRole('combobox', { name: 'Devices, at most 20' }).click()
  await page.getByRole('option', { name: 'Oven line 1' }).click()
  await button('Try').click()
  await expect.element(page.getByText('Would have fired 14 times in the last 7 days')).toBeVisible()
  await expect.element(page.getByText('No history of: Oven:1/recipe')).toBeVisible()
  await expect.element(page.getByText('9 sec of 10 sec')).toBeVisible()
  const lanes = page.getByRole('region', { name: 'Conditions on Oven line 1 over time' })
  await expect.element(lanes).toMatchTextContent(/Fired14Almost2/)
  await expect
    .element(lanes)
    .toMatchTextContent(/temperature of each of zones .*holds · since .*2 further conditions/)
  await lanes.getByText('1 time one condition alone was missing').click()
  await expect
    .element(lanes)
    .toMatchTextContent(/for 1 hr only this was missing: .*door \/ open switches on or the device/)
  expect(await faults()).toEqual([])
  const times = page.getByRole('list', { name: 'Times on Oven line 1' })
  expect(times.getByRole('listitem').elements()).toHaveLength(14)
  expect(tried).toMatchObject({
    devices: [oven],
    triggerData: {
      policy: { type: 'AND_OPERATOR' },
      actions: [{ uuid: 'mail' }, { uuid: 'hook' }],
    },
  })
  expect(await faults()).toEqual([])
})

test('who may not change triggers reads them', async () => {
  const who = session({ permissions: new Set(['portal:access', 'organizations:read'] as const) })
  await open(editor, { who })
  await expect.poll(sentence).toContain('door / open switches on')
  await expect.element(field('Name')).toBeDisabled()
  expect(page.getByRole('button', { name: /^(?:Save|Add|Move)/ }).elements()).toEqual([])
  expect(await faults()).toEqual([])
})

test('the builder fits a phone, in the dark and in German', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await open(editor, { language: 'de' })
  await expect.poll(sentence).toContain('zwischen 180 und 200 liegt')
  expect(await faults()).toEqual([])
  await phone()
  await open(editor, { language: 'de' })
  await expect.poll(sentence).toContain('zwischen 180 und 200 liegt')
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
