import { constants, createZstdDecompress, zstdDecompressSync } from 'node:zlib'

/** Internals of Node's decompressor stream; undocumented, so they may be absent. */
type Engine = {
  _handle?: {
    writeSync?: (...block: [number, Buffer, number, number, Buffer, number, number]) => void
  }
  /** Result of the last write: remaining room, and bytes not read. */
  _writeState?: Uint32Array
}

let engine: { stream: Engine; handle: Engine['_handle']; left: Engine['_writeState'] } | undefined
let failed = false

function keptEngine() {
  if (engine) return engine
  // Its type does not describe its internals.
  const stream = createZstdDecompress() as unknown as Engine
  const { _handle: handle, _writeState: left } = stream
  failed = false
  // Without this handler an error would end the stream silently.
  if (handle) Object.assign(handle, { onerror: () => (failed = true) })
  return (engine = { stream, handle, left })
}

/**
 * Decompresses a block that was compressed in one call. Node makes a decompressor for each call,
 * which costs about as much as a chunk, so one is kept. When its result does not have the declared
 * size, Node's own call decompresses the block or reports the error.
 */
export function unpackedBlock(block: Buffer): Buffer {
  const size = sizeOf(block)
  const { handle, left } = keptEngine()
  if (size === undefined || !handle?.writeSync || !left) return zstdDecompressSync(block)
  const bytes = Buffer.allocUnsafe(size)
  handle.writeSync(constants.ZSTD_e_end, block, 0, block.length, bytes, 0, size)
  if (!failed && left[0] === 0 && left[1] === 0) return bytes
  engine = undefined
  return zstdDecompressSync(block)
}

const mostSize = 16 * 1024 * 1024

/**
 * Decompressed size declared by a block (RFC 8878, section 3.1.1.1), when it has two or four bytes.
 */
function sizeOf(block: Buffer) {
  const head = block[4] ?? 0
  if ((head & 3) !== 0 || block.length < 10) return undefined
  const at = (head & 0x20) === 0 ? 6 : 5
  const form = head >>> 6
  if (form === 1) return block.readUInt16LE(at) + 256
  if (form !== 2) return undefined
  const size = block.readUInt32LE(at)
  return size <= mostSize ? size : undefined
}
