import { failure } from '@longreach/kit/errors'
import { mappingsContract } from '../contract.ts'

const most = 100

/** Refuse more tags than a device holds. */
export function checkTagLimit(tags: readonly string[]) {
  if (tags.length <= most) return
  const message = `A device has at most ${most} tags.`
  throw failure(mappingsContract, 'attributes_too_large', { message, field: 'tags' })
}
