import { definePart } from '@longreach/kit/part'
import type { TriggersDeps } from '../deps.ts'
import { firingsContract } from '../firing-contract.ts'
import { runs } from '../runs/part.ts'
import { saving } from '../saving/part.ts'
import { hearFirings } from './hearing.ts'
import { judgeFirings } from './judging.ts'
import { runByHand } from './run-by-hand.ts'

/** Firings are kept and judged: what may run becomes a run with its actions. */
export const firings = definePart<TriggersDeps>()({
  name: 'firings',
  contract: firingsContract,
  uses: [saving, runs],
  handlers: runByHand,
  consumers: ({ now }) => [hearFirings(now)],
  every: { second: judgeFirings },
})
