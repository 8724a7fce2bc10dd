import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ovenAgent } from '../../apps/edge/src/demo-agents.ts'
import { type Body, ovenModel } from '../../apps/edge/src/demo-models.ts'
import { freePort } from '../../apps/edge/src/free-port-for-tests.ts'
import { type Calls, signInByHttp } from './calls.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { ModbusTap } from './modbus-tap.ts'
import { type Program, startProgram } from './program.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const minute = 60_000
/** A long time limit costs nothing when the element appears early, and a machine may be busy. */
const patient = 3 * minute
const productsRegister = 7

let folder: string
let longreach: Longreach | undefined
const programs: Program[] = []
let tap: ModbusTap | undefined
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-outage-'))
})
afterAll(async () => {
  for (const program of programs) await program.stop()
  await tap?.close()
  await longreach?.stop()
  if (longreach) await rm(longreach.dataDir, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

/** The oven's preset with every change of the counter of products sent at once, and nothing else of it. */
function everyProduct({ name, data }: Body): Body {
  const { properties } = data as { properties: Record<string, object> }
  const change = { type: 'onchange', changeMask: 'value', minIntervalMs: 0, skipFirstNChanges: 0 }
  const products = { ...properties['products'], sendPolicy: { triggers: [change] } }
  return { name, data: { ...data, properties: { ...properties, products } } }
}

async function makeOven(call: Calls) {
  const query = 'organization=main'
  const { model, preset } = ovenModel()
  await call('POST', `mappings/api/v1/models?${query}`, model)
  const { id: presetId } = await call<{ id: string }>(
    'POST',
    `mappings/api/v1/presets?${query}`,
    everyProduct(preset),
  )
  const { deviceId } = await call<{ deviceId: string }>(
    'POST',
    `mappings/api/v1/devices?${query}`,
    { label: 'oven', presetId },
  )
  const device = `platform/api/v1/organizations/main/devices/${deviceId}`
  const { activationKey } = await call<{ activationKey: string }>(
    'POST',
    `${device}/activationKey`,
    {},
  )
  return { device, activationKey }
}

type Point = [t: number, v: number]

/** Every stored value of the counter. */
async function stored(call: Calls, device: string, since: number): Promise<Point[]> {
  const range = new URLSearchParams({
    modelPath: 'OvenLine:1/products',
    since: new Date(since).toISOString(),
    limit: '100000',
  })
  const [series] = await call<{ data: Point[] }[]>('GET', `${device}/tags?${range}`)
  return series?.data ?? []
}

const distinct = (values: readonly number[]) =>
  values.filter((value, index) => value !== values[index - 1])

test(
  'what an agent reads while the server is away for a minute arrives afterwards, all of it and in order [C-20]',
  async () => {
    const began = Date.now()
    const env = {
      SETUP_USER: owner.username,
      SETUP_PASSWORD: owner.password,
      PORT: String(await freePort()),
      MQTT_PORT: String(await freePort()),
    }
    longreach = await startLongreach({ env })
    const { dataDir } = longreach
    const { device, activationKey } = await makeOven(await signInByHttp(longreach.url, owner))

    // Six times as fast as life: more than one product each second.
    const oven = startProgram('apps/edge/src/plant-oven.ts', ['--speed', '6'])
    programs.unshift(oven)
    await expect.poll(oven.output, { timeout: patient }).toMatch(/"port":\d+/)
    tap = await ModbusTap.open(Number(/"port":(\d+)/.exec(oven.output())?.[1]), productsRegister)
    const settings = ovenAgent(
      { activationKey, endpoint: longreach.url, dataDir: path.join(folder, 'agent') },
      tap.port,
    )
    const config = path.join(folder, 'edge.yaml') // JSON is YAML
    await writeFile(config, JSON.stringify(settings))
    programs.unshift(startProgram('apps/edge/src/main.ts', ['--config', config]))
    const before = await signInByHttp(longreach.url, owner)
    await expect
      .poll(() => stored(before, device, began), { timeout: patient, interval: 500 })
      .not.toHaveLength(0)

    await longreach.kill()
    const down = Date.now()
    const seenBefore = distinct(tap.seen).length
    await expect
      .poll(() => Date.now() - down, { timeout: patient, interval: 500 })
      .toBeGreaterThan(minute)
    const duringOutage = distinct(tap.seen).slice(seenBefore)
    expect(duringOutage.length).toBeGreaterThan(20)

    longreach = await startLongreach({ env, dataDir })
    const call = await signInByHttp(longreach.url, owner)
    const target = tap.seen.at(-1) ?? 0
    await expect
      .poll(async () => (await stored(call, device, began)).at(-1)?.[1], {
        timeout: patient,
        interval: 500,
      })
      .toBeGreaterThan(target)

    const points = await stored(call, device, began)
    const values = points.map(([, value]) => value)
    const read = distinct(tap.seen)
    const from = read.indexOf(values[0] ?? -1)
    expect(values).toEqual(read.slice(from, from + values.length))
    expect(values).toEqual(expect.arrayContaining(duringOutage))
    const times = points.map(([time]) => time)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  },
  15 * minute,
)
