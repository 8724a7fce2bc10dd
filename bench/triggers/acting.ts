import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Calls, signInByHttp } from '../../e2e/src/calls.ts'
import { startLongreach } from '../../e2e/src/longreach.ts'
import { startWireDevice, type WireDevice } from '../../e2e/src/wire-device.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const org = 'organization=main'
const triggers = `trigger/api/v1/triggers?${org}`
/** Pause between two looks at what cannot be heard (ms): the error of the figures of attributes and alarms. */
const lookMs = 10
const waitMs = 60_000
/** Pause between two looks at the counters of many triggers (ms), which cost the server work. */
const lookAtManyMs = 250
/** Runs a minute after which a trigger is stopped: each of these acts at most this often. */
const mostOfOne = 50

type Acting = {
  /** Times (ms) from the message of a value to the call at a local receiver, to the attribute, to the alarm of a rule. */
  webhook: number[]
  attribute: number[]
  alarm: number[]
  /** Times of the same call to the same receiver without a trigger. */
  direct: number[]
  /** Runs, and alarms of rules, that became durable per second. */
  runsPerSecond: number
  alarmsPerSecond: number
}

type Size = {
  /** Values that each fire a webhook, an attribute and a rule, one after the other. */
  tries: number
  /** Triggers that each value fires at once, and rules that one value raises. */
  atOnce: number
  /** Values that fire them: a trigger stops after 60 runs in a minute. */
  firings: number
}

/** Times and rates of triggers on a server of its own with a real device and a real receiver. */
export async function actingFigures(size: Size): Promise<Acting> {
  const receiver = await startReceiver()
  const env = {
    SETUP_USER: owner.username,
    SETUP_PASSWORD: owner.password,
    OUTSIDE_HTTP: 'on',
    OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  const server = await startLongreach({ env, first: true })
  const call = await signInByHttp(server.url, owner)
  const { device, deviceId } = await pairedDevice(server.url, call)
  try {
    const times = await latencies({ call, device, deviceId, receiver, tries: size.tries })
    const { atOnce, firings } = size
    const rates = await ratesOf({ call, device, atOnce, firings })
    return { ...times, ...rates }
  } finally {
    await device.stop()
    await server.stop()
    await receiver.close()
  }
}

/** Receiver of webhooks that keeps the time of the newest call by the value that it carried. */
async function startReceiver() {
  const heard = new Map<string, number>()
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { value } = JSON.parse(Buffer.concat(chunks).toString()) as { value: string }
      heard.set(value, performance.now())
      response.end('received')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens
  return {
    url: `http://127.0.0.1:${port}/hook`,
    heard,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
type Receiver = Awaited<ReturnType<typeof startReceiver>>

const words = { label: '', description: '', unit: '', tags: [] }
const node = { type: 'object', instanceOf: 'Press:1.0.0', UUID: null, ...words }
const names = ['probe', 'many', 'ruled']
const ofEach = (one: (name: string) => object) =>
  Object.fromEntries(names.map((name) => [name, one(name)]))

async function pairedDevice(url: string, call: Calls) {
  const model = { ...node, properties: ofEach(() => ({ type: 'double', ...words })) }
  await call('POST', `mappings/api/v1/models?${org}`, { name: 'Press:1.0.0', data: model })
  const change = { type: 'onchange', changeMask: 'value', minIntervalMs: 0, skipFirstNChanges: 0 }
  const leaf = { version: '1.0.0', type: 'double', mode: 'RW', historyPolicy: { enabled: true } }
  const properties = ofEach((source) => ({
    ...leaf,
    sendPolicy: { triggers: [change] },
    datalink: { source },
  }))
  const preset = { name: 'Press', data: { ...node, properties } }
  const { id: presetId } = await call<{ id: string }>(
    'POST',
    `mappings/api/v1/presets?${org}`,
    preset,
  )
  const { deviceId } = await call<{ deviceId: string }>('POST', `mappings/api/v1/devices?${org}`, {
    label: 'press-7',
    presetId,
  })
  const key = `platform/api/v1/organizations/main/devices/${deviceId}/activationKey`
  const { activationKey } = await call<{ activationKey: string }>('POST', key, {})
  const device = await startWireDevice({
    pairing: `${url}/pairing/api/v1/`,
    activationKey,
    ca: await (await fetch(`${url}/pairing/ca.crt`)).text(),
    format: 'bson',
    tags: names.map((name) => ({ name, type: 'double' })),
  })
  // It connects anew with its configuration.
  await until(async () => device.connections >= 2)
  return { device, deviceId }
}

const passthrough = (name: string) => ({ type: 'PASSTHROUGH', modelPathMatcher: `Press:1/${name}` })
const attribute = (name: string) => ({ type: 'ATTRIBUTE_ACTION', attribute: { name } })
const rule = (name: string, path: string) => ({
  name,
  scope: { model: 'Press:1' },
  kind: 'condition',
  when: { path: `Press:1/${path}`, op: '>', value: 0 },
  levels: [{ severity: 3 }],
  ack: false,
  // Values that come and go are what is measured: returns are not held back.
  chatter: { max: 0, withinMs: 0 },
  texts: { en: name },
})
const makeRule = (call: Calls, name: string, path: string) =>
  call('POST', `platform/api/v1/alarms/rules?${org}`, { rule: rule(name, path) })

type World = Omit<Measured, 'tries'>

/** Sends values until new triggers act: the platform asks for them anew after they were saved. */
async function warmUp({ call, device, deviceId, receiver }: World, turn: number) {
  const before = receiver.heard.size
  for (let n = 0; n < 30; n += 1) {
    const value = 1_000 + turn * 10 - 9 + n / 10
    await device.send('probe', 0)
    await device.send('probe', value)
    await pause(1_000)
    const isSet = (await seen(call, deviceId)) >= value
    if (isSet && receiver.heard.size > before) return
  }
  throw new Error('the triggers do not act')
}

type Measured = {
  call: Calls
  device: WireDevice
  deviceId: string
  receiver: Receiver
  tries: number
}

/** Times from a value to what it brings about: each value fires two triggers and a rule, one value after the other. */
async function latencies({ call, device, deviceId, receiver, tries }: Measured) {
  const actions = (n: number) => [
    {
      type: 'WEBHOOK_ACTION',
      webhookConfig: { url: receiver.url, template: '{"value": "{{value}}"}' },
    },
    attribute(`seen${n}`),
  ]
  await makeRule(call, 'Probed', 'probe')
  const times: Pick<Acting, 'webhook' | 'attribute' | 'alarm' | 'direct'> = {
    webhook: [],
    attribute: [],
    alarm: [],
    direct: [],
  }
  for (let n = -2; n < tries; n += 1) {
    if ((n + 2) % mostOfOne === 0) {
      const [hook, set] = actions(n + 2)
      const policy = { type: 'ANALOG_BAND', modelPathMatcher: 'Press:1/probe', min: 1 }
      await call('POST', triggers, { name: `Calls ${n}`, triggerData: { policy, actions: [hook] } })
      await call('POST', triggers, { name: `Sets ${n}`, triggerData: { policy, actions: [set] } })
      await warmUp({ call, device, deviceId, receiver }, n)
    }
    await device.send('probe', 0)
    await until(async () => (await openAlarms(call)) === 0)
    const value = 1_000 + n * 10
    const begun = performance.now()
    await device.send('probe', value)
    const [webhook, set, alarm] = await Promise.all([
      timeOf(begun, () => receiver.heard.get(String(value))),
      timeOf(begun, async () =>
        (await seen(call, deviceId)) >= value ? performance.now() : undefined,
      ),
      timeOf(begun, async () => ((await openAlarms(call)) > 0 ? performance.now() : undefined)),
    ])
    const asked = performance.now()
    await (await fetch(receiver.url, { method: 'POST', body: '{"value": "direct"}' })).text()
    if (n < 0) continue
    times.webhook.push(webhook)
    times.attribute.push(set)
    times.alarm.push(alarm)
    times.direct.push(performance.now() - asked)
  }
  return times
}

async function timeOf(begun: number, look: () => number | undefined | Promise<number | undefined>) {
  let at: number | undefined
  await until(async () => {
    at = await look()
    return at !== undefined
  })
  return (at ?? begun) - begun
}

async function until(isSo: () => Promise<boolean>) {
  const end = performance.now() + waitMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('what was waited for did not come within a minute')
    await pause(lookMs)
  }
}

/** Waits until a count has grown to what is wanted; an error if it stands still for a minute. */
async function grown(read: () => Promise<number>, wanted: number) {
  let newest = 0
  let since = performance.now()
  while (newest < wanted) {
    await pause(lookAtManyMs)
    const count = await read()
    if (count > newest) since = performance.now()
    else if (performance.now() - since > waitMs)
      throw new Error(`${newest} of ${wanted} came, and no more within a minute`)
    newest = count
  }
}

/** Newest value that an attribute of the device took. */
async function seen(call: Calls, deviceId: string) {
  const { value: device } = await call<{ value: { attributes?: Record<string, unknown> } }>(
    'GET',
    `mappings/api/v1/devices/${deviceId}?${org}`,
  )
  return Math.max(
    -Infinity,
    ...Object.entries(device.attributes ?? {}).flatMap(([name, value]) =>
      name.startsWith('seen') ? [Number(value)] : [],
    ),
  )
}

async function openAlarms(call: Calls) {
  const counts = await call<{ count: number }[]>(
    'GET',
    `platform/api/v1/alarms/severityCount?${org}`,
  )
  return counts.reduce((sum, { count }) => sum + count, 0)
}

type Rated = { call: Calls; device: WireDevice } & Omit<Size, 'tries'>

/** Runs that become durable per second when each value fires many triggers, and alarms of as many rules. */
async function ratesOf({ call, device, atOnce, firings }: Rated) {
  for (let n = 0; n < atOnce; n += 1) {
    const triggerData = { policy: passthrough('many'), actions: [attribute(`many${n}`)] }
    await call('POST', triggers, { name: `Many ${n}`, triggerData })
    await makeRule(call, `Ruled ${n}`, 'ruled')
  }
  await pause(3_000)
  type List = { content: { name: string; longreach: { counters: { counterOut: number } } }[] }
  const runs = async () => {
    const { content } = await call<List>('GET', `${triggers}&pageSize=1000`)
    return content
      .filter(({ name }) => name.startsWith('Many'))
      .reduce((sum, { longreach }) => sum + longreach.counters.counterOut, 0)
  }
  let begun = performance.now()
  const first = Date.now() - firings
  // Each at a time of its own: of two of one millisecond the later one alone counts.
  for (let n = 1; n <= firings; n += 1) await device.send('many', n, new Date(first + n))
  await grown(runs, firings * atOnce)
  const runsPerSecond = (firings * atOnce) / ((performance.now() - begun) / 1_000)
  await pause(3_000)
  const before = await openAlarms(call)
  begun = performance.now()
  await device.send('ruled', 1)
  await until(async () => (await openAlarms(call)) >= before + atOnce)
  const alarmsPerSecond = atOnce / ((performance.now() - begun) / 1_000)
  return { runsPerSecond, alarmsPerSecond }
}
