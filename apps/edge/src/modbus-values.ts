import type { Value } from '@longreach/device-protocol/value'

export const registerTypes = [
  'int16',
  'uint16',
  'int32',
  'uint32',
  'float32',
  'float64',
  'bit',
  'string',
] as const
type RegisterType = (typeof registerTypes)[number]

/** Byte order of a 32-bit value ABCD on the wire, as device manuals call it; longer values follow the same rule. */
export const wordOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
type WordOrder = (typeof wordOrders)[number]

export type RegisterFormat = {
  type: RegisterType
  wordOrder: WordOrder
  /** Value = raw × scale + offset. */
  scale: number
  offset: number
  /** Bit number, 0 the lowest. */
  bit: number
  /** Length of a string in registers, two characters each. */
  length: number
}

const sizes = { int16: 1, uint16: 1, bit: 1, int32: 2, uint32: 2, float32: 2, float64: 4 } as const

/** Number of 16-bit registers of a value. */
export const registersOf = ({ type, length }: Pick<RegisterFormat, 'type' | 'length'>) =>
  type === 'string' ? length : sizes[type]

const limits = {
  int16: [-32_768, 32_767],
  uint16: [0, 65_535],
  int32: [-2_147_483_648, 2_147_483_647],
  uint32: [0, 4_294_967_295],
} as const

/**
 * Value of registers; undefined for a number that is not finite, since sensors report a fault with
 * NaN.
 */
export function decodeRegisters(
  registers: readonly number[],
  format: RegisterFormat,
): Value | undefined {
  if (format.type === 'bit') return (((registers[0] ?? 0) >> format.bit) & 1) === 1
  const bytes = ordered(toBytes(registers), format)
  if (format.type === 'string') return bytes.toString('latin1').replace(/[\0 ]+$/, '')
  const raw = readNumber(bytes, format.type)
  if (!Number.isFinite(raw)) return undefined
  return scaled(raw, format)
}

/** Scaled value with at most 15 digits: 237 × 0.1 is 23.7 and not 23.700000000000003. */
const scaled = (raw: number, { scale, offset }: RegisterFormat) =>
  scale === 1 && offset === 0 ? raw : Number((raw * scale + offset).toPrecision(15))

/** Registers of a value. Throws when it does not fit. Bits are written by {@link withBit}. */
export function encodeRegisters(value: Value, format: RegisterFormat): number[] {
  if (format.type === 'string') return encodeText(value, format)
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new Error(`${String(value)} is no number`)
  }
  const { type, scale, offset } = format
  if (type === 'bit') throw new Error('a bit is written inside of its register')
  const unscaled = (value - offset) / scale
  const bytes = Buffer.alloc(registersOf(format) * 2)
  if (type === 'float32') bytes.writeFloatBE(unscaled)
  else if (type === 'float64') bytes.writeDoubleBE(unscaled)
  else writeInteger(bytes, Math.round(unscaled), type)
  return toRegisters(ordered(bytes, format))
}

export const withBit = (register: number, bit: number, on: boolean) =>
  on ? register | (1 << bit) : register & ~(1 << bit) & 0xffff

function writeInteger(bytes: Buffer, raw: number, type: keyof typeof limits) {
  const [low, high] = limits[type]
  if (raw < low || raw > high) throw new Error(`${raw} does not fit in ${type} (${low} to ${high})`)
  if (type === 'int16') bytes.writeInt16BE(raw)
  else if (type === 'uint16') bytes.writeUInt16BE(raw)
  else if (type === 'int32') bytes.writeInt32BE(raw)
  else bytes.writeUInt32BE(raw)
}

function encodeText(value: Value, format: RegisterFormat) {
  const text = Buffer.from(String(value), 'latin1')
  if (text.length > format.length * 2) {
    throw new Error(`a text of ${text.length} bytes does not fit in ${format.length} registers`)
  }
  return toRegisters(ordered(Buffer.concat([text], format.length * 2), format))
}

function readNumber(bytes: Buffer, type: Exclude<RegisterType, 'bit' | 'string'>) {
  switch (type) {
    case 'int16':
      return bytes.readInt16BE()
    case 'uint16':
      return bytes.readUInt16BE()
    case 'int32':
      return bytes.readInt32BE()
    case 'uint32':
      return bytes.readUInt32BE()
    case 'float32':
      return shortest(bytes.readFloatBE())
    case 'float64':
      return bytes.readDoubleBE()
  }
}

/** Shortest decimal number that is this float32; widened to a double it would have more digits. */
function shortest(float: number) {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits))
    if (Math.fround(short) === float) return short
  }
  return Number.isFinite(float) ? Number(float.toPrecision(9)) : float
}

function toBytes(registers: readonly number[]) {
  const bytes = Buffer.alloc(registers.length * 2)
  for (const [index, register] of registers.entries()) bytes.writeUInt16BE(register, index * 2)
  return bytes
}

function toRegisters(bytes: Buffer) {
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2))
}

/** Converts to or from ABCD: each order is its own inverse. */
function ordered(bytes: Buffer, { wordOrder, type }: RegisterFormat) {
  const swapsBytes = wordOrder === 'BADC' || wordOrder === 'DCBA'
  const swapsWords = (wordOrder === 'CDAB' || wordOrder === 'DCBA') && type !== 'string'
  const out = Buffer.from(bytes)
  if (swapsWords) {
    for (let at = 0; at < bytes.length; at += 2) bytes.copy(out, bytes.length - 2 - at, at, at + 2)
  }
  return swapsBytes ? out.swap16() : out
}
