import { toContentPage } from '@longreach/kit/contract'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Answers } from '../../page-answers.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'

const core = '/svc/core/api/v1/organizations/nordwerk'
const asked = { page: 0, pageSize: 100 }
const pageOf = (content: unknown[]) => toContentPage(content, content.length, asked)
const group = (id: number, name: string, type = 'STANDARD') => ({ id, name, type })
const counted = (id: number, name: string, type = 'STANDARD') => ({
  ...group(id, name, type),
  devices: 12,
  holders: 3,
})
const person = (id: number, username: string, firstName = '', lastName = '') => ({
  id,
  sub: `s${id}`,
  username,
  email: '',
  firstName,
  lastName,
  serviceAccount: false,
  enabled: true,
  createdAt: 0,
})
const device = (id: number, hwId: string, label: string) => ({
  id,
  alias: label,
  deviceAlias: label,
  label,
  hwId,
  deleted: false,
  realm: { id: 1, name: 'nordwerk', deleted: false },
  securityPolicyGroups: [],
  vpnName: null,
  orgResourceId: 'nordwerk',
})
const use = (more = {}) => ({
  ...group(5, 'Hall 2'),
  devices: 1,
  people: [{ id: 1, username: 'anna', firstName: 'Anna', lastName: 'Berg' }],
  userGroups: [],
  roles: [{ id: 8, label: 'Crew', actions: ['read'] }],
  ...more,
})
let sent: { call: string; body: unknown }[] = []
const answers = (more: Answers = {}): Answers => {
  const told =
    (method: string, result: unknown = undefined) =>
    (url: URL, body: unknown) => {
      sent.push({ call: `${method} ${url.pathname.replace(core, '')}`, body })
      return result
    }
  return {
    [`GET ${core}/securityPolicies`]: (url) => {
      const all = [
        counted(5, 'Hall 2'),
        counted(6, '*', 'ALL_DEVICES'),
        counted(7, 'Oven 1', 'SELF_DEVICE'),
      ]
      const type = url.searchParams.get('type')
      const search = url.searchParams.get('search') ?? ''
      return pageOf(
        all.filter((one) => (type === null || one.type === type) && one.name.includes(search)),
      )
    },
    [`GET ${core}/securityPolicies/5/use`]: () => use(),
    [`GET ${core}/securityPolicies/6/use`]: () => use({ ...group(6, '*', 'ALL_DEVICES') }),
    [`GET ${core}/securityPolicies/5/devices`]: () => pageOf([device(1, 'oven', 'Oven 1')]),
    [`GET ${core}/securityPolicies/6/devices`]: () => pageOf([device(1, 'oven', 'Oven 1')]),
    [`GET ${core}/users`]: () =>
      pageOf([person(1, 'anna', 'Anna', 'Berg'), person(2, 'ben', 'Ben', 'Tal')]),
    [`GET ${core}.*/devices`]: () =>
      pageOf([device(1, 'oven', 'Oven 1'), device(2, 'press', 'Press 3')]),
    [`GET ${core}/users/2/securityPolicies`]: () => pageOf([group(9, 'Night shift')]),
    [`POST ${core}/securityPolicies`]: told('POST', group(5, 'Hall 2')),
    [`PUT ${core}/securityPolicies/5`]: told('PUT', group(5, 'Hall 3')),
    [`DELETE ${core}/securityPolicies/5`]: told('DELETE'),
    [`PUT ${core}/securityPolicies/5/devices`]: told('PUT'),
    [`POST ${core}/users/2/securityPolicies/5`]: told('POST'),
    [`DELETE ${core}/users/1/securityPolicies/5`]: told('DELETE'),
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
const dialog = () => page.getByRole('dialog')
const heading = () => page.getByRole('heading', { level: 1 })
const unsaved = () => page.getByRole('region', { name: 'Unsaved changes' })
const nameField = () => page.getByRole('textbox', { name: 'Name' })

test('groups that people made are listed; those of single devices on demand', async () => {
  await open('/devices/groups')
  await expect.element(page.getByText('1 of 1 group')).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('checkbox', { name: /own group of each device/ }).click()
  await expect.element(page.getByText('3 of 3 groups')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'All devices' })).toBeVisible()
  await expect
    .element(page.getByRole('row', { name: /Oven 1/ }))
    .toMatchTextContent(/Single device/)
  await page.getByRole('searchbox').fill('nothing like it')
  await button('Clear search').click()
  await expect.element(page.getByText('3 of 3 groups')).toBeVisible()
})

test('without a group the page says what groups are for', async () => {
  answer(answers({ [`GET ${core}/securityPolicies`]: () => pageOf([]) }))
  await open('/devices/groups')
  await expect.element(page.getByText('No device groups yet')).toBeVisible()
})

test('a new group needs a name, and is opened once it is there [V-03 in part]', async () => {
  await open('/devices/groups')
  await button('New device group').click()
  await button('Create group').click()
  await expect.element(page.getByText('Enter a name.')).toBeVisible()
  await expect.element(nameField()).toHaveFocus()
  expect(sent).toEqual([])
  await userEvent.keyboard(' Hall 2 {Enter}')
  await expect.element(heading()).toHaveTextContent('Hall 2')
  expect(sent).toEqual([{ call: 'POST /securityPolicies', body: { name: 'Hall 2' } }])
})

test('who may not create groups sees why', async () => {
  const permissions = new Set(['portal:access', 'devices:read', 'devicegroups:read'] as const)
  await open('/devices/groups', session({ permissions }))
  await expect.element(button('New device group')).toHaveAttribute('aria-disabled', 'true')
})

test('people and devices are put in and taken out at once, when it is saved', async () => {
  await open('/devices/groups/5')
  await expect.element(heading()).toHaveTextContent('Hall 2')
  await button('Add Ben Tal').click()
  await button('Add Press 3').click()
  await button('Remove Anna Berg').click()
  await expect.element(unsaved()).toMatchTextContent(/3 unsaved changes/)
  expect(sent).toEqual([])
  expect(await faults()).toEqual([])
  await button('Save').click()
  await expect.element(page.getByText('The device group was saved.')).toBeVisible()
  expect(sent).toEqual([
    { call: 'PUT /securityPolicies/5/devices', body: { add: ['press'], remove: [] } },
    { call: 'POST /users/2/securityPolicies/5', body: undefined },
    { call: 'DELETE /users/1/securityPolicies/5', body: undefined },
  ])
  await expect.element(unsaved()).not.toBeInTheDocument()
})

test('several devices are ticked and added together; one that is inside cannot be added again', async () => {
  await open('/devices/groups/5')
  await expect.element(page.getByRole('checkbox', { name: 'Oven 1' })).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Press 3' }).click()
  await button('Add 1').click()
  await expect.element(page.getByText('Devices in the group (2)')).toBeVisible()
  await expect.element(page.getByRole('checkbox', { name: 'Press 3' })).toBeDisabled()
})

test('a change can be taken back alone, all of them discarded, and that undone', async () => {
  await open('/devices/groups/5')
  await button('Add Ben Tal').click()
  await button('Remove Anna Berg').click()
  await button('Undo the change of Anna Berg').click()
  await expect.element(unsaved()).toMatchTextContent(/1 unsaved change;/)
  await button('Discard').click()
  await expect.element(unsaved()).not.toBeInTheDocument()
  await button('Undo').click()
  await expect.element(unsaved()).toMatchTextContent(/1 unsaved change;/)
})

test('changes that are not saved are still there when the person comes back', async () => {
  const router = await open('/devices/groups/5')
  await button('Add Ben Tal').click()
  await router.navigate({ to: '/devices/groups' })
  await expect.element(page.getByText('1 of 1 group')).toBeVisible()
  await router.navigate({ to: '/devices/groups/5' })
  await expect.element(unsaved()).toMatchTextContent(/1 unsaved change;/)
})

test('a change that fails stays, with its reason; those that were made are gone', async () => {
  answer(
    answers({
      [`PUT ${core}/securityPolicies/5/devices`]: () => refusedWith(403, 'forbidden'),
    }),
  )
  await open('/devices/groups/5')
  await button('Add Ben Tal').click()
  await button('Add Press 3').click()
  await button('Save').click()
  await expect.element(unsaved().getByRole('alert')).toMatchTextContent(/^Press 3: /)
  await expect.element(unsaved()).toMatchTextContent(/1 unsaved change;/)
  expect(sent.map(({ call }) => call)).toEqual(['POST /users/2/securityPolicies/5'])
})

test('a role gives more on the devices of the group by a tick', async () => {
  await open('/devices/groups/5')
  await page.getByRole('checkbox', { name: 'Crew: edit' }).click()
  await expect.element(unsaved()).toMatchTextContent(/1 unsaved change;/)
  await page.getByRole('checkbox', { name: 'Crew: edit' }).click()
  await expect.element(unsaved()).not.toBeInTheDocument()
})

test('a person is expanded to see to which groups they are limited', async () => {
  await open('/devices/groups/5')
  await button('Details of Ben Tal').click()
  await expect.element(page.getByText('Limited to: Night shift')).toBeVisible()
})

test('who may not change people sees them, and cannot put them in', async () => {
  const permissions = new Set([
    'portal:access',
    'devices:read',
    'devicegroups:read',
    'devicegroups:update',
    'users:read',
  ] as const)
  await open('/devices/groups/5', session({ permissions }))
  await expect.element(button('Add Ben Tal')).toBeDisabled()
  await expect.element(button('Remove Anna Berg')).toBeDisabled()
  await expect.element(button('Add Press 3')).toBeEnabled()
})

test('the devices of a group that the product keeps cannot be changed, nor its name', async () => {
  await open('/devices/groups/6')
  await expect.element(heading()).toHaveTextContent('All devices')
  await expect.element(button('Rename')).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button('Delete')).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button('Add Press 3')).toBeDisabled()
  await expect.element(button('Add Ben Tal')).toBeEnabled()
})

test('a name that is taken is said at its field', async () => {
  answer(
    answers({
      [`PUT ${core}/securityPolicies/5`]: () =>
        refusedWith(409, 'core.name_taken', { field: 'name' }),
    }),
  )
  await open('/devices/groups/5')
  await button('Rename').click()
  await expect.element(nameField()).toHaveValue('Hall 2')
  await nameField().fill('Hall 1')
  await button('Save name').click()
  await expect.element(page.getByText(/This name is already taken/)).toBeVisible()
  await expect.element(nameField()).toHaveFocus()
  answer(answers())
  await button('Save name').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(sent).toEqual([{ call: 'PUT /securityPolicies/5', body: { name: 'Hall 1' } }])
})

test('a group that somebody is limited to is not deleted, and it is said by whom', async () => {
  answer(
    answers({
      [`DELETE ${core}/securityPolicies/5`]: () =>
        refusedWith(409, 'core.in_use', { usedBy: ['anna', 'Crew'] }),
    }),
  )
  await open('/devices/groups/5')
  await button('Delete').click()
  await page.getByRole('textbox', { name: 'Type Hall 2 to confirm' }).fill('Hall 2')
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await expect
    .element(dialog().getByRole('alert'))
    .toHaveTextContent('Used by anna, Crew. Remove it there first.')
  answer(answers())
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => location.pathname).toBe('/devices/groups')
})

test('who has access through a group is told, with the roles through which', async () => {
  answer(
    answers({
      [`GET ${core}/securityPolicies/5/sight`]: () =>
        pageOf([
          {
            user: { id: 1, username: 'anna', firstName: 'Anna', lastName: 'Berg' },
            actions: ['read', 'update'],
            through: [
              { role: 'Crew', group: 'Early shift', organization: 'Nordwerk', limited: true },
            ],
          },
        ]),
    }),
  )
  await open('/devices/groups/5')
  await page.getByRole('tab', { name: 'Access' }).click()
  const row = page.getByRole('row', { name: /Anna Berg/ })
  await expect.element(row).toMatchTextContent(/view, edit/)
  await expect
    .element(row)
    .toMatchTextContent(/role Crew of Early shift in Nordwerk, for this group only/)
  expect(await faults()).toEqual([])
})

test('a group of another organization is not found', async () => {
  await open('/devices/groups/99')
  await expect.element(heading()).toMatchTextContent(/not found/i)
})

test('on a phone the panes stand below each other', async () => {
  await phone()
  await open('/devices/groups/5')
  await button('Add Press 3').click()
  await expect.element(unsaved()).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})

test('the alarms of a group are shelved from its page, by those who may [R-22 in part]', async () => {
  await open('/devices/groups/5')
  await button('Shelve alarms').click()
  await expect
    .element(page.getByRole('dialog', { name: 'Shelve the alarms of the device group Hall 2?' }))
    .toBeVisible()
  expect(await faults()).toEqual([])
  const permissions = new Set(session().permissions)
  permissions.delete('alarms:read')
  await open('/devices/groups/5', session({ permissions }))
  await expect.element(heading()).toHaveTextContent('Hall 2')
  expect(button('Shelve alarms').elements()).toEqual([])
})
