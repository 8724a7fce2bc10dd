import type { Identity } from '../session/identity.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, phone, show } from '../../page-testing.tsx'
import { AgreementsPage } from './AgreementsPage.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { type OwnAgreement, type Pending, pendingAgreements } from './pending-agreements.ts'
import { RegisterPage } from './RegisterPage.tsx'

beforeEach(async () => {
  localStorage.clear()
  history.replaceState(null, '', '/register')
  await desktop()
})
afterEach(() => {
  localStorage.clear()
  history.replaceState(null, '', '/')
})

const agreement = (id: number, more: Partial<OwnAgreement> = {}): OwnAgreement => ({
  id,
  type: 'TERM',
  serviceName: 'corvina-cloud-agreements',
  defaultName: 'Terms of use',
  acceptanceField: '',
  link: 'https://example.org/terms',
  texts: {
    en: { title: '', text: 'Be kind.\nPay in time.' },
    de: { title: 'Nutzungsbedingungen', text: 'Seien Sie nett.' },
  },
  mandatory: true,
  version: 3,
  createdAt: new Date(0),
  validityStart: new Date(0),
  validityEnd: null,
  disabled: false,
  acceptedAt: null,
  ...more,
})

const core = '/svc/core/api/v1'
const open = (more = {}) => ({ open: true, mail: true, parent: null, agreements: [], ...more })
const refusal = (status: number, code: string, details: object) => async () =>
  Response.json({ statusCode: status, error: '', code, message: '', details }, { status })
const box = (name: string) => page.getByRole('textbox', { name, exact: true })
const fill = async (fields: Record<string, string>) => {
  for (const [name, value] of Object.entries(fields)) await box(name).fill(value)
  await page.getByLabelText('Password', { exact: true }).fill('lake-anvil-violet-7')
}
const register = () => page.getByRole('button', { name: 'Register' })

test('register needs nobody signed in; what is typed is sent, and the mail is named [R-03] [P-05]', async () => {
  let sent: unknown
  answer({
    [`GET ${core}/onboarding`]: () => open({ agreements: [agreement(7)] }),
    [`POST ${core}/organizations/selfOnBoarding`]: (_, body) => {
      sent = body
      return { confirmation: true }
    },
  })
  await show(<RegisterPage />)
  await fill({ 'Name of the organization': 'Süß & Söhne GmbH', Email: 'mara@x.example' })
  await expect.element(box('Short name')).toHaveValue('suss-sohne-gmbh')
  await register().click()
  await expect.element(page.getByText('You must accept this to register.')).toBeVisible()
  await expect.element(page.getByRole('checkbox')).toHaveFocus()
  await page.getByRole('checkbox', { name: /Terms of use/ }).click()
  await register().click()
  await expect.element(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect.element(page.getByText(/mara@x.example/)).toBeVisible()
  await expect
    .poll(() => sent)
    .toMatchObject({
      organization: { name: 'suss-sohne-gmbh', label: 'Süß & Söhne GmbH' },
      user: { email: 'mara@x.example', password: 'lake-anvil-violet-7' },
      agreements: [7],
      language: 'en',
    })
})

test('without mail a user name is asked for, and the organization is there at once', async () => {
  answer({
    [`GET ${core}/onboarding`]: () => open({ mail: false }),
    [`POST ${core}/organizations/selfOnBoarding`]: () => ({
      confirmation: false,
      realmName: 'sole',
    }),
  })
  await show(<RegisterPage />)
  await fill({ 'Name of the organization': 'Sole', 'User name': 'mara' })
  await register().click()
  await expect
    .element(page.getByRole('link', { name: 'Sign in' }))
    .toHaveAttribute('href', '/?realm=sole')
})

test('a refusal stands at its field, the cursor is there, and nothing typed is lost', async () => {
  answer({ [`GET ${core}/onboarding`]: () => open() })
  await show(<RegisterPage />)
  await fill({ 'Name of the organization': 'Sole', Email: 'mara@x.example' })
  globalThis.fetch = refusal(409, 'core.name_taken', { field: 'organization.name' })
  await register().click()
  await expect.element(page.getByText(/This name is already taken/)).toBeVisible()
  await expect.element(box('Short name')).toHaveFocus()
  await expect.element(box('Email')).toHaveValue('mara@x.example')
  await expect
    .element(page.getByLabelText('Password', { exact: true }))
    .toHaveValue('lake-anvil-violet-7')
})

test('empty fields are named, and the first one has the cursor', async () => {
  answer({ [`GET ${core}/onboarding`]: () => open() })
  await show(<RegisterPage />)
  await register().click()
  await expect.poll(() => page.getByText('Required.').elements()).toHaveLength(4)
  await expect.element(box('Name of the organization')).toHaveFocus()
})

test('where nobody can register, the page says so and whom to ask [R-03]', async () => {
  answer({ [`GET ${core}/onboarding`]: () => open({ open: false }) })
  await show(<RegisterPage />)
  await expect.element(page.getByRole('heading', { name: /Registration is closed/ })).toBeVisible()
  await expect.element(page.getByText(/an administrator of your organization/)).toBeVisible()
})

test('the mail’s link leaves the address bar; a press confirms, and a taken name can be exchanged', async () => {
  const sent: unknown[] = []
  history.replaceState(null, '', '/register#confirm=some-Token_1')
  globalThis.fetch = refusal(409, 'core.name_taken', { field: 'organization.name' })
  await show(<RegisterPage />)
  await expect.poll(() => location.href).not.toContain('some-Token')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(box('Choose another short name')).toHaveFocus()
  answer({
    [`POST ${core}/onboarding/confirm`]: (_, body) => {
      sent.push(body)
      return { confirmation: false, realmName: 'sole-two' }
    },
  })
  await box('Choose another short name').fill('sole-two')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => sent).toEqual([{ token: 'some-Token_1', name: 'sole-two' }])
})

test('a link that is used up leads to registering again', async () => {
  history.replaceState(null, '', '/register#confirm=old')
  globalThis.fetch = refusal(410, 'core.registration_gone', {})
  await show(<RegisterPage />)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect
    .element(page.getByRole('link', { name: 'Register again' }))
    .toHaveAttribute('href', '/register')
})

const pending = (more: Partial<Pending> = {}): Pending => ({
  agreements: [agreement(1), agreement(2, { mandatory: false, defaultName: 'News', texts: {} })],
  reading: false,
  accept: async () => undefined,
  goOn: () => undefined,
  signOut: async () => undefined,
  ...more,
})

test('what is mandatory has to be accepted to go on; declining signs out [R-04] [T-03] [E-10]', async () => {
  const done: string[] = []
  await show(
    <AgreementsPage
      pending={pending({
        accept: async (ids) => done.push(`accept ${ids.join()}`),
        goOn: () => void done.push('on'),
        signOut: async () => void done.push('out'),
      })}
    />,
  )
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByText('You need to accept this to go on.')).toBeVisible()
  expect(done).toEqual([])
  await page.getByRole('checkbox', { name: /Terms of use/ }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => done).toEqual(['accept 1', 'on'])
  await page.getByRole('button', { name: 'Decline and sign out' }).click()
  await expect.poll(() => done.at(-1)).toBe('out')
})

const identity = (sessionId: string, tokenParsed = {}) =>
  ({ keycloak: { sessionId, tokenParsed } }) as Identity

test('pending agreements lead to their screen once in a session, with the way back [T-03]', async () => {
  let asked = 0
  let open = [agreement(1)]
  answer({
    [`GET ${core}/agreements/last`]: () => {
      asked += 1
      return open
    },
  })
  const first = await pendingAgreements(identity('one'), '/devices?tab=live')
  expect(first?.agreements.map(({ id }) => id)).toEqual([1])
  await expect.poll(() => location.pathname).toBe('/agreements')
  await expect
    .poll(() => new URLSearchParams(location.search).get('redirectTo'))
    .toBe('/devices?tab=live')
  // Not accepted: the next start of the portal asks again, from the same address.
  const again = await pendingAgreements(identity('one'), location.pathname + location.search)
  expect(again?.reading).toBe(false)
  await expect
    .poll(() => new URLSearchParams(location.search).get('redirectTo'))
    .toBe('/devices?tab=live')
  open = [agreement(1, { acceptedAt: new Date() })]
  expect(await pendingAgreements(identity('one'), '/devices')).toBeUndefined()
  const before = asked
  expect(await pendingAgreements(identity('one'), '/devices')).toBeUndefined()
  expect(asked).toBe(before)
  open = [agreement(2)]
  expect(await pendingAgreements(identity('two'), '/devices')).toBeDefined()
  expect(asked).toBe(before + 1)
  const acting = identity('three', { impersonator: { sub: 'a', username: 'owner' } })
  expect(await pendingAgreements(acting, '/devices')).toBeUndefined()
})

test.for(['https://evil.example/', '//evil.example', 'javascript:alert(1)'])(
  'the way back from agreements never leads to %s',
  async (redirectTo) => {
    answer({ [`GET ${core}/agreements/last`]: () => [agreement(1)] })
    const wanted = `/agreements?${new URLSearchParams({ redirectTo })}`
    await pendingAgreements(identity('one'), wanted)
    await expect.poll(() => new URLSearchParams(location.search).get('redirectTo')).toBe('/home')
  },
)

test('what is optional can wait, and what cannot be saved is said [T-03]', async () => {
  let on = 0
  const optional = agreement(2, { mandatory: false })
  await show(
    <AgreementsPage
      pending={pending({
        agreements: [optional],
        goOn: () => void (on += 1),
        accept: async () => {
          throw new TypeError('offline')
        },
      })}
    />,
  )
  await page.getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(on).toBe(0)
  await page.getByRole('button', { name: 'Not now' }).click()
  expect(on).toBe(1)
})

test.for(['light', 'dark'])(
  'registration and agreements have no fault in %s, on a screen and a phone, in German',
  async (scheme) => {
    localStorage.setItem('longreach.scheme', JSON.stringify(scheme))
    answer({ [`GET ${core}/onboarding`]: () => open({ agreements: [agreement(7)] }) })
    const view = await show(
      <SignInFrame wide={false}>
        <RegisterPage />
      </SignInFrame>,
      'de',
    )
    await page.getByRole('button', { name: 'Registrieren' }).click()
    expect(await faults()).toEqual([])
    await phone()
    expect(await faults()).toEqual([])
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await view.unmount()
    await show(
      <SignInFrame wide>
        <AgreementsPage pending={pending()} />
      </SignInFrame>,
      'de',
    )
    await expect.element(page.getByRole('button', { name: 'Weiter' })).toBeVisible()
    expect(await faults()).toEqual([])
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  },
)
