import type { Value } from '@longreach/device-protocol/value'

export const s7Types = [
  'bool',
  'byte',
  'int',
  'word',
  'dint',
  'dword',
  'real',
  'lreal',
  'string',
] as const
export type S7Type = (typeof s7Types)[number]

type S7Place = {
  area: 'DB' | 'M' | 'I' | 'Q'
  db?: number | undefined
  offset: number
  type: S7Type
  bit: number
  length: number
}

/** Letters of a type in the library's addresses: in data blocks, and after other areas. */
const letters: Record<S7Type, { block: string; area: string }> = {
  bool: { block: 'X', area: '' },
  byte: { block: 'BYTE', area: 'B' },
  int: { block: 'INT', area: 'I' },
  word: { block: 'WORD', area: 'W' },
  dint: { block: 'DINT', area: 'DI' },
  dword: { block: 'DWORD', area: 'D' },
  real: { block: 'REAL', area: 'R' },
  lreal: { block: 'LREAL', area: 'LR' },
  string: { block: 'S', area: '' },
}

/** Address in the S7 library's notation: `DB4,REAL12`, `M3.1`, `QW8`. */
export function s7Address({ area, db, offset, type, bit, length }: S7Place): string {
  const { block, area: letter } = letters[type]
  const tail = type === 'bool' ? `.${bit}` : type === 'string' ? `.${length}` : ''
  return area === 'DB' ? `DB${db},${block}${offset}${tail}` : `${area}${letter}${offset}${tail}`
}

/** Value = raw × scale. The library returns numbers, booleans and texts. */
export function s7Value(raw: unknown, type: S7Type, scale: number): Value | undefined {
  if (type === 'bool') return typeof raw === 'boolean' ? raw : undefined
  if (type === 'string') return typeof raw === 'string' ? raw.replace(/\0+$/, '') : undefined
  if (typeof raw !== 'number' || !Number.isFinite(raw)) return undefined
  return scale === 1 ? rounded(raw, type) : Number((raw * scale).toPrecision(15))
}

/** Rounds a real to seven digits: it has 24 bits, so that 21.7 is read as 21.700000762939453. */
const rounded = (raw: number, type: S7Type) => (type === 'real' ? Number(raw.toPrecision(7)) : raw)

const limits = {
  byte: [0, 255],
  int: [-32_768, 32_767],
  word: [0, 65_535],
  dint: [-2_147_483_648, 2_147_483_647],
  dword: [0, 4_294_967_295],
} as const

/** Raw value to write. Throws when it does not fit. */
export function s7Raw(value: Value, type: S7Type, scale: number): number | boolean | string {
  if (type === 'bool') return value === true
  if (type === 'string') return String(value)
  if (typeof value !== 'number') throw new Error('the value is no number')
  if (type === 'real' || type === 'lreal') return value / scale
  const raw = Math.round(value / scale)
  const [least, most] = limits[type]
  if (raw < least || raw > most) throw new Error(`${value} does not fit into a ${type}`)
  return raw
}
