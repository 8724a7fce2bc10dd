import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { momentsKeptMs } from './moment-store.ts'

export const moments = definePart<PlatformDeps>()({
  name: 'moments',
  months: [
    {
      table: 'moment',
      time: 'at',
      key: ['id', 'at'],
      keptMs: momentsKeptMs,
      goes: "kind <> 'comment' and made_at < $1",
    },
  ],
})
