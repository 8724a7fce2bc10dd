import { agentInterfaces, agentTopics } from '@longreach/device-protocol/agent-names'
import { person } from '@longreach/kit/testing'
import { deserialize, serialize } from 'bson'
import { expect, test } from 'vitest'
import { platformContract } from './contract.ts'
import { openLive } from './live/live-testing.ts'
import {
  configurationText,
  newDeviceId,
  pair,
  testPlatform,
  topicOf,
  until,
  writeTopicOf,
} from './platform-testing.ts'
import {
  both,
  bson,
  connectTo,
  goAway,
  newestAt,
  org,
  paired,
  send,
  stateOf,
  two,
  useTwoProcesses,
} from './two-processes-testing.ts'

// Two processes of the platform on one database: values, writes and commands of a device at the other one.

useTwoProcesses()

test('the newest value is the newest at both processes, whichever the device is connected to', async () => {
  const { id, credentials } = await paired()
  for (const [round, platform] of [two.first, two.second, two.first].entries()) {
    const line = await connectTo(platform, credentials)
    for (const v of [round * 10 + 1, round * 10 + 2]) {
      await send(line, v)
      for (const asked of both()) expect(await newestAt(asked, id)).toBe(v)
    }
    await goAway({ line })
  }
})

test('a value that a process wrote which is gone meanwhile is the newest at the one that stays', async () => {
  const { id, credentials } = await paired()
  const line = await connectTo(two.first, credentials)
  await send(line, 1)
  expect(await newestAt(two.first, id)).toBe(1)
  await goAway({ line })
  const third = await testPlatform({ graceMs: 50 }, undefined, undefined, two.first)
  const other = await connectTo(third, credentials)
  await send(other, 2)
  await goAway({ line: other })
  await third.close()
  await expect.poll(() => newestAt(two.first, id)).toBe(2)
})

const writable = configurationText({ force: { type: 'double', mode: 'RW' } })
/** A device at the first process that takes what is written to it and reports it. */
async function takingDevice() {
  const id = newDeviceId()
  const facts = { realm: 'exor', groups: [], configuration: writable }
  two.first.register.devices.set(id, { label: id, orgResourceId: org, ...facts })
  const line = await connectTo(two.first, await pair(two.first, org, id))
  line.client.on('message', (topic, payload) => {
    if (topic !== writeTopicOf(line.base, 'force')) return
    const { v } = deserialize(payload) as { v: number }
    void line.client.publishAsync(topicOf(line.base, 'force'), bson(v), { qos: 1 })
  })
  await line.client.subscribeAsync(writeTopicOf(line.base, 'force'), { qos: 1 })
  // The line is written down a moment after the connection.
  await until(async () => (await stateOf(two.second, id)).connected, 'the line')
  return { id, line, params: { org, deviceId: id } }
}
const force = 'Probe:1/force'
const write = (v: unknown) => ({ data: [{ modelPath: force, v }], timeoutMs: 20_000 })

test('a value is written from a process that the device is not connected to, and confirmed', async () => {
  const { id, line, params } = await takingDevice()
  const member = two.second.member('ann', org)
  const { data } = await member.writeTags({ params, body: write(12.5) })
  expect(data).toMatchObject([{ modelPath: force, status: 'confirmed', value: 12.5 }])
  for (const platform of both()) expect(await newestAt(platform, id)).toBe(12.5)
  await expect(member.writeTags({ params, body: write('warm') })).rejects.toMatchObject({
    status: 422,
    code: 'platform.bad_value',
  })
  await goAway({ line })
  await until(async () => !(await stateOf(two.second, id)).connected, 'the end of the line')
  await expect(member.writeTags({ params, body: write(1) })).rejects.toMatchObject({
    status: 409,
    code: 'platform.device_offline',
  })
})

test('a write over another process needs the right there too [A-05]', async () => {
  const { id, line, params } = await takingDevice()
  const eve = two.second.member('eve', 'acme')
  const foreign = eve.writeTags({ params: { org: 'acme', deviceId: id }, body: write(1) })
  await expect(foreign).rejects.toMatchObject({ status: 404 })
  // The right goes between the check of the process that is asked and that of the other one.
  two.second.member('dora', org)
  let asked = 0
  const { capability } = two.second.rights['dora']?.[org] ?? {}
  Object.defineProperty(two.second.rights, 'dora', {
    configurable: true,
    get: () => ((asked += 1) === 1 ? { [org]: { capability, below: false } } : {}),
  })
  const dora = two.second.as(person('dora', 'exor', org), platformContract)
  const withoutRight = dora.writeTags({ params, body: write(1) })
  await expect(withoutRight).rejects.toMatchObject({ status: 404, code: 'platform.not_found' })
  expect(asked).toBeGreaterThan(1)
  delete two.second.rights['dora']
  await goAway({ line })
})

test('while the way to the other process is interrupted a write is 503, and works again after', async () => {
  const { line, params } = await takingDevice()
  const member = two.second.member('ann', org)
  two.first.network.interrupt(true)
  await expect(member.writeTags({ params, body: write(3) })).rejects.toMatchObject({
    status: 503,
    code: 'platform.unreachable',
  })
  two.first.network.interrupt(false)
  const { data } = await member.writeTags({ params, body: write(3) })
  expect(data).toMatchObject([{ status: 'confirmed' }])
  await goAway({ line })
})

test('an agent gets a command from a process that it is not connected to, and its answer ends the call', async () => {
  const { id, credentials } = await paired()
  const agent = await connectTo(two.first, credentials)
  agent.client.on('message', (topic, payload) => {
    if (topic !== agent.base + agentTopics.command) return
    const { v } = deserialize(payload) as { v: string }
    const { id: asked, command } = JSON.parse(v) as { id: string; command: string }
    const answer = JSON.stringify({ id: asked, ok: true, result: { heard: command } })
    void agent.client.publishAsync(
      agent.base + agentTopics.answer,
      Buffer.from(serialize({ v: answer })),
      { qos: 1 },
    )
  })
  await agent.client.subscribeAsync(agent.base + agentTopics.command, { qos: 1 })
  const announced = agentInterfaces.map(({ name, major, minor }) => `${name}:${major}:${minor}`)
  await agent.client.publishAsync(agent.base, announced.join(';'), { qos: 1 })
  const params = { org, deviceId: id }
  const asker = two.second.member('ann', org)
  await until(async () => {
    const { announced: isAgent, connected } = await asker.agent({ params })
    return isAgent && connected
  }, 'the agent')
  const body = { command: 'agent.health' as const, input: {}, timeoutMs: 60_000 }
  const state = await asker.commandAgent({ params, body })
  expect(state).toMatchObject({ state: 'DONE', result: { heard: 'agent.health' } })
  two.first.network.interrupt(true)
  await expect(asker.commandAgent({ params, body })).rejects.toMatchObject({
    status: 503,
    code: 'platform.unreachable',
  })
  two.first.network.interrupt(false)
  await goAway({ line: agent })
})

test('a sync at one process sends the configuration by the process that the device is connected to', async () => {
  const { id, credentials } = await paired()
  const line = await connectTo(two.first, credentials)
  const topic = `${line.base}/com.corvina.control.sub.Config/applyConfiguration`
  await line.client.subscribeAsync(topic, { qos: 1 })
  const sent = new Promise<string>((resolve) => line.client.on('message', resolve))
  await until(async () => (await stateOf(two.second, id)).connected, 'the line')
  const synced = await two.second.member('ann', org).syncStatus({ params: { org, deviceId: id } })
  expect(synced).toEqual({ connected: true })
  expect(await sent).toBe(topic)
  await goAway({ line })
})

test('a person at one process sees values and frames of a device at the other one', async () => {
  const { id, credentials } = await paired()
  const line = await connectTo(two.first, credentials)
  await send(line, 1)
  two.second.member('ann', org)
  const socket = await openLive(two.second)
  socket.send({ op: 'hello', token: two.first.tokenOf('ann', org), organization: org })
  await socket.next('ready')
  socket.send({ op: 'sub', id: 1, kind: 'values', device: id, path: '**' })
  socket.send({ op: 'sub', id: 2, kind: 'console', device: id })
  await socket.next('sub')
  await socket.next('sub')
  const seen = async (v: number) => {
    for (;;) {
      const { v: rows } = (await socket.next('values')) as { v: unknown[][] }
      if (rows.some((row) => row[0] === 1 && row[3] === v)) return
    }
  }
  await seen(1)
  await send(line, 2)
  await seen(2)
  const frame = await socket.next('frame')
  expect(frame).toMatchObject({
    id: 2,
    direction: 'received',
    ok: true,
    path: 'Probe:1/temperature',
  })
  // Who comes later sees it too, once.
  const later = await openLive(two.second)
  later.send({ op: 'hello', token: two.first.tokenOf('ann', org), organization: org })
  await later.next('ready')
  later.send({ op: 'sub', id: 1, kind: 'console', device: id })
  expect(await later.next('frame')).toMatchObject({ path: 'Probe:1/temperature', value: 2 })
  later.ws.close()
  // The device moves to the process that is watched from: nothing comes twice or stops.
  await goAway({ line })
  const here = await connectTo(two.second, credentials)
  await send(here, 3)
  await seen(3)
  await goAway({ line: here })
  socket.ws.close()
})

test('of a device that nobody watches nothing is told', async () => {
  const { credentials } = await paired()
  const told: string[] = []
  const ear = two.first.network.wire()
  for (const subject of ['*.*.live.*', '*.*.frame.*'])
    ear.hear({ subject, live: true }, (_, name) => void told.push(name))
  const line = await connectTo(two.first, credentials)
  for (let v = 0; v < 20; v += 1) await send(line, v)
  await goAway({ line })
  expect(told).toEqual([])
  await ear.close()
})
