import { z } from 'zod'

/** Id of a node, page or item, unique in its document. */
export const Id = z
  .string()
  .regex(/^(?!(?:__proto__|constructor|prototype)$)[A-Za-z0-9_-]{4,24}$/)
  .meta({ id: 'Id' })
export type Id = string

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

/** New id of ten random characters: among 5,000 nodes two are alike once in a hundred thousand million boards. */
export function newId(): Id {
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  return Array.from(bytes, (byte) => letters.charAt(byte & 63)).join('')
}

/** Key of a slot or variable. */
export const Key = z
  .string()
  .regex(/^(?!(?:constructor|prototype)$)[a-z][a-z0-9_]{0,30}$/)
  .meta({ id: 'Key' })

/** Key of a property, event, map or band. */
export const PropKey = z
  .string()
  .regex(/^(?!(?:__proto__|constructor|prototype)$)[A-Za-z0-9_@/-]{1,80}$/)
