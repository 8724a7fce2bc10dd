import { fitsWindow, watchClipboard } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Answers } from '../../page-answers.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'

const account = '/auth/realms/nordwerk/account'
const profile = {
  id: 'a-subject',
  username: 'erika',
  email: 'erika@nordwerk.example',
  firstName: 'Erika',
  lastName: 'Mustermann',
  emailVerified: true,
}
const factor = (id: string, type: string, more = {}) => ({ id, type, userLabel: '', ...more })
const phoneApp = factor('f1', 'otp', { userLabel: 'Work phone', createdDate: Date.now() - 60_000 })
const codes = factor('f2', 'recovery-authn-codes', { remaining: 7 })
const device = (id: string, more = {}) => ({
  os: 'Linux',
  mobile: false,
  sessions: [
    {
      id,
      ipAddress: '203.0.113.7',
      started: Date.now() / 1000 - 7_200,
      lastAccess: Date.now() / 1000 - 60,
      current: false,
      browser: 'Firefox',
      ...more,
    },
  ],
})
const young = () => refusedWith(403, 'identity.sign_in_again')

let sent: { call: string; body: unknown }[] = []
const answers = (more: Answers = {}): Answers => {
  const told =
    (method: string, result: unknown = undefined) =>
    (url: URL, body: unknown) => {
      sent.push({ call: `${method} ${url.pathname.replace(account, '')}`, body })
      return result
    }
  return {
    'GET /svc/core/api/v1/organizations/nordwerk/users/me/access': () => ({
      user: {
        id: 1,
        username: 'erika',
        firstName: 'Erika',
        lastName: 'Mustermann',
        serviceAccount: false,
        enabled: true,
      },
      organization: 'nordwerk',
      member: true,
      policies: [],
      conditions: { secondFactor: false, addresses: [] },
      rights: [],
    }),
    'GET /svc/core/api/v1/invitations': () => [],
    [`GET ${account}`]: () => profile,
    [`POST ${account}`]: told('POST', profile),
    [`GET ${account}/credentials`]: () => [
      { userCredentialMetadatas: [{ credential: factor('p', 'password') }] },
      { userCredentialMetadatas: [phoneApp, codes].map((credential) => ({ credential })) },
    ],
    [`POST ${account}/password`]: told('POST'),
    [`DELETE ${account}/credentials/f1`]: told('DELETE'),
    [`POST ${account}/totp`]: () => ({ secret: 'JBSWY3DP', uri: 'otpauth://x', qr: '<svg/>' }),
    [`POST ${account}/totp/confirm`]: told('POST', { id: 'f3', recoveryCodes: ['aaa-111'] }),
    [`POST ${account}/recovery-codes`]: told('POST', { recoveryCodes: ['aaa-111', 'bbb-222'] }),
    [`GET ${account}/sessions/devices`]: () => [
      device('s1', { current: true }),
      { ...device('s2', { browser: '' }), os: '' },
    ],
    [`DELETE ${account}/sessions/s2`]: told('DELETE'),
    [`DELETE ${account}/sessions`]: told('DELETE'),
    ...more,
  }
}
beforeEach(async () => {
  queries.clear()
  sent = []
  await desktop()
  answer(answers())
})
const open = (tab: string, who = session()) =>
  openPortal(`/account?tab=${tab}`, { sections: [section], who })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const dialog = () => page.getByRole('dialog')

test('a name that was changed is saved and shown', async () => {
  await open('profile')
  await field('First name').fill('Erica')
  await field('Email').fill(' erika@nordwerk.example ')
  await button('Save').click()
  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(sent).toEqual([
    {
      call: 'POST ',
      body: { firstName: 'Erica', lastName: 'Mustermann', email: 'erika@nordwerk.example' },
    },
  ])
  expect(await faults()).toEqual([])
})

test('a new address is confirmed by a mail, and one that is none is said at its field', async () => {
  answer(
    answers({
      [`POST ${account}`]: () => ({ ...profile, pendingEmail: 'new@nordwerk.example' }),
    }),
  )
  await open('profile')
  await field('Email').fill('new@nordwerk.example')
  await button('Save').click()
  await expect.element(page.getByText(/We sent a link to new@nordwerk.example/)).toBeVisible()
  answer(
    answers({
      [`POST ${account}`]: () => refusedWith(422, 'identity.email_refused', { field: 'email' }),
    }),
  )
  await field('Email').fill('nonsense')
  await button('Save').click()
  await expect.element(page.getByText('This is not a valid email address.')).toBeVisible()
  await expect.element(field('Email')).toHaveAttribute('aria-invalid', 'true')
  expect(page.getByRole('alert').elements()).toEqual([])
})

test('a profile that does not come can be asked for again', async () => {
  answer(answers({ [`GET ${account}`]: () => refusedWith(404, 'none') }))
  await open('profile')
  await expect.element(page.getByRole('alert')).toBeVisible()
  answer(answers())
  await button('Try again').click()
  await expect.element(field('First name')).toHaveValue('Erika')
})

test('a password is changed with the present one, when the new one was typed twice', async () => {
  await open('security')
  await field('Current password').fill('old secret')
  await field('New password').fill('new secret')
  await field('Repeat new password').fill('new sekret')
  await button('Change password').click()
  await expect.element(page.getByText('The passwords do not match.')).toBeVisible()
  expect(sent).toEqual([])
  await field('Repeat new password').fill('new secret')
  await expect.element(page.getByText('The passwords do not match.')).not.toBeInTheDocument()
  await button('Change password').click()
  await expect.element(page.getByText(/Your other sessions were ended/)).toBeVisible()
  expect(sent).toEqual([
    {
      call: 'POST /password',
      body: { currentPassword: 'old secret', newPassword: 'new secret' },
    },
  ])
  await expect.element(field('New password')).toHaveValue('')
})

test('a wrong present password is said at its field [V-03 in part]', async () => {
  answer(
    answers({
      [`POST ${account}/password`]: () =>
        refusedWith(422, 'identity.password_wrong', { field: 'currentPassword' }),
    }),
  )
  await open('security')
  await field('Current password').fill('wrong')
  await field('New password').fill('new secret')
  await field('Repeat new password').fill('new secret')
  await button('Change password').click()
  await expect.element(page.getByText('The current password is not correct.')).toBeVisible()
  await expect.element(field('New password')).toHaveValue('new secret')
})

test('who has no password yet sets one without a present one', async () => {
  answer(answers({ [`GET ${account}/credentials`]: () => [] }))
  await open('security')
  await expect.element(page.getByText('No second factor yet.')).toBeVisible()
  expect(field('Current password').elements()).toEqual([])
  expect(button('New recovery codes').elements()).toEqual([])
})

test('what needs a young sign-in offers it, with the way back to here', async () => {
  answer(answers({ [`DELETE ${account}/credentials/f1`]: young }))
  const again: string[] = []
  await open('security', session({ signInAgain: async (path) => void again.push(path) }))
  await page.getByRole('listitem').filter({ hasText: 'Work phone' }).getByRole('button').click()
  await dialog().getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByText(/signed in within the last five minutes/)).toBeVisible()
  await button('Sign in again').click()
  expect(again).toEqual(['/account?tab=security'])
})

test('a second factor is removed after a question', async () => {
  await open('security')
  await expect.element(page.getByText('7 left')).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('listitem').filter({ hasText: 'Work phone' }).getByRole('button').click()
  await expect.element(dialog()).toMatchTextContent(/Remove “Work phone”\?/)
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  expect(sent).toEqual([])
  await page.getByRole('listitem').filter({ hasText: 'Work phone' }).getByRole('button').click()
  await dialog().getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByText('“Work phone” was removed.')).toBeVisible()
  expect(sent.map(({ call }) => call)).toEqual(['DELETE /credentials/f1'])
})

test('an authenticator app is added by its first code, and recovery codes are shown once', async () => {
  const copied = watchClipboard()
  await open('security')
  await button('Add an authenticator app').click()
  await expect.element(page.getByAltText('QR code for the authenticator app')).toBeVisible()
  await expect.element(page.getByText('JBSWY3DP')).toBeVisible()
  expect(await faults()).toEqual([])
  await field('Code from the app').fill('123 456')
  await field('Name (optional)').fill(' Phone ')
  await button('Confirm').click()
  await expect.element(page.getByText('aaa-111')).toBeVisible()
  expect(sent).toEqual([{ call: 'POST /totp/confirm', body: { code: '123456', label: 'Phone' } }])
  await button('Copy all').click()
  await expect.element(button('Copied')).toBeVisible()
  expect(copied).toEqual(['aaa-111\n'])
  await expect
    .element(page.getByRole('link', { name: 'Save as file' }))
    .toHaveAttribute('download', 'recovery-codes.txt')
  await button('I have saved them').click()
  await expect.element(dialog()).not.toBeInTheDocument()
})

test('a wrong code is said at its field, and another can be typed', async () => {
  answer(
    answers({
      [`POST ${account}/totp/confirm`]: () =>
        refusedWith(422, 'identity.code_refused', { field: 'code' }),
    }),
  )
  await open('security')
  await button('Add an authenticator app').click()
  await field('Code from the app').fill('000000')
  await button('Confirm').click()
  await expect.element(page.getByText(/^Wrong code/)).toBeVisible()
  await expect.element(page.getByText('JBSWY3DP')).toBeVisible()
})

test('recovery codes are renewed after a warning, and a browser that does not copy them says so', async () => {
  watchClipboard({ refuses: true })
  await open('security')
  await button('New recovery codes').click()
  await expect.element(dialog()).toMatchTextContent(/The old codes are no longer valid/)
  await dialog().getByRole('button', { name: 'New recovery codes' }).click()
  await expect
    .poll(() =>
      dialog()
        .getByRole('listitem')
        .elements()
        .map((one) => one.textContent),
    )
    .toEqual(['aaa-111', 'bbb-222'])
  await button('Copy all').click()
  await expect.element(page.getByText('The browser did not allow copying')).toBeVisible()
})

test('a passkey that the person does not make is no failure of the server', async () => {
  answer(answers({ [`POST ${account}/passkeys/start`]: () => ({}) }))
  await open('security')
  await button('Add a passkey').click()
  await expect.element(field('Name (optional)')).toHaveFocus()
  const parse = PublicKeyCredential.parseCreationOptionsFromJSON
  PublicKeyCredential.parseCreationOptionsFromJSON = () => {
    throw new DOMException('closed', 'NotAllowedError')
  }
  await button('Create passkey').click()
  await expect.element(page.getByText(/The passkey was not created/)).toBeVisible()
  PublicKeyCredential.parseCreationOptionsFromJSON = () => {
    throw new DOMException('there', 'InvalidStateError')
  }
  await button('Create passkey').click()
  await expect.element(page.getByText('You already have a passkey on this device.')).toBeVisible()
  PublicKeyCredential.parseCreationOptionsFromJSON = parse
})

test('every session can be ended but this one, and the others together', async () => {
  await open('sessions')
  await expect.element(page.getByText('Firefox on Linux')).toBeVisible()
  await expect.element(page.getByText('Another program')).toBeVisible()
  const here = page.getByRole('listitem').filter({ hasText: 'Firefox on Linux' })
  await expect.element(here).toMatchTextContent(/This session/)
  expect(here.getByRole('button').elements()).toEqual([])
  expect(await faults()).toEqual([])
  await button('End').click()
  await expect.poll(() => sent.map(({ call }) => call)).toEqual(['DELETE /sessions/s2'])
  await button('End all other sessions').click()
  await expect.element(page.getByText('All other sessions were ended.')).toBeVisible()
})

test('with one session alone there is nothing to end', async () => {
  answer(answers({ [`GET ${account}/sessions/devices`]: () => [device('s1', { current: true })] }))
  await open('sessions')
  await expect.element(page.getByText('This session')).toBeVisible()
  expect(button('End all other sessions').elements()).toEqual([])
})

test('on a phone all of the account fits', async () => {
  await phone()
  for (const tab of ['profile', 'security', 'sessions']) {
    await open(tab)
    await expect.element(page.getByRole('tab', { selected: true })).toBeVisible()
    await expect.poll(fitsWindow).toBe(true)
    expect(await faults()).toEqual([])
  }
})
