import fc from 'fast-check'
import mqttPacket from 'mqtt-packet'
import { expect, test } from 'vitest'
import { createFrameReader, createTopicReader, readPublish } from './mqtt-frames.ts'

const runs = { numRuns: 3_000 }

/** Read a stream in the pieces it comes in; what came out and the fault, if any. */
function readAll(pieces: readonly Buffer[], largest: number) {
  const frames: Buffer[] = []
  const read = createFrameReader({
    onFrame: (bytes) => frames.push(Buffer.from(bytes)),
    largest: () => largest,
  })
  for (const piece of pieces) {
    const fault = read.read(piece)
    if (fault !== undefined) return { frames, fault }
  }
  return { frames, fault: undefined }
}

const cutAt = (bytes: Buffer, places: readonly number[]) => {
  const cuts = [0, ...places.map((at) => at % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  )
  return cuts.slice(1).map((end, n) => bytes.subarray(cuts[n], end))
}

test('any bytes, in any pieces, are packets or a fault, and the pieces make no difference [C-20]', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.nat(), { maxLength: 5 }),
      (noise, at) => {
        const bytes = Buffer.from(noise)
        const whole = readAll([bytes], 200)
        const pieces = readAll(cutAt(bytes, at), 200)
        expect(Buffer.concat(pieces.frames)).toEqual(Buffer.concat(whole.frames))
        expect(pieces.fault).toBe(whole.fault)
        for (const frame of whole.frames) expect(frame.length).toBeLessThanOrEqual(200)
      },
    ),
    runs,
  )
})

const publish = fc
  .record({
    topic: fc.stringMatching(/^[a-zA-Z0-9/ü]{1,40}$/),
    payload: fc.uint8Array({ maxLength: 60 }),
    qos: fc.constantFrom(0 as const, 1 as const, 2 as const),
    messageId: fc.integer({ min: 1, max: 65_535 }),
  })
  .map((one) => ({ ...one, payload: Buffer.from(one.payload) }))

test('a publication is read as it was written, and a damaged one is read or left alone', () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 })
  fc.assert(
    fc.property(publish, changes, (packet, damage) => {
      const bytes = mqttPacket.generate({ cmd: 'publish', dup: false, retain: false, ...packet })
      const read = createTopicReader()
      const one = (stream: Buffer) => {
        const found: ReturnType<typeof readPublish>[] = []
        const frames = createFrameReader({
          onFrame: (frame, bodyAt) => found.push(readPublish(frame, bodyAt, 4, read)),
          largest: () => 1_000,
        })
        frames.read(stream)
        return found
      }
      const [whole] = one(bytes)
      expect(whole?.topic).toBe(packet.topic)
      expect(Buffer.from(whole?.payload ?? [])).toEqual(packet.payload)
      const changed = Buffer.from(bytes)
      for (const [at, byte] of damage) changed[at % changed.length] = byte
      for (const found of one(changed)) {
        if (found) expect(found.payload.length).toBeLessThanOrEqual(changed.length)
      }
    }),
    runs,
  )
})
