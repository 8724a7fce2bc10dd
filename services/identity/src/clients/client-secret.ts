import { randomBytes } from 'node:crypto'

/** 256 bits; its beginning lets scanners recognize one that leaked. */
export const newSecret = () => `lrs_${randomBytes(32).toString('base64url')}`
