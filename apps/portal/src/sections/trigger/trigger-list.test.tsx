import { toContentPage } from '@longreach/kit/contract'
import { fitsWindow, hintOf } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'
import { triggersApi } from '../../parts/triggers/triggers-api.ts'
import {
  nestedTrigger,
  type TestTrigger,
  testTrigger,
  uuidOf,
  testBlocked,
} from './trigger-testing.ts'

const asked = { page: 0, pageSize: 200 }
const stopped = (more: Partial<NonNullable<TestTrigger['longreach']['stopped']>> = {}) => ({
  at: Date.now() - 3_600_000,
  code: 'repeated' as const,
  text: 'It started itself.',
  chain: [
    { triggerId: uuidOf(2), name: 'Pump slower', path: 'Pump:1/speed' },
    { triggerId: uuidOf(3), name: 'Pump faster', path: 'Pump:1/pressure' },
  ],
  ...more,
})
const inState = (n: number, name: string, longreach: Partial<TestTrigger['longreach']>) =>
  testTrigger(n, { name, longreach: { ...testTrigger(n).longreach, ...longreach } })

const all = () => [
  nestedTrigger(1, { name: 'Oven in its band' }),
  inState(2, 'Pump slower', { state: 'stopped', stopped: stopped() }),
  inState(3, 'Pump faster', {
    state: 'blocked',
    stopped: stopped({ code: 'right_lost', chain: [] }),
    counters: { counterIn: 40, counterOut: 40, counterThrottled: 0 },
  }),
  testTrigger(4, {
    name: 'Night report',
    disabled: true,
    deviceGroups: [],
    longreach: {
      ...testTrigger(4).longreach,
      state: 'disabled',
      lastRunAt: null,
      counters: { counterIn: 0, counterOut: 0, counterThrottled: 0 },
    },
  }),
]
let sent: { call: string; body: unknown }[]

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  sent = []
  answer({
    'GET /svc/core/api/v1/organizations/nordwerk/securityPolicies': () =>
      toContentPage([{ id: 7, name: 'Ovens', type: 'STANDARD' }], 1, { page: 0, pageSize: 1_000 }),
  })
  answer(triggersApi.blockedActions, () => testBlocked())
  answer(triggersApi.triggers, ({ query }) => {
    const text = (query.get('search') ?? '').toLowerCase()
    const disabled = query.get('disabled')
    const found = all().filter(
      (one) =>
        one.name.toLowerCase().includes(text) &&
        (disabled === null || String(one.disabled) === disabled),
    )
    return toContentPage(found, found.length, asked)
  })
  answer(triggersApi.replaceTrigger, ({ params, body }) => {
    sent.push({ call: `replace ${params['id']}`, body })
    return testTrigger(1)
  })
  answer(triggersApi.resumeTrigger, ({ params }) => {
    sent.push({ call: `resume ${params['id']}`, body: {} })
    return testTrigger(2)
  })
  answer(triggersApi.deleteTrigger, ({ params }) => {
    sent.push({ call: `delete ${params['id']}`, body: {} })
    return undefined
  })
})

const open = (path = '/trigger', more: Partial<Parameters<typeof openPortal>[1]> = {}) =>
  openPortal(path, { sections: [section], ...more })
const row = (name: RegExp) => page.getByRole('row', { name })
/** People who may look, and change nothing. */
const reader = () =>
  session({ permissions: new Set(['portal:access', 'organizations:read'] as const) })

test('triggers are listed with their sentence, devices, state and counts [R-23]', async () => {
  await open()
  await expect
    .element(row(/Oven in its band/))
    .toMatchTextContent(
      /When temperature of each of zones is between 180 and 200 for 10 sec and \(door \/ open switches on or the device is disconnected for 2 min\) on Ovens, then send mail to shift@nordwerk\.example on Mon, Tue, Wed, at most once in 5 min and call mes\.nordwerk\.example, at most once in 5 min and write 20 to speed\..*Ovens.*Running.*120 \/ 14 \/ 96/,
    )
  await expect.element(row(/Pump slower/)).toMatchTextContent(/Stopped/)
  await expect.element(row(/Night report/)).toMatchTextContent(/All devices.*Off/)
  expect(await faults()).toEqual([])
  await page.getByRole('searchbox', { name: 'Search triggers' }).fill('pump')
  await expect.element(row(/Night report/)).not.toBeInTheDocument()
  await expect.poll(() => location.search).toContain('q=pump')
  await page.getByRole('searchbox', { name: 'Search triggers' }).fill('')
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Off').click()
  await expect.element(row(/Pump slower/)).not.toBeInTheDocument()
  await expect.element(row(/Night report/)).toBeVisible()
})

test('a trigger is switched off in the list, with the version that was read', async () => {
  await open()
  await page.getByRole('switch', { name: 'Switch “Oven in its band” on or off' }).click()
  await expect.poll(() => sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    call: `replace ${uuidOf(1)}`,
    body: {
      name: 'Oven in its band',
      disabled: true,
      deviceGroups: ['7'],
      longreach: { version: 3 },
      triggerData: { actions: [{ uuid: 'mail' }, { uuid: 'hook' }] },
    },
  })
})

test('a stopped trigger says the chain of its loop and is resumed; a blocked one says whose right is lost', async () => {
  await open(`/trigger?trigger=${uuidOf(2)}`)
  const notice = page.getByRole('region', { name: 'Stopped' })
  await expect.element(notice).toMatchTextContent(/started itself again and again/)
  await expect
    .element(notice)
    .toMatchTextContent(/Pump slower writes speed.*Pump faster writes pressure/)
  expect(await faults()).toEqual([])
  await notice.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => sent).toEqual([{ call: `resume ${uuidOf(2)}`, body: {} }])
  await open(`/trigger?trigger=${uuidOf(3)}`)
  await expect
    .element(page.getByRole('region', { name: 'Blocked' }))
    .toMatchTextContent(/erika, with whose rights it acts, may no longer/)
})

test('deletion says what goes with it', async () => {
  await open(`/trigger?trigger=${uuidOf(4)}`)
  await page.getByRole('complementary').getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Night report”?' })
  await expect.element(dialog).toMatchTextContent(/Its runs and counters are deleted/)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => sent).toEqual([{ call: `delete ${uuidOf(4)}`, body: {} }])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('actions that do not run are said above the list with the reason, and at the triggers that use them', async () => {
  answer(triggersApi.blockedActions, () =>
    testBlocked({ emailAction: 'no_mail_server', teamsAction: 'above' }),
  )
  await open()
  await expect
    .element(page.getByText(/do not run: mail \(no mail server\) and Teams \(switched off above\)/))
    .toBeVisible()
  await expect.element(row(/Oven in its band/)).toMatchTextContent(/Without mail/)
  await expect.element(row(/Pump slower/)).toMatchTextContent(/Stopped/)
  expect(await faults()).toEqual([])
})

test('who may only read sees triggers and why nothing can be changed; without the right nobody enters [R-23]', async () => {
  await open('/trigger', { who: reader() })
  const add = page.getByRole('button', { name: 'New trigger' })
  await expect.element(add).toHaveAttribute('aria-disabled', 'true')
  expect(await hintOf(add)).toMatch(/need permission to change triggers/)
  const turn = page.getByRole('switch', { name: /Oven in its band/ })
  ;(turn.element() as HTMLElement).click()
  await expect.element(turn).toHaveAttribute('aria-checked', 'true')
  expect(sent).toEqual([])
  await open('/trigger', {
    who: session({ permissions: new Set(['portal:access', 'devices:read'] as const) }),
  })
  await expect.element(row(/Oven in its band/)).not.toBeInTheDocument()
  const noIot = session()
  await open('/trigger', {
    who: { ...noIot, organization: { ...noIot.organization, dataEnabled: false } },
  })
  await expect.element(row(/Oven in its band/)).not.toBeInTheDocument()
})

test('an empty list leads to the first trigger, and a failure can be tried again', async () => {
  answer(triggersApi.triggers, () => toContentPage<TestTrigger>([], 0, asked))
  await open()
  await expect.element(page.getByText('No triggers yet')).toBeVisible()
  expect(await faults()).toEqual([])
  answer(triggersApi.triggers, () => refusedWith(503, 'internal', {}))
  queries.clear()
  await open()
  await expect.element(page.getByRole('alert')).toBeVisible()
  answer(triggersApi.triggers, () => toContentPage(all(), 4, asked))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row(/Oven in its band/)).toBeVisible()
})

test('ten thousand triggers come page after page as the reader goes down', async () => {
  const pages: number[] = []
  answer(triggersApi.triggers, ({ query }) => {
    const number = Number(query.get('page'))
    pages.push(number)
    const rows = Array.from({ length: 200 }, (_, index) => testTrigger(number * 200 + index + 1))
    return toContentPage(rows, 10_000, { page: number, pageSize: 200 })
  })
  await open()
  await expect.element(page.getByText('10,000 triggers')).toBeVisible()
  expect(page.getByRole('row').elements().length).toBeLessThan(80)
  const grid = page.getByRole('grid')
  await expect.element(grid).toHaveAttribute('aria-rowcount', '10001')
  await row(/Oven 1 in/).click()
  ;(row(/Oven 1 in/).element() as HTMLElement).focus()
  await userEvent.keyboard('{End}')
  await expect.poll(() => pages).toContain(1)
})

test('the list fits a phone, in the dark and in German', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await open('/trigger', { language: 'de' })
  await expect.element(row(/Oven in its band/)).toMatchTextContent(/Wenn /)
  expect(await faults()).toEqual([])
  await phone()
  await open('/trigger', { language: 'de' })
  await expect.element(page.getByRole('listitem').first()).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
