import { definePart } from '@longreach/kit/part'
import { createSignal, startRounds } from '@longreach/kit/rounds'
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
  /** Firings came that wait to be judged; runs came whose actions wait. */
  state: () => ({ heard: createSignal(), judged: createSignal() }),
  handlers: runByHand,
  consumers: ({ now, state }) => [hearFirings(now, state.heard.give)],
  start: (deps) => {
    const { heard, judged } = deps.state
    const rounds = startRounds(
      'second',
      () => judgeFirings(deps, judged.give),
      (error) => deps.log.error(error, 'firings of triggers could not be judged'),
    )
    heard.take(rounds.soon)
    return rounds
  },
})
