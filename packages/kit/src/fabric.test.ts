import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { AppError } from './errors.ts'
import { createFabric, type Fabric } from './fabric.ts'
import { Bytes, defineSubject, subjectAt } from './fabric-contract.ts'
import { keptLog, memoryNetwork } from './fabric-testing.ts'
import type { Wire } from './fabric-wire.ts'
import { startNats } from './nats-testing.ts'
import { openNatsWire } from './nats-wire.ts'

const add = defineSubject({
  subject: 'node.:node.add',
  request: z.object({ a: z.number(), b: z.number() }),
  reply: z.object({ sum: z.number() }),
})
const addAt7 = subjectAt(add, { node: 7 })
const turn = defineSubject({ subject: 'turn', request: Bytes, reply: Bytes })
const nothing = defineSubject({ subject: 'nothing', request: z.undefined(), reply: z.undefined() })
const line = defineSubject({ subject: 'line', message: z.object({ device: z.string() }) })
const live = defineSubject({ subject: 'live.:device', message: Bytes, live: true })
/** Subjects of a process of another version, under the same names. */
const otherAdd = { ...addAt7, request: z.object({ a: z.string() }) }
const otherLine = { ...line, message: z.object({ device: z.number() }) }

const once = { deadlineMs: 60_000 }

type Driver = {
  wire: (instance: string) => Promise<Wire>
  interrupt: () => Promise<void>
  mend: () => Promise<void>
  end: () => Promise<void>
}

const drivers: Record<string, () => Promise<Driver>> = {
  async memory() {
    const network = memoryNetwork()
    return {
      wire: async () => network.wire(),
      interrupt: async () => network.interrupt(true),
      mend: async () => network.interrupt(false),
      end: async () => undefined,
    }
  },
  async NATS() {
    const nats = await startNats()
    return {
      wire: (instance) => openNatsWire({ settings: nats.settings, instance, log: keptLog().log }),
      interrupt: () => nats.servers[0]!.kill(),
      mend: () => nats.servers[0]!.restart(),
      end: () => nats.stop(),
    }
  },
}

describe.each(Object.keys(drivers))('over %s', (name) => {
  let driver: Driver
  beforeAll(async () => (driver = await drivers[name]!()))
  afterAll(() => driver.end())

  /** A process: its fabric, and what it logged. */
  async function start({ instance = 'one', now = Date.now } = {}) {
    const { log, entries } = keptLog()
    const fabric = createFabric({ instance, log, now, wire: await driver.wire(instance) })
    onTestFinished(() => fabric.close())
    return { fabric, entries }
  }
  async function startTwo() {
    const [one, two] = await Promise.all([start(), start()])
    return { one: one.fabric, two: two.fabric, entries: two.entries }
  }
  const settled = (...fabrics: Fabric[]) => Promise.all(fabrics.map((one) => one.subscribed()))

  test('a call has its reply: JSON, bytes, nothing', async () => {
    const { one, two } = await startTwo()
    two.answer(addAt7, ({ a, b }) => ({ sum: a + b }))
    two.answer(turn, (bytes) => bytes.toReversed())
    two.answer(nothing, () => undefined)
    await settled(two)
    expect(await one.call(addAt7, { a: 1, b: 2 }, once)).toEqual({ sum: 3 })
    expect([...(await one.call(turn, Uint8Array.of(1, 2, 3), once))]).toEqual([3, 2, 1])
    expect(await one.call(nothing, undefined, once)).toBeUndefined()
  })

  test('a process answers its own calls, also while the others are away', async () => {
    const { fabric } = await start()
    fabric.answer(addAt7, ({ a, b }) => ({ sum: a + b }))
    expect(await fabric.call(addAt7, { a: 1, b: 2 }, once)).toEqual({ sum: 3 })
  })

  test('that nobody answers is known at once', async () => {
    const { one, two } = await startTwo()
    const nobody = { name: 'NoAnswer', cause: 'nobody', mayHaveRun: false }
    await expect(one.call(addAt7, { a: 1, b: 2 }, once)).rejects.toMatchObject(nobody)
    const stop = two.answer(addAt7, () => ({ sum: 0 }))
    await settled(two)
    await one.call(addAt7, { a: 1, b: 2 }, once)
    stop()
    await settled(two)
    await expect(one.call(addAt7, { a: 1, b: 2 }, once)).rejects.toMatchObject(nobody)
  })

  test('a call that is not answered in time ends as late', async () => {
    const { one, two } = await startTwo()
    const { promise: answered, resolve: letGo } = Promise.withResolvers<{ sum: number }>()
    two.answer(addAt7, () => answered)
    await settled(two)
    const late = one.call(addAt7, { a: 1, b: 2 }, { deadlineMs: 50 })
    await expect(late).rejects.toMatchObject({ cause: 'late', mayHaveRun: true })
    const own = two.call(addAt7, { a: 1, b: 2 }, { deadlineMs: 50 })
    await expect(own).rejects.toMatchObject({ cause: 'late', mayHaveRun: true })
    letGo({ sum: 0 })
  })

  test('an expected error arrives as the same error', async () => {
    const { one, two, entries } = await startTwo()
    const message = 'The device is offline.'
    two.answer(addAt7, () => {
      throw new AppError(409, 'platform.device_offline', { message, tags: ['a'] })
    })
    await settled(two)
    const error = await one.call(addAt7, { a: 1, b: 2 }, once).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      status: 409,
      code: 'platform.device_offline',
      details: { message, tags: ['a'] },
    })
    expect(entries).toEqual([])
  })

  test('any other error is logged where it happens, and its text stays there', async () => {
    const { one, two, entries } = await startTwo()
    two.answer(addAt7, () => {
      throw new Error('secret of the store')
    })
    two.answer(turn, () => 'no bytes' as unknown as Uint8Array)
    await settled(two)
    const failed = await one.call(addAt7, { a: 1, b: 2 }, once).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Error)
    expect(failed).not.toBeInstanceOf(AppError)
    expect(String(failed)).toMatch(/node\.7\.add failed; the process that answers/)
    expect(String(failed)).not.toContain('secret')
    await expect(one.call(turn, Uint8Array.of(1), once)).rejects.toThrow('turn failed')
    expect(entries).toEqual([
      expect.stringMatching(/a call from another process failed.*secret of the store/),
      expect.stringContaining('expected bytes'),
    ])
  })

  test('a repeated call is carried out once, and has the first reply', async () => {
    const { one, two } = await startTwo()
    let runs = 0
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
    two.answer(addAt7, async () => {
      runs += 1
      await go
      return { sum: runs }
    })
    await settled(two)
    const id = 'the same'
    const calls = [1, 2, 3].map((a) => one.call(addAt7, { a, b: 0 }, { ...once, id }))
    await expect.poll(() => runs).toBe(1)
    letGo()
    expect(await Promise.all(calls)).toEqual([{ sum: 1 }, { sum: 1 }, { sum: 1 }])
    expect(await two.call(addAt7, { a: 4, b: 0 }, { ...once, id })).toEqual({ sum: 1 })
    expect(await one.call(addAt7, { a: 5, b: 0 }, once)).toEqual({ sum: 2 })
  })

  test('a repeated call that changes nothing is carried out again', async () => {
    const { one, two } = await startTwo()
    const reading = { ...addAt7, reads: true as const }
    let runs = 0
    two.answer(reading, () => ({ sum: (runs += 1) }))
    await settled(two)
    const call = () => one.call(reading, { a: 1, b: 2 }, { ...once, id: 'the same' })
    expect([await call(), await call()]).toEqual([{ sum: 1 }, { sum: 2 }])
  })

  test('a request that does not fit its schema does not reach the handler', async () => {
    const { one, two, entries } = await startTwo()
    let runs = 0
    two.answer(addAt7, () => ({ sum: (runs += 1) }))
    await settled(two)
    await expect(one.call(otherAdd, { a: 'seven' }, once)).rejects.toThrow('failed')
    expect(runs).toBe(0)
    expect(entries).toEqual([expect.stringMatching(/a call was refused.*node\.7\.add.*a: Invalid/)])
    expect(entries.join('')).not.toContain('seven')
    expect(two.figures().refused).toBe(1)
    await expect(one.call(addAt7, { a: '1' as unknown as number, b: 2 }, once)).rejects.toThrow(
      'Invalid',
    )
  })

  test('a call that comes long after its caller gave up is not carried out', async () => {
    const { fabric: one } = await start()
    const { fabric: two, entries } = await start({ now: () => Date.now() + 63_000 })
    let runs = 0
    two.answer(addAt7, () => ({ sum: (runs += 1) }))
    await settled(two)
    await expect(one.call(addAt7, { a: 1, b: 2 }, once)).rejects.toThrow('failed')
    expect(runs).toBe(0)
    expect(entries).toEqual([expect.stringContaining('it came too late')])
  })

  test('all that hear are told, in order; nothing is kept for who comes later', async () => {
    const { one, two } = await startTwo()
    const heard: Record<string, string[]> = { one: [], two: [], late: [] }
    one.hear(line, ({ device }) => void heard['one']!.push(device))
    const stop = two.hear(line, ({ device }) => void heard['two']!.push(device))
    await settled(one, two)
    const devices = Array.from({ length: 200 }, (_, index) => String(index))
    for (const device of devices) one.tell(line, { device })
    await expect.poll(() => heard['two']!.length).toBe(200)
    expect(heard).toEqual({ one: devices, two: devices, late: [] })

    stop()
    two.hear(line, ({ device }) => void heard['late']!.push(device))
    await settled(two)
    one.tell(line, { device: 'new' })
    await expect.poll(() => heard['late']).toEqual(['new'])
    expect(heard['two']).toEqual(devices)
  })

  test('who hears a family learns which subject it was', async () => {
    const { one, two } = await startTwo()
    const heard: unknown[] = []
    two.hear(live, (bytes, { device }) => void heard.push([device, ...bytes]))
    two.hear(subjectAt(live, { device: 'b' }), (bytes, parts) => void heard.push([parts, ...bytes]))
    await settled(two)
    one.tell(subjectAt(live, { device: 'a' }), Uint8Array.of(1))
    await expect.poll(() => heard).toEqual([['a', 1]])
    one.tell(subjectAt(live, { device: 'b' }), Uint8Array.of(2))
    two.tell(subjectAt(live, { device: 'b' }), Uint8Array.of(3))
    await expect.poll(() => heard.length).toBe(5)
    expect(heard).toEqual(
      expect.arrayContaining(
        [
          ['b', 2],
          [{}, 2],
          ['b', 3],
          [{}, 3],
        ].map((each) => each),
      ),
    )
  })

  test('a message that does not fit its schema is refused, and those after it come', async () => {
    const { one, two, entries } = await startTwo()
    const heard: string[] = []
    two.hear(line, ({ device }) => {
      heard.push(device)
      if (device === 'bad') throw new Error('no room')
    })
    await settled(two)
    one.tell(otherLine, { device: 7_000_123 })
    one.tell(otherLine, { device: 8_000_123 })
    one.tell(line, { device: 'bad' })
    one.tell(line, { device: 'good' })
    await expect.poll(() => heard).toEqual(['bad', 'good'])
    expect(entries).toEqual([
      expect.stringMatching(/a message was refused.*line.*device: Invalid input: expected string/),
      expect.stringMatching(/a message could not take effect.*no room/),
    ])
    expect(entries.join('')).not.toContain('000123')
    expect(two.figures().refused).toBe(2)
    expect(() => one.tell(line, { device: 7 as unknown as string })).toThrow('Invalid')
  })

  test('a slow hearer of frames stops no call; the newest that fit are kept, drops are counted', async () => {
    const { one, two, entries } = await startTwo()
    const device = subjectAt(live, { device: 'press' })
    const heard: number[] = []
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
    two.hear(device, async (bytes) => {
      heard.push(bytes[0]!)
      await go
    })
    two.answer(addAt7, ({ a, b }) => ({ sum: a + b }))
    await settled(two)
    for (let index = 0; index < 120; index += 1) {
      one.tell(device, new Uint8Array(64_000).fill(index))
      if (index % 10 === 0) await one.call(addAt7, { a: index, b: 0 }, once)
    }
    await expect.poll(() => two.figures().droppedHeard).toBeGreaterThan(20)
    expect(await one.call(addAt7, { a: 1, b: 2 }, once)).toEqual({ sum: 3 })
    await expect.poll(() => two.figures().droppedHeard).toBe(119 - 65)
    letGo()
    await expect.poll(() => heard.at(-1)).toBe(119)
    expect(heard).toEqual([0, ...Array.from({ length: 65 }, (_, index) => 55 + index)])
    expect(entries).toEqual([expect.stringContaining('messages came faster than they were taken')])
  })

  test('another installation on the same servers hears nothing and answers nothing', async () => {
    const { one, two } = await startTwo()
    const { fabric: stranger } = await start({ instance: 'other' })
    const heard: string[] = []
    stranger.hear(line, ({ device }) => void heard.push(`stranger ${device}`))
    stranger.hear(live, (_, { device }) => void heard.push(`stranger ${device}`))
    stranger.answer(addAt7, () => ({ sum: -1 }))
    two.hear(line, ({ device }) => void heard.push(device))
    await settled(stranger, two)
    one.tell(subjectAt(live, { device: 'press' }), Uint8Array.of(1))
    one.tell(line, { device: 'press' })
    await expect.poll(() => heard).toEqual(['press'])
    await expect(one.call(addAt7, { a: 1, b: 2 }, once)).rejects.toMatchObject({ cause: 'nobody' })
  })

  test('while the others are away calls fail at once and messages are dropped; then all comes back', async () => {
    const { one, two } = await startTwo()
    const heard: string[] = []
    two.answer(addAt7, ({ a, b }) => ({ sum: a + b }))
    two.hear(line, ({ device }) => void heard.push(`two ${device}`))
    one.hear(line, ({ device }) => void heard.push(`one ${device}`))
    await settled(two)
    await one.call(addAt7, { a: 1, b: 2 }, once)
    await driver.interrupt()
    const cause = () => one.call(addAt7, { a: 1, b: 2 }, once).catch((error: unknown) => error)
    await expect.poll(cause).toMatchObject({ cause: 'away', mayHaveRun: false })
    one.tell(line, { device: 'lost' })
    await expect.poll(() => heard).toEqual(['one lost'])
    expect(one.figures().droppedTold).toBe(1)
    expect(await two.call(addAt7, { a: 3, b: 4 }, once)).toEqual({ sum: 7 })
    await driver.mend()
    await expect.poll(cause).toEqual({ sum: 3 })
    one.tell(line, { device: 'new' })
    await expect.poll(() => heard.toSorted()).toEqual(['one lost', 'one new', 'two new'])
  })

  test('closing lets the calls that run have their replies, and takes no more', async () => {
    const { one, two } = await startTwo()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
    two.answer(addAt7, async ({ a, b }) => {
      begin()
      await go
      return { sum: a + b }
    })
    await settled(two)
    const running = one.call(addAt7, { a: 1, b: 2 }, once)
    await begun
    const closed = two.close()
    const next = () => one.call(addAt7, { a: 1, b: 2 }, { deadlineMs: 50 }).catch((e: unknown) => e)
    await expect.poll(next).toMatchObject({ cause: 'nobody' })
    letGo()
    expect(await running).toEqual({ sum: 3 })
    await closed
    await expect(two.call(addAt7, { a: 1, b: 2 }, once)).rejects.toMatchObject({ cause: 'away' })
  })
})

test('a process alone answers and hears itself, and knows that nobody else does', async () => {
  const { log } = keptLog()
  const fabric = createFabric({ instance: 'one', log })
  const heard: string[] = []
  fabric.answer(addAt7, ({ a, b }) => ({ sum: a + b }))
  fabric.hear(line, ({ device }) => void heard.push(device))
  expect(await fabric.call(addAt7, { a: 1, b: 2 }, once)).toEqual({ sum: 3 })
  fabric.tell(line, { device: 'press' })
  expect(heard).toEqual([]) // never within `tell`
  await expect.poll(() => heard).toEqual(['press'])
  const other = subjectAt(add, { node: 8 })
  await expect(fabric.call(other, { a: 1, b: 2 }, once)).rejects.toMatchObject({ cause: 'nobody' })
  await fabric.close()
})

test('mistakes with subjects are refused where they are made', async () => {
  const fabric = createFabric({ instance: 'one', log: keptLog().log })
  fabric.answer(addAt7, () => ({ sum: 0 }))
  expect(() => fabric.answer(addAt7, () => ({ sum: 0 }))).toThrow('answered already')
  expect(() => fabric.answer(add, () => ({ sum: 0 }))).toThrow('is a family')
  await expect(fabric.call(add, { a: 1, b: 2 }, once)).rejects.toThrow('is a family')
  expect(() => subjectAt(add, { node: 'a.b' })).toThrow('cannot be part of node.:node.add')
  expect(() => subjectAt(add, { node: '*' })).toThrow('cannot be part')
  expect(() => defineSubject({ subject: 'a.*', message: Bytes })).toThrow('is not a subject')
  fabric.answer(turn, (bytes) => bytes)
  const large = fabric.call(turn, new Uint8Array(2 ** 20), once)
  await expect(large).rejects.toThrow('larger than 1048576')
})
