import type { Socket } from 'node:net'

// Messages of D-Bus, as the D-Bus Specification 0.43 has them ("Message Protocol", "Authentication Protocol").

const types = { call: 1, return: 2, error: 3, signal: 4 } as const
type MessageType = keyof typeof types

/** Value with its type: a text, a number of 32 bits, a truth, texts. */
export type Written = ['s', string] | ['u', number] | ['b', boolean] | ['as', string[]]

export type BusMessage = {
  type: MessageType
  serial: number
  needsNoAnswer: boolean
  destination: string
  member: string
  /** Values before the first one of a type that is not read. */
  values: unknown[]
}

type Sent = {
  type: MessageType
  serial: number
  sender: string
  path?: string
  interface?: string
  member?: string
  error?: string
  replyTo?: number
  values: Written[]
}

/** Codes of header fields. */
const field = { path: 1, interface: 2, member: 3, error: 4, replyTo: 5, destination: 6, sender: 7 }
const signatureField = 8

/** Writer of values in the order of bytes of small machines, each at its alignment. */
function createWriter() {
  const bytes: number[] = []
  const align = (to: number) => {
    while (bytes.length % to !== 0) bytes.push(0)
  }
  const u32 = (value: number) => {
    align(4)
    bytes.push(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, (value >>> 24) & 255)
  }
  const text = (value: string) => {
    const coded = Buffer.from(value)
    u32(coded.length)
    bytes.push(...coded, 0)
  }
  const signature = (value: string) => bytes.push(value.length, ...Buffer.from(value), 0)
  /** Array whose length in bytes is known when it is written. */
  const array = (alignment: number, write: () => void) => {
    u32(0)
    const at = bytes.length - 4
    align(alignment)
    const begin = bytes.length
    write()
    const length = bytes.length - begin
    for (let index = 0; index < 4; index += 1) bytes[at + index] = (length >>> (8 * index)) & 255
  }
  const value = ([type, what]: Written) => {
    if (type === 's') text(what)
    else if (type === 'as') array(4, () => what.forEach(text))
    else u32(Number(what))
  }
  return { bytes, align, u32, text, signature, array, value }
}

/** Bytes of a message. */
export function busMessage({ type, serial, values, ...head }: Sent) {
  const body = createWriter()
  values.forEach(body.value)
  const all = createWriter()
  all.bytes.push('l'.charCodeAt(0), types[type], 0, 1)
  all.u32(body.bytes.length)
  all.u32(serial)
  all.array(8, () => {
    const one = (code: number, kind: string, write: () => void) => {
      all.align(8)
      all.bytes.push(code)
      all.signature(kind)
      write()
    }
    for (const name of ['path', 'interface', 'member', 'error', 'sender'] as const) {
      const what = head[name]
      if (what !== undefined) one(field[name], name === 'path' ? 'o' : 's', () => all.text(what))
    }
    const { replyTo } = head
    if (replyTo !== undefined) one(field.replyTo, 'u', () => all.u32(replyTo))
    const signature = values.map(([kind]) => kind).join('')
    one(signatureField, 'g', () => all.signature(signature))
  })
  all.align(8)
  return Buffer.from([...all.bytes, ...body.bytes])
}

/** Reader of values of a message, from its begin. */
function createReader(data: Buffer, begin: number) {
  let at = begin
  const align = (to: number) => (at += (to - (at % to)) % to)
  const u32 = () => {
    align(4)
    at += 4
    return data.readUInt32LE(at - 4)
  }
  const text = (length = u32()) => {
    at += length + 1
    return data.toString('utf8', at - length - 1, at - 1)
  }
  const signature = () => {
    at += 1
    return text(data.readUInt8(at - 1))
  }
  const texts = () => {
    const end = u32() + at
    const found: string[] = []
    while (at < end) found.push(text())
    return found
  }
  return {
    align,
    u32,
    text,
    signature,
    texts,
    byte: () => data.readUInt8((at += 1) - 1),
    at: () => at,
  }
}

function readHead(data: Buffer) {
  const length = data.readUInt32LE(12)
  const reader = createReader(data, 16)
  const fields = new Map<number, string | number>()
  while (reader.at() < 16 + length) {
    reader.align(8)
    const code = reader.byte()
    const kind = reader.signature()
    if (kind === 'u') fields.set(code, reader.u32())
    else fields.set(code, kind === 'g' ? reader.signature() : reader.text())
  }
  return { fields, bodyAt: Math.ceil((16 + length) / 8) * 8 }
}

function readBody(data: Buffer, signature: string) {
  const reader = createReader(data, 0)
  const values: unknown[] = []
  for (const kind of signature.match(/as|[^a]|a/g) ?? []) {
    if (kind === 's' || kind === 'o') values.push(reader.text())
    else if (kind === 'u') values.push(reader.u32())
    else if (kind === 'as') values.push(reader.texts())
    else break
  }
  return values
}

function readMessage(data: Buffer): { message: BusMessage; length: number } | undefined {
  if (data.length < 16) return undefined
  const { 1: type, 2: flags = 0 } = data
  const bodyLength = data.readUInt32LE(4)
  const headLength = Math.ceil((16 + data.readUInt32LE(12)) / 8) * 8
  const length = headLength + bodyLength
  if (data.length < length) return undefined
  const { fields } = readHead(data)
  const name = (Object.keys(types) as MessageType[]).find((one) => types[one] === type)
  if (!name) throw new Error(`The bus has no messages of type ${String(type)}`)
  const message = {
    type: name,
    serial: data.readUInt32LE(8),
    needsNoAnswer: (flags & 1) === 1,
    destination: String(fields.get(field.destination) ?? ''),
    member: String(fields.get(field.member) ?? ''),
    values: readBody(data.subarray(headLength, length), String(fields.get(signatureField) ?? '')),
  }
  return { message, length }
}

/** Let a client in, and hand over each message that it sends. */
export function readMessages(socket: Socket, hear: (message: BusMessage) => void) {
  let data = Buffer.alloc(0)
  let isInside = false
  socket.on('data', (part: Buffer) => {
    data = Buffer.concat([data, part])
    while (!isInside) {
      const end = data.indexOf('\r\n')
      if (end === -1) return
      const line = data.toString('latin1', 0, end)
      data = data.subarray(end + 2)
      // The first byte of a client is 0.
      if (line.replace(/^\0/, '').startsWith('AUTH EXTERNAL'))
        socket.write(`OK ${'0'.repeat(32)}\r\n`)
      else if (line === 'BEGIN') isInside = true
      else socket.write('ERROR\r\n')
    }
    for (let read = readMessage(data); read; read = readMessage(data)) {
      data = data.subarray(read.length)
      hear(read.message)
    }
  })
}
