import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { section as permissionSection } from './section.ts'

const core = '/svc/core/api/v1/organizations/nordwerk'
const person = (id: number, username: string, more = {}) => ({
  id,
  sub: `sub-${id}`,
  username,
  email: `${username}@nordwerk.example`,
  firstName: username.charAt(0).toUpperCase() + username.slice(1),
  lastName: 'Berg',
  serviceAccount: false,
  enabled: true,
  createdAt: 1_760_000_000_000,
  groupPoliciesEnabled: false,
  ...more,
})
const group = (id: number, name: string, more = {}) => ({
  id,
  name,
  label: name,
  organizationId: 1,
  type: 'STANDARD',
  owner: 'ORGANIZATION',
  groupPoliciesEnabled: false,
  memberCount: 2,
  rolesId: [5],
  policiesId: [],
  ...more,
})
const role = (id: number, label: string) => ({
  id,
  name: `app_${label.toLowerCase()}`,
  label,
  description: `What a ${label.toLowerCase()} may do`,
  type: 'APPLICATION',
  owner: 'SYSTEM',
  owners: ['SYSTEM'],
  ownerRef: null,
  enabled: true,
  deleted: false,
  createdAt: 0,
  updatedAt: 0,
  organizationId: 1,
  orgResourceId: 'nordwerk',
  defaultStar: false,
  deviceGeneralPermission: 'NONE',
  vpnGeneralPermission: 'NONE',
  enableAccessToApp: true,
  applicationPermissions: [],
  devicePermissions: [],
  inherit: false,
  rules: [],
  modelPathPermissions: [],
})
const pageOf = (content: unknown[], more = {}) => ({
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
  ...more,
})

const viewer = { id: 5, name: 'app_viewer', label: 'Viewer', owner: 'SYSTEM', own: true }
const people = [
  person(1, 'anna', {
    state: 'ACTIVE',
    roles: [viewer],
    ownGroup: 21,
    twoFactor: true,
    lastSignIn: Date.now() - 60_000,
    lockedUntil: null,
  }),
  person(2, 'ben', { enabled: false, state: 'DISABLED', roles: [], ownGroup: 22 }),
  person(5, 'ida', { state: 'INVITED', roles: [], ownGroup: 25, lastSignIn: null }),
  person(3, 'robot', { serviceAccount: true, firstName: '', lastName: '', email: '' }),
]
let asked: { path: string; body: unknown }[] = []
let listed: URL[] = []

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  asked = []
  listed = []
  await desktop()
  const told = (result: unknown) => (url: URL, body: unknown) => {
    asked.push({ path: url.pathname, body })
    return result
  }
  answer({
    [`GET ${core}/users`]: (url) => {
      listed.push(url)
      return pageOf(people)
    },
    [`GET ${core}/users/1`]: () => people[0],
    [`GET ${core}/users/2`]: () => people[1],
    [`GET ${core}/userGroups`]: () =>
      pageOf([group(10, 'Early shift'), group(11, 'Late shift', { memberCount: 0 })]),
    [`GET ${core}/userGroups/10`]: () => group(10, 'Early shift'),
    [`GET ${core}/roles`]: () => pageOf([role(5, 'Viewer'), role(6, 'Operator')]),
    [`GET ${core}/securityPolicies`]: () => pageOf([{ id: 9, name: 'Hall 1', type: 'STANDARD' }]),
    [`GET ${core}/users/1/security`]: () => ({
      lockedUntil: null,
      emailVerified: true,
      requiredActions: [],
      sessions: [
        {
          id: 's1',
          ipAddress: '203.0.113.7',
          userAgent: 'Firefox',
          started: '2026-11-21T10:00:00Z',
          lastAccess: '2026-11-21T10:05:00Z',
        },
      ],
      credentials: [],
    }),
    [`GET ${core}/accessRequests`]: () => ({
      content: [
        {
          id: 3,
          username: 'ines',
          firstName: 'Ines',
          lastName: 'Gil',
          email: 'ines@nordwerk.example',
          note: 'Night shift at the ovens',
          member: false,
          createdAt: '2025-10-09T08:53:20Z',
        },
      ],
      total: 1,
    }),
    [`POST ${core}/accessRequests/3/accept`]: told(undefined),
    [`POST ${core}/users/1/impact`]: told({
      people: [
        {
          user: {
            id: 1,
            username: 'anna',
            firstName: 'Anna',
            lastName: 'Berg',
            serviceAccount: false,
            enabled: true,
          },
          lost: [],
          gained: [
            {
              permission: 'devices:update',
              deviceGroup: null,
              vpnName: null,
              path: null,
              right: null,
              below: false,
            },
          ],
        },
      ],
      totals: {
        people: 1,
        permissions: 1,
        losing: { people: 0, permissions: 0 },
        gaining: { people: 1, permissions: 1 },
      },
    }),
    [`POST ${core}/userGroups/21/roles/6`]: told(group(21, 'anna')),
    [`POST ${core}/userGroups/25/roles/5`]: told(group(25, 'ida')),
    [`PUT ${core}/users/5`]: told({
      ...person(5, 'ida'),
      invitation: { mailed: false, link: 'https://portal.example/link/again' },
    }),
    [`PUT ${core}/users/1`]: told({ ...people[0], firstName: 'Anne' }),
    [`PUT ${core}/users/2`]: told({ ...people[1], enabled: true }),
    [`POST ${core}/users`]: told({
      ...person(4, 'ida'),
      invitation: { mailed: false, link: 'https://portal.example/link/abc' },
    }),
    [`PUT ${core}/userGroups/10`]: told(group(10, 'Early shift', { rolesId: [5, 6] })),
    [`POST ${core}/users/import`]: told({
      separator: ';',
      headers: ['username', 'groups'],
      mapping: { username: 'username', groups: 'groups' },
      lines: [
        { line: 2, username: 'ida', email: '', outcome: 'CREATE', problems: [] },
        {
          line: 3,
          username: 'odd',
          email: '',
          outcome: 'ERROR',
          problems: [
            { column: 'groups', value: 'Day', code: 'unknown_group', message: 'no such group' },
          ],
        },
      ],
      counts: { create: 1, join: 0, present: 0, error: 1 },
    }),
  })
})

const sections = [permissionSection]
const open = (path: string, who = session()) => openPortal(path, { sections, who })
const grid = () => page.getByRole('grid')

test('/users leads to the people, who are told apart from programs [R-13] [R-26 in part]', async () => {
  const router = await open('/users')
  await expect.poll(() => router.state.location.pathname).toBe('/permission')
  await expect.element(grid().getByText('Anna Berg')).toBeVisible()
  await expect.element(grid().getByRole('img', { name: 'Service account' })).toBeVisible()
  await expect.element(grid().getByText('Disabled')).toBeVisible()
  expect(await faults()).toEqual([])
})

test('what is searched and filtered is in the address and in the question [R-13]', async () => {
  const router = await open('/permission?kind=STANDARD&sort=-email')
  await expect.element(grid().getByText('Anna Berg')).toBeVisible()
  await expect
    .poll(() => Object.fromEntries(listed[0]!.searchParams))
    .toMatchObject({
      type: 'STANDARD',
      orderBy: 'email',
      orderDir: 'desc',
    })
  await page.getByRole('searchbox').fill('ber')
  await expect.poll(() => listed.at(-1)!.searchParams.get('search')).toBe('ber')
  expect(router.state.location.search).toMatchObject({ q: 'ber', kind: 'STANDARD' })
})

test('a person is changed beside the list; a refused field says so [E-03]', async () => {
  await open('/permission?person=1&tab=profile')
  const name = page.getByRole('textbox', { name: 'First name' })
  await name.fill('Anne')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => asked)
    .toEqual([
      {
        path: `${core}/users/1`,
        body: { firstName: 'Anne', lastName: 'Berg', email: 'anna@nordwerk.example' },
      },
    ])
  expect(await faults()).toEqual([])
})

test('sessions and second factors are seen and ended by who administers people', async () => {
  await open('/permission?person=1&tab=security')
  await expect.element(page.getByText(/203\.0\.113\.7/)).toBeVisible()
  await expect.element(page.getByText('No second factor')).toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'End the session from 203.0.113.7' }))
    .toBeVisible()
  expect(await faults()).toEqual([])
})

test('an invitation shows its link where no mail goes out', async () => {
  await open('/permission')
  await page.getByRole('button', { name: 'Invite person' }).click()
  const email = page.getByRole('textbox', { name: 'Email' })
  await expect.element(email).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(email).toHaveAttribute('aria-invalid', 'true')
  expect(document.querySelectorAll('[aria-invalid=true]').length).toBe(1)
  await email.fill('ida@nordwerk.example')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('https://portal.example/link/abc')).toBeVisible()
  await expect
    .poll(() => asked[0]!.body)
    .toMatchObject({
      username: 'ida@nordwerk.example',
      email: 'ida@nordwerk.example',
      serviceAccount: false,
    })
  expect(await faults()).toEqual([])
})

test('an import says what each line would do before anything happens', async () => {
  await open('/permission')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Import people' }).click()
  await expect.element(page.getByText('Choose an Excel or CSV file')).toBeVisible()
  const file = new File(['username;groups\nida;\nodd;Day\n'], 'people.csv', { type: 'text/csv' })
  await userEvent.upload(document.querySelector('input[type=file]')!, file)
  await expect.element(page.getByText(/Group “Day” not found/)).toBeVisible()
  await expect.element(page.getByText(/1 new person, 0 join/)).toBeVisible()
  expect(await faults()).toEqual([])
  await expect.element(page.getByRole('button', { name: 'Import 1 person' })).toBeEnabled()
})

test('several people are enabled at once, and failures are named', async () => {
  await open('/permission')
  await expect.element(grid().getByText('Ben Berg')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all rows' }).click()
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await expect.element(page.getByText(/Failed for 1 person/)).toBeVisible()
  await expect
    .poll(() => asked.map(({ path }) => path).toSorted())
    .toEqual([`${core}/users/1`, `${core}/users/2`, `${core}/users/5`])
})

test('a group is edited with its roles as one set [R-13] [C-08]', async () => {
  await open('/permission/groups?group=10')
  const panel = page.getByRole('complementary', { name: 'Early shift' })
  await panel.getByLabelText('Roles').first().click()
  await page.getByRole('option', { name: 'Operator' }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => asked)
    .toEqual([
      {
        path: `${core}/userGroups/10`,
        body: { name: 'Early shift', rolesId: [5, 6], policiesId: [] },
      },
    ])
})

test('who may see roles only finds who holds them, and no people [R-13]', async () => {
  const who = session({ permissions: new Set(['portal:access', 'roles:read']) })
  await open('/permission', who)
  await expect
    .element(page.getByText(/You do not have permission to view people here/))
    .toBeVisible()
  await page.getByRole('link', { name: 'Role assignments' }).click()
  await expect.element(grid().getByText('Viewer')).toBeVisible()
})

test.for(['light', 'dark'])(
  'the section has no fault in %s, on a screen and a phone',
  async (scheme) => {
    localStorage.setItem('longreach.scheme', JSON.stringify(scheme))
    await open('/permission/groups?group=10')
    await expect.element(page.getByRole('complementary', { name: 'Early shift' })).toBeVisible()
    expect(await faults()).toEqual([])
    await phone()
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    expect(await faults()).toEqual([])
  },
)

test('who asks to be let in is counted, and let in with a role [R-13]', async () => {
  await open('/permission')
  await page.getByRole('button', { name: /^Requests/ }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText('Night shift at the ovens')).toBeVisible()
  const letIn = dialog.getByRole('button', { name: 'Approve: ines' })
  await letIn.click()
  await expect
    .poll(() => dialog.element().querySelector('form')?.contains(document.activeElement))
    .toBe(true)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(letIn).toHaveFocus()
  await letIn.click()
  await dialog.getByLabelText('Roles').first().click()
  await page.getByRole('option', { name: 'Viewer' }).click()
  await userEvent.keyboard('{Tab}')
  expect(await faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect
    .poll(() => asked.map(({ path }) => path))
    .toContain(`${core}/accessRequests/3/accept`)
  expect(asked.at(-1)?.body).toEqual({ memberOf: [], rolesId: [5] })
})

test('the list says who may what, signs in how, and who has not come yet [R-13]', async () => {
  await open('/permission')
  const anna = grid().getByRole('row', { name: /Anna Berg/ })
  await expect.element(anna.getByText('Viewer')).toBeVisible()
  await expect.element(anna.getByText('On', { exact: true })).toBeVisible()
  await expect.element(anna.getByText('Active')).toBeVisible()
  const name = anna.getByRole('link', { name: 'Anna Berg' })
  await expect.element(name).toHaveAttribute('href', '/permission?person=1')
  expect(listed[0]!.searchParams.get('details')).toBe('true')
  const ida = grid().getByRole('row', { name: /Ida Berg/ })
  await expect.element(ida.getByText('Invited')).toBeVisible()
  await ida.getByRole('button', { name: 'Resend invitation' }).click()
  await expect.element(page.getByText('https://portal.example/link/again')).toBeVisible()
  expect(await faults()).toEqual([])
})

test('roles are changed in the list, after what that gives is said [R-13]', async () => {
  await open('/permission')
  await page.getByRole('button', { name: /Change roles of Anna Berg/ }).click()
  const dialog = page.getByRole('dialog', { name: /roles of Anna Berg/ })
  await dialog.getByRole('checkbox', { name: 'Operator' }).click()
  await expect.element(dialog.getByText(/1 person gains/)).toBeVisible()
  expect(await faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => asked.map(({ path }) => path)).toContain(`${core}/userGroups/21/roles/6`)
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a role is given to those of the selected people who do not have it', async () => {
  await open('/permission')
  for (const name of ['Anna Berg', 'Ida Berg']) {
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .click()
  }
  await page.getByPlaceholder('Add role').click()
  await page.getByRole('option', { name: 'Viewer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Give “Viewer” to 1 person?' })
  await expect.element(dialog.getByText('1 person is not changed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add role' }).click()
  await expect.poll(() => asked.map(({ path }) => path)).toEqual([`${core}/userGroups/25/roles/5`])
})

test('who is invited without any role is said to see nothing', async () => {
  await open('/permission')
  await page.getByRole('button', { name: 'Invite person' }).click()
  const warning = page.getByText(/this person can sign in but has no access/)
  await expect.element(warning).toBeVisible()
  await page.getByRole('dialog').getByLabelText('Roles').first().click()
  await page.getByRole('option', { name: 'Viewer' }).click()
  await expect.element(warning).not.toBeInTheDocument()
})

test('one person is removed by their name, several by their number', async () => {
  await open('/permission')
  const choose = (name: string) =>
    page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .click()
  const remove = page
    .getByRole('group', { name: 'Actions for selected people' })
    .getByRole('button', { name: 'Remove' })
  await choose('Anna Berg')
  await remove.click()
  const one = page.getByRole('dialog', { name: 'Remove Anna Berg?' })
  await expect.element(one.getByLabelText('Type anna to confirm')).toBeVisible()
  await one.getByRole('button', { name: 'Cancel' }).click()
  await choose('Ida Berg')
  await remove.click()
  const many = page.getByRole('dialog', { name: 'Remove 2 people?' })
  await expect.element(many.getByLabelText('Type 2 to confirm')).toBeVisible()
})

test.each([
  ['users:update', 1],
  ['usergroups:read', 0],
] as const)(
  'the list is narrowed to who was invited; with %s %i may ask for who is locked out',
  async (right, locked) => {
    const permissions = new Set(['portal:access', 'users:read', right] as const)
    await open('/permission', session({ permissions }))
    await page.getByPlaceholder('Status').click()
    await expect.element(page.getByRole('option', { name: 'Invited' })).toBeVisible()
    expect(page.getByRole('option', { name: 'Locked' }).elements()).toHaveLength(locked)
    await page.getByRole('option', { name: 'Invited' }).click()
    await expect.poll(() => listed.at(-1)?.searchParams.get('status')).toBe('INVITED')
  },
)

test.each(['en', 'de', 'es', 'fr', 'it'] as const)(
  'the tabs of a person stand in one line in %s',
  async (language) => {
    await openPortal('/permission?person=1', { sections, language })
    const tabs = () => [...document.querySelectorAll('[role=tab]')]
    await expect.poll(() => tabs().length).toBe(5)
    const boxes = tabs().map((tab) => tab.getBoundingClientRect())
    expect(new Set(boxes.map(({ top }) => top)).size).toBe(1)
    const list = tabs()[0]?.closest('[role=tablist]')?.getBoundingClientRect()
    expect(boxes.at(-1)?.right).toBeLessThanOrEqual(list?.right ?? 0)
  },
)
