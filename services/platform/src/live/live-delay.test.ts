import { setTimeout } from 'node:timers/promises'
import { serialize } from 'bson'
import { expect, test } from 'vitest'
import {
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  testPlatform,
  topicOf,
} from '../platform-testing.ts'
import { openLive } from './live-testing.ts'

const org = 'exor'

test('while processes do not reach each other a person is told so, and sees values of the other one a little later [C-22 in part]', async () => {
  const first = await testPlatform()
  const second = await testPlatform({}, undefined, undefined, first)
  const id = newDeviceId()
  const configuration = configurationText({ temperature: { type: 'double' } })
  first.register.devices.set(id, {
    label: id,
    orgResourceId: org,
    realm: 'exor',
    groups: [],
    configuration,
  })
  const credentials = await pair(first, org, id)
  const client = await connectDevice({ ...credentials, port: first.site.mqttPort })
  const send = (v: number) =>
    client.publishAsync(
      topicOf(credentials.base, 'temperature'),
      Buffer.from(serialize({ v, t: new Date() })),
      { qos: 1 },
    )
  await send(1)

  second.member('ann', org)
  const enter = async () => {
    const socket = await openLive(second)
    socket.send({ op: 'hello', token: first.tokenOf('ann', org), organization: org })
    await socket.next('ready')
    socket.send({ op: 'sub', id: 1, kind: 'values', device: id, path: '**' })
    await socket.next('sub')
    const seen = async (v: number) => {
      for (;;) {
        const { v: rows } = await socket.next('values')
        if (rows?.some((row) => row[3] === v)) return
      }
    }
    return { ...socket, seen }
  }
  const watcher = await enter()
  await watcher.seen(1)
  first.network.interrupt(true)
  await send(2)
  expect(await watcher.next('delay')).toEqual({ op: 'delay', delayed: true })
  await watcher.seen(2)
  await send(3)
  await watcher.seen(3)
  // Who comes meanwhile is told likewise.
  const late = await enter()
  expect(await late.next('delay')).toEqual({ op: 'delay', delayed: true })
  await late.seen(3)
  await send(4)
  first.network.interrupt(false)
  for (const socket of [watcher, late]) {
    expect(await socket.next('delay')).toEqual({ op: 'delay', delayed: false })
    await socket.seen(4)
    socket.ws.close()
  }
  await client.endAsync(true)
  await second.close()
  await first.close()
})

test('a process without others is never delayed', async () => {
  const platform = await testPlatform()
  platform.network.interrupt(true)
  platform.member('ann', org)
  const socket = await openLive(platform)
  socket.send({ op: 'hello', token: platform.tokenOf('ann', org), organization: org })
  await socket.next('ready')
  // Longer than the interval at which the process looks.
  await setTimeout(2_000)
  socket.send({ op: 'ping' })
  await socket.next('pong')
  expect(socket.frames.filter(({ op }) => op === 'delay')).toEqual([])
  socket.ws.close()
  await platform.close()
})
