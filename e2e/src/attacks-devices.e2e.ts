import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls'
import { serialize } from 'bson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asker } from './asking.ts'
import { type Calls, makeDevice, signInByHttp, tokensByHttp } from './calls.ts'
import { connectDevice, pair, type Paired } from './device.ts'
import { openLive } from './live.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { descriptorsOf, longestBlock, memoryOf, slowness } from './loop-guard.ts'

// Nobody waits for one device or one live socket, whatever it sends, and what it leaves behind is little.
const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
/** Milliseconds of the loop, and megabytes that one device may make the server grow by. */
const longestMs = 250
const mostGrown = 200

let longreach: Longreach
let call: Calls
let hostile: Paired
let good: Paired
let deviceId: string
beforeAll(async () => {
  longreach = await startLongreach({ env })
  call = await signInByHttp(longreach.url, owner)
  const [one, other] = [
    await makeDevice(call, 'main', 'press'),
    await makeDevice(call, 'main', 'oven'),
  ]
  deviceId = one.deviceId
  hostile = await pair(longreach.url, one.activationKey)
  good = await pair(longreach.url, other.activationKey)
})
afterAll(() => longreach?.stop())

const many = <T>(length: number, one: (n: number) => T) => Array.from({ length }, (_, n) => one(n))

/** A line with the device's certificate over which bytes go as they are. */
function line({ broker, key, cert, ca }: Paired) {
  const { hostname: host, port } = new URL(broker)
  const socket = connectTls({ host, port: Number(port), key, cert, ca })
  socket.on('error', () => socket.destroy())
  return new Promise<TLSSocket>((resolve) => socket.once('secureConnect', () => resolve(socket)))
}

/** As long as the server takes it: a line that is cut has been refused, which is an answer too. */
const sent = (socket: TLSSocket, bytes: Buffer) =>
  new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.write(bytes, () => resolve())
  })

const text = (value: string) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}
const length = (size: number): number[] =>
  size < 128 ? [size] : [(size % 128) | 128, ...length(Math.floor(size / 128))]
const packet = (head: number, body: Buffer) =>
  Buffer.concat([Buffer.from([head, ...length(body.length)]), body])
const hello = (id: string) =>
  packet(0x10, Buffer.concat([text('MQTT'), Buffer.from([4, 2, 0, 60]), text(id)]))
const root = ({ realm, logicalId }: Paired) => `${realm}/${logicalId}`

/** A CONNECT with a will, which is published when its line breaks. */
const lastWish = (id: string, will: Buffer) =>
  packet(
    0x10,
    Buffer.concat([
      text('MQTT'),
      Buffer.from([4, 2 | 4, 0, 60]),
      text(id),
      text(`${root(hostile)}/com.x.Values/will`),
      text(will.toString('latin1')),
    ]),
  )
/** A message that asks for an answer, as QoS 1 (0x32) or 2 (0x34). */
const asking = (head: number, id: number, topic: string, content: Buffer) =>
  packet(head, Buffer.concat([text(topic), Buffer.from([id >> 8, id & 255]), content]))

async function flood(client: string, bytes: Buffer) {
  const socket = await line(hostile)
  await sent(socket, hello(client))
  await sent(socket, bytes)
  socket.destroy()
}

test.each([
  {
    what: '20,000 filters of a kilobyte',
    act: () => {
      const filter = (n: number) =>
        Buffer.concat([text(`${root(hostile)}/${'f'.repeat(900)}${n}`), Buffer.from([0])])
      const one = (n: number) =>
        packet(0x82, Buffer.concat([Buffer.from([0, 1]), ...many(200, (m) => filter(200 * n + m))]))
      return flood('filters', Buffer.concat(many(100, one)))
    },
  },
  {
    what: 'packets that are never finished',
    act: () =>
      Promise.all(
        many(15, (n) =>
          flood(
            `half${n}`,
            Buffer.concat([Buffer.from([0x30, ...length(4_000_000)]), Buffer.alloc(3_000_000)]),
          ),
        ),
      ),
  },
  {
    what: '30,000 properties',
    act: () => {
      const one = (n: number) =>
        packet(
          0x30,
          Buffer.concat([text(`${root(hostile)}/com.x.Properties/p${n}`), Buffer.alloc(200)]),
        )
      return flood('properties', Buffer.concat(many(30_000, one)))
    },
  },
  {
    what: 'a thousand long introspections, kept for later',
    act: () => {
      const one = () =>
        packet(
          0x31,
          Buffer.concat([text(root(hostile)), Buffer.from('com.x.y:0:1;'.repeat(2_000))]),
        )
      return flood('introspections', Buffer.concat(many(1_000, one)))
    },
  },
  {
    what: 'a hundred wills of 50 kB',
    act: async () => {
      for (let n = 0; n < 100; n += 1) {
        const socket = await line(hostile)
        await sent(socket, lastWish(`will${n}`, Buffer.alloc(50_000, 'w')))
        socket.destroy()
      }
    },
  },
  {
    what: 'messages of QoS 2 that it never completes',
    act: () => {
      const topic = `${root(hostile)}/com.x.Values/open`
      const one = (n: number) => asking(0x34, n + 1, topic, Buffer.alloc(1_000))
      return flood('open', Buffer.concat(many(20_000, one)))
    },
  },
  {
    what: 'messages to itself that it never answers',
    act: () => {
      const topic = `${root(hostile)}/com.x.Values/own`
      const filter = Buffer.concat([Buffer.from([0, 1]), text(topic), Buffer.from([1])])
      const one = (n: number) => asking(0x32, (n % 60_000) + 2, topic, Buffer.alloc(1_000))
      return flood('own', Buffer.concat([packet(0x82, filter), ...many(10_000, one)]))
    },
  },
  {
    what: 'values of 4 MB in small objects',
    act: async () => {
      const device = await connectDevice(hostile)
      const { mapping } = (await device.leafOf('tag.double')) ?? {}
      await device.close()
      const content = Buffer.from(`{"v":[${'{},'.repeat(1_300_000)}{}]}`)
      const topic = text(root(hostile) + String(mapping?.device_endpoint))
      const one = () => packet(0x30, Buffer.concat([topic, content]))
      return flood('objects', Buffer.concat(many(3, one)))
    },
  },
  {
    what: '2 MB of bytes that are nothing',
    act: () => flood('noise', Buffer.alloc(2_000_000, 0xff)),
  },
])('a device with $what: nobody waits for it', async ({ act }) => {
  const before = await memoryOf(longreach.pid())
  const { longest } = await longestBlock<unknown>(longreach, act)
  expect(longest).toBeLessThan(longestMs * slowness())
  expect((await memoryOf(longreach.pid())) - before).toBeLessThan(mostGrown)
  const device = await connectDevice(good)
  await device.close()
})

test('strangers at the port of devices: nobody waits for them', async () => {
  const descriptors = await descriptorsOf(longreach.pid())
  const { hostname: host, port } = new URL(good.broker)
  const { ca } = good
  const connecting = lastWish('stranger', Buffer.alloc(50_000, 's'))
  // Made once and begun few at a time: what keeps this process busy must not look like the server's work.
  const secureContext = createSecureContext({ ca })
  const stranger = () =>
    new Promise<void>((resolve) => {
      // No certificate: TLS itself is as far as they come.
      const socket = connectTls({ host, port: Number(port), secureContext })
      socket.on('error', () => socket.destroy())
      socket.once('close', () => resolve())
      socket.once('secureConnect', () => socket.write(connecting))
    })
  const { longest } = await longestBlock(longreach, async () => {
    const all: Promise<void>[] = []
    for (let begun = 0; begun < 300; begun += 1) {
      all.push(stranger())
      if (begun % 5 === 4) await turnOfLoop()
    }
    await Promise.all(all)
  })
  expect(longest).toBeLessThan(longestMs * slowness())
  const device = await connectDevice(good)
  await device.close()
  await expect
    .poll(async () => (await descriptorsOf(longreach.pid())) - descriptors)
    .toBeLessThan(20)
})

test.each([
  {
    what: '2,000 subscriptions to everything',
    messages: () =>
      many(2_000, (id) => ({
        op: 'sub',
        id,
        kind: 'values',
        device: deviceId,
        path: '**/*'.repeat(400),
      })),
  },
  {
    what: '300 subscriptions with many wildcards',
    messages: () =>
      many(300, (id) => ({
        op: 'sub',
        id,
        kind: 'values',
        device: deviceId,
        path: '**'.repeat(40),
      })),
  },
  {
    what: '1,500 tokens of 15 kB',
    messages: () => many(1_500, () => ({ op: 'token', token: 't'.repeat(15_000) })),
  },
  { what: '1,900 pings', messages: () => many(1_900, () => ({ op: 'ping' })) },
])('a live socket with $what: nobody waits for it', async ({ messages }) => {
  const { access_token: token } = await tokensByHttp(longreach.url, owner)
  const descriptors = await descriptorsOf(longreach.pid())
  const enter = async () => {
    const socket = await openLive(longreach.url)
    socket.send({ op: 'hello', token, organization: 'main' })
    await socket.next('ready')
    return socket
  }
  const socket = await enter()
  const all = messages()
  const { longest } = await longestBlock(longreach, async () => {
    for (const message of all) socket.send(message)
    socket.ws.close()
    await socket.closed
  })
  expect(longest).toBeLessThan(longestMs * slowness())
  const again = await enter()
  again.send({ op: 'ping' })
  await again.next('pong')
  again.ws.close()
  await again.closed
  await expect
    .poll(async () => (await descriptorsOf(longreach.pid())) - descriptors)
    .toBeLessThan(20)
})

test('attack 118: a device reports its own alarms, and acts on none with what it signs in by', async () => {
  const alarms = 'platform/api/v1/alarms'
  const device = await connectDevice(good)
  const at = new Date()
  // Attack 92: its texts begin no line of the log.
  const forged = 'forged line of a device'
  const name = `door\r\n{"level":60,"msg":"${forged}"}\u001b[2J\n${forged}`
  const report = (state: number) => {
    const v = { name, desc: name, tag: 'door', sev: 3, state, evTs: at, ts: new Date(), v_d: 1 }
    return Buffer.from(serialize({ v, t: new Date() }))
  }
  const topic = '/com.corvina.control.pub.DeviceAlarm/a'
  await device.publish(topic, report(11))
  type Found = { id: string; name: string; ack: string }
  const found = async () =>
    (await call<{ data: Found[] }>('POST', `${alarms}/search?organization=main`, {})).data
  await expect.poll(async () => (await found()).length, { timeout: 20_000 }).toBe(1)
  const [alarm] = await found()
  expect(alarm).toMatchObject({ name, ack: 'REQUIRED' })

  // Another device: neither a report for this one, nor a command.
  const other = `${good.realm}/${good.logicalId}`
  const command = serialize({
    v: { name, command: 'ack', evTs: at.getTime(), user: 'x', comment: '' },
    t: at,
  })
  for (const to of [other + topic, `${other}/com.corvina.control.sub.DeviceAlarm/a`]) {
    const thief = await connectDevice(hostile)
    const isCut = new Promise<void>((done) => thief.client.once('close', () => done()))
    const content = to.endsWith(topic) ? report(7) : Buffer.from(command)
    const isTaken = thief.client.publishAsync(to, content, { qos: 1 })
    // It is cut off, or nobody hears it.
    await Promise.race([isCut, isTaken.catch(() => undefined)])
    await thief.close()
  }
  // Its own topic of commands is for the platform alone.
  await device
    .publish('/com.corvina.control.sub.DeviceAlarm/a', Buffer.from(command), 1)
    .catch(() => undefined) // it is cut off
  await device.close()

  // The credential of pairing is none of the calls of alarms, wherever it stands.
  const { activationKey } = await makeDevice(call, 'main', 'mill')
  const license = new URLSearchParams({ activationKey, serialNumber: '' })
  const { apiKey } = (await (
    await fetch(`${longreach.url}/pairing/api/v1/?${license}`)
  ).json()) as {
    apiKey: string
  }
  expect(apiKey.length).toBeGreaterThan(10)
  for (const headers of [
    { authorization: `Bearer ${apiKey}` },
    { 'x-api-key': apiKey },
    { authorization: `Basic ${Buffer.from(`${good.logicalId}:${apiKey}`).toString('base64')}` },
  ] as Record<string, string>[]) {
    const ask = asker(longreach.url, headers)
    for (const action of ['ack', 'reset', 'clear', 'ackAll', 'clearAll']) {
      const body = action.endsWith('All') ? {} : { id: alarm?.id }
      const path = `${alarms}/action/${action}?organization=main`
      expect([action, (await ask('POST', path, body)).status]).toEqual([action, 401])
    }
    expect((await ask('POST', `${alarms}/search?organization=main`, {})).status).toBe(401)
  }
  expect((await found()).map(({ ack }) => ack)).toEqual(['REQUIRED'])
  const history = await call<{ data: { longreach: { kind: string } }[] }>(
    'GET',
    `${alarms}/${alarm?.id}?organization=main`,
  )
  expect(history.data.map(({ longreach: { kind } }) => kind)).toEqual(['raised'])
  const lines = longreach.output().split(/\r|\n/)
  expect(lines.filter((one) => one.startsWith(forged) || one.startsWith('{"level":60'))).toEqual([])
})
