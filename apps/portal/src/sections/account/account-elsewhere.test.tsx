import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { section as accountSection } from './section.ts'

const accountConsole = 'https://id.example.org/realms/plants/account?referrer=portal'
const rights = [{ resource: 'devices', action: 'read', allowed: true, below: false, reasons: [] }]
const access = {
  user: {
    id: 1,
    username: 'erika',
    firstName: '',
    lastName: '',
    serviceAccount: false,
    enabled: true,
  },
  organization: 'nordwerk',
  member: true,
  policies: [],
  conditions: { secondFactor: false, addresses: [] },
  rights,
}

let asked: string[] = []
beforeEach(async () => {
  queries.clear()
  asked = []
  answer({
    'GET /svc/core/api/v1/organizations/nordwerk/users/me/access': () => access,
  })
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    asked.push(String(input))
    return fetch(input, init)
  }
  await desktop()
})

const open = (path: string) =>
  openPortal(path, { sections: [accountSection], who: session({ accountConsole }) })

test('an account at Keycloak is shown, and changed in its own console', async () => {
  await open('/account')
  const way = page.getByRole('link', { name: 'Open my account' })
  await expect.element(way).toHaveAttribute('href', accountConsole)
  await expect.element(page.getByText('erika@nordwerk.example').first()).toBeVisible()
  await expect.element(page.getByText('My permissions in Nordwerk')).toBeVisible()
  await expect.poll(() => page.getByRole('tab').elements()).toHaveLength(2)
  expect(page.getByRole('alert').elements()).toEqual([])
  expect(asked.filter((url) => url.includes('/auth/'))).toEqual([])
  expect(await faults()).toEqual([])
})

test('an old address of the tab for passwords leads to the profile, on a phone too', async () => {
  await phone()
  await open('/account?tab=security')
  await expect.element(page.getByRole('link', { name: 'Open my account' })).toBeVisible()
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  expect(await faults()).toEqual([])
})
