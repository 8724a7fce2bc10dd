/**
 * Growing byte buffer; integers are written as zigzag varints, so that small ones of either sign
 * take one byte.
 */
export class ByteWriter {
  private bytes: Buffer
  private at = 0
  constructor(size = 1024) {
    this.bytes = Buffer.allocUnsafe(size)
  }
  get length() {
    return this.at
  }
  private room(count: number) {
    if (this.at + count <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + count))
    this.bytes.copy(larger, 0, 0, this.at)
    this.bytes = larger
  }
  byte(value: number) {
    this.room(1)
    this.bytes[this.at++] = value
  }
  /** Writes a whole number from 0 to 2^53 - 1, seven bits a byte, low bits first. */
  varint(value: number) {
    this.room(9)
    const { bytes } = this
    let rest = value
    // Bit operations work on 32 bits only; above that the low seven bits are split off by
    // arithmetic.
    while (rest > 0x7fffffff) {
      bytes[this.at++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    while (rest > 127) {
      bytes[this.at++] = (rest & 127) | 128
      rest >>>= 7
    }
    bytes[this.at++] = rest
  }
  /** Writes a whole number of either sign whose double is below 2^53. */
  signed(value: number) {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value)
  }
  double(value: number) {
    this.room(8)
    this.at = this.bytes.writeDoubleLE(value, this.at)
  }
  text(value: string) {
    const size = Buffer.byteLength(value)
    this.varint(size)
    this.room(size)
    this.at += this.bytes.write(value, this.at)
  }
  raw(value: Uint8Array) {
    this.room(value.length)
    this.bytes.set(value, this.at)
    this.at += value.length
  }
  /** Bytes written so far; the writer must not be used afterwards. */
  done() {
    return this.bytes.subarray(0, this.at)
  }
}

/** Reader of the bytes of a `ByteWriter`, in the same order. */
export class ByteReader {
  readonly bytes: Buffer
  at: number
  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes
    this.at = at
  }
  byte() {
    const value = this.bytes[this.at]
    if (value === undefined) throw new Error('A stored block ends too early')
    this.at += 1
    return value
  }
  varint() {
    const first = this.byte()
    if (first < 128) return first
    let value = first & 127
    let scale = 128
    for (;;) {
      const next = this.byte()
      value += (next & 127) * scale
      if (next < 128) return value
      scale *= 128
    }
  }
  signed() {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
  double() {
    const value = this.bytes.readDoubleLE(this.at)
    this.at += 8
    return value
  }
  text() {
    const size = this.varint()
    const value = this.bytes.toString('utf8', this.at, this.at + size)
    this.at += size
    return value
  }
  raw(size: number) {
    const value = this.bytes.subarray(this.at, this.at + size)
    this.at += size
    return value
  }
}
