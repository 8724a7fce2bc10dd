import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { deleteOldMoments } from './moment-store.ts'

/** Entries that no person wrote go after three years. */
const keptMs = 3 * 365 * 86_400_000

export const moments = definePart<PlatformDeps>()({
  name: 'moments',
  every: {
    hour: ({ db, now }) => deleteOldMoments(db, new Date(now().getTime() - keptMs)),
  },
})
