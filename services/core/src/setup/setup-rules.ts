// Without letters and digits that are easily taken for one another; 32, so that 5 bits choose one.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 24

/** A token that a person can type, from 24 random bytes: six groups of four, 120 bits. */
export const formatToken = (bytes: Uint8Array) => {
  const letters = Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % 32]).join('')
  return letters.match(/.{4}/g)?.join('-') ?? letters
}

/** Normalized setup token: letters and digits only, in upper case. */
export const normalizeToken = (typed: string) => typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
