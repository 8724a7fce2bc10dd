import { failure } from '@longreach/kit/errors'
import { alarmsContract } from '../contract.ts'
import type { ShelfRow } from './shelf-store.ts'

export const noShelf = (id: string) =>
  failure(alarmsContract, 'not_found', {
    message: `There is no shelf ${id} here. It may be over, or belong to another organization.`,
    id,
  })

export const alreadyShelved = ({ label, target_id }: ShelfRow) =>
  failure(alarmsContract, 'already_shelved', {
    message: `${label || target_id} is shelved already. Change the end of that shelf instead.`,
    field: 'target',
  })

export const shelfFromAbove = ({ org }: ShelfRow) =>
  failure(alarmsContract, 'shelf_from_above', {
    message: `${org} shelved it, and changes its end. Lift it here, and shelve what you need.`,
    field: 'until',
  })

export const shelfTooShort = () =>
  failure(alarmsContract, 'shelf_too_short', {
    message: 'A shelf lasts 15 minutes at least. Take a later end.',
    field: 'until',
  })

export const shelfTooLong = () =>
  failure(alarmsContract, 'shelf_too_long', {
    message: 'A shelf lasts 7 days at most. Take an earlier end; it can be extended later.',
    field: 'until',
  })

export const noteRequired = (why: 'reason' | 'class') =>
  failure(alarmsContract, 'note_required', {
    message: `This ${why} needs a note. Say in a few words why it is shelved.`,
    field: 'note',
    why,
  })

export const tooManyShelves = (most: number) =>
  failure(alarmsContract, 'too_many_shelves', {
    message: `An organization has at most ${most} shelves at a time. Lift some, or shelve a device or a rule as a whole.`,
    field: 'target',
  })
