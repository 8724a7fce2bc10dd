import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import { mayEnter } from '../../parts/access/access-rules.ts'
import {
  answer,
  desktop,
  faults,
  openPortal,
  organization,
  phone,
  session,
} from '../../page-testing.tsx'
import { section as mailsSection } from '../mails/section.ts'
import { section as agreementsAdminSection } from './section.ts'
import { lifeOf, type Version } from './version-rules.ts'

const base = '/svc/core/api/v1/organizations/nordwerk'
const day = 86_400_000
const version = (id: number, more: Partial<Version> = {}): Version => ({
  id,
  type: 'TERM',
  serviceName: 'corvina-cloud-agreements',
  defaultName: 'Terms of use',
  acceptanceField: '',
  link: '',
  texts: { en: { title: '', text: 'Be kind.' }, de: { title: 'Nutzung', text: 'Seien Sie nett.' } },
  mandatory: true,
  version: id,
  createdAt: new Date(Date.now() - 3 * day),
  validityStart: new Date(Date.now() - 2 * day),
  validityEnd: null,
  disabled: false,
  createdBy: 'owner',
  acceptances: id === 1 ? 2 : 0,
  ...more,
})
const listed = {
  content: [{ sub: 'a', username: 'vera', version: 1, acceptedAt: new Date(), ip: '10.0.0.7' }],
  last: true,
  number: 0,
  totalElements: 1,
  totalPages: 1,
  size: 50,
  numberOfElements: 1,
  first: true,
  empty: false,
  page: 0,
  pageSize: 50,
}
const empty = { ...listed, content: [], totalElements: 0, numberOfElements: 0, empty: true }
const sections = [agreementsAdminSection, mailsSection]

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
})
afterEach(() => localStorage.clear())

test('versions are listed with their state; the panel shows what one says and who accepted it [E-10]', async () => {
  answer({
    [`GET ${base}/agreements`]: () => [version(2), version(1)],
    [`GET ${base}/agreements/1/acceptances`]: () => listed,
  })
  await openPortal('/agreements-admin?version=1', { sections })
  await expect.element(page.getByText('In force', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Be kind.')).toBeVisible()
  await expect.element(page.getByText('vera')).toBeVisible()
  await expect.element(page.getByText('10.0.0.7')).toBeVisible()
})

test('a new version is written in its languages with a preview; a refusal stands at its field', async () => {
  let sent: unknown
  answer({
    [`GET ${base}/agreements`]: () => [],
    [`POST ${base}/agreements`]: (_, body) => {
      sent = body
      return version(7)
    },
    [`GET ${base}/agreements/7/acceptances`]: () => empty,
  })
  await openPortal('/agreements-admin', { sections })
  await page.getByRole('button', { name: 'New agreement' }).first().click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect.element(page.getByText('Required.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Terms 2026')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Be very kind.')
  await expect
    .element(page.getByRole('checkbox', { name: 'I have read and accept: Terms 2026' }))
    .toBeVisible()
  const kept = globalThis.fetch
  globalThis.fetch = async () =>
    Response.json(
      {
        statusCode: 422,
        error: '',
        code: 'core.agreement_refused',
        message: '',
        details: { field: 'validityEnd', fault: 'ends_before', message: 'Sentence of the server' },
      },
      { status: 422 },
    )
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect.element(page.getByText('The end must be after the start.')).toBeVisible()
  globalThis.fetch = kept
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect
    .poll(() => sent)
    .toMatchObject({
      type: 'TERM',
      defaultName: 'Terms 2026',
      texts: { en: { title: '', text: 'Be very kind.' } },
    })
})

test('only a root organization administers agreements', () => {
  const rights = (resourceId: string) =>
    session({ organization: organization('x', { resourceId }) })
  expect(mayEnter(agreementsAdminSection, rights('nordwerk'))).toBe(true)
  expect(mayEnter(agreementsAdminSection, rights('nordwerk.press'))).toBe(false)
})

test('a version is in force, planned, replaced, ended or off', () => {
  const now = Date.now()
  const old = version(1)
  const next = version(2, { validityStart: new Date(now + day) })
  expect([old, next].map((one) => lifeOf(one, [old, next], now))).toEqual(['inForce', 'planned'])
  expect(lifeOf(old, [old, next], now + 2 * day)).toBe('replaced')
  expect(lifeOf(version(1, { disabled: true }), [], now)).toBe('off')
  expect(lifeOf(version(1, { validityEnd: new Date(now) }), [], now)).toBe('ended')
})

const mail = {
  id: 5,
  organization: 'nordwerk',
  kind: 'invitation',
  recipient: 'ida@plant.example',
  status: 'FAILED',
  attempts: 8,
  error: '550 no such user',
  createdAt: new Date(),
  updatedAt: new Date(),
  nextAt: null,
  validUntil: null,
}

test('failed mails say why and are tried again; without a mail server the page says so', async () => {
  let asked = 0
  answer({
    [`GET ${base}/mails`]: () => ({ ...listed, content: [mail], sending: false }),
    [`POST ${base}/mails/5/retry`]: () => {
      asked += 1
      return { ...mail, status: 'WAITING' }
    },
  })
  await openPortal('/mails', { sections })
  await expect.element(page.getByText('550 no such user')).toBeVisible()
  await expect.element(page.getByText(/No mail server is set up/)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => asked).toBe(1)
})

test.for(['light', 'dark'])(
  'agreements and mails have no fault in %s, on a screen and a phone',
  async (scheme) => {
    localStorage.setItem('longreach.scheme', JSON.stringify(scheme))
    answer({
      [`GET ${base}/agreements`]: () => [version(2), version(1)],
      [`GET ${base}/agreements/1/acceptances`]: () => listed,
      [`GET ${base}/mails`]: () => ({ ...listed, content: [mail], sending: true }),
    })
    const router = await openPortal('/agreements-admin?version=1', { sections })
    await expect.element(page.getByText('vera')).toBeVisible()
    expect(await faults()).toEqual([])
    await phone()
    expect(await faults()).toEqual([])
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await router.navigate({ to: '/mails' })
    await expect.element(page.getByText('ida@plant.example')).toBeVisible()
    expect(await faults()).toEqual([])
    await desktop()
    expect(await faults()).toEqual([])
  },
)

test('the tabs of all five languages of a text are in sight on a phone [E-04]', async () => {
  answer({ [`GET ${base}/agreements`]: () => empty })
  await phone()
  await openPortal('/agreements-admin', { sections })
  await page.getByRole('button', { name: 'New agreement' }).first().click()
  const italian = page.getByRole('tab', { name: 'Italian' })
  await expect.element(italian).toBeVisible()
  expect(italian.element().getBoundingClientRect().right).toBeLessThanOrEqual(390)
})
