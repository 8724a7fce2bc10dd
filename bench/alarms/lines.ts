import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { addDevice, type Calls } from '../../e2e/src/calls.ts'
import { connectDevice, pair } from '../../e2e/src/device.ts'
import type { Longreach } from '../../e2e/src/longreach.ts'
import type { Order, Start, Told } from './line-load.ts'

/** Production lines that are devices of one model, with so many values each: `Line:1/t0` and so on. */
export type Lines = { deviceIds: string[]; start: Start; modelPath: (tag: number) => string }

const model = 'Line:1.0.0'
const words = { label: '', unit: '', description: '', tags: [] }
const node = { type: 'object', instanceOf: model, UUID: null, ...words }
const whenChanged = {
  type: 'onchange',
  changeMask: 'value',
  minIntervalMs: 0,
  skipFirstNChanges: 0,
}

/** Devices of one preset, made and paired through the API. */
export async function makeLines(
  { url, mqttPort }: Longreach,
  call: Calls,
  { organization, lines, tags, valuesPerS }: { organization: string } & Size,
): Promise<Lines> {
  const names = Array.from({ length: tags }, (_, tag) => `t${tag}`)
  const query = `organization=${organization}`
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'double' }]))
  await call('POST', `mappings/api/v1/models?${query}`, {
    name: model,
    data: { ...node, properties },
  })
  const leaf = (source: string) => ({
    version: '1.0.0',
    type: 'double',
    mode: 'R',
    historyPolicy: { enabled: true },
    sendPolicy: { triggers: [whenChanged] },
    datalink: { source },
  })
  const mapped = Object.fromEntries(names.map((name) => [name, leaf(name)]))
  const { id: presetId } = await call<{ id: string }>('POST', `mappings/api/v1/presets?${query}`, {
    name: 'Line preset',
    data: { ...node, properties: mapped },
  })
  const make = async (n: number) => {
    const body = { label: n === lines ? 'Line without rules' : `Line ${n}`, presetId }
    const { deviceId, activationKey } = await addDevice(call, organization, body)
    return { deviceId, ...(await pair(url, activationKey)) }
  }
  const made: Awaited<ReturnType<typeof make>>[] = []
  // One more tells the topics: what is connected before its rules are written knows none.
  for (let from = 0; from <= lines; from += 8) {
    const some = Array.from({ length: Math.min(8, lines + 1 - from) }, (_, at) => make(from + at))
    made.push(...(await Promise.all(some)))
  }
  const first = made.pop()
  if (!first) throw new Error('there are no lines')
  const device = await connectDevice({ ...first, broker: `mqtts://localhost:${mqttPort}` })
  const leaves = await Promise.all(names.map((name) => device.leafOf(name)))
  await device.close()
  const topics = leaves.map((one) => one?.mapping?.device_endpoint ?? '')
  if (topics.includes('')) throw new Error('the configuration names no topic')
  return {
    deviceIds: made.map(({ deviceId }) => deviceId),
    modelPath: (tag) => `Line:1/t${tag}`,
    start: {
      port: mqttPort,
      ca: first.ca,
      topics,
      valuesPerS,
      lines: made.map(({ realm, logicalId, cert, key }) => ({
        base: `${realm}/${logicalId}`,
        cert,
        key,
      })),
    },
  }
}
type Size = { lines: number; tags: number; valuesPerS: number }

/** Process in which the lines send their values. */
export async function startLoad({ start }: Lines) {
  const child = fork(new URL('line-load.ts', import.meta.url))
  const raised = new Set<(told: Extract<Told, { raised: unknown }>['raised']) => void>()
  let figures: Extract<Told, { figures: unknown }>['figures'] | undefined
  child.on('message', (told: Told) => {
    if ('raised' in told) for (const listener of raised) listener(told.raised)
    if ('figures' in told) ({ figures } = told)
  })
  child.send(start)
  const [{ ready }] = (await once(child, 'message')) as [Extract<Told, { ready: unknown }>]
  return {
    /** Port at which the newest values are, for Prometheus. */
    metricsPort: ready.metricsPort,
    raised,
    order: (order: Order) => child.send(order),
    figures: () => figures,
    stop: () => child.kill('SIGKILL'),
  }
}
export type LineLoad = Awaited<ReturnType<typeof startLoad>>

/** Database of a running server, beside it. */
export async function databaseOf({ dataDir }: Longreach) {
  const folder = path.join(dataDir, 'postgres')
  const { connection } = await startPostgres({ dataDir: folder, share: true })
  return openDatabase({ ...connection, max: 2 }, () => undefined) // the server ends after the bench
}
