import { expect, test } from 'vitest'
import { newDeviceId } from './ids.ts'

test('the id of a device is 22 characters, of which a spreadsheet takes none for a formula', () => {
  const ids = Array.from({ length: 2_000 }, newDeviceId)
  expect(ids.filter((id) => !/^[A-Za-z][\w-]{21}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})
