import { toContentPage } from '@longreach/kit/contract'
import { fitsWindow, hintOf } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'

const core = '/svc/core/api/v1/organizations/nordwerk'
const mail = (id: number, recipient: string, status: string, more = {}) => ({
  id,
  organization: 'nordwerk',
  kind: 'invitation',
  recipient,
  status,
  attempts: 1,
  error: '',
  createdAt: new Date(Date.now() - 3_600_000),
  updatedAt: new Date(),
  nextAt: null,
  validUntil: null,
  ...more,
})
const mails = [
  mail(1, 'anna@nordwerk.example', 'SENT'),
  mail(2, 'ben@nordwerk.example', 'WAITING', { kind: 'password' }),
  mail(3, 'gone@nordwerk.example', 'FAILED', { error: '550 no such user', attempts: 5 }),
]
let asked: string[] = []
let sending = true
let retried: () => unknown = () => mail(3, 'gone@nordwerk.example', 'WAITING')
beforeEach(async () => {
  queries.clear()
  asked = []
  sending = true
  await desktop()
  answer({
    [`GET ${core}/mails`]: (url) => {
      const status = url.searchParams.get('status')
      const found = mails.filter((one) => status === null || one.status === status)
      return { ...toContentPage(found, found.length, { page: 0, pageSize: 200 }), sending }
    },
    [`POST ${core}/mails/3/retry`]: (url) => {
      asked.push(url.pathname)
      return retried()
    },
  })
})
const open = (path = '/mails', who = session()) => openPortal(path, { sections: [section], who })
const row = (name: RegExp) => page.getByRole('row', { name })
const retry = () => page.getByRole('button', { name: 'Try again' })

test('mails tell whom they are for, what they are about, and what the mail server said', async () => {
  await open()
  await expect.element(row(/anna@/)).toMatchTextContent(/Invitation.*Sent/)
  await expect.element(row(/ben@/)).toMatchTextContent(/New password.*Waiting/)
  await expect.element(row(/gone@/)).toMatchTextContent(/Failed.*550 no such user/)
  expect(retry().elements()).toHaveLength(1)
  expect(await faults()).toEqual([])
})

test('one status can be chosen; where no mail has it, all can be shown again', async () => {
  await open()
  await page.getByText('Failed', { exact: true }).first().click()
  await expect.element(row(/anna@/)).not.toBeInTheDocument()
  await expect.poll(() => location.search).toBe('?status=FAILED')
  mails.splice(2, 1)
  queries.clear()
  await page.getByText('Waiting', { exact: true }).first().click()
  await page.getByText('Failed', { exact: true }).first().click()
  await expect.element(page.getByText('No email with this status')).toBeVisible()
  await page.getByRole('button', { name: 'All' }).click()
  await expect.element(row(/anna@/)).toBeVisible()
  mails.push(mail(3, 'gone@nordwerk.example', 'FAILED', { error: '550 no such user' }))
})

test('a mail that failed is sent again; a refusal is said at the edge of the page', async () => {
  await open()
  await retry().click()
  await expect.poll(() => asked).toEqual([`${core}/mails/3/retry`])
  retried = () => refusedWith(409, 'core.mail_outlived')
  await retry().click()
  await expect.element(page.getByText('This link has expired. Send a new one.')).toBeVisible()
  retried = () => mail(3, 'gone@nordwerk.example', 'WAITING')
})

test('who may not change people cannot send a mail again, and sees why', async () => {
  await open('/mails', session({ permissions: new Set(['portal:access', 'users:read']) }))
  await expect.element(retry()).toHaveAttribute('aria-disabled', 'true')
  expect(await hintOf(retry())).toMatch(/permission to change people/)
  ;(retry().element() as HTMLElement).click()
  expect(asked).toEqual([])
})

test('without a mail server the page says that links are handed over', async () => {
  sending = false
  await open()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/No mail server is set up/)
})

test('on a phone mails are cards with their failure', async () => {
  await phone()
  await open()
  const card = page.getByRole('listitem').filter({ hasText: 'gone@' })
  await expect.element(card).toMatchTextContent(/550 no such user/)
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
