import { fitsWindow, hintOf } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { triggersApi } from '../../parts/triggers/triggers-api.ts'
import { section } from './section.ts'
import { testBlocked } from './trigger-testing.ts'

const uses = {
  webhookAction: { here: 3, below: 9 },
  emailAction: { here: 0, below: 0 },
  attributeAction: { here: 1, below: 0 },
  telegramAction: { here: 0, below: 2 },
  teamsAction: { here: 0, below: 0 },
}
let sent: unknown[]
let now: ReturnType<typeof testBlocked>

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  sent = []
  now = testBlocked({ emailAction: 'no_mail_server', teamsAction: 'above' })
  answer(triggersApi.blockedActions, () => now)
  answer(triggersApi.blockableActions, () => uses)
  answer(triggersApi.setBlockedActions, ({ body }) => {
    sent.push(body)
    now = testBlocked({
      emailAction: 'no_mail_server',
      teamsAction: 'above',
      ...((body as typeof now).webhookAction && { webhookAction: 'here' }),
    })
    return now
  })
})

const path = '/trigger/actions'
const open = (more: Partial<Parameters<typeof openPortal>[1]> = {}) =>
  openPortal(path, { sections: [section], ...more })
const kind = (name: string) => page.getByRole('switch', { name: `Allow: ${name}` })
const none = {
  webhookAction: false,
  emailAction: false,
  attributeAction: false,
  telegramAction: false,
  teamsAction: false,
}

test('[R-23] a kind is switched off by keyboard after its effect is said, and on again', async () => {
  await open()
  const item = page.getByRole('listitem').filter({ hasText: 'Webhooks' })
  await expect.element(item).toMatchTextContent(/3 triggers here, 9 in organizations below.*Runs/)
  expect(await faults()).toEqual([])
  ;(kind('Webhooks').element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  const dialog = page.getByRole('dialog', { name: 'Switch off “Webhooks”?' })
  await expect.element(dialog).toMatchTextContent(/12 triggers use it: they keep counting/)
  expect(await faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(sent).toEqual([])
  await kind('Webhooks').click()
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await expect.element(item).toMatchTextContent(/Switched off here/)
  await expect.element(page.getByText(/Last changed by rita/)).toBeVisible()
  await kind('Webhooks').click()
  await expect.element(item).toMatchTextContent(/Runs/)
  expect(sent).toEqual([{ ...none, webhookAction: true }, none])
})

test('[R-23] what is off above cannot be switched on here, and the reason is said', async () => {
  await open()
  const teams = kind('Teams')
  await expect.element(teams).toHaveAttribute('aria-checked', 'false')
  await expect.element(teams).toHaveAttribute('aria-disabled', 'true')
  expect(await hintOf(teams)).toMatch(/organization above/)
  await expect.element(page.getByText('No mail server is set up')).toBeVisible()
  await open({
    who: session({ permissions: new Set(['portal:access', 'organizations:read'] as const) }),
  })
  await expect.element(kind('Webhooks')).toHaveAttribute('aria-disabled', 'true')
  expect(await hintOf(kind('Webhooks'))).toMatch(/need permission to change triggers/)
})

test('[R-23] a refused change is said, and a failed page can be tried again', async () => {
  answer(triggersApi.setBlockedActions, () => refusedWith(403, 'forbidden', {}))
  await open()
  await kind('Telegram').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await expect.element(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.element(kind('Telegram')).toHaveAttribute('aria-checked', 'true')
  answer(triggersApi.blockedActions, () => refusedWith(503, 'internal', {}))
  queries.clear()
  await open()
  await expect.element(page.getByRole('alert')).toBeVisible()
  answer(triggersApi.blockedActions, () => now)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(kind('Telegram')).toBeVisible()
})

test('the page fits a phone, in the dark and in German', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await phone()
  await open({ language: 'de' })
  await expect.element(page.getByText('Erlaubte Aktionen').first()).toBeVisible()
  await expect.element(page.getByRole('listitem').first()).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
