import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
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
import { sections } from '../../sections.ts'

const author = session({ permissions: new Set(['portal:access', 'models:read']) })

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  document.title = 'Longreach'
  await desktop()
  answer({ 'GET /svc/core/api/v1/organizations/mine': () => [organization('nordwerk')] })
})

test.each([
  ['/devices/none', 'Device not found', 'Devices'],
  ['/models/none', 'Model not found', 'Models'],
  ['/presets/none', 'Preset not found', 'Presets'],
  ['/roles/17', 'Role not found', 'Roles'],
  ['/devices/groups/17', 'Device group not found', 'Device groups'],
])('%s says what is not there and where to go on', async (path, title, list) => {
  await openPortal(path, { sections })
  await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  expect(document.title).toBe(`${title} · Longreach`)
  await expect.poll(() => document.body.textContent).toContain('belong to another organization')
  const main = page.getByRole('main')
  await expect.element(main.getByRole('link', { name: list, exact: true })).toBeVisible()
  // Asking again does not bring it back.
  expect(main.getByRole('button', { name: 'Try again' }).elements()).toEqual([])
  expect(main.getByRole('link', { name: 'Trash' }).elements()).toHaveLength(
    path === '/devices/none' ? 1 : 0,
  )
  await main.getByRole('button', { name: 'Search' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
})

test.each([
  ['/devices/none', 'Devices', 6, 2],
  ['/models/none', 'Models', 4, 2],
  ['/presets/none', 'Presets', 0, 3],
  ['/roles/17', 'Roles', 3, 1],
  ['/devices/groups/17', 'Device groups', 2, 2],
])('%s has its own outline and the way back while it loads', async (path, list, tabs, panes) => {
  const held = Promise.withResolvers<undefined>()
  const none = { statusCode: 404, error: '', code: 'none', message: '', details: {} }
  globalThis.fetch = async () => {
    await held.promise
    return Response.json(none, { status: 404 })
  }
  await openPortal(path, { sections })
  const main = page.getByRole('main')
  await expect.element(main.getByRole('link', { name: list, exact: true })).toBeVisible()
  const count = (what: string) => document.querySelectorAll(`main [class*="_${what}_"] > *`).length
  await expect.poll(() => [count('tabs'), count('panes')]).toEqual([tabs, panes])
  expect(await faults()).toEqual([])
  // Of what is not known yet nothing is said.
  expect(main.getByRole('heading').elements()).toEqual([])
  held.resolve(undefined)
  await expect.element(main.getByRole('heading', { level: 1, name: /not found$/ })).toBeVisible()
})

test('a thing that is not there is told in German, on a phone, without a fault', async () => {
  await phone()
  await openPortal('/devices/none', { sections, language: 'de' })
  const heading = page.getByRole('heading', { level: 1, name: 'Gerät nicht gefunden' })
  await expect.element(heading).toBeVisible()
  expect(await faults()).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})

test.each([
  ['who may open something', session(), '/devices'],
  ['who has a page that is not in the order of /home', author, '/presets'],
])('/directaccess is left by %s', async (_, who, path) => {
  const router = await openPortal('/directaccess', { sections, who })
  await expect.poll(() => router.state.location.pathname).toBe(path)
})

test('/directaccess shows who may open nothing what they may do, as on their account page', async () => {
  const reach = { secondFactor: false, addresses: [] }
  answer({
    'GET /svc/core/api/v1/organizations/nordwerk/users/me/access': () => ({
      user: { id: 1, username: 'erika', sub: 'a-subject' },
      organization: 'nordwerk',
      member: true,
      conditions: reach,
      policies: [],
      rights: [],
    }),
  })
  await openPortal('/directaccess', {
    sections,
    who: session({ permissions: new Set(['portal:access']) }),
  })
  await expect
    .poll(() => document.body.textContent)
    .toContain('You do not have access to anything in')
  expect(document.body.textContent).not.toContain('portal:access')
})
