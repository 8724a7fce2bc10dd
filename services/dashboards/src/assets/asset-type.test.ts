import { expect, test } from 'vitest'
import { assetName } from './asset-name-contract.ts'
import { colored, gifOf, grayPng } from './asset-testing.ts'
import { typeOfContent } from './asset-type.ts'
import { firstGifPicture } from './gif-picture.ts'
import { sizeOfPicture } from './picture-size.ts'

test('[C-25] the type of a file is that of its content', async () => {
  const pictures = {
    ...(await colored(40, 30)),
    gif: gifOf(
      40,
      30,
      Array.from({ length: 1_200 }, () => 1),
    ),
  }
  for (const [picture, content] of Object.entries(pictures)) {
    const found = typeOfContent(content, `plan.${picture}`)
    expect(found).toEqual({ kind: 'picture', picture })
    if (found?.kind !== 'picture') continue
    expect([picture, sizeOfPicture(content, found.picture)]).toEqual([
      picture,
      { width: 40, height: 30 },
    ])
    // Cut off within its header, it has no size or one that was read, and never fails.
    for (let end = 0; end < 48; end += 1) sizeOfPicture(content.subarray(0, end), found.picture)
  }
  const of = (text: string, name: string) => typeOfContent(Buffer.from(text, 'latin1'), name)
  expect(of('%PDF-1.7 ', 'a.pdf')).toEqual({ kind: 'file', type: 'application/pdf' })
  expect(of('\0\0\0\x18ftypisom\0\0\0\0isomavc1', 'a.mp4')).toEqual({
    kind: 'file',
    type: 'video/mp4',
  })
  expect(of('a;b', 'a.csv')).toEqual({ kind: 'file', type: 'text/csv' })
  expect(of('# a', 'a.MD')).toEqual({ kind: 'file', type: 'text/markdown' })
  expect(of('<svg/>', 'a.svg')).toEqual({ kind: 'svg' })
})

test.each([
  ['<html><script>', 'a.png'],
  ['<html><script>', 'a.html'],
  ['<html>', 'a.pdf'],
  ['%PDF-1.7', 'a.png'],
  ['%PDF-1.7', 'a.txt'],
  ['GIF89a/*', 'a.txt'],
  ['MZ\0\0', 'a.txt'],
  ['PK\x03\x04', 'a.csv'],
  ['\0\0\0\x18ftypisom\0\0\0\0isom', 'a.png'],
  ['<svg/>', 'a.png'],
  ['', 'a.png'],
])('[C-25] %j is not taken as %s', (content, name) => {
  expect(typeOfContent(Buffer.from(content, 'latin1'), name)).toBeUndefined()
})

test.each([
  '../a.png',
  '..\\a.png',
  '/etc/a.png',
  'C:a.png',
  'a\0.png',
  'a\u202Egnp.png',
  'a\n.png',
  'a\u200B.png',
])('[C-25] %j is no name of a file', (name) => {
  expect(assetName.safeParse(name).success).toBe(false)
})

test('[C-25] names with spaces and letters of any language are names, and are kept in one form', () => {
  expect(assetName.parse(' Übersicht Ofen 1.png ')).toBe('Übersicht Ofen 1.png')
  expect(assetName.parse('A\u030A.png')).toBe('\u00C5.png')
  for (const name of ['plan', '.png', 'a.', '...', 'a.b%2ec', `${'a'.repeat(120)}.png`])
    expect([name, assetName.safeParse(name).success]).toEqual([name, false])
})

test('[C-25] the first picture of a GIF is decoded, its transparent color too, with codes of all widths', () => {
  const small = firstGifPicture(gifOf(2, 2, [0, 1, 2, 3]))
  expect([...(small?.pixels ?? [])]).toEqual([
    255, 0, 0, 255, 0, 0, 255, 255, 0, 255, 0, 255, 0, 0, 0, 0,
  ])
  let seed = 7
  const noise = Array.from({ length: 40_000 }, () => (seed = (seed * 16_807) % 2_147_483_647) % 3)
  const large = firstGifPicture(gifOf(200, 200, noise))
  const seen = noise.map((_, at) =>
    [...(large?.pixels.subarray(at * 4, at * 4 + 3) ?? [])].indexOf(255),
  )
  // Red, green and blue stand at 0, 1 and 2 of a pixel.
  expect(seen).toEqual(noise.map((index) => [0, 2, 1][index]))
  const broken = gifOf(
    4,
    4,
    Array.from({ length: 16 }, () => 1),
  )
  expect(() => firstGifPicture(broken.subarray(0, 30))).toThrow(RangeError)
})

test('[C-25] the header of a PNG says 50,000² without a byte of it being decoded', () => {
  const bomb = grayPng(50_000, 50_000, Buffer.alloc(10))
  expect(sizeOfPicture(bomb, 'png')).toEqual({ width: 50_000, height: 50_000 })
})
