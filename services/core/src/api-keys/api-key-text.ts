import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 33 letters of 62 are 196 bits. */
const secretLength = 33
const shape = /^lrk_(?:live|dev)_(\d{1,9})_[0-9A-Za-z]{33}_[0-9A-Za-z]{6}$/

/** `lrk_<env>_<id>_<secret>_<checksum>`: a scanner knows a leaked key by its form and checksum alone. */
export function newKey(id: number, origin: string) {
  const secret = Array.from({ length: secretLength }, () => digits[randomInt(62)]).join('')
  const body = `${publicPart(id, origin)}_${secret}`
  return `${body}_${checksumOf(body)}`
}

/** The beginning of a key, which is no secret: people tell their keys apart by it. */
export const publicPart = (id: number, origin: string) =>
  `lrk_${origin.startsWith('https:') ? 'live' : 'dev'}_${id}`

/** The id inside of a key; undefined for a text that was never one. */
export function idOfKey(key: string) {
  const id = shape.exec(key)?.[1]
  const end = key.lastIndexOf('_')
  return id !== undefined && checksumOf(key.slice(0, end)) === key.slice(end + 1)
    ? Number(id)
    : undefined
}

function checksumOf(text: string) {
  let left = crc32(text)
  let written = ''
  for (let place = 0; place < 6; place++) {
    written = `${digits[left % 62]}${written}`
    left = Math.floor(left / 62)
  }
  return written
}

/** Digest of a key, as it is stored. A slow hash is not needed: 196 random bits cannot be guessed. */
export const digestOf = (pepper: Buffer, key: string) =>
  createHmac('sha256', pepper).update(key).digest()

export const isSameDigest = (one: Buffer, other: Buffer) =>
  one.length === other.length && timingSafeEqual(one, other)
