import mqtt from 'mqtt'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { freePort } from './free-port-for-tests.ts'
import { startTestBroker } from './mqtt-broker-for-tests.ts'
import { checkSettings } from './settings.ts'
import type { MqttSettings } from './source-settings.ts'
import { mqttSource } from './source-mqtt.ts'
import { createTagTable, type Reading } from './tags.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})
const poll = { timeout: 60_000 }

async function started(port: number) {
  const url = `mqtt://127.0.0.1:${port}`
  const settings = checkSettings({
    activationKey: 'AAAA-BBBB',
    endpoint: 'http://localhost:1',
    sources: [
      {
        type: 'mqtt',
        url,
        confirmMs: 2_000,
        tags: [
          { name: 'raw', topic: 'plant/raw' },
          { name: 'inside', topic: 'plant/json', path: 'a.b.0', timePath: 'at' },
          { name: 'text', topic: 'plant/json', path: 'name', type: 'string' },
          { name: 'lamp', topic: 'plant/lamp', type: 'boolean', writeTopic: 'plant/lamp/set' },
          { name: 'mute', topic: 'plant/mute', writeTopic: 'plant/mute/set' },
        ],
      },
    ],
  }).sources[0] as MqttSettings
  const source = mqttSource(settings, pino({ level: 'silent' }))
  const table = createTagTable()
  const all: Reading[] = []
  source.start((readings) => {
    all.push(...readings)
    table.accept(readings)
  })
  ends.push(source.stop)
  const machine = mqtt.connect(url, { reconnectPeriod: 50 })
  ends.push(() => machine.endAsync(true))
  /** Publishes until the source has received it, since it subscribes with a delay. */
  async function heard(topic: string, payload: string, tag: string) {
    const say = () => {
      machine.publish(topic, payload)
      return table.last(tag)
    }
    await expect.poll(say, poll).toMatchObject({ t: expect.any(Number), good: true })
  }
  return { source, table, machine, heard, all }
}

test('whole payloads and places in JSON become values, with the time they carry', async () => {
  const broker = await startTestBroker()
  ends.push(broker.close)
  const { table, heard } = await started(broker.port)
  await heard('plant/raw', '21.5', 'raw')
  expect(table.value('raw')).toBe(21.5)
  await heard('plant/json', '{"a":{"b":[7]},"name":"x","at":1700000000000}', 'inside')
  expect(table.last('inside')).toMatchObject({ value: 7, t: 1_700_000_000_000 })
  expect(table.value('text')).toBe('x')
})

test('a payload that is no value makes the tag bad, and JSON without the place is not for the tag', async () => {
  const broker = await startTestBroker()
  ends.push(broker.close)
  const { table, heard, machine, all } = await started(broker.port)
  await heard('plant/raw', '1', 'raw')
  machine.publish('plant/raw', 'warm')
  await expect
    .poll(() => table.last('raw'), poll)
    .toMatchObject({ good: false, reason: expect.stringContaining('warm') })
  await heard('plant/json', '{"name":"only a name"}', 'text')
  expect(all.filter(({ tag }) => tag === 'inside')).toEqual([])
})

test('a write goes to its topic and is confirmed by what the machine then says', async () => {
  const broker = await startTestBroker()
  ends.push(broker.close)
  const { source, machine, heard } = await started(broker.port)
  await heard('plant/lamp', 'false', 'lamp')
  await expect(source.write('mute', 1)).rejects.toThrow('nothing came on plant/mute')
  machine.on('message', (_, payload) => machine.publish('plant/lamp', payload))
  await machine.subscribeAsync('plant/lamp/set')
  expect(await source.write('lamp', true)).toBe(true)
  machine.removeAllListeners('message')
  machine.on('message', () => machine.publish('plant/lamp', 'true'))
  // A machine that keeps its own value is not confirmed with the written one.
  expect(await source.write('lamp', false)).toBe(true)
  await expect(source.write('raw', 1)).rejects.toThrow('cannot be written')
})

test('a broker that goes away makes its tags bad, and they come back with it', async () => {
  const broker = await startTestBroker(await freePort())
  const { table, heard } = await started(broker.port)
  await heard('plant/raw', '1', 'raw')
  await broker.close()
  await expect.poll(() => table.last('raw')?.good, poll).toBe(false)
  const again = await startTestBroker(broker.port)
  ends.push(again.close)
  await heard('plant/raw', '2', 'raw')
  await expect.poll(() => table.value('raw'), poll).toBe(2)
})

test('a source that is stopped calls nothing bad', async () => {
  const broker = await startTestBroker()
  ends.push(broker.close)
  const { source, heard, all } = await started(broker.port)
  await heard('plant/raw', '21.5', 'raw')
  await source.stop()
  expect(all.filter(({ good }) => !good)).toEqual([])
})
