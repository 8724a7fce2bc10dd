import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, desktop, faults, organization, phone, show } from '../../page-testing.tsx'
import type { Choices } from '../start/boot.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { StartFailedPage } from './StartFailedPage.tsx'
import { NoWayPage } from './NoWayPage.tsx'
import { needWords } from '../../parts/words/spoken-words.ts'
import { AppError } from '@longreach/kit/errors'
import { LoginPage } from './LoginPage.tsx'
import { OrganizationPage } from './OrganizationPage.tsx'
import { OtherPersonPage } from './OtherPersonPage.tsx'
import { SetupPage } from './SetupPage.tsx'

beforeEach(async () => {
  localStorage.clear()
  answer({})
  await desktop()
})
afterEach(() => localStorage.clear())

const choices = (more: Partial<Choices> = {}): Choices => ({
  organizations: [
    organization('nordwerk', { dealer: true }),
    organization('acqua', { id: 2, resourceId: 'acqua', dataEnabled: false }),
  ],
  redirectTo: '/devices',
  problem: undefined,
  enter: async () => undefined,
  signOut: async () => undefined,
  ...more,
})

const selector = (more?: Partial<Choices>) => (
  <SignInFrame wide>
    <OrganizationPage choices={choices(more)} />
  </SignInFrame>
)

test('the selector enters an organization and goes on to where the person wanted [R-04]', async () => {
  const entered: string[] = []
  await show(
    selector({ enter: async ({ resourceId }, then) => void entered.push(`${resourceId} ${then}`) }),
  )
  await page.getByRole('button', { name: /Acqua/ }).click()
  await expect.poll(() => entered).toEqual(['acqua /devices'])
})

test('the selector finds organizations below one’s own', async () => {
  const below = organization('oven-line', { id: 9, resourceId: 'nordwerk.oven-line' })
  answer({
    'GET /svc/core/api/v1/organizations/nordwerk/organizations': () => ({ content: [below] }),
    'GET /svc/core/api/v1/organizations/acqua/organizations': () => ({ content: [] }),
  })
  await show(selector())
  await userEvent.keyboard('oven')
  await expect.element(page.getByRole('button', { name: /nordwerk › oven-line/ })).toBeVisible()
  await expect.poll(() => page.getByRole('listitem').elements()).toHaveLength(1)
})

test('a card tells what one is there and when one was last there [R-04]', async () => {
  localStorage.setItem('longreach.organizations', JSON.stringify({ acqua: Date.now() - 7_200_000 }))
  const roles = ['Administrator', 'Operator', 'Viewer', 'Service engineer']
  const organizations = [
    organization('nordwerk', { roles }),
    organization('acqua', { id: 2, resourceId: 'acqua', roles: ['Viewer'] }),
  ]
  await show(selector({ organizations }))
  const [first, second] = [page.getByRole('listitem').nth(0), page.getByRole('listitem').nth(1)]
  await expect.element(first).toMatchTextContent(/Acqua.*Viewer · last used 2/)
  await expect.element(second).toMatchTextContent(/Administrator, Operator, Viewer \+1/)
})

test('a token without permissions is told with the organization [T-02]', async () => {
  await show(selector({ problem: { id: 'door.noPermissions', values: { id: 'nordwerk.x' } } }))
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('No permissions in token to enter organization nordwerk.x')
})

test('who is kept out asks the administrators to be let in, once [T-02]', async () => {
  const sent: unknown[] = []
  answer({ 'POST /svc/core/api/v1/accessRequests': (_, body) => void sent.push(body) })
  await show(selector({ problem: { id: 'door.noPermissions', values: { id: 'nordwerk.x' } } }))
  await page.getByRole('button', { name: 'Request access' }).click()
  await page.getByRole('textbox', { name: 'Message to the administrators' }).fill('Night shift')
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect.element(page.getByRole('status')).toMatchTextContent(/Your request was sent/)
  expect(sent).toEqual([{ organization: 'nordwerk.x', note: 'Night shift' }])
})

test('a lookup that fails says to check the host name [X-01]', async () => {
  globalThis.fetch = async () => new Response('', { status: 503 })
  await show(<LoginPage problem={undefined} />)
  await page.getByRole('textbox').fill('nordwerk')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Error initializing. Please check the hostname is correct and retry')
})

test('an organization that cannot be opened is told in an alert, which leads to the base host [X-01]', async () => {
  const problem = { id: 'door.cannotNavigate', values: { name: 'nowhere' } } as const
  await show(<NoWayPage problem={problem} home="#base-host" />)
  const alert = page.getByRole('alertdialog')
  await expect.element(alert).toMatchTextContent("Cannot navigate to organization 'nowhere'.")
  await alert.getByRole('button', { name: 'OK' }).click()
  await expect.poll(() => location.hash).toBe('#base-host')
  history.replaceState(null, '', location.pathname)
})

test.for([
  ['en', new AppError(503, 'internal', {}), 'Something went wrong on the server.'],
  ['en', new TypeError('Failed to fetch'), 'The server is not reachable.'],
  ['de', new AppError(503, 'database.busy', { message: 'English' }), /^(?!.*(English|\{)).*\w/],
] as const)(
  'an error on the way in is told in words: %s [X-02]',
  async ([language, cause, words]) => {
    await needWords('errors')
    await show(<StartFailedPage problem={{ id: 'door.reloadAfterError', cause }} />, language)
    const alert = page.getByRole('alert')
    if (language === 'en') {
      await expect
        .element(alert)
        .toMatchTextContent(`Reload organization selector after error ${words}`)
    } else await expect.element(alert).toMatchTextContent(words)
  },
)

test('a sign-out that identity refuses is told beside the button [X-04]', async () => {
  await show(selector({ signOut: () => Promise.reject(new Error('500')) }))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Logout failed, request returned an error code.')
})

test('an unknown organization name is refused at its field and stays typed [R-04]', async () => {
  await show(<LoginPage problem={undefined} />)
  await page.getByRole('textbox', { name: 'Organization name' }).fill('nowhere')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByText(/There is no organization with this name/)).toBeVisible()
  await expect
    .element(page.getByRole('textbox', { name: 'Organization name' }))
    .toHaveValue('nowhere')
})

test('the first run keeps what was typed and shows a refusal at its field', async () => {
  globalThis.fetch = async () =>
    Response.json(
      {
        statusCode: 422,
        error: 'Unprocessable Entity',
        code: 'core.password_refused',
        message: 'x',
        details: {
          field: 'user.password',
          message: 'Sentence of the server',
          fault: 'too_short',
          shortest: 12,
          longest: 512,
        },
      },
      { status: 422 },
    )
  await show(<SetupPage />)
  for (const [label, value] of [
    ['Setup token', 'abcd'],
    ['Short name', 'nordwerk'],
    ['User name', 'anna'],
  ] as const) {
    await page.getByRole('textbox', { name: label }).fill(value)
  }
  await page.getByLabelText('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect.element(page.getByText(/At least 12 characters/)).toBeVisible()
  expect(document.body.textContent).not.toContain('Sentence of the server')
  await expect.element(page.getByRole('textbox', { name: 'Setup token' })).toHaveValue('abcd')
})

test('the first run proposes a short name, and marks every field that is missing', async () => {
  await show(<SetupPage />)
  const name = page.getByRole('textbox', { name: /^Short name/ })
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect.poll(() => page.getByText('Required.').elements()).toHaveLength(4)
  const label = page.getByRole('textbox', { name: /^Display name/ })
  await label.fill('Bäckerei Süd')
  await expect.element(name).toHaveValue('backerei-sud')
  await name.fill('sued')
  await label.fill('Bäckerei Nord')
  await expect.element(name).toHaveValue('sued')
})

test.for(['light', 'dark'])(
  'the doors have no fault in %s, on a screen and a phone',
  async (scheme) => {
    localStorage.setItem('longreach.scheme', JSON.stringify(scheme))
    const view = await show(selector())
    await expect.element(page.getByRole('button', { name: /Acqua/ })).toBeVisible()
    expect(await faults()).toEqual([])
    await phone()
    expect(await faults()).toEqual([])
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await view.unmount()
    await show(
      <SignInFrame wide={false}>
        <SetupPage />
      </SignInFrame>,
    )
    await expect.element(page.getByRole('button', { name: 'Set up' })).toBeVisible()
    expect(await faults()).toEqual([])
  },
)

test('who finds another person signed in reads who it is, and goes on as them or signs in anew', async () => {
  const done: string[] = []
  await show(
    <SignInFrame wide={false}>
      <OtherPersonPage
        name="Anna Weber"
        goOn={() => done.push('go on')}
        leave={async () => void done.push('leave')}
      />
    </SignInFrame>,
  )
  const heading = page.getByRole('heading', { level: 1, name: 'Anna Weber is now signed in' })
  await expect.element(heading).toBeVisible()
  expect(document.title).toBe('Anna Weber is now signed in · Longreach')
  await expect.element(page.getByText(/This ended your session in this tab/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Language' })).toBeVisible()
  expect(await faults()).toEqual([])
  // Nothing becomes theirs by itself.
  expect(done).toEqual([])
  await page.getByRole('button', { name: 'Continue as Anna Weber' }).click()
  await page.getByRole('button', { name: 'Sign in with another account' }).click()
  expect(done).toEqual(['go on', 'leave'])
  await phone()
  expect(await faults()).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})
