import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from './calls.ts'
import { mainOrg as org, type PressWorld, startPressWorld } from './press-world.ts'
import type { WireDevice } from './wire-device.ts'

const triggers = 'trigger/api/v1/triggers'

let world: PressWorld
let call: Calls
let receiver: Server
let device: WireDevice
let deviceId: string
const received: Record<string, unknown>[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>)
      response.end('thanks')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  world = await startPressWorld({
    paths: ['temperature', 'a', 'b', 'c'],
    unit: '',
    env: { OUTSIDE_HTTP: 'on', OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8' },
  })
  call = world.call
  ;({ device, deviceId } = await world.press('press-7'))
})
afterAll(async () => {
  await world?.stop()
  await new Promise((resolve) => receiver?.close(resolve))
})

type Trigger = { id: string; longreach: { state: string; stopped: { text: string } | null } }
const create = (name: string, triggerData: object, deviceGroups: number[] = []) =>
  call<Trigger>('POST', `${triggers}?${org}`, { name, deviceGroups, triggerData })
const writing = (from: string, to: string) => ({
  policy: { type: 'PASSTHROUGH', modelPathMatcher: `Press:1/${from}` },
  longreach: { actions: [{ type: 'WRITE', path: `Press:1/${to}` }] },
})

test('[R-23] a value of a device calls a webhook, once', async () => {
  const { port } = receiver.address() as AddressInfo // it listens
  const made = await create('Too hot', {
    policy: { type: 'ANALOG_BAND', modelPathMatcher: 'Press:1/temperature', min: 200 },
    actions: [
      {
        type: 'WEBHOOK_ACTION',
        webhookConfig: {
          url: `http://127.0.0.1:${port}/hook`,
          template: '{"device": "{{device}}", "degrees": "{{value}}"}',
        },
      },
    ],
  })
  await device.send('temperature', 20)
  await device.send('temperature', 241.5)
  await device.send('temperature', 245)
  type Runs = { data: { id: string; kind: string; isDone: boolean; text: string }[] }
  const runs = () => call<Runs>('GET', `trigger/api/v1/runs?${org}`)
  await expect.poll(async () => (await runs()).data.map(({ isDone }) => isDone)).toEqual([true])
  expect(received).toEqual([{ device: 'press-7', degrees: '241.5' }])
  const [run] = (await runs()).data
  expect(run).toMatchObject({ kind: 'acted', text: 'Fired: Press:1/temperature = 241.5.' })
  const detail = await call('GET', `${triggers}/${made.id}/runs/${run?.id}?${org}`)
  expect(detail).toMatchObject({ actions: [{ state: 'DONE', answer: '200 thanks' }] })
})

test('[R-23] a trigger that feeds itself is not saved, and says by what', async () => {
  const self = create('Echo', writing('a', 'a'))
  await expect(self).rejects.toThrow(/422/)
})

test('[R-23] three triggers that feed each other by a device of all their groups are stopped', async () => {
  const groups = []
  for (const name of ['one', 'two', 'three']) {
    const path = 'core/api/v1/organizations/main/securityPolicies'
    const { id } = await call<{ id: number }>('POST', path, { name })
    await call('PUT', `${path}/${id}/devices`, { add: [deviceId] })
    groups.push(id)
  }
  const [one = 0, two = 0, three = 0] = groups
  // Their groups have no device group in common, so nothing is known of it when they are saved.
  const made = [
    await create('A', writing('a', 'b'), [one]),
    await create('B', writing('b', 'c'), [two]),
    await create('C', writing('c', 'a'), [three]),
  ]
  const states = async () => {
    const all = made.map(({ id }) => call<Trigger>('GET', `${triggers}/${id}?${org}`))
    return (await Promise.all(all)).map(({ longreach: { state, stopped } }) => ({ state, stopped }))
  }
  let sentAt = 0
  await expect
    .poll(async () => {
      // Until the platform judges by them; then they feed each other without a further value.
      if (device.written.length === 0 && Date.now() > sentAt + 5_000) {
        sentAt = Date.now()
        await device.send('a', Math.random())
      }
      return (await states()).some(({ state }) => state === 'stopped')
    })
    .toBe(true)
  const [stopped] = (await states()).filter(({ state }) => state === 'stopped')
  expect(stopped?.stopped?.text).toMatch(/writes Press:1\//)
  const written = device.written.length
  await device.send('temperature', 10)
  expect(device.written.length - written).toBeLessThan(20)
  expect(device.deaths).toEqual([])
})
