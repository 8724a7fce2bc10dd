import { toContentPage } from '@longreach/kit/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fitsWindow, hintOf, watchClipboard } from '@longreach/ui/ui-testing'
import type { Answers } from '../../page-answers.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'

const core = '/svc/core/api/v1/organizations/nordwerk'
const day = 86_400_000
const key = (id: number, label: string, more = {}) => ({
  id,
  orgResourceId: 'nordwerk',
  userId: 1,
  username: 'erika',
  serviceAccount: false,
  key: `lr_${id}abc`,
  label,
  permissions: ['devices:read', 'models:read', 'users:read'],
  addresses: [],
  createdAt: new Date(Date.now() - 30 * day),
  createdBy: 'erika',
  expiresAt: new Date(Date.now() + 60 * day),
  expired: false,
  lastUsedAt: null,
  lastUsedIp: null,
  ...more,
})
const keys = [
  key(1, 'ERP', { lastUsedAt: new Date(Date.now() - 60_000), lastUsedIp: '203.0.113.7' }),
  key(2, 'Report script', { expiresAt: new Date(Date.now() + 5 * day) }),
  key(3, 'Old bridge', {
    username: 'bridge',
    serviceAccount: true,
    expired: true,
    expiresAt: new Date(Date.now() - day),
    addresses: ['10.0.0.0/8'],
  }),
]
const person = (id: number, username: string, more = {}) => ({
  id,
  sub: `s${id}`,
  username,
  email: '',
  firstName: '',
  lastName: '',
  serviceAccount: false,
  enabled: true,
  createdAt: 0,
  groupPoliciesEnabled: false,
  ...more,
})
const asked = { page: 0, pageSize: 1_000 }
let sent: { path: string; body: unknown }[] = []
const whole = 'lr_9_the_whole_secret'

const answers = (more: Answers = {}): Answers => {
  const told = (result: unknown) => (url: URL, body: unknown) => {
    sent.push({ path: url.pathname, body })
    return result
  }
  return {
    [`GET ${core}/apiKeys`]: () => toContentPage(keys, keys.length, asked),
    [`GET ${core}/apiKeys/permissions`]: (url) =>
      url.searchParams.get('username') === 'bridge'
        ? ['devices:read', 'devices:update']
        : ['devices:read', 'devices:create', 'models:read', 'users:read'],
    [`GET ${core}/users`]: () =>
      toContentPage([person(1, 'erika'), person(4, 'bridge', { serviceAccount: true })], 2, asked),
    [`POST ${core}/apiKeys`]: told(key(9, 'ERP 2', { key: whole })),
    [`POST ${core}/apiKeys/1/rotate`]: told(key(9, 'ERP', { key: whole })),
    [`DELETE ${core}/apiKeys/1`]: told(undefined),
    ...more,
  }
}
beforeEach(async () => {
  queries.clear()
  sent = []
  await desktop()
  answer(answers())
})
const open = (path = '/apikeys', who = session()) => openPortal(path, { sections: [section], who })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name })
const dialog = () => page.getByRole('dialog')

test('keys tell their owner, their use and when they end', async () => {
  await open()
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await expect.element(row('ERP')).toMatchTextContent(/203\.0\.113\.7/)
  await expect.element(row('Report script')).toMatchTextContent(/Never.*in 5 days/)
  await expect.element(row('Old bridge')).toMatchTextContent(/Service account.*Expired/)
  await expect.element(page.getByText('3 of 3 keys')).toBeVisible()
  expect(await faults()).toEqual([])
})

test('a search finds keys by name, owner and beginning, and can be cleared', async () => {
  await open('/apikeys?q=BRIDGE')
  await expect.element(page.getByText('1 of 3 keys')).toBeVisible()
  await page.getByRole('searchbox').fill('lr_2')
  await expect.element(page.getByRole('link', { name: 'Report script' })).toBeVisible()
  await page.getByRole('searchbox').fill('nobody has this')
  await expect.element(page.getByText('No API key matches')).toBeVisible()
  await button('Clear search').click()
  await expect.element(page.getByText('3 of 3 keys')).toBeVisible()
})

test('a key is made with the rights that were ticked, and shown once', async () => {
  const copied = watchClipboard()
  await open()
  await button('New API key').click()
  await expect.element(field('Name')).toHaveFocus()
  await field('Name').fill('  ERP 2 ')
  await page.getByRole('checkbox', { name: 'Devices: create' }).click()
  await field('Allowed IP addresses (optional)').fill('10.0.0.0/8, 203.0.113.7')
  await button('Create key').click()
  await expect.element(page.getByText('Copy the API key now.')).toBeVisible()
  expect(sent).toEqual([
    {
      path: `${core}/apiKeys`,
      body: {
        label: 'ERP 2',
        validForDays: 90,
        addresses: ['10.0.0.0/8', '203.0.113.7'],
        permissions: ['devices:read', 'models:read', 'devices:create'],
      },
    },
  ])
  await page.getByRole('button', { name: 'Copy API key' }).click()
  expect(copied).toEqual([whole])
  // A key that nobody can see again is not lost by a stray key.
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText(whole, { exact: true })).toBeVisible()
  expect(await faults()).toEqual([])
  await button('I have copied it').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(document.body.textContent).not.toContain(whole)
})

test('a key without a name or without a right is not made, and says so at the field', async () => {
  await open()
  await button('New API key').click()
  await page.getByRole('checkbox', { name: 'Models: view' }).click()
  await button('None').click()
  await button('Create key').click()
  await expect.element(page.getByText('Enter a name.')).toBeVisible()
  await expect.element(page.getByText('Select at least one permission.')).toBeVisible()
  await expect.element(field('Name')).toHaveFocus()
  await field('Name').fill('ERP')
  await button('View only').click()
  await expect.element(page.getByText('Select at least one permission.')).not.toBeInTheDocument()
  expect(sent).toEqual([])
  await button('Create key').click()
  await expect
    .poll(() => (sent[0]?.body as { permissions?: string[] } | undefined)?.permissions)
    .toEqual(['devices:read', 'models:read', 'users:read'])
})

test('for somebody else the rights are those of that person', async () => {
  await open()
  await button('New API key').click()
  await field('Name').fill('Bridge')
  await page.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option', { name: 'bridge · Service account' }).click()
  await expect.element(page.getByRole('checkbox', { name: 'People: view' })).not.toBeInTheDocument()
  await button('All').click()
  await button('Create key').click()
  await expect
    .poll(() => sent[0]?.body)
    .toMatchObject({ username: 'bridge', permissions: ['devices:read', 'devices:update'] })
})

test('a person who may not change people makes keys for themselves alone', async () => {
  await open('/apikeys', session({ permissions: new Set(['portal:access', 'devices:read']) }))
  await button('New API key').click()
  await expect.element(field('Name')).toBeVisible()
  expect(page.getByRole('combobox', { name: 'Owner' }).elements()).toEqual([])
})

test('what the server refuses of an address is said at the field, anything else below [V-03 in part]', async () => {
  let refusal = refusedWith(400, 'request.invalid', {
    fields: [{ field: 'addresses.1', rule: 'format', format: 'cidrv4' }],
  })
  answer(answers({ [`POST ${core}/apiKeys`]: () => refusal }))
  await open()
  await button('New API key').click()
  await field('Name').fill('ERP')
  await field('Allowed IP addresses (optional)').fill('10.0.0.0/99')
  await button('Create key').click()
  await expect
    .element(field('Allowed IP addresses (optional)'))
    .toHaveAttribute('aria-invalid', 'true')
  expect(page.getByRole('alert').elements()).toEqual([])
  refusal = refusedWith(409, 'core.too_many_keys')
  await button('Create key').click()
  await expect.element(dialog().getByRole('alert')).toBeVisible()
  await expect.element(field('Name')).toHaveValue('ERP')
})

test('a key is rotated with a time in which the old one still works', async () => {
  await open('/apikeys?key=1')
  await button('Rotate').click()
  await page.getByRole('combobox', { name: 'Current key stays valid for' }).click()
  await page.getByRole('option', { name: 'Ends immediately' }).click()
  await button('Create new key').click()
  await expect.element(page.getByText(whole, { exact: true })).toBeVisible()
  expect(sent).toEqual([
    { path: `${core}/apiKeys/1/rotate`, body: { overlapHours: 0, validForDays: 90 } },
  ])
})

test('a key is revoked only after its name was typed', async () => {
  await open('/apikeys?key=1')
  await button('Revoke').click()
  await expect.element(dialog().getByRole('button', { name: 'Revoke' })).toBeDisabled()
  await field('Type ERP to confirm').fill('ERP')
  await dialog().getByRole('button', { name: 'Revoke' }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(sent.map(({ path }) => path)).toEqual([`${core}/apiKeys/1`])
  await expect.element(page.getByRole('complementary')).not.toBeInTheDocument()
})

test('a key of somebody else can be seen, and its buttons say why they do nothing', async () => {
  const permissions = new Set(['portal:access', 'users:read'] as const)
  await open('/apikeys?key=3', session({ permissions }))
  const panel = page.getByRole('complementary', { name: 'Old bridge' })
  await expect.element(panel).toMatchTextContent(/10\.0\.0\.0\/8/)
  await expect.element(button('Revoke')).toHaveAttribute('aria-disabled', 'true')
  expect(await hintOf(button('Revoke'))).toMatch(/belongs to somebody else/)
  ;(button('Revoke').element() as HTMLElement).click()
  expect(dialog().elements()).toEqual([])
})

test('without keys the page says what they are for', async () => {
  answer(answers({ [`GET ${core}/apiKeys`]: () => toContentPage([], 0, asked) }))
  await open()
  await expect.element(page.getByText('No API keys yet')).toBeVisible()
  await expect.element(button('New API key').nth(1)).toBeVisible()
})

test('a server that does not give the keys can be asked again', async () => {
  answer(answers({ [`GET ${core}/apiKeys`]: () => ({ wrong: true }) }))
  await open()
  await expect.element(page.getByRole('alert')).toBeVisible()
  answer(answers())
  await button('Try again').click()
  await expect.element(page.getByText('3 of 3 keys')).toBeVisible()
})

test('on a phone keys are cards, and a key is made in a dialog that fits', async () => {
  await phone()
  await open()
  await expect.element(button('ERP')).toBeVisible()
  expect(await faults()).toEqual([])
  await button('New API key').click()
  await expect.element(field('Name')).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
