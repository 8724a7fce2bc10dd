import { IconCpu } from '@tabler/icons-react'
import { PageHeader } from '@longreach/ui/PageHeader'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useMutation, useQuery } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { api, query } from '../../parts/api/api.ts'
import { connection } from '../../parts/api/connection.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { LiveBadge } from '../../parts/live/LiveBadge.tsx'
import { queries } from '../../parts/api/queries.ts'
import type { Section } from '../../parts/pages/section.ts'
import { ConnectionState } from '../../sections/devices/ConnectionState.tsx'
import { answer, desktop, faults, openPortal, organization, phone } from '../../page-testing.tsx'
import { section as devicesSection } from '../../sections/devices/section.ts'

const hourAgo = Date.now() - 3_600_000

/** A page of the organizations that one call lists, a field, and a change. */
function Things() {
  const list = useQuery(query(api.core.mine, {}))
  const change = useMutation({
    mutationFn: () => api.core.acceptInvitation({ params: { invitation: '1' }, body: {} }),
  })
  const errorText = useErrorText()
  return (
    <>
      <PageHeader title="Things" />
      <LiveBadge />
      <ConnectionState connected since={hourAgo} />
      {list.isError ? (
        <p>The list failed</p>
      ) : (
        list.data?.map(({ name }) => <p key={name}>{name}</p>)
      )}
      <label>
        Note <input />
      </label>
      <button type="button" onClick={() => change.mutate()}>
        Save
      </button>
      {change.error && <ErrorPanel message={errorText(change.error).message} />}
    </>
  )
}

const Other = () => {
  const list = useQuery(query(api.core.myInvitations, {}))
  return <PageHeader title={list.data ? 'Other, loaded' : 'Other'} />
}

let away = false
const real = globalThis.fetch

/** Code comes over the same network. */
const over = async <T,>(module: T) => {
  if (away) throw new TypeError('Failed to fetch dynamically imported module')
  return module
}
const sections: Section[] = [
  {
    id: 'devices',
    name: devicesSection.name,
    home: 20,
    path: '/devices',
    icon: IconCpu,
    group: 'monitor',
    permissions: [],
    pages: [
      { path: '/devices', load: async () => ({ Component: Things }) },
      { path: '/devices/$deviceId', load: () => over({ Component: Other }) },
    ],
  },
]

let listed: () => unknown

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  away = false
  listed = () => [organization('nordwerk')]
  answer({
    'GET /svc/core/api/v1/organizations/mine': () => listed(),
    'GET /svc/core/api/v1/invitations': () => [],
  })
  const there = globalThis.fetch
  globalThis.fetch = async (...call) => {
    if (away) throw new TypeError('Failed to fetch')
    return there(...call)
  }
})

afterEach(() => {
  away = false
  connection.reached()
  globalThis.fetch = real
})

const banner = () => page.getByText('Server not reachable')
const ask = () => queries.refetchQueries({ type: 'active' })

async function serverGoes() {
  away = true
  void ask()
  await expect.element(banner()).toBeVisible()
}

async function serverComes() {
  away = false
  connection.tryNow()
  await expect.element(banner()).not.toBeInTheDocument()
}

test('what was on the screen stays, with its age, while the server is away', async () => {
  await openPortal('/devices', { sections })
  await expect.element(page.getByText('nordwerk', { exact: true })).toBeVisible()
  const place = () => document.querySelector('main h1')?.getBoundingClientRect().top
  const before = place()
  await page.getByLabelText('Note').fill('half written')
  await serverGoes()
  await expect.element(page.getByText('nordwerk', { exact: true })).toBeVisible()
  expect(document.body.textContent).not.toContain('The list failed')
  // The banner covers the search and moves nothing; the badge has no countdown of its own.
  expect(place()).toBe(before)
  expect(document.body.textContent).toMatch(/Data as of \d+:\d\d:\d\d/)
  expect(document.body.textContent).toMatch(/As of \d+:\d\d:\d\d/)
  expect(document.body.textContent).toMatch(/Online at \d+:\d\d:\d\d/)
  expect(document.body.textContent.match(/ in \d+ s/g) ?? []).toHaveLength(1)
  await serverComes()
  await expect.element(page.getByLabelText('Note')).toHaveValue('half written')
  expect(document.body.textContent).toContain('Online for')
})

test('a change that is tried meanwhile says so and loses nothing', async () => {
  await openPortal('/devices', { sections })
  await page.getByLabelText('Note').fill('half written')
  await serverGoes()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => document.querySelector('[role=alert]')?.textContent)
    .toContain('Your input is kept')
  await expect.element(page.getByLabelText('Note')).toHaveValue('half written')
})

test('a page opened meanwhile shows by itself when the server is back', async () => {
  const router = await openPortal('/devices', { sections })
  await expect.element(page.getByText('nordwerk', { exact: true })).toBeVisible()
  await serverGoes()
  void router.navigate({ to: '/devices/one' })
  await expect
    .poll(() => document.querySelector('main')?.innerHTML)
    .toContain('opens as soon as the server is available')
  await serverComes()
  const heading = page.getByRole('heading', { level: 1 })
  await expect.element(heading).toHaveTextContent('Other, loaded')
})

test('a server that fails takes nothing from the screen either', async () => {
  await openPortal('/devices', { sections })
  await expect.element(page.getByText('nordwerk', { exact: true })).toBeVisible()
  let failed = 0
  const there = globalThis.fetch
  globalThis.fetch = async () => {
    failed++
    const body = { statusCode: 500, error: '', code: 'internal', message: '', details: {} }
    return Response.json(body, { status: 500 })
  }
  await ask()
  expect(failed).toBeGreaterThan(0)
  await expect.element(page.getByText('nordwerk', { exact: true })).toBeVisible()
  expect(document.body.textContent).not.toContain('The list failed')
  globalThis.fetch = there
  listed = () => [organization('acqua')]
  await ask()
  await expect.element(page.getByText('acqua', { exact: true })).toBeVisible()
})

test.each(['light', 'dark'] as const)('the banner fits and has no fault in %s', async (scheme) => {
  localStorage.setItem('longreach.scheme', JSON.stringify(scheme))
  await openPortal('/devices', { sections, language: 'de' })
  await expect.element(page.getByText('nordwerk', { exact: true })).toBeVisible()
  away = true
  void ask()
  await expect.element(page.getByText('Server nicht erreichbar')).toBeVisible()
  expect(await faults()).toEqual([])
  await phone()
  expect(await faults()).toEqual([])
  const box = page.getByText('Server nicht erreichbar').element().closest('div')
  const { left = -1, right = 999 } = box?.getBoundingClientRect() ?? {}
  expect(left).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(390)
})
