import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { QueryClientProvider } from '@tanstack/react-query'
import { Toasts } from '@longreach/ui/Toasts'
import { answer, desktop, faults, phone, session, show } from '../../page-testing.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { downloadOf, JobDownload } from '../jobs/JobDownload.tsx'
import type { ServiceJob } from '../jobs/jobs.ts'
import type { Language } from '../words/locale-rules.ts'
import { queries } from '../api/queries.ts'
import { SessionContext } from '../session/session.ts'

const base = '/svc/platform/api/v1/organizations/nordwerk.*'
let asked: Record<string, unknown>[] = []
let started: unknown[] = []
let estimate: (body: Record<string, unknown>) => unknown = () => counted(1200)

const counted = (values: number) => ({
  devices: 1,
  series: 2,
  values,
  rows: values,
  bytes: values * 60,
  exact: true,
  large: values > 500_000,
  since: 0,
  to: 1,
})

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  asked = []
  started = []
  estimate = () => counted(1200)
  answer({
    [`POST ${base}/exports/estimate`]: (_, body) => {
      asked.push(body as Record<string, unknown>)
      return estimate(body as Record<string, unknown>)
    },
    [`POST ${base}/exports`]: (_, body) => {
      started.push(body)
      return { id: '7' }
    },
    [`POST ${base}/exports/now`]: (_, body) => void started.push(body),
    [`GET ${base}/devices/d/series`]: () => [],
    'GET /svc/platform/api/v1/jobs': () => ({ data: [] }),
  })
})

async function open(language: Language = 'en', onClose = () => undefined as void) {
  await show(
    <QueryClientProvider client={queries}>
      <SessionContext value={session()}>
        <Toasts>
          <ExportDialog devices={{ ids: ['d'] }} start={{ range: '24h' }} onClose={onClose} />
        </Toasts>
      </SessionContext>
    </QueryClientProvider>,
    language,
  )
}

test('says how much it is before it starts, and asks again when the question changes [R-16]', async () => {
  await open()
  await expect
    .element(page.getByText('1,200 values of 2 paths of 1 device, about 70.3 KiB.'))
    .toBeVisible()
  estimate = () => counted(40)
  await userEvent.click(page.getByRole('combobox', { name: 'Values', exact: true }))
  await userEvent.click(page.getByRole('option', { name: 'Mean per interval' }))
  await expect.element(page.getByText(/^40 values/)).toBeVisible()
  await expect
    .poll(() => asked.at(-1))
    .toMatchObject({
      devices: { ids: ['d'] },
      paths: ['**'],
      aggregation: { type: 'average', sampling: { size: 1, unit: 'hours' } },
    })
  expect(await faults()).toEqual([])
})

test('what is large is written by a task, and only so', async () => {
  let closed = false
  estimate = () => counted(2_000_000)
  await open('en', () => void (closed = true))
  await expect.element(page.getByRole('button', { name: 'Start export' })).toBeVisible()
  await expect
    .element(page.getByRole('checkbox', { name: 'Create the file in the background' }))
    .toBeDisabled()
  await userEvent.keyboard('{Tab}')
  await userEvent.click(page.getByRole('textbox', { name: 'File name' }))
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => started).toHaveLength(1)
  await expect
    .poll(() => started[0])
    .toMatchObject({ format: 'csv', layout: 'long', words: { time: 'Time' } })
  await expect.poll(() => closed).toBe(true)
})

test('what is missing is said at its field, which gets the focus', async () => {
  await open()
  const name = page.getByRole('textbox', { name: 'File name' })
  await userEvent.clear(name)
  await userEvent.click(page.getByRole('button', { name: 'Download' }))
  await expect.element(page.getByText('Enter a file name.')).toBeVisible()
  await expect.poll(() => document.activeElement).toBe(name.element())
  expect(started).toEqual([])
})

test.each([
  ['de', 'light'],
  ['fr', 'dark'],
] as const)('fits a phone in %s, %s, without faults', async (language, scheme) => {
  localStorage.setItem('longreach.scheme', JSON.stringify(scheme))
  await phone()
  await open(language)
  await expect.element(page.getByText(/1.200/)).toBeVisible()
  // The dialog fades in.
  await expect.poll(faults).toEqual([])
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})

const job = (more: Partial<ServiceJob>): ServiceJob => ({
  id: '7',
  kind: 'export-values',
  label: 'values.csv',
  state: 'DONE',
  total: 1,
  done: 1,
  failed: 0,
  error: null,
  errorCode: null,
  result: { download: { name: 'values.csv', bytes: 2048, expiresAt: Date.now() + 60_000 } },
  createdAt: new Date(),
  updatedAt: new Date(),
  service: 'platform',
  ...more,
})

test('a task that made a file offers it until its time is over', async () => {
  const done = job({})
  const download = downloadOf(done)
  await expect.poll(() => download).toMatchObject({ name: 'values.csv', bytes: 2048 })
  expect(downloadOf(job({ state: 'PROCESSING' }))).toBeUndefined()
  expect(downloadOf(job({ result: { changed: 3 } }))).toBeUndefined()
  const expired = { download: { name: 'a', bytes: 1, expiresAt: Date.now() - 1 } }
  expect(downloadOf(job({ result: expired }))).toBeUndefined()
  let links = 0
  answer({
    'POST /svc/platform/api/v1/organizations/nordwerk/exports/7/link': () => {
      links += 1
      return { url: '#file' }
    },
  })
  await show(
    <QueryClientProvider client={queries}>
      <SessionContext value={session()}>
        <Toasts>{download && <JobDownload job={done} download={download} />}</Toasts>
      </SessionContext>
    </QueryClientProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Download (2.0 KiB)' }))
  await expect.poll(() => links).toBe(1)
})
