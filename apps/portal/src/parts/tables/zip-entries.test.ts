import { expect, test } from 'vitest'
import { zipOf } from './xlsx-testing.ts'
import { entryText, zipEntries, ZipFault } from './zip-entries.ts'

const files = { 'a.xml': 'first', 'folder/b.xml': 'zweite Datei: Öl' }
const reasonOf = (run: () => unknown) => {
  try {
    run()
  } catch (fault) {
    return fault instanceof ZipFault ? fault.reason : fault
  }
  return undefined
}

test('every file of an archive is found by its name and unpacked', async () => {
  const entries = zipEntries(await zipOf(files))
  expect([...entries.keys()]).toEqual(['a.xml', 'folder/b.xml'])
  for (const [name, text] of Object.entries(files))
    expect(await entryText(entries.get(name)!, 1_000)).toBe(text)
})

test('a file that is stored without packing is read too', async () => {
  const packed = new TextEncoder().encode('plain')
  expect(await entryText({ packed, method: 0, size: 5 }, 100)).toBe('plain')
})

test('an archive with a comment at its end is read', async () => {
  const bytes = await zipOf(files)
  const comment = new TextEncoder().encode('made by a program')
  const whole = new Uint8Array([...bytes, ...comment])
  expect(zipEntries(whole).size).toBe(2)
})

test('an archive that was cut, or is none, is broken', async () => {
  const bytes = await zipOf(files)
  expect(reasonOf(() => zipEntries(bytes.slice(0, bytes.length - 30)))).toBe('broken')
  expect(reasonOf(() => zipEntries(bytes.slice(40)))).toBe('broken')
  expect(reasonOf(() => zipEntries(new Uint8Array(10)))).toBe('broken')
  expect(reasonOf(() => zipEntries(new Uint8Array(0)))).toBe('broken')
})

test('an archive of more files than a workbook has is not read', async () => {
  const bytes = await zipOf({ 'a.xml': 'a' })
  new DataView(bytes.buffer).setUint16(bytes.length - 22 + 10, 60_000, true)
  expect(reasonOf(() => zipEntries(bytes))).toBe('tooLarge')
})

test('a file that unpacks to more than is wanted is refused, also when it says it is small', async () => {
  const entry = zipEntries(await zipOf({ 'a.xml': 'x'.repeat(100_000) })).get('a.xml')!
  await expect(entryText(entry, 99_999)).rejects.toMatchObject({ reason: 'tooLarge' })
  await expect(entryText({ ...entry, size: 10 }, 99_999)).rejects.toMatchObject({
    reason: 'tooLarge',
  })
})

test('a file that does not unpack, or is packed in another way, is broken', async () => {
  const entry = zipEntries(await zipOf(files)).get('a.xml')!
  const garbled = { ...entry, packed: Uint8Array.from(entry.packed, (byte) => byte ^ 0xff) }
  await expect(entryText(garbled, 100)).rejects.toMatchObject({ reason: 'broken' })
  await expect(entryText({ ...entry, method: 12 }, 100)).rejects.toMatchObject({
    reason: 'broken',
  })
})
