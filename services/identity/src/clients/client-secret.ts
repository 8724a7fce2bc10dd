import { randomBytes } from 'node:crypto'

/** Random client secret of 256 bits; its prefix lets scanners recognize a leaked one. */
export const newSecret = () => `lrs_${randomBytes(32).toString('base64url')}`
