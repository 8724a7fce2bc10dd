import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal } from '../../page-testing.tsx'
import { testAlarm, testPage } from './alarm-testing.ts'
import { section } from './section.ts'
import type { AlarmView } from './views/alarm-views.ts'

const viewOf = (name: string, more: Partial<AlarmView> = {}): AlarmView => ({
  id: crypto.randomUUID(),
  name,
  shared: false,
  content: { list: 'open', filters: { severity: 'critical' }, columns: { class: true } },
  author: 'erika',
  mine: true,
  mayChange: true,
  isDefault: false,
  version: 1,
  updatedAt: 0,
  ...more,
})
let views: AlarmView[]
let sent: unknown[]

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  sent = []
  views = [
    viewOf('Night shift'),
    viewOf('Furnaces', { shared: true, mine: false, mayChange: false, author: 'tom' }),
  ]
  answer({})
  answer(alarmsApi.listAlarms, () => testPage([testAlarm('gas')]))
  answer(alarmsApi.shelves, () => ({ data: [], totalElements: 0, last: true }))
  answer(alarmsApi.alarmViews, () => ({ data: views }))
  answer(alarmsApi.createAlarmView, ({ body }) => {
    sent.push(body)
    const made = viewOf(body.name, { shared: body.shared ?? false })
    views = [...views, made]
    return made
  })
  answer(alarmsApi.setDefaultAlarmView, ({ body }) => {
    sent.push(body)
    return undefined
  })
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const item = (name: RegExp) => page.getByRole('menuitem', { name })

test('a saved view is opened by keys with its filters, made the first one, and another is saved [R-22 in part]', async () => {
  await openPortal('/alarms', { sections: [section] })
  await button('Saved views').click()
  await expect.element(item(/^Night shift/)).toBeVisible()
  expect(await faults()).toEqual([])
  await item(/^Night shift/).click()
  await expect.element(button('Night shift')).toHaveFocus()
  await expect.poll(() => location.search).toContain('severity=critical')
  await userEvent.keyboard('{Enter}')
  await item(/Begin with this view/).click()
  await expect.poll(() => sent).toEqual([{ id: views[0]?.id, list: 'open' }])
  await button('Night shift').click()
  await item(/Save as view/).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
  expect(await faults()).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect.element(button('Mine')).toBeVisible()
  expect(sent[1]).toMatchObject({
    name: 'Mine',
    shared: false,
    content: { list: 'open', filters: { severity: 'critical' } },
  })
})

test('the list begins with the view that the person chose, until they leave it [R-22 in part]', async () => {
  views = [viewOf('Night shift', { isDefault: true })]
  await openPortal('/alarms', { sections: [section] })
  await expect.poll(() => location.search).toContain('severity=critical')
  await button('Night shift').click()
  await item(/All alarms/).click()
  await expect.poll(() => location.search).toBe('?view=all')
  await expect.element(button('Saved views')).toBeVisible()
})

test('the history and what is shelved have views of their own, with their filters [R-22 in part]', async () => {
  const ofHistory = { list: 'history' as const, filters: { q: 'oven', range: '7d' }, columns: {} }
  views = [
    viewOf('Night shift', { isDefault: true }),
    viewOf('Ovens of the week', { content: ofHistory }),
    viewOf('My shelves', {
      isDefault: true,
      content: { list: 'shelved', filters: { mine: 'yes' }, columns: {} },
    }),
  ]
  await openPortal('/alarms/alarms-history', { sections: [section] })
  await button('Saved views').click()
  await expect.element(item(/^Ovens of the week/)).toBeVisible()
  expect(item(/^Night shift|^My shelves/).elements()).toEqual([])
  expect(await faults()).toEqual([])
  await item(/^Ovens of the week/).click()
  await expect.poll(() => location.search).toMatch(/range=7d&q=oven&view=/)
  await button('Ovens of the week').click()
  await item(/Save as view/).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Copy')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sent.at(-1)).toMatchObject({ name: 'Copy', content: ofHistory })
  await openPortal('/alarms/shelved', { sections: [section] })
  await expect.poll(() => location.search).toContain('mine=yes')
  await button('My shelves').click()
  await item(/Begin with everything shelved/).click()
  await expect.poll(() => sent.at(-1)).toEqual({ id: null, list: 'shelved' })
  expect(await faults()).toEqual([])
})
