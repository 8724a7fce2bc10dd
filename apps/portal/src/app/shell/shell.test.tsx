import type { Permission } from '@longreach/authorization/permissions'
import { IconCpu, IconDatabase } from '@tabler/icons-react'
import { PageHeader } from '@longreach/ui/PageHeader'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import type { Section } from '../../parts/pages/section.ts'
import { useSearch } from '../../parts/pages/use-search.ts'
import {
  answer,
  desktop,
  faults,
  openPortal,
  organization,
  phone,
  session,
} from '../../page-testing.tsx'
import { section as exploreSection } from '../../sections/data-explore/section.ts'
import { section as devicesSection } from '../../sections/devices/section.ts'

const list = (title: string) => ({
  Component: () => (
    <>
      <PageHeader title={title} count="3" help="Things of this organization" />
      <input aria-label="Filter" data-filter />
    </>
  ),
})
const sections: Section[] = [
  {
    id: 'devices',
    name: devicesSection.name,
    home: 20,
    path: '/devices',
    icon: IconCpu,
    group: 'monitor',
    key: 'd',
    permissions: [['devices:read']],
    pages: [{ path: '/devices', load: async () => list('Devices') }],
  },
  {
    id: 'data-explore',
    name: exploreSection.name,
    home: 50,
    path: '/data-explore',
    icon: IconDatabase,
    group: 'monitor',
    key: 'e',
    feature: 'iot',
    permissions: [['models:read'], ['devices:read']],
    pages: [{ path: '/data-explore', load: async () => list('Explorer') }],
  },
]

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  answer({
    'GET /svc/core/api/v1/organizations/mine': () => [
      organization('nordwerk'),
      organization('acqua', { id: 2, dataEnabled: false, dealer: true }),
    ],
    'GET /svc/core/api/v1/organizations/nordwerk/organizations': () =>
      contentPage([organization('oven-line', { id: 3, resourceId: 'nordwerk.oven-line' })]),
    'GET /svc/core/api/v1/organizations/acqua/organizations': () => contentPage([]),
  })
})

const contentPage = (content: unknown[]) => ({
  content,
  number: 0,
  totalElements: content.length,
  totalPages: 1,
  last: true,
  size: 50,
  numberOfElements: content.length,
  first: true,
  empty: content.length === 0,
  page: 0,
  pageSize: 50,
})

test('/ goes to the first section that the person may enter [R-01]', async () => {
  const router = await openPortal('/', { sections })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Devices')
  expect(router.state.location.pathname).toBe('/devices')
})

test('the menu lists the allowed sections only, under a top bar [R-27]', async () => {
  const who = session({ permissions: new Set(['portal:access', 'devices:read']) })
  await openPortal('/devices', { sections, who })
  await expect
    .element(page.getByRole('navigation').getByRole('link', { name: 'Devices' }))
    .toHaveAttribute('aria-current', 'page')
  const links = page.getByRole('navigation').getByRole('link').elements()
  expect(links.map(({ textContent }) => textContent)).toEqual(['Longreach', 'Overview', 'Devices'])
  await expect.element(page.getByRole('banner')).toBeVisible()
})

const menuLinks = () =>
  page
    .getByRole('navigation')
    .getByRole('link')
    .elements()
    .map(({ textContent }) => textContent)

test('the menu names what a person works with; what they only read is reached by links [R-27]', async () => {
  const look: Permission[] = [
    'portal:access',
    'devices:read',
    'devicegroups:read',
    'models:read',
    'organizations:read',
  ]
  await openPortal('/devices', { sections, who: session({ permissions: new Set(look) }) })
  await expect
    .poll(menuLinks)
    .toEqual(['Longreach', 'Overview', 'Devices', 'Device map', 'Data explorer'])
  await page.getByRole('button', { name: /Erika/ }).click()
  await expect.element(page.getByRole('menuitem', { name: 'API keys' })).toBeVisible()
})

test('who may change models and make devices finds them and the walkthrough in the menu [R-27] [R-11]', async () => {
  const permissions = new Set<Permission>([
    'portal:access',
    'devices:read',
    'devices:create',
    'models:read',
    'models:update',
  ])
  await openPortal('/devices', { sections, who: session({ permissions }) })
  await expect.poll(menuLinks).toEqual(expect.arrayContaining(['Walkthrough', 'Presets', 'Models']))
})

test('a section without its permission goes home [R-25]', async () => {
  const who = session({ permissions: new Set(['portal:access', 'devices:read']) })
  const router = await openPortal('/data-explore', { sections, who })
  await expect.poll(() => router.state.location.pathname).toBe('/devices')
})

test('direct access leads home who may open something [R-01]', async () => {
  const router = await openPortal('/directaccess', { sections })
  await expect.poll(() => router.state.location.pathname).toBe('/devices')
})

test('an address that leads nowhere shows a page that says so [R-24]', async () => {
  await openPortal('/nothing/here', { sections })
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent(/Page not found/)
})

test('/users leads to the people section or to /404 [R-26 in part]', async () => {
  const router = await openPortal('/users', { sections })
  await expect.poll(() => router.state.location.pathname).toBe('/404')
})

test('the heading takes the focus after navigation', async () => {
  await openPortal('/devices', { sections })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Devices')
  await userEvent.keyboard('ge')
  await expect.element(page.getByRole('heading', { name: 'Explorer' })).toHaveFocus()
})

test('ctrl+B hides and shows the menu, and not while typing [K-03]', async () => {
  await openPortal('/devices', { sections })
  const menu = page.getByRole('navigation')
  await expect.element(menu).toBeVisible()
  await userEvent.keyboard('{Control>}b{/Control}')
  await expect.element(menu).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}b{/Control}')
  await expect.element(menu).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(page.getByRole('textbox', { name: 'Filter' })).toHaveFocus()
  await userEvent.keyboard('{Control>}b{/Control}')
  await expect.element(menu).toBeVisible()
})

test('without the menu a page takes the whole width, however little it shows', async () => {
  await openPortal('/devices', { sections })
  await expect.element(page.getByRole('button', { name: /Account/ })).toBeVisible()
  const width = () => page.getByRole('banner').element().getBoundingClientRect().width
  await userEvent.keyboard('{Control>}b{/Control}')
  await expect.poll(width).toBe(1440)
  await phone()
  await expect.poll(width).toBe(390)
})

test('keys have the names that stand on the keyboards of the language', async () => {
  await openPortal('/devices', { sections, language: 'de' })
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await userEvent.keyboard('?')
  const dialog = page.getByRole('dialog', { name: 'Tastenkürzel' })
  await expect.element(dialog).toBeVisible()
  const keys = () => [...document.querySelectorAll('kbd')].map(({ textContent }) => textContent)
  expect(keys()).toEqual(expect.arrayContaining(['Strg', 'Umschalt', 'Leertaste', 'Bild ↑', 'Esc']))
  expect(keys().filter((key) => /Ctrl|Shift|Space|Page/.test(key))).toEqual([])
})

test('? lists the shortcuts and Escape closes them', async () => {
  await openPortal('/devices', { sections })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Devices')
  await userEvent.keyboard('?')
  await expect.element(page.getByRole('dialog')).toMatchTextContent(/Show or hide the menu/)
  expect(await faults()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('the palette goes to a page by typing', async () => {
  const router = await openPortal('/devices', { sections })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Devices')
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(page.getByPlaceholder(/Search devices/)).toHaveFocus()
  await userEvent.keyboard('explor')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.pathname).toBe('/data-explore')
})

const devicePath = 'GET /svc/mappings/api/v1/devices'
const valuePath = 'GET /svc/platform/api/v1/organizations/nordwerk.*/values'
const peoplePath = 'GET /svc/core/api/v1/organizations/nordwerk/users'

test('no key is lost that is typed before the palette is there', async () => {
  await openPortal('/devices', { sections })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Devices')
  const press = (key: string, more = {}) =>
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
    )
  // All at once: nothing is drawn between them.
  press('k', { ctrlKey: true })
  for (const key of ['e', 'x', 'q', 'Backspace', 'p', 'l']) press(key)
  const field = page.getByPlaceholder(/Search devices/)
  await expect.element(field).toHaveFocus()
  await expect.element(field).toHaveValue('expl')
  await userEvent.keyboard('orer')
  await expect.element(field).toHaveValue('explorer')
  await userEvent.keyboard('{Escape}')
  await expect.element(field).not.toBeInTheDocument()
  // Closed, it takes no keys any more.
  expect(press('z')).toBe(true)
})

test('Enter that comes before the palette opens what is found', async () => {
  const router = await openPortal('/devices', { sections })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Devices')
  const init = { bubbles: true, cancelable: true }
  const typed = [...'explor', 'Enter'].map((key) => ({ key }))
  for (const event of [{ key: 'k', ctrlKey: true }, ...typed]) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, ...event }))
  }
  await expect.poll(() => router.state.location.pathname).toBe('/data-explore')
})

test('the palette says that it searches, then finds devices, values with their newest, and people', async () => {
  const empty = { ...contentPage([]), data: [] }
  let tell: () => void = () => undefined
  const held = new Promise<void>((resolve) => (tell = resolve))
  answer({
    [devicePath]: () => ({ ...empty, timestamp: 0 }),
    [valuePath]: () => [
      {
        deviceId: 'aaaaaaaaaaaaaaaaaaaaaa',
        deviceLabel: 'Oven 2',
        orgResourceId: 'nordwerk',
        modelPath: 'Oven:1/zone1/temperature',
        type: 'double',
        unit: '°C',
        last: { t: 1, v: 185.5 },
      },
    ],
    [peoplePath]: () => contentPage([]),
  })
  const served = globalThis.fetch
  globalThis.fetch = async (...asked) => {
    await held
    return served(...asked)
  }
  const router = await openPortal('/devices', { sections })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Devices')
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(page.getByPlaceholder(/Search devices/)).toHaveFocus()
  await userEvent.keyboard('zone1')
  await expect.element(page.getByRole('status').getByText('Searching…')).toBeVisible()
  await expect.element(page.getByText('No results')).not.toBeInTheDocument()
  tell()
  await expect.element(page.getByText(/185\.5.°C/)).toBeVisible()
  await expect.element(page.getByText('Searching…')).not.toBeInTheDocument()
  expect(await faults()).toEqual([])
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.pathname).toBe('/devices/aaaaaaaaaaaaaaaaaaaaaa')
})

test('the palette offers only what the person may do, and keeps its height', async () => {
  const permissions = new Set<Permission>(['portal:access', 'devices:read'])
  await openPortal('/devices', { sections, who: session({ permissions }) })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Devices')
  await userEvent.keyboard('{Control>}k{/Control}')
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText('Devices').first()).toBeVisible()
  const before = dialog.element().getBoundingClientRect()
  for (const name of ['Add device', 'Invite a person', 'Write a value…', 'New role']) {
    await expect.element(dialog.getByText(name)).not.toBeInTheDocument()
  }
  await userEvent.keyboard('q')
  await expect.element(page.getByText('No results')).toBeVisible()
  const after = dialog.element().getBoundingClientRect()
  expect([after.top, after.height]).toEqual([before.top, before.height])
})

test('the switcher searches the tree and enters with the keyboard [P-01]', async () => {
  const entered: string[] = []
  const who = session({ enter: async (id, path) => void entered.push(`${id} ${path}`) })
  await openPortal('/devices', { sections, who })
  await page.getByRole('button', { name: /switch/ }).click()
  await expect.element(page.getByRole('option', { name: /Oven-line/ })).toBeVisible()
  expect(await faults()).toEqual([])
  await userEvent.keyboard('oven')
  await expect.element(page.getByRole('option')).toMatchTextContent(/Oven-line/)
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => entered).toEqual(['nordwerk.oven-line /devices'])
})

test.for(['light', 'dark'])(
  'the shell has no fault in %s, on a screen and a phone',
  async (scheme) => {
    localStorage.setItem('longreach.scheme', JSON.stringify(scheme))
    await openPortal('/devices', { sections })
    await expect.element(page.getByRole('button', { name: /Account/ })).toBeVisible()
    expect(await faults()).toEqual([])
    await phone()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect.element(page.getByRole('dialog')).toBeVisible()
    expect(await faults()).toEqual([])
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  },
)

test('the language changes at run time and is remembered for all hosts [P-03] [T-04]', async () => {
  await openPortal('/devices', { sections })
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect.element(page.getByRole('button', { name: 'Sprache' })).toBeVisible()
  await expect.poll(() => document.documentElement.lang).toBe('de-DE')
  await expect.poll(() => document.cookie).toContain('cc2locale=de')
  document.cookie = 'cc2locale=; max-age=0; path=/'
})

test('on a phone language and colors are in the menu of the person, and the bar is free of them [P-03]', async () => {
  await phone()
  await openPortal('/devices', { sections })
  const person = page.getByRole('button', { name: /Account of|Konto von/ })
  await person.click()
  const dark = page.getByRole('group', { name: 'Appearance' }).getByText('Dark')
  await expect.element(dark).toBeVisible()
  expect(page.getByRole('button', { name: /^(Language|Appearance)$/ }).elements()).toEqual([])
  expect(await faults()).toEqual([])
  await dark.click()
  await expect.poll(() => document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  await person.click()
  await expect.element(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
  await page.getByRole('group', { name: 'Language' }).getByText('Deutsch').click()
  await expect.poll(() => document.documentElement.lang).toBe('de-DE')
  await person.click()
  await expect.element(page.getByRole('group', { name: 'Sprache' })).toBeVisible()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await desktop()
  await expect.element(page.getByRole('button', { name: 'Sprache' })).toBeVisible()
  await person.click()
  await expect.element(page.getByRole('menuitem', { name: 'API-Schlüssel' })).toBeVisible()
  expect(page.getByRole('menuitemradio').elements()).toEqual([])
  document.cookie = 'cc2locale=; max-age=0; path=/'
})

test('who may not open a page is sent home and told what is missing, with ways out [R-25]', async () => {
  const sent: unknown[] = []
  const entered: string[] = []
  answer({
    'GET /svc/core/api/v1/organizations/mine': () => [
      organization('nordwerk'),
      organization('acqua', { id: 2, resourceId: 'acqua' }),
    ],
    'POST /svc/core/api/v1/accessRequests': (_, body) => void sent.push(body),
  })
  const who = session({
    permissions: new Set(['portal:access', 'devices:read']),
    permissionsIn: async () => new Set(['portal:access', 'devices:read', 'models:read']),
    enter: async (resourceId, path) => void entered.push(`${resourceId} ${path}`),
  })
  const router = await openPortal('/data-explore?x=1', { sections, who })
  const alert = page.getByRole('alert')
  await expect
    .element(alert)
    .toMatchTextContent(/You do not have permission to open “Data explorer”/)
  await expect.element(alert).toMatchTextContent(/Models: view.*administrator of Nordwerk/)
  expect(router.state.location.pathname).toBe('/devices')
  expect(await faults()).toEqual([])
  await alert.getByRole('button', { name: 'Open in Acqua' }).click()
  await expect.poll(() => entered).toEqual(['acqua /data-explore?x=1'])
  await alert.getByRole('button', { name: 'Request access' }).click()
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect.poll(() => sent).toMatchObject([{ organization: 'nordwerk' }])
  await alert.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.getByRole('alert').elements()).toEqual([])
})

test('a page that asks for a role of the token sends others to the Unauthorized page [R-25]', async () => {
  const [devices] = sections
  const guarded = [
    ...sections,
    {
      ...devices,
      id: 'log',
      path: '/log',
      resourceRole: 'designer',
      pages: [{ path: '/log', load: async () => list('Log') }],
    } as Section,
  ]
  const router = await openPortal('/log', { sections: guarded })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Access denied')
  expect(router.state.location.pathname).toBe('/unauthorized')
  await expect.element(page.getByRole('button', { name: 'Request access' })).toBeVisible()
})

test('after losing the right to the open page, the next way to it leads home [R-25]', async () => {
  let who = session()
  const router = await openPortal('/data-explore', { sections, now: () => who })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Explorer')
  who = session({ permissions: new Set(['portal:access', 'devices:read']) })
  await router.invalidate()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Explorer')
  await router.navigate({ to: '/devices' })
  await router.navigate({ to: '/data-explore' })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Devices')
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Models: view/)
})

test('a change of the search keeps the page while what it loads is away', async () => {
  let away = false
  const never = new Promise<never>(() => undefined)
  const Component = () => {
    const [, change] = useSearch()
    return (
      <>
        <h1>Map</h1>
        <button type="button" onClick={() => void change({ device: '1' })}>
          Choose
        </button>
      </>
    )
  }
  const [first] = sections
  const pages = [
    { path: '/devices' as const, load: () => (away ? never : Promise.resolve({ Component })) },
  ]
  const router = await openPortal('/devices', {
    sections: first ? [{ ...first, pages }] : [],
  })
  await expect.element(page.getByRole('heading', { name: 'Map' })).toBeVisible()
  away = true
  await page.getByRole('button', { name: 'Choose' }).click()
  await expect.poll(() => router.state.resolvedLocation?.search).toEqual({ device: '1' })
  await expect.element(page.getByRole('heading', { name: 'Map' })).toBeVisible()
})
