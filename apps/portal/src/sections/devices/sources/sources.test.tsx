import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone } from '../../../page-testing.tsx'
import { queries } from '../../../parts/api/queries.ts'
import type { Language } from '../../../parts/words/locale-rules.ts'
import type { Section } from '../../../parts/pages/section.ts'
import type { Row } from '../device-rows.ts'
import { section as devicesSection } from '../section.ts'
import { SourcesTab } from './SourcesTab.tsx'

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
  queries.clear()
})

const id = 'AAAAAAAAAAAAAAAAAAAAAA'
const path = `/svc/platform/api/v1/organizations/nordwerk.*/devices/${id}`
const now = Date.now()
const health = {
  at: now,
  version: '0.1.0+aaaa1111',
  startedAt: now - 93_600_000,
  node: 'v24.21.0',
  system: 'Linux 6.1 arm64',
  hostName: 'gateway-7',
  cpu: { agent: 2.4, machine: 18.2 },
  memory: { agent: 96_000_000, used: 900_000_000, total: 4_000_000_000 },
  disk: { used: 4_000_000_000, total: 32_000_000_000 },
  buffer: { waiting: 0, dropped: 0, bytes: 0, maxBytes: 256_000_000, oldestAt: null },
  sources: [],
  remote: { configure: true, update: true },
  update: null,
}
const agent = (more: object = {}) => ({
  announced: true,
  connected: true,
  health,
  reportedAt: now,
  clockDifferenceMs: 120,
  available: { version: '0.1.0+bbbb2222', older: false },
  ...more,
})
const listing = {
  version: 3,
  changedAt: now,
  canRestore: true,
  configure: true,
  sources: [
    {
      source: {
        name: 'oven',
        type: 'modbus',
        host: '10.0.0.5',
        port: 502,
        unit: 1,
        pollMs: 1_000,
        tags: [{ name: 'oven.temperature', area: 'input', address: 0, type: 'int16' }],
      },
      hasPassword: false,
      health: { state: 'ok', tags: 1, badTags: 0, rate: 1 },
    },
  ],
}
const found = {
  complete: true,
  units: [
    {
      unit: 1,
      answers: true,
      areas: [
        {
          area: 'holding',
          found: [
            {
              address: 4,
              raw: 16_813,
              guesses: [
                { type: 'float32', wordOrder: 'ABCD', value: 21.7 },
                { type: 'uint16', wordOrder: 'ABCD', value: 16_813 },
              ],
            },
          ],
        },
      ],
    },
  ],
}

const device = { deviceId: id, label: 'Gateway 7', connected: true } as Row
const gateway: Section = {
  ...devicesSection,
  words: ['gateway'],
  pages: [
    { path: '/devices', load: async () => ({ Component: () => <SourcesTab device={device} /> }) },
  ],
}

type Asked = { command: string; input: Record<string, unknown> }

/** A gateway that answers commands from a table, and notes them. */
async function open(results: Record<string, unknown>, state = agent(), language: Language = 'en') {
  const asked: Asked[] = []
  answer({
    [`GET ${path}/agent`]: () => state,
    [`GET ${path}/availableTags`]: () => [{ name: 'oven.temperature', type: 'integer' }],
    [`POST ${path}/agent/commands`]: (_, body) => {
      const { command, input } = body as Asked
      asked.push({ command, input })
      const result = results[command]
      const failed = result instanceof Error
      const field = failed ? { field: String(result.cause) } : {}
      return {
        id: crypto.randomUUID(),
        command,
        askedBy: 'erika',
        askedAt: now,
        answeredAt: now,
        state: failed ? 'FAILED' : 'DONE',
        result: failed ? null : result,
        error: failed ? { code: 'invalid', message: result.message, ...field } : null,
      }
    },
  })
  await openPortal('/devices', { sections: [gateway], language })
  return asked
}

test('a gateway shows how it is and which machines it reads', async () => {
  await desktop()
  await open({ 'sources.read': listing })
  await expect.element(page.getByText('gateway-7', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'oven', exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Update to 0.1.0+bbbb2222' })).toBeVisible()
  expect(await faults()).toEqual([])
  await phone()
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})

test('registers found by a scan are picked, named and saved as tags', async () => {
  await desktop()
  const asked = await open({
    'sources.read': listing,
    'modbus.scan': found,
    'sources.save': { ...listing, version: 4 },
  })
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByLabelText('Address').fill('10.0.0.9')
  await page.getByRole('button', { name: 'Scan' }).click()
  await page.getByRole('checkbox', { name: 'Holding register 4' }).click()
  await page.getByRole('textbox', { name: 'Name of holding 4' }).fill('pump.speed')
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Save source with 1 data point' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  const saved = asked.find(({ command }) => command === 'sources.save')
  await expect
    .poll(() => saved?.input)
    .toMatchObject({
      version: 3,
      source: {
        type: 'modbus',
        name: 'modbus',
        host: '10.0.0.9',
        tags: [
          { name: 'pump.speed', area: 'holding', address: 4, type: 'float32', wordOrder: 'ABCD' },
        ],
      },
    })
})

test.for([
  ['en', /^The gateway does not accept this. Its message: “two tags are called oven.temperature”$/],
  [
    'de',
    /^Das Gateway nimmt dies nicht an. Seine Meldung: „two tags are called oven.temperature“$/,
  ],
] as const)(
  'what the gateway refuses is said at its field in words of %s, and nothing typed is lost [V-03 in part]',
  async ([language, words]) => {
    await desktop()
    const refusal = new Error('two tags are called oven.temperature', { cause: '0.tags.0.name' })
    await open({ 'sources.read': listing, 'sources.save': refusal }, agent(), language)
    await page.getByRole('button', { name: 'oven', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect.element(dialog.getByRole('textbox').first()).toBeVisible()
    document.querySelector<HTMLButtonElement>('[role=dialog] form [type=submit]')?.click()
    await expect.element(page.getByText(words)).toBeVisible()
    const typed = dialog.getByRole('textbox').elements() as HTMLInputElement[]
    expect(typed.map(({ value }) => value)).toContain('10.0.0.5')
  },
)

test('a gateway that is away can be looked at and not changed', async () => {
  await desktop()
  await open({}, agent({ connected: false }))
  await expect
    .element(page.getByText('The gateway is offline', { exact: false }).first())
    .toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'Add source' }))
    .toHaveAttribute('aria-disabled', 'true')
})

const tried = {
  ok: false,
  steps: [
    {
      step: 'reach',
      ok: true,
      detail: '10.0.0.5:502 answers from 10.0.0.5',
      code: 'reach.answers',
      values: { address: '10.0.0.5:502', from: '10.0.0.5' },
      ms: 3,
    },
    { step: 'login', ok: true, detail: 'told by an older agent', ms: 3 },
    { step: 'device', ok: true, detail: 'told by a newer agent', code: 'not.yet.known', ms: 3 },
    {
      step: 'values',
      ok: false,
      detail: '1 of 3 tags have a value; 2 said nothing',
      code: 'values.silent',
      values: { good: 1, all: 3, silent: 2 },
      ms: 6_000,
    },
  ],
  values: [],
}
test('the steps of a connection test are told in words of the reader, and as the gateway tells them where the portal has none', async () => {
  await desktop()
  await open({ 'sources.read': listing, 'source.test': tried }, agent(), 'de')
  await page.getByRole('button', { name: 'oven', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Verbindung testen' }).click()
  const told = () => dialog.element().textContent
  await expect.poll(told).toContain('10.0.0.5:502 antwortet von 10.0.0.5')
  const silent = '1 von 3 Datenpunkten haben einen Wert. 2 haben während des Tests nichts gesendet.'
  expect(told()).toContain(silent)
  expect(told()).toContain('told by an older agent')
  expect(told()).toContain('told by a newer agent')
  expect(told()).not.toContain('said nothing')
})
