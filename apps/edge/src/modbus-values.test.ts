import { expect, test } from 'vitest'
import fc from 'fast-check'
import { planBlocks, type Place } from './modbus-blocks.ts'
import {
  decodeRegisters,
  encodeRegisters,
  type RegisterFormat,
  registerTypes,
  withBit,
  wordOrders,
} from './modbus-values.ts'

const format = (part: Partial<RegisterFormat>): RegisterFormat => ({
  type: 'uint16',
  wordOrder: 'ABCD',
  scale: 1,
  offset: 0,
  bit: 0,
  length: 1,
  ...part,
})

// 0x01020304 as each order has it on the wire.
test.each([
  ['ABCD', [0x0102, 0x0304]],
  ['CDAB', [0x0304, 0x0102]],
  ['BADC', [0x0201, 0x0403]],
  ['DCBA', [0x0403, 0x0201]],
] as const)('word order %s is read and written', (wordOrder, registers) => {
  const wide = format({ type: 'uint32', wordOrder })
  expect(decodeRegisters(registers, wide)).toBe(0x01020304)
  expect(encodeRegisters(0x01020304, wide)).toEqual(registers)
})

test('every number type and word order gives back what was written', () => {
  const numeric = registerTypes.filter((type) => type !== 'bit' && type !== 'string')
  const property = fc.property(
    fc.constantFrom(...numeric),
    fc.constantFrom(...wordOrders),
    fc.integer({ min: 0, max: 32_767 }),
    (type, wordOrder, value) => {
      const one = format({ type, wordOrder })
      expect(decodeRegisters(encodeRegisters(value, one), one)).toBe(value)
    },
  )
  fc.assert(property)
})

test('scale and offset apply both ways, without noise behind the last digit', () => {
  const tenths = format({ type: 'int16', scale: 0.1, offset: -40 })
  expect(decodeRegisters([637], tenths)).toBe(23.7)
  expect(encodeRegisters(23.7, tenths)).toEqual([637])
  expect(decodeRegisters([0xffff], format({ type: 'int16' }))).toBe(-1)
})

test('floats keep their digits and a NaN is no value', () => {
  const float = format({ type: 'float32' })
  expect(decodeRegisters(encodeRegisters(21.7, float), float)).toBe(21.7)
  expect(decodeRegisters([0x7fc0, 0], float)).toBeUndefined()
})

test('bits and texts are read; a bit is set without its neighbours', () => {
  expect(decodeRegisters([0b1000], format({ type: 'bit', bit: 3 }))).toBe(true)
  expect(withBit(0b1010, 3, false)).toBe(0b0010)
  expect(withBit(0b1010, 0, true)).toBe(0b1011)
  const text = format({ type: 'string', length: 4 })
  expect(decodeRegisters(encodeRegisters('OVEN-7', text), text)).toBe('OVEN-7')
  expect(() => encodeRegisters('much too long', text)).toThrow('does not fit')
})

const place = (area: Place['area'], address: number, size = 1, pollMs = 1_000): Place => ({
  area,
  address,
  size,
  pollMs,
  unit: 1,
})

test('contiguous places are one read, gaps and other groups are not', () => {
  const blocks = planBlocks([
    place('holding', 4),
    place('holding', 0, 2),
    place('holding', 2, 2),
    place('holding', 6),
    place('input', 5),
    place('holding', 7, 1, 5_000),
  ])
  const shown = blocks.map(({ area, address, size }) => `${area} ${address}+${size}`)
  expect(shown.toSorted()).toEqual(['holding 0+5', 'holding 6+1', 'holding 7+1', 'input 5+1'])
})

test('no read is longer than the protocol allows', () => {
  const many = Array.from({ length: 300 }, (_, address) => place('holding', address))
  expect(planBlocks(many).map(({ size }) => size)).toEqual([125, 125, 50])
})
