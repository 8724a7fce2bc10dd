import { toContentPage } from '@longreach/kit/contract'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { testDevice } from '../../device-testing.ts'
import { api } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'
import { triggersApi } from '../../parts/triggers/triggers-api.ts'
import { nestedTrigger, testRun, testRunDetail, uuidOf, testBlocked } from './trigger-testing.ts'

const runs = [
  testRun(1),
  testRun(2, {
    kind: 'almost',
    reason: 'one_short',
    actions: [],
    deviceLabel: 'Oven line 2',
  }),
  testRun(3, {
    kind: 'failed',
    reason: 'action_failed',
    actions: [
      { type: 'EMAIL_ACTION', state: 'DONE' },
      { type: 'WEBHOOK_ACTION', state: 'FAILED' },
      { type: 'WRITE', state: 'THROTTLED' },
    ],
  }),
]
let asked: URLSearchParams[]

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  asked = []
  answer({})
  answer(triggersApi.blockedActions, () => testBlocked({ telegramAction: 'here' }))
  answer(triggersApi.trigger, () => nestedTrigger(1))
  answer(triggersApi.counters, ({ query }) => {
    asked.push(query)
    const from = Number(query.get('dateFrom'))
    const counters = Array.from({ length: 20 }, (_, index) => ({
      time: from + index * 3_600_000,
      counterIn: 3 + (index % 7),
      counterOut: 1 + (index % 3),
      counterThrottled: index % 4,
    }))
    return toContentPage(counters, counters.length, { page: 0, pageSize: 10_000 })
  })
  answer(triggersApi.runsOfTrigger, ({ query }) => {
    const kind = query.get('kind')
    return { data: runs.filter((run) => kind === null || run.kind === kind), next: null }
  })
  answer(triggersApi.run, ({ params }) => {
    const run = runs.find(({ id }) => id === params['run'])
    return run ? testRunDetail(run) : refusedWith(404, 'triggers.not_found')
  })
})

const open = (search = '', more: Partial<Parameters<typeof openPortal>[1]> = {}) =>
  openPortal(`/trigger/${uuidOf(1)}${search}`, { sections: [section], ...more })

test('a trigger shows how often it fired over a day, a week and a month [R-23]', async () => {
  await open()
  await expect.element(page.getByRole('slider', { name: 'How often' })).toBeVisible()
  await expect.poll(() => asked.at(-1)?.get('step')).toBe('hour')
  const lengthOf = (query: URLSearchParams | undefined) =>
    Number(query?.get('dateTo')) - Number(query?.get('dateFrom'))
  expect(lengthOf(asked.at(-1))).toBe(86_400_000)
  // All of the time, and not of its last hour.
  for (const total of ['117', '39', '30'])
    await expect.element(page.getByText(total, { exact: true }).first()).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Time span' }).getByText('30 days').click()
  await expect.poll(() => asked.at(-1)?.get('step')).toBe('day')
  expect(lengthOf(asked.at(-1))).toBe(30 * 86_400_000)
  await expect.poll(() => location.search).toContain('range=month')
  // Telegram does not run here, but this trigger does not use it.
  expect(page.getByText(/do not run/).elements()).toEqual([])
  expect(await faults()).toEqual([])
})

test('runs say what happened, and one opens with all that it saw and did', async () => {
  await open()
  await expect.element(page.getByText(/one condition was missing/)).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Kind of run' }).getByText('Failed').click()
  await expect.element(page.getByText(/one condition was missing/)).not.toBeInTheDocument()
  await page.getByRole('button', { name: /Failed Oven line 1/ }).click()
  await expect.poll(() => location.search).toContain(`run=${uuidOf(1003)}`)
  const inputs = page.getByRole('table')
  await expect.element(inputs).toMatchTextContent(/zones\[2\] \/ temperature.*fired it.*191\.25/)
  await expect.element(inputs).toMatchTextContent(/recipe.*not visible to you/)
  const conditions = page.getByRole('listitem').filter({ hasText: /^(?:True|False)/ })
  await expect
    .element(conditions.nth(0))
    .toMatchTextContent(/^True.*temperature of each of zones is between 180 and 200 for 10 sec/)
  await expect.element(conditions.nth(2)).toMatchTextContent(/^False.*the device is disconnected/)
  await expect.element(page.getByText('503 Service Unavailable')).toBeVisible()
  await expect.element(page.getByText(/Webhook.*Failed.*2\.14 sec/)).toBeVisible()
  expect(await faults()).toEqual([])
})

test('a run that another trigger started names it, and one of an older version says so', async () => {
  answer(triggersApi.run, () =>
    testRunDetail(runs[0] ?? testRun(1), {
      version: 2,
      chain: [
        {
          runId: uuidOf(500),
          triggerId: uuidOf(2),
          name: 'Pump slower',
          path: 'Pump:1/speed',
          at: Date.now() - 60_000,
        },
      ],
    }),
  )
  await open(`?run=${uuidOf(1001)}`)
  await expect.element(page.getByRole('link', { name: 'Pump slower' })).toBeVisible()
  await expect.element(page.getByText(/the trigger has been changed since/)).toBeVisible()
})

test('without runs it says when there will be some; an unknown trigger is said to be missing', async () => {
  answer(triggersApi.runsOfTrigger, () => ({ data: [], next: null }))
  await open()
  await expect.element(page.getByText('No runs')).toBeVisible()
  answer(triggersApi.trigger, () => refusedWith(404, 'triggers.not_found'))
  queries.clear()
  await open()
  await expect.element(page.getByText(/This trigger was not found/)).toBeVisible()
  expect(await faults()).toEqual([])
})

test('runs fit a phone, in the dark and in German', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await open(`?run=${uuidOf(1003)}`, { language: 'de' })
  await expect.element(page.getByText('503 Service Unavailable')).toBeVisible()
  expect(await faults()).toEqual([])
  await phone()
  await open(`?run=${uuidOf(1003)}`, { language: 'de' })
  await expect.element(page.getByText('503 Service Unavailable')).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})

test('[R-23] a trigger is run by hand for a chosen device, and a refusal is said in the dialog', async () => {
  const sent: unknown[] = []
  answer(api.mappings.devices, () => ({
    data: [testDevice('oven000000000000000000', 'Oven line 1')],
    timestamp: Date.now(),
    number: 0,
    totalElements: 1,
    totalPages: 1,
    last: true,
  }))
  answer(triggersApi.runTrigger, () => refusedWith(422, 'triggers.value_needed', {}))
  await openPortal(`/trigger/${uuidOf(1)}`, { sections: [section] })
  await page.getByRole('button', { name: 'Run now' }).click()
  const dialog = page.getByRole('dialog', { name: /^Run .* now\?$/ })
  await expect.element(dialog).toMatchTextContent(/with the rights of erika/)
  expect(await faults()).toEqual([])
  await dialog.getByRole('combobox', { name: 'Device' }).click()
  await page.getByRole('option', { name: 'Oven line 1' }).click()
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.element(dialog.getByText(/by hand there is none/)).toBeVisible()
  answer(triggersApi.runTrigger, ({ body }) => {
    sent.push(body)
    return { firedAt: Date.now() }
  })
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(sent).toEqual([{ deviceId: 'oven000000000000000000' }])
})

test('[R-23] a copy of a trigger is opened under another name, without its secrets', async () => {
  const stored = nestedTrigger(1)
  answer(triggersApi.trigger, () => ({
    ...stored,
    longreach: { ...stored.longreach, secrets: ['hook/headers.x-key'] },
  }))
  answer(triggersApi.validateTrigger, () => ({ ok: true, issues: [], loop: [] }))
  await openPortal(`/trigger/${uuidOf(1)}`, { sections: [section] })
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect
    .element(page.getByLabelText('Name', { exact: true }))
    .toHaveValue(`Copy of ${stored.name}`)
  await expect.element(page.getByText(/secret and are not copied/)).toBeVisible()
  expect(location.search).toContain(`from=${uuidOf(1)}`)
  expect(await faults()).toEqual([])
})
