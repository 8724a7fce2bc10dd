import net from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { ethernetIpSource } from './source-ethernetip.ts'
import { s7Source } from './source-s7.ts'
import { checkSources, type EthernetIpSettings, type S7Settings } from './source-settings.ts'
import { createTagTable } from './tags.ts'

// Frames from the protocols' documents, byte by byte: a server of our own would repeat our
// mistakes.

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})
const poll = { timeout: 30_000, interval: 20 }
const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const log = pino({ level: 'silent' })

type Wire = {
  lengthOf: (data: Buffer) => number
  /** Frame to answer for a received one. */
  answer: (frame: Buffer, index: number) => Buffer | undefined
}

/** Server that answers with recorded frames and records what it receives. */
async function player({ lengthOf, answer }: Wire, host: string, port: number) {
  const frames: string[] = []
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    let waiting = Buffer.alloc(0)
    socket.on('error', () => undefined) // the client went; `close` follows
    socket.on('data', (data) => {
      waiting = Buffer.concat([waiting, data])
      while (waiting.length >= 4 && waiting.length >= lengthOf(waiting)) {
        const frame = waiting.subarray(0, lengthOf(waiting))
        waiting = waiting.subarray(frame.length)
        frames.push(frame.toString('hex'))
        const back = answer(frame, frames.length - 1)
        if (back) socket.write(back)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { frames, port: (server.address() as net.AddressInfo).port }
}

test('S7 over ISO-on-TCP is spoken as RFC 1006, ISO 8073 and the S7 frames have it', async () => {
  const answers = [
    // COTP CC for the CR; setup of the communication with a PDU of 240 bytes; DB1.DBD0 = 21.5.
    bytes('0300 0016 11 d0 0002 0001 00 c0010a c1020100 c2020102'),
    bytes('0300 001b 02f080 32 03 0000 0000 0008 0000 0000 f0 00 0001 0001 00f0'),
    bytes('0300 001d 02f080 32 03 0000 0000 0002 0008 0000 04 01 ff 04 0020 41ac0000'),
  ]
  const wire: Wire = {
    lengthOf: (data) => data.readUInt16BE(2),
    answer(frame, index) {
      const back = Buffer.from(answers[Math.min(index, 2)] ?? '')
      // The reference of a request comes back with its answer.
      if (index > 0) frame.copy(back, 11, 11, 13)
      return back
    },
  }
  const { frames, port } = await player(wire, '127.0.0.1', 0)
  const tags = [{ name: 'level', area: 'DB', db: 1, offset: 0, type: 'real' }]
  const checked = checkSources([{ type: 's7', host: '127.0.0.1', port, pollMs: 50, tags }])
  if (!checked.ok) throw new Error(checked.message)
  const source = s7Source(checked.sources[0] as S7Settings, log)
  const table = createTagTable()
  source.start((readings) => table.accept(readings))
  ends.push(source.stop)
  await expect.poll(() => table.value('level'), poll).toBe(21.5)
  const [connect, setup, read] = frames
  // TPKT, COTP CR of class 0: TPDUs of 1,024 bytes, the programming device at rack 0.
  expect(connect).toMatch(/^0300001611e00000000200c0010ac1020100c2020[1-3]0[0-9a-f]$/)
  // Job, communication setup: eight jobs each way.
  expect(setup).toMatch(/^0300001902f08032010000.{4}00080000f000000800080[0-9a-f]{3}$/)
  // Job, read var, one item in S7-any notation: 4 bytes (02) of DB1 (84) from bit 0.
  expect(read).toMatch(/^0300001f02f08032010000.{4}000e00000401120a10020004000184000000$/)
})

test('EtherNet/IP opens its session as the encapsulation has it', async () => {
  const wire: Wire = {
    lengthOf: (data) => (data.length < 24 ? 24 : 24 + data.readUInt16LE(2)),
    answer(frame, index) {
      if (index > 0) return undefined
      // Register session: the same back, with the handle of the session.
      const back = Buffer.from(frame)
      back.writeUInt32LE(0x0012_3456, 4)
      return back
    },
  }
  const host = `127.77.${process.pid % 250}.9`
  const { frames } = await player(wire, host, 44_818)
  const tags = [{ name: 'level', tag: 'Level' }]
  const checked = checkSources([{ type: 'ethernetip', host, pollMs: 50, tags }])
  if (!checked.ok) throw new Error(checked.message)
  const source = ethernetIpSource(checked.sources[0] as EthernetIpSettings, log)
  source.start(() => undefined)
  ends.push(source.stop)
  await expect.poll(() => frames.length, poll).toBeGreaterThan(1)
  const [register, request] = frames
  // Command 0x65, 4 bytes: protocol version 1, no options; no session yet.
  expect(register).toMatch(/^650004000000000000000000.{16}0000000001000000$/)
  // Command 0x6f in that session: no interface, two items, a null address, an unconnected message.
  expect(request).toMatch(/^6f00.{4}56341200.{32}00000000.{4}020000000000b200/)
})
