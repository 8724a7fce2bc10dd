import { toContentPage } from '@longreach/kit/contract'
import { fitsWindow, hintOf } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Answers } from '../../page-answers.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'

const core = '/svc/core/api/v1/organizations/nordwerk'
const rule = (resource: string, actions: string[], more = {}) => ({
  resource,
  actions,
  deviceGroup: null,
  vpnName: null,
  ...more,
})
const role = (id: number, label: string, more = {}) => ({
  id,
  name: label.toLowerCase(),
  label,
  description: '',
  type: 'APPLICATION',
  owner: 'ORGANIZATION',
  owners: ['ORGANIZATION'],
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
  rules: [rule('devices', ['read']), rule('devices', ['read', 'update'], { deviceGroup: 5 })],
  modelPathPermissions: [],
  ...more,
})
const viewer = role(1, 'Viewer', { name: 'app_viewer', owner: 'SYSTEM', owners: ['SYSTEM'] })
const crew = role(2, 'Line crew', { description: 'Works at line 3' })
const remote = role(3, 'Remote help', { type: 'DEVICE', enabled: false })
const all = { page: 0, pageSize: 1_000 }
const person = (id: number, username: string) => ({
  id,
  username,
  firstName: '',
  lastName: '',
  serviceAccount: false,
  enabled: true,
})
const change = (permission: string, more = {}) => ({
  permission,
  deviceGroup: null,
  vpnName: null,
  path: null,
  right: null,
  below: false,
  ...more,
})
const nobody = {
  people: [],
  totals: {
    people: 0,
    permissions: 0,
    losing: { people: 0, permissions: 0 },
    gaining: { people: 0, permissions: 0 },
  },
}
const anna = {
  people: [
    {
      user: person(7, 'anna'),
      lost: [change('devices:read', { deviceGroup: { id: 5, name: 'Hall 2' } })],
      gained: [change('models:read', { below: true })],
    },
  ],
  totals: {
    people: 4,
    permissions: 5,
    losing: { people: 4, permissions: 4 },
    gaining: { people: 1, permissions: 1 },
  },
}

let sent: { call: string; body: unknown }[] = []
const answers = (more: Answers = {}): Answers => {
  const told =
    (result: unknown) =>
    ({ pathname, search }: URL, body: unknown) => {
      sent.push({ call: pathname.replace(core, '') + search, body })
      return result
    }
  return {
    [`GET ${core}/roles`]: () => toContentPage([viewer, crew, remote], 3, all),
    [`GET ${core}/roles/1`]: () => viewer,
    [`GET ${core}/roles/2`]: () => crew,
    [`GET ${core}/securityPolicies`]: () =>
      toContentPage(
        [
          { id: 5, name: 'Hall 2', type: 'STANDARD' },
          { id: 6, name: 'Hall 3', type: 'STANDARD' },
        ],
        2,
        all,
      ),
    [`POST ${core}/roles/2/impact`]: () => nobody,
    [`PUT ${core}/roles/2`]: told(crew),
    [`POST ${core}/roles`]: told(role(9, 'Night crew')),
    [`GET ${core}/roles/9`]: () => role(9, 'Night crew'),
    [`DELETE ${core}/roles/2`]: told(undefined),
    ...more,
  }
}
beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  sent = []
  await desktop()
  answer(answers())
})
const open = (path: string, who = session()) => openPortal(path, { sections: [section], who })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const tick = (name: string) => page.getByRole('checkbox', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const heading = () => page.getByRole('heading', { level: 1 })

test('roles are listed by kind, and found by their name and what they are for [R-14]', async () => {
  await open('/roles')
  await expect.element(page.getByText('3 of 3 roles')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Viewer/ })).toMatchTextContent(/Built-in/)
  await expect
    .element(page.getByRole('row', { name: /Remote help/ }))
    .toMatchTextContent(/Disabled/)
  expect(await faults()).toEqual([])
  await page.getByRole('tab', { name: 'Devices' }).click()
  await expect.element(page.getByText('1 of 1 role')).toBeVisible()
  await page.getByRole('tab', { name: 'All' }).click()
  await page.getByRole('searchbox').fill('LINE 3')
  await expect.element(page.getByText('1 of 3 roles')).toBeVisible()
  await page.getByRole('searchbox').fill('nobody')
  await button('Clear search').click()
  await expect.element(page.getByText('3 of 3 roles')).toBeVisible()
})

test('who may not create roles sees why', async () => {
  await open('/roles', session({ permissions: new Set(['portal:access', 'roles:read']) }))
  await expect.element(button('New role')).toHaveAttribute('aria-disabled', 'true')
  expect(await hintOf(button('New role'))).toBe('You do not have permission to create roles.')
})

test('a new role gets a name for programs from its label, and is opened', async () => {
  await open('/roles?add=role')
  await page.getByRole('textbox', { name: 'Label' }).fill('Night crew Süd')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('night-crew-sud')
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Devices' }).click()
  await button('Create role').click()
  await expect.element(heading()).toHaveTextContent('Night crew')
  expect(sent).toEqual([
    {
      call: '/roles',
      body: { name: 'night-crew-sud', label: 'Night crew Süd', type: 'DEVICE' },
    },
  ])
})

test('a name that is taken is said at its field [V-03 in part]', async () => {
  answer(
    answers({
      [`POST ${core}/roles`]: () => refusedWith(409, 'core.name_taken', { field: 'name' }),
    }),
  )
  await open('/roles?add=role')
  await page.getByRole('textbox', { name: 'Label' }).fill('Line crew')
  await button('Create role').click()
  await expect
    .element(page.getByRole('textbox', { name: 'Name' }))
    .toHaveAttribute('aria-invalid', 'true')
  expect(dialog().getByRole('alert').elements()).toEqual([])
})

test('a ready-made role can be read and duplicated, not changed', async () => {
  await open('/roles/1')
  await expect
    .element(
      page.getByText('Built-in roles cannot be changed. Duplicate the role and change the copy.'),
    )
    .toBeVisible()
  const read = page.getByRole('checkbox', { name: /^Devices: view\./ })
  await expect.element(read).toBeChecked()
  await read.click({ force: true })
  await expect.element(read).toBeChecked()
  expect(await faults()).toEqual([])
  await button('Duplicate').click()
  await expect.element(page.getByRole('textbox', { name: 'Label' })).toHaveValue('Viewer (copy)')
  await button('Create role').click()
  await expect.poll(() => sent[0]?.body).toMatchObject({ copyOf: 1, label: 'Viewer (copy)' })
})

test('a tick more is a change that can be saved, the same tick again is none', async () => {
  await open('/roles/2')
  await tick('Models: view').click()
  await expect.element(page.getByText('No person’s permissions change.')).toBeVisible()
  await tick('Models: view').click()
  await expect.element(page.getByText('Unsaved changes.')).not.toBeInTheDocument()
  await tick('Models: view').click()
  await button('Save role').click()
  await expect.element(page.getByText('“Line crew” was saved.')).toBeVisible()
  expect(sent[0]?.body).toMatchObject({
    label: 'Line crew',
    rules: [
      rule('devices', ['read']),
      rule('models', ['read']),
      rule('devices', ['read', 'update'], { deviceGroup: 5 }),
    ],
  })
})

test('before people lose or gain something it is said who and what', async () => {
  answer(answers({ [`POST ${core}/roles/2/impact`]: () => anna }))
  await open('/roles/2')
  await tick('Devices: view').click()
  await expect.element(page.getByText('4 people lose 4 permissions.')).toBeVisible()
  await button('Save role').click()
  await expect.element(dialog()).toMatchTextContent(/anna/)
  await expect.element(dialog()).toMatchTextContent(/Devices: view \(Hall 2\)/)
  await expect.element(dialog()).toMatchTextContent(/Models: view \(in sub-organizations\)/)
  await expect.element(dialog()).toMatchTextContent(/and 3 more people/)
  expect(await faults()).toEqual([])
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  expect(sent).toEqual([])
  await button('Save role').click()
  await dialog().getByRole('button', { name: 'Save role' }).click()
  await expect.element(page.getByText('“Line crew” was saved.')).toBeVisible()
  expect(sent.map(({ call }) => call)).toEqual(['/roles/2'])
})

test('a role without a label cannot be saved, and Discard brings it back', async () => {
  await open('/roles/2')
  const label = page.getByRole('textbox', { name: 'Label' })
  await label.fill('  ')
  await expect.element(page.getByText('Enter a label.')).toBeVisible()
  await expect.element(button('Save role')).toBeDisabled()
  await button('Discard').click()
  await expect.element(label).toHaveValue('Line crew')
})

test('nobody gives a right that they do not have; one that is there can be taken', async () => {
  const permissions = new Set(['portal:access', 'roles:read', 'roles:update'] as const)
  await open('/roles/2', session({ permissions }))
  const beyond = 'You cannot grant a permission that you do not have.'
  const models = page.getByRole('checkbox', { name: `Models: view. ${beyond}` })
  await models.click({ force: true })
  await expect.element(models).not.toBeChecked()
  await tick('Devices: view').click()
  await expect.element(page.getByText('Unsaved changes.')).toBeVisible()
})

test('the table of rights is walked by arrows, over cells that have no tick', async () => {
  await open('/roles/2')
  await expect.element(tick('Devices: view')).toBeVisible()
  ;(tick('Devices: view').element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(tick('Devices: all')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(tick('Devices: all')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{ArrowDown} ')
  const ticked = () => document.activeElement?.getAttribute('aria-label')
  expect(ticked()).toMatch(/: view$/)
  expect(ticked()).not.toBe('Devices: view')
  await expect.element(page.getByText('Unsaved changes.')).toBeVisible()
})

test('a right on one device group is added, changed and taken away', async () => {
  await open('/roles/2?tab=devices')
  const hall2 = page.getByRole('group', { name: 'Hall 2' })
  await expect.element(hall2.getByRole('checkbox', { name: 'edit' })).toBeChecked()
  await page.getByRole('combobox', { name: 'Add device group' }).click()
  expect(
    page
      .getByRole('option')
      .elements()
      .map((one) => one.textContent),
  ).toEqual(['Hall 3'])
  await page.getByRole('option', { name: 'Hall 3' }).click()
  await page.getByRole('group', { name: 'Hall 3' }).getByRole('checkbox', { name: 'use' }).click()
  await button('Remove Hall 2').click()
  await button('Save role').click()
  await expect
    .poll(() => (sent[0]?.body as { rules?: unknown } | undefined)?.rules)
    .toEqual([rule('devices', ['read']), rule('devices', ['read', 'access'], { deviceGroup: 6 })])
})

test('a role is limited to model paths, each once [A-03 in part]', async () => {
  await open('/roles/2?tab=devices')
  const path = page.getByRole('combobox', { name: 'Model path' })
  await path.fill('Oven:1/air')
  await userEvent.keyboard('{Enter}')
  await path.fill('Oven:1/air')
  await userEvent.keyboard('{Enter}')
  expect(page.getByRole('group', { name: 'Oven:1/air' }).elements()).toHaveLength(1)
  await page
    .getByRole('group', { name: 'Oven:1/air' })
    .getByRole('checkbox', { name: 'write' })
    .click()
  await button('Save role').click()
  await expect
    .poll(() => sent[0]?.body)
    .toMatchObject({ modelPathPermissions: [{ modelPath: 'Oven:1/air', write: true }] })
})

const holders = (more = {}) => ({
  role: { id: 2, name: 'line-crew', label: 'Line crew' },
  rights: [],
  groups: [
    { id: 10, name: 'early', label: 'Early shift', type: 'STANDARD', people: 2 },
    { id: 11, name: 'own', label: 'ben', type: 'SINGLE', people: 1 },
  ],
  peopleBelow: 0,
  people: toContentPage(
    [{ user: person(7, 'anna'), groups: [{ id: 10, name: 'early', label: 'Early shift' }] }],
    3,
    { page: 0, pageSize: 1 },
  ),
  ...more,
})

test('who has a role is told with the groups through which, page after page', async () => {
  answer(
    answers({
      [`GET ${core}/roles/2/access`]: (url) =>
        holders({
          people: toContentPage(
            [
              {
                user: url.searchParams.get('page') === '0' ? person(7, 'anna') : person(8, 'ben'),
                groups: [],
              },
            ],
            2,
            { page: Number(url.searchParams.get('page')), pageSize: 1 },
          ),
        }),
    }),
  )
  await open('/roles/2?tab=holders')
  await expect.element(page.getByText('People (2)')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Early shift' }))
    .toHaveAttribute('href', '/permission/groups?group=10')
  await button('Show more people').click()
  await expect.element(button('Show more people')).not.toBeInTheDocument()
  expect(await faults()).toEqual([])
})

test('a role that nobody has says where it is given', async () => {
  answer(answers({ [`GET ${core}/roles/2/access`]: () => holders({ groups: [], peopleBelow: 2 }) }))
  await open('/roles/2?tab=holders')
  await expect.element(page.getByText('Not assigned yet')).toBeVisible()
  await expect.element(page.getByText(/^2 people in sub-organizations have the role/)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Go to groups' }))
    .toHaveAttribute('href', '/permission/groups')
})

test('a role is deleted after its label was typed, and it is said who loses what', async () => {
  answer(answers({ [`POST ${core}/roles/2/impact`]: () => anna }))
  await open('/roles/2')
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Delete role' }).click()
  await expect.element(dialog()).toMatchTextContent(/4 people lose 4 permissions/)
  await page.getByRole('textbox', { name: 'Type Line crew to confirm' }).fill('Line crew')
  await dialog().getByRole('button', { name: 'Delete role' }).click()
  await expect.element(page.getByText('“Line crew” was deleted.')).toBeVisible()
  expect(sent).toEqual([{ call: '/roles/2?force=true', body: undefined }])
  await expect.poll(() => location.pathname).toBe('/roles')
})

test('a role that is not there, or of another organization, says so with a way back', async () => {
  await open('/roles/99')
  await expect.element(page.getByRole('link', { name: 'Roles' }).last()).toBeVisible()
  await expect.element(heading()).toMatchTextContent(/not found/i)
})

test('on a phone the table of rights scrolls in itself', async () => {
  await phone()
  await open('/roles/2')
  await expect.element(page.getByText('Scroll sideways to see all actions.')).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
