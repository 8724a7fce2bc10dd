import { productCapabilities } from '@longreach/authorization/product-capabilities'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import {
  answer,
  desktop,
  faults,
  openPortal,
  organization,
  phone,
  session,
} from '../../page-testing.tsx'
import { section as organizationsSection } from './section.ts'

const base = '/svc/core/api/v1/organizations'
const node = (name: string, more: object = {}) => ({
  ...organization(name, {
    resourceId: `nordwerk.${name}`,
    id: [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0),
  }),
  children: 0,
  path: [name],
  ...more,
})
const contentPage = (content: unknown[]) => ({
  content,
  number: 0,
  totalElements: content.length,
  totalPages: 1,
  last: true,
  size: 100,
  numberOfElements: content.length,
  first: true,
  empty: content.length === 0,
  page: 0,
  pageSize: 100,
})
const tree: Record<string, unknown[]> = {
  nordwerk: [
    node('press', { children: 1 }),
    node('vault', { userCanAccess: false, privateAccess: true }),
  ],
  'nordwerk.press': [node('press.hall')],
}
const dependencies = {
  organizations: 1,
  devices: 12,
  people: 3,
  accounts: 1,
  keys: 0,
  roles: 0,
  userGroups: 0,
  deviceGroups: 0,
  named: ['Hall'],
}
const grants = Object.fromEntries(
  ['Dealer', 'Hostname', 'OwnResources', 'Iot', 'Vpn', 'Store', 'IpFiltering', 'PrivateAccess'].map(
    (name) => [`allowEnable${name}OnSuborg`, name !== 'Dealer'],
  ),
)
const sections = [organizationsSection]
let saved: unknown[] = []
const writePolicy = '/svc/platform/api/v1/organizations/nordwerk.press/writePolicy'
let policy: { secondPerson: boolean; from: string | null }
afterEach(() => {
  productCapabilities.dealer = false
})

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  saved = []
  policy = { secondPerson: false, from: null }
  await desktop()
  const press = organization('press', { id: 5, resourceId: 'nordwerk.press' })
  answer({
    [`GET ${base}/mine`]: () => [organization('nordwerk')],
    [`GET ${base}/nordwerk/tree`]: (url) => {
      const found = url.searchParams.get('search')
      return contentPage(
        found === null
          ? (tree[url.searchParams.get('at') ?? ''] ?? [])
          : [node('press.hall', { path: ['Press', 'Hall'] })],
      )
    },
    [`GET ${base}/nordwerk`]: () => organization('nordwerk'),
    [`GET ${base}/nordwerk/grants`]: () => grants,
    [`GET ${base}/nordwerk/dependencies`]: () => dependencies,
    [`GET ${base}/nordwerk.press`]: () => press,
    [`GET ${base}/nordwerk.press/dependencies`]: () => dependencies,
    [`POST ${base}/nordwerk.press/consequences`]: () => [
      { field: 'dataEnabled', effect: 'people_lose_iot', count: 3, names: ['eva', 'max'] },
    ],
    [`PUT ${base}/nordwerk.press`]: (_, body) => {
      saved.push(body)
      return { ...press, dataEnabled: false }
    },
    [`GET ${writePolicy}`]: () => policy,
    [`PUT ${writePolicy}`]: (_, body) => {
      saved.push(body)
      policy = { secondPerson: true, from: 'nordwerk.press' }
      return policy
    },
  })
})

/** By how its line begins; the count or the path follows. */
const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}( |$)`) })

test('the tree is walked by keyboard, opened and closed [R-15] [P-08 in part]', async () => {
  await openPortal('/organizations', { sections })
  await expect.element(item('Press')).toHaveAttribute('aria-expanded', 'false')
  await expect.element(item('Vault')).toHaveAttribute('aria-disabled', 'true')
  ;(item('Nordwerk').element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  await expect.element(item('Press.hall')).toBeVisible()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(item('Press.hall')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(item('Press')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(item('Press.hall')).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading', { name: 'Press', level: 2 })).toBeVisible()
  expect(await faults()).toEqual([])
})

test('a letter goes to the next organization that begins with it [R-15]', async () => {
  await openPortal('/organizations', { sections })
  await expect.element(item('Vault')).toBeVisible()
  ;(item('Nordwerk').element() as HTMLElement).focus()
  await userEvent.keyboard('v')
  await expect.element(item('Vault')).toHaveFocus()
})

test('a search shows hits with the way to them [R-15]', async () => {
  await openPortal('/organizations?q=hall', { sections })
  await expect.element(item('Press.hall')).toMatchTextContent(/Press › Hall/)
  await expect.element(page.getByText('1 organization', { exact: true })).toBeVisible()
})

test('what a change means stands at its field before it is saved, and is asked again [P-02]', async () => {
  await openPortal('/organizations?at=nordwerk.press&tab=settings', { sections })
  await page.getByRole('switch', { name: /IoT/ }).click()
  await expect.element(page.getByText(/3 people lose access to models/)).toBeVisible()
  await expect.element(page.getByText(/eva, max and 1 more/)).toBeVisible()
  expect(page.getByRole('switch', { name: /Dealer|VPN|App store/ }).elements()).toEqual([])
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await expect.poll(() => saved).toEqual([{ dataEnabled: false }])
})

test('the private access of an organization below is lifted from its parent, where it allows it [A-05]', async () => {
  const child = (name: string, more: object) =>
    node(name, { privateAccess: true, userCanAccess: false, ...more })
  let closed = [
    child('vault', { allowDisablePrivateAccess: true }),
    child('kept', { allowDisablePrivateAccess: false }),
  ]
  const lifted: string[] = []
  const vault = closed[0]?.id
  answer({
    [`GET ${base}/mine`]: () => [organization('nordwerk')],
    [`GET ${base}/nordwerk`]: () => organization('nordwerk'),
    [`GET ${base}/nordwerk/tree`]: () => contentPage([]),
    [`GET ${base}/nordwerk/grants`]: () => grants,
    [`GET ${base}/nordwerk/dependencies`]: () => dependencies,
    [`GET ${base}/nordwerk/accessRules`]: () => ({
      allowedAddresses: [],
      allowedAddressesFrom: null,
      secondFactorRequired: false,
      secondFactorFrom: null,
      privateFrom: null,
    }),
    [`GET ${base}/nordwerk/peopleWithoutFactor`]: () => ({ total: 0, people: [] }),
    [`GET ${base}/myIp`]: () => ['203.0.113.7'],
    [`GET ${base}/nordwerk/organizations`]: ({ searchParams }) => {
      expect(searchParams.get('privateAccess')).toBe('true')
      return contentPage(closed)
    },
    [`DELETE ${base}/nordwerk/privateAccess/${vault}`]: (url) => {
      lifted.push(url.pathname)
      closed = closed.slice(1)
    },
  })
  await openPortal('/organizations?tab=security', { sections })
  await expect.element(page.getByText('Second factor required')).toBeVisible()
  expect(page.getByText('Addresses and networks').elements()).toEqual([])
  const kept = page.getByRole('button', { name: 'Lift private access: Kept' })
  await expect.element(kept).toHaveAttribute('aria-disabled', 'true')
  const lift = page.getByRole('button', { name: 'Lift private access: Vault' })
  await lift.click()
  await expect.element(page.getByText(/get access to Vault and its devices again/)).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Lift private access' }).click()
  await expect.element(lift).not.toBeInTheDocument()
  await expect.poll(() => lifted).toHaveLength(1)
  await expect.element(kept).toBeVisible()
})

test('writes need a second person where the organization says so, and only there is it changed', async () => {
  await openPortal('/organizations?at=nordwerk.press&tab=security', { sections })
  const choice = page.getByRole('switch', { name: /^Writes need a second person/ })
  await choice.click()
  await expect.poll(() => saved).toEqual([{ secondPerson: true }])
  await expect.element(choice).toBeChecked()
  expect(await faults()).toEqual([])
  policy = { secondPerson: true, from: 'nordwerk' }
  await queries.invalidateQueries()
  await expect.element(choice).toBeDisabled()
})

test('an organization that is not there offers nothing to try again', async () => {
  await openPortal('/organizations?at=nordwerk.gone', { sections })
  await expect.element(page.getByText('Organization not found')).toBeVisible()
  expect(page.getByRole('button', { name: 'Try again' }).elements()).toEqual([])
  expect(await faults()).toEqual([])
})

test('deleting names what goes along and wants the name typed [C-02]', async () => {
  await openPortal('/organizations?at=nordwerk.press', { sections })
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText('12 devices with their data')).toBeVisible()
  await expect.element(page.getByText(/1 sub-organization: Hall/)).toBeVisible()
  const button = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
  await expect.element(button).toBeDisabled()
  await page.getByRole('textbox', { name: /Type Press/ }).fill('Press')
  await expect.element(button).toBeEnabled()
  expect(await faults()).toEqual([])
})

test.for(['light', 'dark'])(
  'in %s and on a phone nothing is at fault or too wide',
  async (scheme) => {
    localStorage.setItem('longreach.scheme', JSON.stringify(scheme))
    await phone()
    await openPortal('/organizations?at=nordwerk.press&tab=settings', { sections })
    await expect.element(page.getByRole('switch', { name: /IoT/ })).toBeVisible()
    expect(await faults()).toEqual([])
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  },
)

test('who may only look finds everything switched off, with the reason', async () => {
  const who = session({ permissions: new Set(['portal:access', 'organizations:read']) })
  await openPortal('/organizations?at=nordwerk.press&tab=settings', { sections, who })
  await expect.element(page.getByText(/can view these settings but not change them/)).toBeVisible()
  await expect.element(page.getByRole('switch', { name: /IoT/ })).toBeDisabled()
  await expect.element(page.getByRole('tab', { name: 'Deleted' })).not.toBeInTheDocument()
})

test('allowed addresses are offered with the feature for them, and shown wherever they hold', async () => {
  localStorage.setItem('longreach.feature.ipFilter', 'true')
  await openPortal('/organizations?at=nordwerk.press&tab=security', { sections })
  await expect.element(page.getByPlaceholder('203.0.113.7, 10.0.0.0/8')).toBeVisible()
})

test('allowed addresses that hold are shown without the feature', async () => {
  const ipAddressesWhitelist = ['10.0.0.0/8']
  const { fetch: usual } = globalThis
  globalThis.fetch = async (input, init) =>
    new URL(String(input), location.origin).pathname === `${base}/nordwerk.press`
      ? Response.json(organization('press', { resourceId: 'nordwerk.press', ipAddressesWhitelist }))
      : usual(input, init)
  await openPortal('/organizations?at=nordwerk.press&tab=security', { sections })
  await expect.element(page.getByText('10.0.0.0/8', { exact: true }).first()).toBeVisible()
})

test('a part of the product that ships shows its switch, kept off where the one above lacks it', async () => {
  productCapabilities.dealer = true
  await openPortal('/organizations?at=nordwerk.press&tab=settings', { sections })
  await expect.element(page.getByRole('switch', { name: /Dealer/ })).toBeDisabled()
  expect(page.getByRole('switch', { name: /VPN|App store/ }).elements()).toEqual([])
})

test('below one’s own organization a stripe says so and leads back [P-08 in part]', async () => {
  const entered: string[] = []
  const who = session({
    organization: organization('press', { id: 5, resourceId: 'nordwerk.press' }),
    enter: async (id, path) => void entered.push(`${id} ${path}`),
  })
  await openPortal('/organizations/resources', { sections, who })
  await page.getByRole('button', { name: 'Leave to Nordwerk' }).click()
  await expect.poll(() => entered).toEqual(['nordwerk /home'])
})
