import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Calls, signInByHttp } from './calls.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { startWireDevice } from './wire-device.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const patient = { timeout: 60_000 }
const q = 'organization=main'

let longreach: Longreach
let call: Calls
let ca: string
const presets: Record<'narrow' | 'wide', string> = { narrow: '', wide: '' }

beforeAll(async () => {
  const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
  longreach = await startLongreach({ env })
  call = await signInByHttp(longreach.url, owner)
  ca = await (await fetch(`${longreach.url}/pairing/ca.crt`)).text()
  await call('POST', `mappings/api/v1/models?${q}`, { name: 'Probe:1.0.0', data: model() })
  presets.narrow = await presetOf('narrow', ['integer'])
  presets.wide = await presetOf('wide', Object.keys(leaves))
})
afterAll(() => longreach.stop())

const words = { label: '', unit: '', description: '', tags: [] }
const triggers = [{ type: 'onchange', changeMask: 'value', minIntervalMs: 0, skipFirstNChanges: 0 }]
const sending = { mode: 'RW', historyPolicy: { enabled: true }, sendPolicy: { triggers } }
const from = (source: string) => ({ ...sending, datalink: { source } })
const zone = { type: 'object', instanceOf: 'Probe.Zone:1.0.0', ...words }
const settings = { type: 'struct', instanceOf: 'Probe.Settings:1.0.0', ...words }

/** Every node of the model, and how a preset maps it. */
const leaves: Record<string, { plain: object; mapped: object }> = {
  integer: { plain: { type: 'integer' }, mapped: { type: 'integer', ...from('plc.count') } },
  double: { plain: { type: 'double' }, mapped: { type: 'double', ...from('plc.heat') } },
  boolean: { plain: { type: 'boolean' }, mapped: { type: 'boolean', ...from('plc.on') } },
  string: { plain: { type: 'string' }, mapped: { type: 'string', ...from('plc.name') } },
  doubles: { plain: { type: 'doublearray' }, mapped: { type: 'doublearray', ...from('plc.row') } },
  zones: {
    plain: {
      type: 'array',
      length: 2,
      item: { ...zone, properties: { heat: { type: 'double' } } },
      ...words,
    },
    mapped: {
      type: 'array',
      length: 2,
      item: {
        ...zone,
        properties: { heat: { type: 'double', ...from('plc.zone[${0}].heat') } },
      },
      ...words,
    },
  },
  settings: {
    plain: { ...settings, properties: { a: { type: 'integer' }, b: { type: 'double' } } },
    mapped: {
      ...settings,
      ...from('plc.settings'),
      properties: { a: { type: 'integer', mode: 'RW' }, b: { type: 'double' } },
    },
  },
}
const root = { type: 'object', instanceOf: 'Probe:1.0.0', UUID: null, ...words }
const model = () => ({
  ...root,
  properties: Object.fromEntries(Object.entries(leaves).map(([name, { plain }]) => [name, plain])),
})

async function presetOf(name: string, of: string[]) {
  const properties = Object.fromEntries(of.map((leaf) => [leaf, leaves[leaf]?.mapped]))
  const body = { name, data: { ...root, properties } }
  return (await call<{ id: string }>('POST', `mappings/api/v1/presets?${q}`, body)).id
}

type Detail = {
  connected: boolean
  configurationSent: boolean
  configurationApplied: boolean
  configurationError: string | null
}

/** A device of the product, and a program at the other end of the wire. */
async function start(
  label: string,
  { format, pairing }: { format: 'bson' | 'json'; pairing: string },
) {
  const made = await call<{ deviceId: string }>('POST', `mappings/api/v1/devices?${q}`, { label })
  const { deviceId } = made
  const own = `platform/api/v1/organizations/main/devices/${deviceId}`
  const { activationKey } = await call<{ activationKey: string }>(
    'POST',
    `${own}/activationKey`,
    {},
  )
  const tags = [{ name: 'plc.count', type: 'integer' }]
  const device = await startWireDevice({
    pairing: `${longreach.url}${pairing}`,
    activationKey,
    ca,
    format,
    tags,
  })
  const detail = async () => {
    const answer = await call<{ value: Detail } | Detail>(
      'GET',
      `mappings/api/v1/devices/${deviceId}?${q}`,
    )
    return 'value' in answer ? answer.value : answer
  }
  return {
    device,
    deviceId,
    own,
    detail,
    use: (presetId: string) =>
      call('PUT', `mappings/api/v1/devices/${deviceId}?${q}`, { presetId }),
    applied: async () =>
      await expect.poll(async () => (await detail()).configurationApplied, patient).toBe(true),
    /** Every value of the last day by path, times in ms. */
    async values() {
      const since = new Date(Date.now() - 86_400_000).toISOString()
      const query = new URLSearchParams({ modelPath: '**', since })
      const series = await call<{ modelPath: string; data: [number, unknown][] }[]>(
        'GET',
        `${own}/tags?${query}`,
      )
      return Object.fromEntries(series.map(({ modelPath, data }) => [modelPath, data]))
    },
  }
}
type Started = Awaited<ReturnType<typeof start>>

const ways = [
  { format: 'bson', pairing: '/pairing/api/v1/' },
  { format: 'json', pairing: '/pairing/api/v1' },
] as const
const started = new Map<string, Started>()
const of = (format: string) => started.get(format) as Started // the first test of the file started it
afterAll(async () => {
  for (const { device } of started.values()) await device.stop()
})

test.each(ways)(
  'a $format device pairs, connects and is left alone while it has no preset (traps 1, 2, 8, 9, 20) [C-20]',
  async (way) => {
    const it = await start(`wire ${way.format}`, way)
    started.set(way.format, it)
    const { device, own } = it
    expect(new X509Certificate(device.certificate).subject).toContain(`CN=${device.root}`)
    expect(device.protocol).toBe('TLSv1.3')
    // The tags come a second after everything else, so by then a configuration would be here.
    await expect
      .poll(() => call('GET', `${own}/availableTags`), patient)
      .toEqual([{ name: 'plc.count', type: 'integer' }])
    await expect
      .poll(() => it.detail(), patient)
      .toMatchObject({ connected: true, configurationApplied: false })
    expect([device.configurations, device.deaths]).toEqual([[], []])
  },
)

test.each(ways)(
  'a $format device takes its preset at once, reconnects once and confirms it (traps 4, 5, 6) [C-20]',
  async ({ format }) => {
    const it = of(format)
    await it.use(presets.narrow)
    await it.applied()
    expect(it.device.connections).toBe(2)
    // Sent when it was set, and again when the device came back: the same text, byte for byte.
    expect(new Set(it.device.configurations).size).toBe(1)
    await it.device.drop()
    await it.device.connect()
    await expect.poll(() => it.device.configurations.length, patient).toBeGreaterThanOrEqual(3)
    expect(new Set(it.device.configurations).size).toBe(1)
    expect([it.device.connections, it.device.deaths]).toEqual([3, []])
    await expect
      .poll(() => it.detail(), patient)
      .toMatchObject({ configurationApplied: true, configurationSent: true })
  },
)

test.each(ways)(
  'another preset reaches a connected $format device, and what it sends comes back in its types (trap 7) [C-20]',
  async ({ format }) => {
    const it = of(format)
    await it.use(presets.wide)
    await expect.poll(() => it.device.connections, patient).toBe(4)
    await it.applied()
    const at = Date.now() - 3_600_000
    const send = (tag: string, v: unknown, after = 0) =>
      it.device.send(tag, v, new Date(at + after))
    await send('plc.count', -2147483648)
    await send('plc.heat', 21)
    await send('plc.heat', 21.5, 1)
    // What arrives late belongs where its time says.
    await send('plc.heat', 20, -5_000)
    await send('plc.on', true)
    await send('plc.name', 'Ofen ä €')
    await send('plc.row', [1, 2.5, 3])
    await send('plc.zone[0].heat', 100)
    await send('plc.zone[1].heat', 200.25)
    // Fields that never changed are missing.
    await send('plc.settings', {})
    await send('plc.settings', { a: 7 }, 1)
    await send('plc.settings', { b: 2 }, 2)
    const values = await it.values()
    expect(values).toMatchObject({
      'Probe:1/integer': [[at, -2147483648]],
      'Probe:1/double': [
        [at - 5_000, 20],
        [at, 21],
        [at + 1, 21.5],
      ],
      'Probe:1/boolean': [[at, true]],
      'Probe:1/string': [[at, 'Ofen ä €']],
      'Probe:1/doubles': [[at, [1, 2.5, 3]]],
      'Probe:1/zones[0]/heat': [[at, 100]],
      'Probe:1/zones[1]/heat': [[at, 200.25]],
    })
    expect(values['Probe:1/settings']?.at(-1)).toEqual([at + 2, { a: 7, b: 2 }])
    expect(it.device.deaths).toEqual([])
  },
)

test.each(ways)(
  'what is written reaches a $format device as BSON and is confirmed by it (trap 6) [C-20]',
  async ({ format }) => {
    const it = of(format)
    const write = (modelPath: string, v: unknown) =>
      call('POST', `${it.own}/tags`, { data: [{ modelPath, v }] })
    await write('Probe:1/integer', 42)
    await write('Probe:1/double', 3)
    await write('Probe:1/string', 'neu')
    await write('Probe:1/zones[1]/heat', 180.5)
    await expect
      .poll(() => it.device.written.map(({ v }) => v), patient)
      .toEqual([42, 3, 'neu', 180.5])
    await expect
      .poll(async () => (await it.values())['Probe:1/zones[1]/heat']?.at(-1)?.[1], patient)
      .toBe(180.5)
    expect(it.device.deaths).toEqual([])
  },
)

test.each(ways)(
  'one field of a struct is written to a $format device alone, confirmed by it, and the other stays [C-20]',
  async ({ format }) => {
    const it = of(format)
    const write = (name: string, v: unknown) =>
      call('POST', `${it.own}/tags`, { data: [{ modelPath: `Probe:1/settings/${name}`, v }] })
    const before = it.device.written.length
    expect(await write('a', 77)).toMatchObject({
      data: [{ modelPath: 'Probe:1/settings/a', status: 'confirmed', value: 77 }],
    })
    const [got, ...more] = it.device.written.slice(before)
    expect([got?.v, more]).toEqual([77, []])
    expect(got?.topic).toMatch(/\/a$/)
    expect((await it.values())['Probe:1/settings']?.at(-1)?.[1]).toEqual({ a: 77, b: 2 })
    // Its preset does not allow a write of the other field alone.
    await expect(write('b', 3)).rejects.toThrow('not_writable')
    expect(it.device.deaths).toEqual([])
  },
)

test('a second connection of the same device takes over, and the device is not away [C-20]', async () => {
  const { device, detail } = of('bson')
  const first = device.connection
  await device.connect()
  await expect.poll(() => first?.connected, patient).toBe(false)
  expect(device.connection).not.toBe(first)
  expect(device.connection?.connected).toBe(true)
  expect((await detail()).connected).toBe(true)
  expect(device.deaths).toEqual([])
})

test('a device that goes is away, one that comes back is there, and both stand in its history [C-21] [E-16]', async () => {
  const { device, detail, own } = of('json')
  await device.drop()
  await expect.poll(async () => (await detail()).connected, patient).toBe(false)
  await device.connect()
  await expect.poll(async () => (await detail()).connected, patient).toBe(true)
  const history = async () =>
    (await call<{ data: [number, ...unknown[]][] }[]>('GET', `${own}/status`))[0]?.data.length
  await expect.poll(history, patient).toBeGreaterThan(2)
  const alias = await call<Record<string, unknown>>(
    'GET',
    `platform/api/v1/organizations/main/deviceByAlias?alias=wire%20json`,
  )
  expect(alias).toMatchObject({ connected: true, introspection: expect.anything() })
})
