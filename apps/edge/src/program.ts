import { pino } from 'pino'
import { startAgent } from './agent.ts'
import { commandLine, failSettings } from './command-line.ts'
import { withSimulation } from './simulation.ts'
import { supervisionOf } from './supervision.ts'

async function main() {
  const given = commandLine()
  if (!given) return
  const settings = given.simulate ? await withSimulation(given) : given
  const log = pino({ level: settings.logLevel })
  log.info({ endpoint: settings.endpoint, dataDir: settings.dataDir }, 'the agent starts')
  const agent = startAgent(settings, log, supervisionOf())
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    log.info('the agent stops')
    void agent.stop().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // The supervisor has ended; another start would run two agents for one device.
  process.on('disconnect', stop)
}

try {
  await main()
} catch (error) {
  failSettings(error)
}
