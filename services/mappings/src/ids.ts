import { createHash, randomBytes, randomInt } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const random = (length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')

/** Id of a model or preset: 10 alphanumerics. */
export const newId = () => random(10)
/** Id of an instance in a configuration: 16 of `[a-z0-9]`. */
export const newUuid = () => random(16)
/** Id of a device: 16 bytes in base64url, 22 characters; a letter first, for `-` begins a formula in a spreadsheet. */
export function newDeviceId() {
  const bytes = randomBytes(16)
  bytes.writeUInt8(bytes.readUInt8() & 0x7f)
  return bytes.toString('base64url')
}

/** 10 alphanumerics that are always the same for the same text. */
export function stableId(text: string) {
  const number = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
  return number.toString(36).slice(-10)
}
