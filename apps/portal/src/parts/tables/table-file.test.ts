import { expect, test } from 'vitest'
import { readTableFile } from './table-file.ts'

const read = async (bytes: BlobPart, letters?: Parameters<typeof readTableFile>[1]) =>
  (await readTableFile(new Blob([bytes]), letters)).csv
const latin = Uint8Array.of(0xd6, 0x6c, 0x3b, 0x80) // Öl;€ in Windows-1252
const utf16 = (text: string) =>
  Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((sign) => [sign.charCodeAt(0), 0])])

test('letters are found by themselves: UTF-8, UTF-16 by its mark, else those of the West', async () => {
  expect(await read('Öl;€')).toBe('Öl;€')
  expect(await read(latin)).toBe('Öl;€')
  expect(await read(utf16('Name;Ort'))).toBe('Name;Ort')
})

test('letters that the person chose are taken, right or wrong', async () => {
  expect(await read(latin, 'windows-1252')).toBe('Öl;€')
  expect(await read(latin, 'utf-8')).toContain('\uFFFD')
  expect(await read('Öl', 'windows-1252')).toBe('Ã–l')
})

test('a mark at the start of UTF-8 is no letter of the first column', async () => {
  expect(await read('\uFEFFname;a')).toBe('name;a')
})

test('a file larger than 8 MB is refused before it is read', async () => {
  const large = { size: 8_000_001, arrayBuffer: () => Promise.reject(new Error('read')) }
  await expect(readTableFile(large as unknown as Blob)).rejects.toMatchObject({ code: 'tooLarge' })
})
