import { constants, createZstdDecompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unpackedBlock } from './zstd.ts'

const level = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

test('blocks of any size come back as they were, also after damaged ones', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }),
    fc
      .tuple(fc.integer({ min: 0, max: 200_000 }), fc.nat(255), fc.nat(7))
      .map(([length, byte, every]) =>
        Uint8Array.from({ length }, (_, at) => (every > 0 && at % every === 0 ? at : byte)),
      ),
  )
  const damage = fc.option(fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 255 })))
  fc.assert(
    fc.property(bytes, damage, (plain, hurt) => {
      const block = zstdCompressSync(plain, level)
      if (hurt) {
        const damaged = Buffer.from(block)
        const at = hurt[0] % damaged.length
        damaged[at] = (damaged[at] ?? 0) ^ hurt[1]
        expect(outcome(() => unpackedBlock(damaged))).toEqual(
          outcome(() => zstdDecompressSync(damaged)),
        )
        expect(() => unpackedBlock(block.subarray(0, block.length - 1))).toThrow()
      }
      expect(unpackedBlock(block).equals(plain)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

function outcome(unpack: () => Buffer) {
  try {
    return unpack().toString('base64')
  } catch (error) {
    return String(error)
  }
}

test('what is used of the decompressor that is kept is there in this Node', () => {
  expect(createZstdDecompress()).toMatchObject({
    _handle: { writeSync: expect.any(Function) },
    _writeState: expect.any(Uint32Array),
  })
})
