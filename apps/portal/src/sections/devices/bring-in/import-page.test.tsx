import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queries } from '../../../parts/api/queries.ts'
import { bookOf, zipOf } from '../../../parts/tables/xlsx-testing.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../../page-testing.tsx'
import { refusedWith } from '../../../parts/api/calls-testing.ts'
import { section as devicesSection } from '../section.ts'

const now = Date.now()
const counts = { create: 1, present: 0, error: 1 }
const line = (n: number, more: object) => ({
  line: n,
  label: `Press ${n}`,
  serialNumber: '',
  organization: 'nordwerk',
  problems: [],
  ...more,
})
const problem = { column: 'preset', value: 'Gone', code: 'unknown_preset', message: '' }
const done = {
  id: 7,
  name: 'plant.csv',
  createdAt: new Date(now).toISOString(),
  shownUntil: new Date(now + 600_000_000).toISOString(),
  jobId: null,
  total: 2,
  made: 1,
  failed: 1,
  waiting: 0,
  keys: 1,
}
let asked: { dryRun: string | null; body: unknown }[] = []

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  asked = []
  answer({
    'GET /svc/mappings/api/v1/devices/imports': () => ({ data: [] }),
    'GET /svc/mappings/api/v1/jobs': () => ({ data: [] }),
    'GET /svc/platform/api/v1/jobs': () => ({ data: [] }),
    'GET /svc/mappings/api/v1/devices/imports/7': () => done,
    'POST /svc/mappings/api/v1/devices/imports': (url, body) => {
      asked.push({ dryRun: url.searchParams.get('dryRun'), body })
      return {
        separator: ';',
        headers: ['name', 'preset'],
        mapping: { name: 'label', preset: 'preset' },
        lines: [line(3, { outcome: 'ERROR', problems: [problem] }), line(2, { outcome: 'CREATE' })],
        counts,
        ...(url.searchParams.get('dryRun') !== 'true' && { importId: 7, jobId: '1' }),
      }
    },
    'POST /svc/mappings/api/v1/devices/imports/7/sheet': () => ({
      data: [
        {
          ...line(2, {}),
          deviceId: 'AAAAAAAAAAAAAAAAAAAAAA',
          outcome: 'MADE',
          activationKey: '7937-4BC4-9B5D-2DD1',
          problem: '',
          fault: null,
        },
        {
          ...line(3, {}),
          deviceId: '',
          outcome: 'FAILED',
          activationKey: '',
          problem: 'preset: there is none',
          fault: { column: 'preset', code: 'unknown_preset', value: 'Gone', message: 'none' },
        },
      ],
    }),
  })
})

test('a pasted table says what it would do, is done, and gives keys and labels [R-10] [C-26]', async () => {
  await openPortal('/devices/import', { sections: [devicesSection] })
  await page.getByLabelText('Or paste the table here').fill('name;preset\nPress 2;\nPress 3;Gone')
  await expect.element(page.getByText(/Preset “Gone” not found/)).toBeVisible()
  await expect.poll(() => asked.at(-1)?.dryRun).toBe('true')
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Import 1 device' }).click()
  await page.getByRole('button', { name: 'Show keys and labels' }).click()
  await expect.element(page.getByRole('gridcell', { name: /7937-4BC4-9B5D-2DD1/ })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Only lines with errors' }).click()
  await expect.element(page.getByText(/^preset: Preset “Gone” not found/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Print 1 sheet' })).toBeVisible()
  await phone()
  expect(await faults()).toEqual([])
})

test('an Excel workbook is taken in like a table of text, and a wrong cell is named [R-10]', async () => {
  await openPortal('/devices/import', { sections: [devicesSection] })
  const field = page.getByLabelText('File')
  await expect.element(field).toBeVisible()
  const choose = async (rows: string) => {
    const name = 'plant.xlsx'
    const file = new File([zipOf(bookOf(rows))], name)
    await userEvent.upload(document.querySelector('input[type=file]')!, file)
  }
  await choose('<row r="2"><c r="B2" t="e"><v>#N/A</v></c></row>')
  await expect.element(page.getByText(/Cell B2 contains an error \(#N\/A\)/)).toBeVisible()
  expect(await faults()).toEqual([])
  await choose(
    '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c></row>',
  )
  await expect.element(page.getByRole('button', { name: 'Import 1 device' })).toBeVisible()
  const csv = 'Name\r\nOven No. 7\r\n'
  expect(asked).toEqual([{ dryRun: 'true', body: { csv, name: 'plant.xlsx' } }])
  await expect.element(page.getByRole('combobox', { name: 'Separator' })).toBeDisabled()
})

const labelled = (deviceId: string, label: string) => ({
  id: deviceId,
  deviceId,
  realmId: 'nordwerk',
  name: label,
  label,
  description: '',
  serialNumber: 'S-1',
  orgResourceId: 'nordwerk',
  deleted: false,
  creationDate: now,
  updatedAt: now,
  connected: false,
  lastConnUpdateAt: 0,
  lastConfigUpdateAt: 0,
  configurationSent: false,
  configurationApplied: false,
  configurationError: null,
  presetId: null,
  presetName: null,
  modelId: null,
  modelName: null,
  modelVersion: null,
  attributes: {},
  tags: [],
  groups: [],
  isGateway: false,
  vpnName: null,
})
const keyCall = 'POST /svc/platform/api/v1/organizations/nordwerk.*/devices/press/activationKey'
const labelAnswers = (issue: () => unknown) =>
  answer({
    'GET /svc/mappings/api/v1/devices/press': () => ({ value: labelled('press', 'Press 2') }),
    [keyCall]: issue,
  })
const openLabels = (search: string, who = session()) =>
  openPortal(`/devices/labels${search}`, { sections: [devicesSection], who })

test('labels of devices lead to their page; with keys only when new ones are made', async () => {
  let made = 0
  labelAnswers(() => {
    made++
    return {
      activationKey: '7937-4BC4',
      pairingEndpoint: '',
      authorityUrl: '',
      issuedAt: '',
      issuedBy: '',
      expiresAt: null,
      mostUses: null,
      uses: 0,
      lastUsedAt: null,
    }
  })
  await openLabels('?device=press&device=press')
  await expect.element(page.getByRole('button', { name: 'Print 1 sheet' })).toBeVisible()
  expect(document.body.textContent).not.toContain('7937-4BC4')
  await page.getByRole('button', { name: /new key/i }).click()
  await expect.poll(() => document.body.textContent).toContain('7937-4BC4')
  expect(made).toBe(1)
  expect(await faults()).toEqual([])
})

test('keys that cannot be made are said, and the labels stay', async () => {
  labelAnswers(() => refusedWith(403, 'platform.device_not_allowed'))
  await openLabels('?device=press')
  await page.getByRole('button', { name: /new key/i }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/You do not have permission/)
  await expect.element(page.getByRole('button', { name: 'Print 1 sheet' })).toBeVisible()
})

test('who may not change devices prints labels without keys', async () => {
  labelAnswers(() => undefined)
  const permissions = new Set(['portal:access', 'devices:read', 'devices:create'] as const)
  await openLabels('?device=press', session({ permissions }))
  await expect.element(page.getByRole('button', { name: /new key/i })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Print 1 sheet' })).toBeEnabled()
})

test('without a device there is nothing to print, and a way to the list', async () => {
  await openLabels('')
  await expect.element(page.getByText('No devices selected')).toBeVisible()
})

test('a device that is not there is said', async () => {
  labelAnswers(() => undefined)
  await openLabels('?device=gone')
  await expect.element(page.getByRole('alert')).toBeVisible()
})
