import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { Outbox, type OutboxOptions } from './outbox.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).toReversed()) end()
})

function folder() {
  const dir = mkdtempSync(path.join(tmpdir(), 'longreach-outbox-'))
  ends.push(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
function open(dir: string, options: Partial<OutboxOptions> = {}) {
  return new Outbox({ dir, maxBytes: 1_000_000, drop: 'newest', ...options })
}
const entry = (number: number) => ({ path: 'M:1/a', payload: Buffer.from(String(number)) })
const numbers = (taken: readonly { payload: Uint8Array }[]) =>
  taken.map(({ payload }) => Number(Buffer.from(payload).toString()))
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)
const segmentsIn = (dir: string) => readdirSync(dir).filter((name) => name.endsWith('.values'))

/** Takes everything that is left, in batches of seven. */
function drain(outbox: Outbox) {
  const all: number[] = []
  for (let taken = outbox.take(7); taken.length > 0; taken = outbox.take(7)) {
    all.push(...numbers(taken))
    for (const one of taken) outbox.acknowledge(one)
  }
  return all
}

test('values come out in order across segments and restarts', () => {
  const dir = folder()
  const outbox = open(dir, { segmentBytes: 100 })
  for (const number of range(0, 50)) expect(outbox.add([entry(number)])).toBe(1)
  expect(segmentsIn(dir).length).toBeGreaterThan(5)
  outbox.close()
  const again = open(dir, { segmentBytes: 100 })
  expect(again.waiting).toBe(50)
  expect(drain(again)).toEqual(range(0, 50))
  expect(again.waiting).toBe(0)
  expect(segmentsIn(dir).length).toBeLessThanOrEqual(1)
  again.close()
})

test('only acknowledged values leave, and a gap in the acknowledgements holds the rest', () => {
  const dir = folder()
  const outbox = open(dir)
  outbox.add(range(0, 10).map(entry))
  const taken = outbox.take(10)
  for (const one of [0, 1, 3]) outbox.acknowledge(taken[one]!)
  expect(outbox.waiting).toBe(8)
  outbox.takeBack()
  expect(numbers(outbox.take(3))).toEqual([2, 3, 4])
  outbox.close()
  const again = open(dir)
  expect(drain(again)).toEqual(range(2, 10))
  again.close()
})

test('an acknowledgement that comes after the connection ended changes nothing', () => {
  const outbox = open(folder())
  outbox.add(range(0, 3).map(entry))
  const [late] = outbox.take(3)
  outbox.takeBack()
  outbox.acknowledge(late!)
  expect(outbox.waiting).toBe(3)
  expect(drain(outbox)).toEqual([0, 1, 2])
  outbox.close()
})

test('a full outbox keeps the oldest values and counts what it drops', () => {
  const dir = folder()
  const reasons: string[] = []
  const onDrop = (_: number, reason: string) => reasons.push(reason)
  const outbox = open(dir, { maxBytes: 1_000, segmentBytes: 200, onDrop })
  for (const number of range(0, 100)) outbox.add([entry(number)])
  expect(outbox.dropped).toBe(reasons.length)
  expect(outbox.waiting + outbox.dropped).toBe(100)
  expect(reasons[0]).toContain('full')
  const { waiting, dropped } = outbox
  outbox.close()
  const again = open(dir, { maxBytes: 1_000, segmentBytes: 200 })
  expect(again.dropped).toBe(dropped)
  expect(drain(again)).toEqual(range(0, waiting))
  expect(again.add([entry(100)])).toBe(1)
  again.close()
})

test('on request a full outbox gives up the oldest values instead', () => {
  const outbox = open(folder(), { maxBytes: 1_000, segmentBytes: 200, drop: 'oldest' })
  for (const number of range(0, 100)) outbox.add([entry(number)])
  expect(outbox.waiting + outbox.dropped).toBe(100)
  expect(drain(outbox)).toEqual(range(outbox.dropped, 100))
  outbox.close()
})

test('a torn tail is cut and values go on behind it', () => {
  const dir = folder()
  const outbox = open(dir)
  outbox.add(range(0, 5).map(entry))
  outbox.close()
  const file = path.join(dir, segmentsIn(dir)[0]!)
  truncateSync(file, statSync(file).size - 3)
  const cut = open(dir)
  expect(cut.waiting).toBe(4)
  cut.add([entry(5)])
  cut.close()
  appendFileSync(file, Buffer.from([0, 0, 0, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]))
  const again = open(dir)
  expect(drain(again)).toEqual([0, 1, 2, 3, 5])
  again.close()
})

test('a cursor behind the kept records does not hide new values', () => {
  const dir = folder()
  const outbox = open(dir)
  outbox.add(range(0, 5).map(entry))
  for (const one of outbox.take(5)) outbox.acknowledge(one)
  outbox.close()
  truncateSync(path.join(dir, segmentsIn(dir)[0]!), 0)
  const again = open(dir)
  again.add([entry(7)])
  expect(drain(again)).toEqual([7])
  again.close()
})

test('kill -9 loses no value that was added', async () => {
  const dir = folder()
  const script = `
    import { Outbox } from ${JSON.stringify(path.join(import.meta.dirname, 'outbox.ts'))}
    const outbox = new Outbox({ dir: process.argv[1], maxBytes: 1e8, drop: 'newest', segmentBytes: 20000 })
    for (let number = 0; ; number++) {
      outbox.add([{ path: 'M:1/a', payload: Buffer.from(String(number)) }])
      if (number % 100 === 0) {
        process.stdout.write(number + '\\n')
        await new Promise(setImmediate)
      }
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dir])
  let printed = -1
  const lines = createInterface(child.stdout)
  for await (const line of lines) {
    printed = Math.max(printed, Number(line))
    if (printed >= 5_000 && !child.killed) child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  const outbox = open(dir, { maxBytes: 1e8, segmentBytes: 20_000 })
  const kept = drain(outbox)
  expect(kept.length).toBeGreaterThan(printed)
  expect(kept).toEqual(range(0, kept.length))
  outbox.close()
})
