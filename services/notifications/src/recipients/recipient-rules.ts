import { recipientTypes, type RecipientFilter, type RecipientType } from '../recipient-contract.ts'

/** Recipient as a rule names it; `any` is a user name, the name of a group, or an address. */
export type Named = { type: RecipientType | 'any'; id: string }

/** Recipient of a filter: an object, or a text such as `user:anna` or `anna`. */
export function toNamed(filter: RecipientFilter): Named {
  if (typeof filter === 'object') return { type: filter.type, id: String(filter.id) }
  const text = filter.trim()
  const type = recipientTypes.find((one) => text.startsWith(`${one}:`))
  return type ? { type, id: text.slice(type.length + 1).trim() } : { type: 'any', id: text }
}
