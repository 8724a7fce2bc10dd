import { definePart } from '@longreach/kit/part'
import { everywhere } from '@longreach/kit/everywhere'
import { startRounds } from '@longreach/kit/rounds'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { moments } from '../moments/part.ts'
import { timings } from '../timings/part.ts'
import { linesContract } from './contract.ts'
import { areLinesLost, endLostLines, loseLinesOfDead } from './lost-lines.ts'
import { createOwnLines } from './own-lines.ts'
import { pastConnectionHandlers } from './past-connections.ts'

/** Interval at which a process compares its lines with the table. */
const compareMs = 10_000

export const lines = definePart<PlatformDeps>()({
  name: 'lines',
  contract: linesContract,
  uses: [timings, moments, devices],
  state: ({ db, ownProcess, now, log, used }) =>
    createOwnLines({ db, node: ownProcess.number, now, log, graceMs: used.timings.graceMs }),
  handlers: ({ used, ...deps }) => pastConnectionHandlers(used.devices, deps, used.timings.graceMs),
  effects: ({ state }) => [everywhere(linesContract.events.lineTaken, (line) => state.taken(line))],
  start: ({ state, log }) =>
    startRounds(
      compareMs,
      () => state.compare(),
      (error) => log.error({ error }, 'the lines of this process could not be compared'),
    ),
  every: {
    async second({ db, ownProcess, now, used }) {
      if (!(await ownProcess.leads('platform.lines')) || !(await areLinesLost(db))) return
      await loseLinesOfDead(db, { now: now(), graceMs: used.timings.graceMs })
      await endLostLines(db)
    },
  },
})
